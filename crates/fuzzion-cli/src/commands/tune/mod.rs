//! `fuzzion tune`

mod args;
mod command;
mod fitted;
mod outputs;
mod page;
mod results;
mod rows;
mod settings;
mod simplify;
mod summary;

pub(crate) use args::Tune;
