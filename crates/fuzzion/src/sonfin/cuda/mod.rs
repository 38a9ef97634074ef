//! Training on a GPU with three mappings of the work to threads.
//!
//! `resident` keeps networks in shared memory for a whole run and trains several networks concurrently, each on its
//! own blocks. `atm` and `rule-per-block` launch kernels for every sample and train networks one after another.
//!
//! Adam has one mapping: a launch trains several networks on many batches, each on its own blocks.
#![allow(unsafe_code)] // kernel launches

pub(super) mod adam;
pub(crate) mod choose;
pub(super) mod encode;
pub(crate) mod layout;
mod learner;
pub(super) mod per_sample;
pub(crate) mod plan;
mod resident;
pub(crate) mod state;

pub(super) use choose::prefetch;
pub(super) use state::{CudaLearner, DeviceRows};

#[cfg(test)]
pub(crate) use crate::sonfin::tests::backends::emulated::{LAUNCHING_TESTS, programs};
