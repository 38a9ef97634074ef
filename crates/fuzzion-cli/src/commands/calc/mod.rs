//! `fuzzion calc`

mod aggregate;
mod args;
mod command;
mod encoding;
mod plot;
mod single;
mod table;
mod task;

pub(crate) use args::Calc;
