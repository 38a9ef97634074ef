//! CUDA programs, compiled kernels and launches.

mod cache;
mod compile;
pub(crate) mod grid;
pub(crate) mod launch;
mod load;
mod modules;
mod sha256;

pub(crate) use cache::KernelCache;
pub(super) use compile::Compiler;
pub(crate) use grid::Grid;
pub(crate) use launch::{Kernel, Launch};
pub(super) use load::modules;
pub(super) use modules::Modules;
