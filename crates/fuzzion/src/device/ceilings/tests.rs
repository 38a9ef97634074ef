//! Comparison of the kernels with the host, on every back end of this machine and in the emulator.

use super::chain::{SCALE, SHIFT, chain};
use super::{checks, cuda};
use crate::device::cuda::Grid;
use crate::device::cuda::emulator::{Arg, Emulator, Order, or_skip};
use crate::device::{Check, Device};

fn assert_passed(checks: &[Check]) {
    assert!(checks.iter().all(|check| check.passed && check.cases > 0), "{checks:#?}");
}

#[test]
fn every_cpu_kernel_agrees_with_the_host() {
    for threads in [1, 2, 3] {
        assert_passed(&checks(&Device::from(crate::device::Cpu::with_threads(threads).unwrap())).unwrap());
    }
}

#[test]
fn every_gpu_kernel_agrees_with_the_host() {
    if let Some(device) = crate::device::testing::gpu_or_skip() {
        assert_passed(&checks(&device).unwrap());
    }
}

/// Runs `test` in every thread order, if a C++ compiler is available.
fn in_every_order(real: &'static str, test: impl Fn(&Emulator, Order)) {
    if let Some(emulator) = or_skip(&cuda::program(real)) {
        Order::ALL.into_iter().for_each(|order| test(&emulator, order));
    }
}

#[test]
fn the_emulated_copy_copies_every_value() {
    in_every_order("float", |emulator, order| {
        for n in [1, 3, 4, 255, 1000] {
            let from: Vec<f32> = (0..n).map(|i| i as f32).collect();
            let mut to = vec![f32::NAN; n];
            let mut args = [Arg::slice(&from), Arg::slice_mut(&mut to), Arg::value(n as i64)];
            emulator.launch("copy_values", Grid::new(2, 64), order, &mut args).unwrap();
            assert_eq!(to, from);
        }
    });
}

#[test]
fn the_emulated_chains_agree_with_the_oracle() {
    in_every_order("double", |emulator, order| {
        let mut sums = vec![0.0; 96];
        let steps = 20;
        let mut args = [
            Arg::slice_mut(&mut sums),
            Arg::value(0.7),
            Arg::value(SCALE),
            Arg::value(SHIFT),
            Arg::value(steps as i32),
        ];
        emulator.launch("multiply_add", Grid::new(3, 32), order, &mut args).unwrap();
        // 16 equal chains, each within an ulp of the fused oracle per step, which halves earlier errors.
        assert!(sums.iter().all(|sum| (sum - 16.0 * chain(0.7, steps)).abs() < 1e-13), "{sums:?}");
    });
}

#[test]
fn the_emulated_increment_adds_one_to_every_value() {
    in_every_order("float", |emulator, order| {
        let mut values = vec![1.0f32; 300];
        let mut args = [Arg::slice_mut(&mut values), Arg::value(300i64)];
        emulator.launch("increment", Grid::new(2, 32), order, &mut args).unwrap();
        assert_eq!(values, [2.0; 300]);
    });
}

#[test]
fn the_emulated_pair_sums_are_correct() {
    in_every_order("float", |emulator, order| {
        let pairs: Vec<f32> = (0..600).map(|i| (i * i) as f32).collect();
        let expected: Vec<f32> = pairs.chunks(2).map(|pair| pair[0] + pair[1]).collect();
        let mut sums = vec![f32::NAN; 300];
        let mut args = [Arg::slice(&pairs), Arg::slice_mut(&mut sums), Arg::value(300i64)];
        emulator.launch("add_pairs", Grid::new(2, 32), order, &mut args).unwrap();
        assert_eq!(sums, expected);
    });
}

#[test]
fn the_emulated_grid_sum_is_exact_for_integers() {
    in_every_order("double", |emulator, order| {
        for n in [1, 100, 1001] {
            let values: Vec<f64> = (0..n).map(f64::from).collect();
            let (mut partial, mut sum, mut arrived) = ([f64::NAN; 5], [f64::NAN], [0u32]);
            let grid = Grid { shared: 64 * 8, ..Grid::new(5, 64) };
            let mut args = [
                Arg::slice(&values),
                Arg::slice_mut(&mut partial),
                Arg::slice_mut(&mut sum),
                Arg::slice_mut(&mut arrived),
                Arg::value(i64::from(n)),
            ];
            emulator.launch("grid_sum", grid.cooperative(), order, &mut args).unwrap();
            assert_eq!(sum[0], f64::from(n * (n - 1) / 2));
        }
    });
}
