//! Arrays of fuzzy numbers on the CPU.
//!
//! A program runs over *runs* of blocks, short enough that what it calculates on the way stays in the nearest cache.
//! Each step goes over its run with vectors whose operations are rounded as they must be; every result is the same to
//! the bit as that of [`FuzzyLu`](super::FuzzyLu) and [`FuzzyMr`](super::FuzzyMr) number by number, whatever the
//! vectors and the number of threads.

#[cfg(target_arch = "x86_64")]
mod avx2;
mod axpy;
mod batch;
mod cuts;
mod elementary;
mod lanes;
mod lu;
mod mr;
mod program;
mod sum;
mod tasks;

pub(super) use axpy::axpy;
pub(super) use batch::Batch;
pub(super) use lu::LuKernels;
pub(super) use mr::{MrKernels, from_bounds, to_bounds};
pub(super) use program::run;
pub(super) use sum::{dot, sum};
