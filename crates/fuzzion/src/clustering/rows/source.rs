//! Source of the rows of a fit.

use super::batches::{RowBatches, require_positive_weight};
use crate::clustering::error::Result;
use crate::data::{Precision, Samples};

/// Source of the rows.
pub(in crate::clustering) enum RowSource<'a> {
    Memory(&'a Samples<'a>),
    Batches(RowBatches<'a>),
}

impl<'a> RowSource<'a> {
    /// Rows in memory.
    ///
    /// # Errors
    /// [`DataError::SampleWeight`](crate::data::DataError::SampleWeight) if all weights are 0.
    pub(in crate::clustering) fn memory(samples: &'a Samples<'a>) -> Result<Self> {
        if let Some(weights) = samples.weights() {
            require_positive_weight(weights.iter().sum(), samples.rows() as u64)?;
        }
        Ok(RowSource::Memory(samples))
    }

    /// Names of the clustered columns.
    pub(in crate::clustering) fn names(&self) -> &[String] {
        match self {
            RowSource::Memory(samples) => samples.names(),
            RowSource::Batches(batches) => batches.names(),
        }
    }

    /// Number of rows; `None` if it is known only after reading them.
    pub(in crate::clustering) fn known_rows(&self) -> Option<u64> {
        match self {
            RowSource::Memory(samples) => Some(samples.rows() as u64),
            RowSource::Batches(_) => None,
        }
    }

    pub(in crate::clustering) fn precision(&self) -> Precision {
        match self {
            RowSource::Memory(samples) => samples.precision(),
            RowSource::Batches(batches) => batches.precision(),
        }
    }
}
