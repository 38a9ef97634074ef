//! The room's tests.

#![allow(clippy::unwrap_used)] // a helper outside a test function is still a test

mod accuracy;
mod auto;
mod classes;
mod cpu;
mod datasets;
pub(super) mod emulated;
mod export;
mod fits;
mod laws;
mod methods;
mod plots;
mod readable;
mod reading;
mod refused;
mod solve;
mod starts;
mod statistics;
mod steps;
