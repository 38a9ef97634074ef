//! Input sources and atomic output files.

pub mod output;
mod source;

pub(crate) use source::Source;
