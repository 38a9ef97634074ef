//! Rows in the memory of a GPU.

use super::storage::Values;
use crate::data::error::Result;
use crate::device::Cuda;
use crate::device::cuda::Buffer;
use crate::progress::Progress;
use std::fmt;
use std::ops::Range;

/// Free memory of a GPU that is required for rows, relative to their size.
const MEMORY_FACTOR: u64 = 3;

/// Consecutive rows in the memory of a GPU.
pub(crate) struct GpuRows {
    cuda: Cuda,
    rows: Range<usize>,
    values: GpuValues,
}

/// Row-major values in the memory of a GPU.
pub(crate) enum GpuValues {
    F32(Buffer<f32>),
    F64(Buffer<f64>),
}

/// Rows in the memory of a GPU: the whole array, and the index of the first row in it.
#[derive(Clone, Copy)]
pub(crate) struct GpuView<'a> {
    pub(crate) values: &'a GpuValues,
    pub(crate) first: usize,
}

impl GpuRows {
    /// Copies the values of the given rows; `None` if the memory is not sufficient.
    pub(super) fn upload(
        cuda: &Cuda,
        values: Values<'_>,
        rows: Range<usize>,
        progress: &Progress,
    ) -> Result<Option<Self>> {
        let bytes = match values {
            Values::F32(values) => size_of_val(values),
            Values::F64(values) => size_of_val(values),
        };
        if bytes as u64 > cuda.memory()?.0 / MEMORY_FACTOR {
            return Ok(None);
        }
        let values = match values {
            Values::F32(values) => GpuValues::F32(cuda.upload_large(values, progress)?),
            Values::F64(values) => GpuValues::F64(cuda.upload_large(values, progress)?),
        };
        Ok(Some(GpuRows { cuda: cuda.clone(), rows, values }))
    }

    /// Index of the GPU.
    pub(super) fn gpu(&self) -> usize {
        self.cuda.index()
    }

    /// The given rows, if they are in this part.
    pub(super) fn view(&self, rows: &Range<usize>) -> Option<GpuView<'_>> {
        let contained = self.rows.start <= rows.start && rows.end <= self.rows.end;
        contained.then(|| GpuView { values: &self.values, first: rows.start - self.rows.start })
    }
}

impl fmt::Debug for GpuRows {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "GpuRows({:?}, {:?})", self.cuda, self.rows)
    }
}
