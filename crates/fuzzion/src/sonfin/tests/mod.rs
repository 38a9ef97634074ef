//! The room's tests.

#![allow(clippy::unwrap_used)] // a helper outside a test function is still a test

mod adam;
mod auto;
mod cpu;
pub(super) mod emulated;
mod laws;
mod fits;
mod generated;
mod refused;
mod resume;
mod simplify;
mod stream;
mod structure;
