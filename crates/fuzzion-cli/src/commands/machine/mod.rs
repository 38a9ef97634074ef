//! Commands about this machine: `devices`, `selftest` and `bench`.

pub(crate) mod bench;
pub(crate) mod devices;
mod end_to_end;
pub(crate) mod selftest;
