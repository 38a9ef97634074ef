//! One file per command.

pub(crate) mod bench;
pub(crate) mod calc;
pub(crate) mod cluster;
pub(crate) mod convert;
pub(crate) mod data;
pub(crate) mod devices;
pub(crate) mod edges;
pub(crate) mod explain;
pub(crate) mod export;
pub(crate) mod grid;
pub(crate) mod head;
pub(crate) mod image;
pub(crate) mod infer;
mod learning;
mod paths;
mod pictures;
mod reading;
pub(crate) mod selftest;
pub(crate) mod show;
pub(crate) mod sonfin;
mod systems;
pub(crate) mod tour;
pub(crate) mod tune;
mod words;
