//! Benchmarks and self-test of training of Takagi-Sugeno-Kang systems.

pub(crate) mod bench;
pub(crate) mod selftest;
