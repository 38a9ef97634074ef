//! Rows in the memory of a GPU.
#![allow(unsafe_code)] // arrays of other libraries

use super::scalar::{Precision, Scalar};
use super::storage::{Storage, TypedStorage, Values, numbered_names};
use crate::data::error::{DataError, Result};
use crate::device::cuda::{Buffer, Element};
use crate::device::{Cuda, CudaArrayView, DeviceError};
use crate::progress::Progress;
use std::fmt;
use std::ops::Range;
use std::sync::OnceLock;

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

/// Rows that are only in the memory of a GPU, and their copy in host memory, which is made when it is first needed.
#[derive(Debug)]
pub(super) struct GpuOnlyRows {
    names: Vec<String>,
    part: GpuRows,
    copy: OnceLock<TypedStorage>,
}

impl GpuOnlyRows {
    /// Rows with the columns `names` and with `values`, which are complete.
    pub(super) fn new(names: Vec<String>, values: GpuValues, cuda: &Cuda) -> Self {
        let rows = 0..values.len() / names.len().max(1);
        GpuOnlyRows { names, part: GpuRows { cuda: cuda.clone(), rows, values }, copy: OnceLock::new() }
    }

    pub(super) fn names(&self) -> &[String] {
        &self.names
    }

    pub(super) fn rows(&self) -> usize {
        self.part.rows.len()
    }

    pub(super) fn parts(&self) -> &[GpuRows] {
        std::slice::from_ref(&self.part)
    }

    pub(super) fn precision(&self) -> Precision {
        match self.part.values {
            GpuValues::F32(_) => Precision::F32,
            GpuValues::F64(_) => Precision::F64,
        }
    }

    /// Index of the GPU and address of the first value in its memory.
    pub(super) fn address(&self) -> (usize, u64) {
        let address = match &self.part.values {
            GpuValues::F32(values) => values.address(),
            GpuValues::F64(values) => values.address(),
        };
        (self.part.gpu(), address)
    }

    /// The values in host memory; the first call copies them.
    pub(super) fn to_host(&self) -> Result<&TypedStorage, DeviceError> {
        if let Some(copy) = self.copy.get() {
            return Ok(copy);
        }
        let copy = self.download()?;
        Ok(self.copy.get_or_init(|| copy))
    }

    #[cfg(test)]
    pub(super) fn has_host_copy(&self) -> bool {
        self.copy.get().is_some()
    }

    /// A copy of the values in host memory.
    pub(super) fn download(&self) -> Result<TypedStorage, DeviceError> {
        fn values<T: Scalar + Element>(cuda: &Cuda, values: &Buffer<T>) -> Result<TypedStorage, DeviceError> {
            let mut copy = vec![T::default(); values.len()];
            cuda.read_large(values, &mut copy, &Progress::none())?;
            Ok(T::store(Storage::Owned(copy)))
        }
        match &self.part.values {
            GpuValues::F32(on_gpu) => values(&self.part.cuda, on_gpu),
            GpuValues::F64(on_gpu) => values(&self.part.cuda, on_gpu),
        }
    }
}

impl GpuValues {
    fn len(&self) -> usize {
        match self {
            GpuValues::F32(values) => values.len(),
            GpuValues::F64(values) => values.len(),
        }
    }
}

/// Element types of tables in the memory of a GPU.
pub trait GpuScalar: Scalar + Element {
    /// Wraps values in the memory of a GPU.
    fn on_gpu(values: Buffer<Self>) -> GpuValues;
    /// The values, if they have this type.
    fn values_on_gpu(values: &GpuValues) -> Option<&Buffer<Self>>;
}

macro_rules! gpu_scalar {
    ($type:ty, $precision:ident) => {
        impl GpuScalar for $type {
            fn on_gpu(values: Buffer<$type>) -> GpuValues {
                GpuValues::$precision(values)
            }

            fn values_on_gpu(values: &GpuValues) -> Option<&Buffer<$type>> {
                match values {
                    GpuValues::$precision(values) => Some(values),
                    _ => None,
                }
            }
        }
    };
}

gpu_scalar!(f32, F32);
gpu_scalar!(f64, F64);

/// The array of another library with columns named `c1`, `c2`, …. The result must not outlive `view`.
pub(super) fn borrow<T: GpuScalar>(
    view: CudaArrayView<'_, T>,
    columns: usize,
    cuda: &Cuda,
) -> Result<GpuOnlyRows> {
    // SAFETY: `DeviceSamples` has the lifetime of the view.
    let values = unsafe { cuda.borrow(view)? };
    if columns == 0 || !values.len().is_multiple_of(columns) {
        return Err(DataError::TableShape { values: values.len(), columns });
    }
    Ok(GpuOnlyRows::new(numbered_names(columns), T::on_gpu(values), cuda))
}
