//! Tests of the command line, in one binary: each runs `fuzzion` in its own folder.

#![allow(clippy::unwrap_used, clippy::panic)] // a helper outside a test function is still a test

mod append;
mod calc;
mod cli;
mod cluster;
mod columns;
mod common;
mod data;
mod edges;
#[cfg(unix)]
mod examples;
#[cfg(unix)]
mod help;
mod limits;
mod misuse;
mod models;
mod outputs;
mod program;
mod promises;
mod saved_files;
#[cfg(target_os = "linux")]
mod signals;
mod sonfin;
#[cfg(target_os = "linux")]
mod streams;
#[cfg(all(target_os = "linux", feature = "studio"))]
mod studio;
mod systems;
mod tune;
mod tune_predict;
