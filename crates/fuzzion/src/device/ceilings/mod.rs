//! Ceilings of a processor, as in the roofline model: copy bandwidth and multiply-add rate.
//!
//! Every benchmark reports the fraction of its ceiling that it reaches.

mod bus;
mod chain;
mod cpu;
mod cuda;
mod measure;
#[cfg(test)]
mod tests;

#[cfg(test)]
pub(crate) use measure::programs;
pub(crate) use measure::{bench, checks};
#[cfg(test)]
pub(crate) use tests::LAUNCHING_TESTS;
