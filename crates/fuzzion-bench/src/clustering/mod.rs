//! Benchmarks and self-test of fuzzy clustering.

pub(crate) mod bench;
mod gpu_pass;
pub(crate) mod selftest;
