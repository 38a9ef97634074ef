//! Benchmarks and self-test of fuzzy systems.

pub(crate) mod bench;
pub(crate) mod selftest;
