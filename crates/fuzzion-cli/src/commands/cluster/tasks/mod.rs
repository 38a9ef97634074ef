//! The tasks of `fuzzion cluster`: fits of tables, images and videos, sweeps, and assignment to a saved fit.

pub(super) mod apply;
pub(super) mod image;
mod recommendation;
pub(super) mod sweep;
pub(super) mod table;
pub(super) mod video;
