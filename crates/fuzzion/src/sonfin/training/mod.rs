//! Training: preparation of the data, initial structure, epochs, settings search and streams.

mod auto;
pub(super) mod evaluate;
pub(super) mod firing;
mod fit;
mod group;
mod growth;
pub(super) mod merge;
pub(super) mod prepare;
pub(super) mod report;
pub(super) mod schedule;
pub(super) mod state;
pub(super) mod stream;
pub(super) mod structure;
pub(super) mod usage;
