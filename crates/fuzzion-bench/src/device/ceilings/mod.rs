//! Ceilings of a processor, as in the roofline model: copy bandwidth and multiply-add rate.
//!
//! Every benchmark reports the fraction of its ceiling that it reaches.

mod bus;
pub(crate) mod chain;
mod cpu;
pub(crate) mod cuda;
mod measure;

pub(crate) use measure::{bench, checks};
