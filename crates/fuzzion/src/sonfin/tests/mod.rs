//! The room's tests.

#![allow(clippy::unwrap_used)] // a helper outside a test function is still a test

mod cpu;
pub(super) mod emulated;
mod laws;
