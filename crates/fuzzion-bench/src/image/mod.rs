//! Benchmarks and self-test of operators on images.

pub(crate) mod bench;
pub(crate) mod selftest;
