//! Commands about this machine: `devices`, `selftest` and `bench`.

pub(crate) mod bench;
pub(crate) mod devices;
pub(crate) mod selftest;
