//! Source of the rows of a fit.

use super::batches::RowBatches;
use super::slice::RowSlice;
use crate::data::Precision;

/// Source of the rows.
pub(in crate::clustering) enum RowSource<'a> {
    Memory(RowSlice<'a>),
    Batches(RowBatches<'a>),
}

impl RowSource<'_> {
    /// Names of the clustered columns.
    pub(in crate::clustering) fn names(&self) -> &[String] {
        match self {
            RowSource::Memory(samples) => samples.names,
            RowSource::Batches(batches) => batches.names(),
        }
    }

    pub(in crate::clustering) fn precision(&self) -> Precision {
        match self {
            RowSource::Memory(samples) => samples.precision(),
            RowSource::Batches(batches) => batches.precision(),
        }
    }
}
