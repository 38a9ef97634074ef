//! CPU kernels for arrays of fuzzy numbers.
//!
//! A program processes short *runs* of blocks, so that intermediate results stay in the L1 cache. Each operation
//! processes a run with SIMD vectors and directed rounding. Every result is bit-identical to the scalar
//! [`FuzzyLu`](super::FuzzyLu) and [`FuzzyMr`](super::FuzzyMr) operations, for every instruction set and number of
//! threads.

#[cfg(target_arch = "x86_64")]
mod avx2;
pub(crate) mod axpy;
pub(crate) mod cpu_array;
mod cut_vector;
mod elementary;
mod lu;
mod mr;
pub(crate) mod program;
mod soft_vector;
mod sum;
mod tasks;

pub(super) use axpy::axpy;
pub(super) use cpu_array::CpuArray;
pub(super) use lu::LuKernels;
pub(super) use mr::{MrKernels, from_bounds, to_bounds};
pub(super) use program::run;
pub(super) use sum::{CHUNK as SUM_CHUNK, dot, sum};
