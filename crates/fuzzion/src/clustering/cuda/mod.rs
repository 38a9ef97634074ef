//! CUDA back end: rows that are not in GPU memory are uploaded once if they fit, otherwise batch by batch in every pass.
//!
//! Two kinds of kernel compute the sums: one from explicit differences, for every rule and metric in both precisions,
//! and one in product form (|x − v|² = |x|² − 2x·v + |v|²) on tensor cores, for fuzzy c-means and noise clustering of single-precision rows. The
//! data summary and the selection of rows run on the GPU too, in the original coordinates of the rows.
#![allow(unsafe_code)] // kernel launches

mod batch;
mod cuda_rows;
mod fp16_split;
mod iterate;
mod iteration_buffers;
pub(crate) mod kernels;
pub(super) mod layout;
pub(crate) mod loaded;
mod membership_kernel;
mod memberships;
mod multi_gpu;
mod original;
pub(crate) mod prefetch;
pub(crate) mod programs;
mod real;
pub(crate) mod resident;
mod streamed;

pub(super) use memberships::{memberships, memberships_in_gpu_memory, require_finite};
pub(super) use multi_gpu::{MultiGpu, memberships_on_gpus};
pub(super) use resident::Resident;
pub(super) use streamed::Streamed;

#[cfg(test)]
pub(crate) use crate::clustering::tests::emulated::LAUNCHING_TESTS;
