//! The room's tests.

#![allow(clippy::unwrap_used)] // a helper outside a test function is still a test

mod datasets;
mod export;
mod plots;
mod reading;
mod solve;
mod statistics;
