//! Input sources, atomic output files and model files.

mod model;
pub mod output;
mod pausing;
mod source;
mod target;
mod write_back;

pub(crate) use model::ModelFormat;
pub(crate) use source::Source;
