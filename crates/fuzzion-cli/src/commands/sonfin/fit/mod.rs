//! `fuzzion sonfin fit`

mod command;
mod results;
mod rows;
mod settings;
mod stream;
mod summary;

pub(crate) use command::Fit;
