//! Tests of every feature of the emulator and every error it detects.

mod arithmetic;
mod barriers;
mod checks;
mod compilation;
mod gpu;
mod grids;
mod warps;

use super::source::{self, Signature};
use super::{Arg, Emulator, EmulatorError, Order, compile, emulator_or_skip};
use crate::device::cuda::Grid;
use crate::device::cuda::program::Program;

/// The output of one block of `threads` threads, which must be the same in every order.
fn output_of_one_block<T: bytemuck::Pod + PartialEq + std::fmt::Debug>(
    emulator: &Emulator,
    kernel: &str,
    threads: u32,
    out: &[T],
) -> Vec<T> {
    let results: Vec<Vec<T>> = Order::ALL
        .map(|order| {
            let mut out = out.to_vec();
            emulator.launch(kernel, Grid::new(1, threads), order, &mut [Arg::slice_mut(&mut out)]).unwrap();
            out
        })
        .to_vec();
    assert!(
        results.iter().all(|result| *result == results[0]),
        "{kernel} depends on the order of its threads"
    );
    results[0].clone()
}

/// The error message of a launch of one block that writes `threads` integers.
fn failure(emulator: &Emulator, kernel: &str, threads: u32) -> String {
    let mut out = vec![0i32; threads as usize];
    let failed =
        emulator.launch(kernel, Grid::new(1, threads), Order::Forward, &mut [Arg::slice_mut(&mut out)]);
    assert!(out.iter().all(|&x| x == 0), "a failed launch changed the caller's data");
    failed.expect_err(kernel).to_string()
}
