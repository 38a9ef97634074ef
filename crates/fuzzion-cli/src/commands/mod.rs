//! One file per command.

pub(crate) mod bench;
pub(crate) mod devices;
pub(crate) mod head;
pub(crate) mod selftest;
pub(crate) mod tour;
