//! Kernels of the ceilings, compared with the host on every back end of this machine and in the emulator.

// The kernels of the benchmarks are tested here, because the emulator is part of the tests of this crate.
#[allow(unreachable_pub, unused)]
#[path = "../../../fuzzion-bench/src/device/mod.rs"]
mod bench_device;

use crate::device::cuda::Grid;
use crate::device::cuda::Program;
use crate::device::cuda::emulator::Order;
use crate::device::{Cpu, Cuda, Device};
use bench_device::Check;
use bench_device::ceilings::chain::chain;
use bench_device::ceilings::{checks, cuda};

/// The programs of the ceilings.
pub(super) fn programs() -> Vec<Program> {
    ["float", "double"].map(cuda::program).to_vec()
}

/// Tests that together run every launch of this module.
pub(super) const LAUNCHING_TESTS: &[fn()] =
    &[|| emulated_checks_pass(Order::Forward), the_emulated_pair_sums_are_correct];

fn assert_passed(checks: &[Check]) {
    assert!(checks.iter().all(|check| check.passed && check.cases > 0), "{checks:#?}");
}

#[test]
fn every_cpu_kernel_agrees_with_the_host() {
    for threads in [1, 2, 3] {
        assert_passed(&checks(&Device::from(Cpu::with_threads(threads).unwrap())).unwrap());
    }
}

#[test]
fn every_gpu_kernel_agrees_with_the_host() {
    if let Some(device) = crate::device::testing::gpu_or_skip() {
        assert_passed(&checks(&device).unwrap());
    }
}

/// Runs `test` on a GPU with every thread order, if a C++ compiler is available.
fn on_emulated_gpus(test: impl Fn(&Cuda)) {
    Order::ALL.into_iter().filter_map(Cuda::emulated).for_each(|cuda| test(&cuda));
}

#[test]
fn every_emulated_kernel_agrees_with_the_host() {
    Order::ALL.into_iter().for_each(emulated_checks_pass);
}

fn emulated_checks_pass(order: Order) {
    Cuda::emulated(order)
        .iter()
        .for_each(|cuda| assert_passed(&cuda::checks(cuda, &[0, 1, 3, 255, 4097]).unwrap()));
}

#[test]
fn the_emulated_chains_agree_with_the_oracle() {
    on_emulated_gpus(|cuda| {
        let (mut sums, steps) = (cuda.zeros(96).unwrap(), 20);
        cuda::chains(cuda, Grid::new(3, 32), &mut sums, 0.7, steps).unwrap();
        let sums: Vec<f64> = cuda.download(&sums).unwrap();
        // 16 equal chains, each within an ulp of the fused oracle per step, which halves earlier errors.
        assert!(sums.iter().all(|sum| (sum - 16.0 * chain(0.7, steps as usize)).abs() < 1e-13), "{sums:?}");
    });
}

#[test]
fn the_emulated_pair_sums_are_correct() {
    on_emulated_gpus(|cuda| {
        let pairs: Vec<f32> = (0..600).map(|i| (i * i) as f32).collect();
        let expected: Vec<f32> = pairs.chunks(2).map(|pair| pair[0] + pair[1]).collect();
        let mut sums = cuda.alloc(300).unwrap();
        let pairs = cuda.upload(&pairs).unwrap();
        cuda::AddPairs::new(cuda).unwrap().launch(cuda, &pairs, &mut sums, 300).unwrap();
        assert_eq!(cuda.download(&sums).unwrap(), expected);
    });
}
