//! Benchmarks and self-test of self-constructing networks.

pub(crate) mod bench;
pub(crate) mod selftest;
