//! CUDA back end: rows are uploaded once if they fit into GPU memory, otherwise they are uploaded batch by batch in every pass.
//!
//! Two kinds of kernel compute the sums: one from explicit differences, for every rule and metric in both precisions,
//! and one in product form (|x − v|² = |x|² − 2x·v + |v|²) on tensor cores, for fuzzy c-means and noise clustering of single-precision rows. Work
//! done once per fit (the data summary, initial rows) runs on the CPU.
#![allow(unsafe_code)] // kernel launches

mod batch;
mod cuda_rows;
mod fp16_split;
mod iterate;
mod iteration_buffers;
pub(crate) mod kernels;
pub(super) mod layout;
pub(crate) mod loaded;
mod memberships;
mod multi_gpu;
pub(crate) mod programs;
pub(crate) mod resident;
mod streamed;

pub(super) use memberships::memberships;
pub(super) use multi_gpu::MultiGpu;
pub(super) use resident::Resident;
pub(super) use streamed::Streamed;

#[cfg(test)]
pub(crate) use crate::clustering::tests::emulated::LAUNCHING_TESTS;
