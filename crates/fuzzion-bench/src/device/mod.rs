//! Measurement of run times and of the ceilings of a processor, and comparison of results.
//!
//! The unit tests of the library include this folder, because they contain the CUDA emulator: paths are relative to
//! this module or begin with `fuzzion`.

pub(crate) mod ceilings;
mod check;
mod measure;

pub use check::Check;
pub use measure::Measurement;
pub(crate) use measure::{Ceilings, MinimumWork, median_host_seconds, median_seconds};
