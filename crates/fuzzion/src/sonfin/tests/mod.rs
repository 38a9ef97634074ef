//! The room's tests.

#![allow(clippy::unwrap_used)] // a helper outside a test function is still a test

mod adam;
mod auto;
mod cpu;
pub(super) mod emulated;
mod emulator;
mod export;
mod fits;
mod generated;
mod laws;
mod model;
mod plots;
mod refused;
mod resume;
mod save;
mod simplify;
mod stream;
mod structure;
