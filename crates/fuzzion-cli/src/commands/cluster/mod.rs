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
mod watch;

pub(crate) use args::Cluster;
