//! Tests of the command line, in one binary: each runs `fuzzion` in its own folder.

#![allow(clippy::unwrap_used, clippy::panic)] // a helper outside a test function is still a test

mod calc;
mod cli;
mod cluster;
mod common;
mod data;
mod edges;
mod saved_files;
mod sonfin;
mod systems;
mod tune;
