//! Input sources, atomic output files and model files.

#[cfg(any(feature = "sonfin", feature = "tuning"))]
mod model;
pub mod output;
mod source;

#[cfg(any(feature = "sonfin", feature = "tuning"))]
pub(crate) use model::ModelFormat;
pub(crate) use source::Source;
