//! `fuzzion cluster`

mod args;
mod command;
mod job;
mod outputs;
mod palette;
mod placed;
mod plot;
mod rows;
mod scales;
mod settings;
mod summary;
mod tasks;
mod timer;

pub(crate) use args::Cluster;
