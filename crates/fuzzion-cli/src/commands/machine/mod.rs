//! Commands about this machine: `devices`, `doctor`, `selftest` and `bench`.

pub(crate) mod bench;
pub(crate) mod devices;
pub(crate) mod doctor;
mod end_to_end;
pub(crate) mod selftest;
