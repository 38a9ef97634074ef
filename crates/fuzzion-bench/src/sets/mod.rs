//! Benchmarks and self-test of membership functions.

pub(crate) mod bench;
pub(crate) mod selftest;
