//! CUDA programs, compiled kernels and launches.

mod cache;
pub(crate) mod grid;
pub(crate) mod launch;
mod load;

pub(crate) use cache::KernelCache;
pub(crate) use grid::Grid;
pub(crate) use launch::{Kernel, Launch};
