//! CUDA programs, compiled kernels and launches.

mod cache;
mod grid;
mod launch;
mod load;

pub(crate) use cache::KernelCache;
pub(crate) use grid::Grid;
pub(crate) use launch::{Kernel, Launch};
