//! Values of borrowed rows, in host memory or only in GPU memory.

#[cfg(feature = "cuda")]
use super::cuda::GpuOnlyRows;
use super::scalar::Precision;
use super::storage::Values;
use crate::data::error::Result;
use std::ops::Range;

/// Row-major values of borrowed rows.
#[derive(Clone, Copy, Debug)]
pub(super) enum RowValues<'a> {
    Host(Values<'a>),
    /// Rows that are only in GPU memory, and the index of the first value among theirs and the number of values.
    #[cfg(feature = "cuda")]
    Gpu(&'a GpuOnlyRows, usize, usize),
}

impl<'a> RowValues<'a> {
    pub(super) fn len(self) -> usize {
        match self {
            RowValues::Host(values) => values.len(),
            #[cfg(feature = "cuda")]
            RowValues::Gpu(_, _, len) => len,
        }
    }

    pub(super) fn precision(self) -> Precision {
        match self {
            RowValues::Host(Values::F32(_)) => Precision::F32,
            RowValues::Host(Values::F64(_)) => Precision::F64,
            #[cfg(feature = "cuda")]
            RowValues::Gpu(rows, ..) => rows.precision(),
        }
    }

    pub(super) fn slice(self, range: Range<usize>) -> Self {
        match self {
            RowValues::Host(values) => RowValues::Host(values.slice(range)),
            #[cfg(feature = "cuda")]
            RowValues::Gpu(rows, first, _) => RowValues::Gpu(rows, first + range.start, range.len()),
        }
    }

    /// The values in host memory; those of a GPU are copied by the first call.
    pub(super) fn to_host(self) -> Result<Values<'a>> {
        match self {
            RowValues::Host(values) => Ok(values),
            #[cfg(feature = "cuda")]
            RowValues::Gpu(rows, first, len) => Ok(rows.to_host()?.values().slice(first..first + len)),
        }
    }
}
