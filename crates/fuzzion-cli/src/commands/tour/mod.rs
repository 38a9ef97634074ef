//! `fuzzion tour`

mod command;
mod guide;
mod landscape;
mod sections;

pub(crate) use command::Tour;
