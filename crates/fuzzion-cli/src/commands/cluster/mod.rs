//! `fuzzion cluster`

mod args;
mod command;
mod job;
mod outputs;
mod palette;
mod plot;
mod rows;
mod settings;
mod summary;
mod tasks;
mod timer;

pub(crate) use args::Cluster;
