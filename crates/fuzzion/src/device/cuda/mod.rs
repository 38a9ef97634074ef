//! The CUDA back end.
//!
//! No part of CUDA is needed to build: the driver library is loaded at run time, and NVRTC compiles the CUDA C++
//! source of the kernels for the current GPU. Other modules use [`Cuda`], [`Buffer`], [`Kernel`] and [`Stream`]; the
//! binding crate is used only in this folder.
#![allow(unsafe_code)] // calls into the driver

mod context;
pub(crate) mod driver;
#[cfg(test)]
pub(crate) mod emulator;
mod graph;
pub(crate) mod kernel;
pub(crate) mod memory;
pub(crate) mod multiple;
pub(crate) mod nvrtc;
mod per_gpu;
mod stream;
pub(crate) mod streaming;
#[cfg(test)]
mod tests;

pub(crate) use super::program::{self, Program};
pub use context::Cuda;
pub(crate) use graph::Graph;
pub(crate) use kernel::{Grid, Kernel, KernelCache, Launch};
pub use memory::CudaArrayView;
pub(crate) use memory::{Buffer, Element};
pub use nvrtc::exit;
pub(crate) use per_gpu::PerGpu;
pub(crate) use stream::Stream;
pub(crate) use streaming::{ChunkBuffers, Chunked, StreamInput, StreamOutput};
