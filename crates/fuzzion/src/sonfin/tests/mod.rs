//! Tests of the module.

#![allow(clippy::unwrap_used)] // clippy exempts test functions, but not their helpers

pub(super) mod backends;
mod data;
mod inspect;
mod training;
