//! Benchmarks and self-test of arrays of fuzzy numbers.

pub(crate) mod bench;
pub(crate) mod selftest;
mod sort;
