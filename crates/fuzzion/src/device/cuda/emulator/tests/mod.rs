//! Each thing the emulator gives to kernels, and each mistake it promises to notice.

mod arithmetic;
mod barriers;
mod checks;
mod grids;
mod warps;
mod words;

use super::text::{self, Signature};
use super::{Arg, Emulator, Failure, Order, compile, or_skip};
use crate::device::cuda::Grid;
use crate::device::cuda::program::Program;

/// One block of `threads` threads, in every order: `out` must be the same, and is returned.
fn out_of_one_block<T: bytemuck::Pod + PartialEq + std::fmt::Debug>(
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

/// What a launch of one block that writes `threads` integers says when it fails.
fn failure(emulator: &Emulator, kernel: &str, threads: u32) -> String {
    let mut out = vec![0i32; threads as usize];
    let failed =
        emulator.launch(kernel, Grid::new(1, threads), Order::Forwards, &mut [Arg::slice_mut(&mut out)]);
    assert!(out.iter().all(|&x| x == 0), "a failed launch leaves the caller's numbers alone");
    failed.expect_err(kernel).to_string()
}
