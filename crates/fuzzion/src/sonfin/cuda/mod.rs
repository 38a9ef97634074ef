//! Training on a GPU with three mappings of the work to threads.
//!
//! `resident` keeps networks in shared memory for a whole run and trains several networks concurrently, each on its
//! own blocks. `atm` and `rule-per-block` launch kernels for every sample and train networks one after another.
#![allow(unsafe_code)] // kernel launches

pub(super) mod choose;
pub(super) mod encode;
pub(super) mod layout;
mod learner;
pub(super) mod per_sample;
pub(super) mod plan;
mod resident;
pub(super) mod state;

pub(super) use state::CudaLearner;

#[cfg(test)]
pub(crate) use crate::sonfin::tests::backends::emulated::{LAUNCHING_TESTS, programs};
