//! Rows in the memory of a device.

use super::samples::Samples;
use crate::data::error::Result;
#[cfg(feature = "cuda")]
use crate::data::tables::{scalar::Precision, storage::Values};
use crate::device::Device;
#[cfg(feature = "cuda")]
use crate::device::{Cuda, Processor, cuda::Buffer};
#[cfg(feature = "cuda")]
use std::fmt;
#[cfg(feature = "cuda")]
use std::ops::Range;
#[cfg(feature = "cuda")]
use std::sync::Arc;

/// Number of values below which the device `best` keeps the rows on the CPU.
#[cfg(feature = "cuda")]
const MIN_GPU_VALUES: usize = 1 << 18;

/// Free memory of a GPU that is required for rows, relative to their size.
#[cfg(feature = "cuda")]
const MEMORY_FACTOR: u64 = 3;

/// Rows in the memory of a device, copied once and used by several operations; created by [`Samples::to_device`].
///
/// Pass `&DeviceSamples` wherever [`Samples`] are accepted. On the CPU no copy is made.
///
/// ```
/// use fuzzion::{Device, Table, clustering::FuzzyCMeans};
/// let device = Device::best()?;
/// let table = Table::unnamed(1, vec![0.0f32, 0.1, 9.9, 10.0])?;
/// let rows = table.samples().to_device(&device)?; // copied once
/// let partition = FuzzyCMeans::new(2).fit(&rows, &device)?;
/// let labels = partition.labels(&rows, &device)?; // without another copy
/// assert!(labels[0] == labels[1] && labels[2] == labels[3] && labels[0] != labels[2]);
/// # Ok::<(), fuzzion::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct DeviceSamples<'a> {
    host: Samples<'a>,
    /// Consecutive ranges of the rows, one per GPU; empty if the rows are in host memory only.
    #[cfg(feature = "cuda")]
    parts: Arc<[GpuRows]>,
}

/// Consecutive rows in the memory of a GPU.
#[cfg(feature = "cuda")]
pub(crate) struct GpuRows {
    cuda: Cuda,
    rows: Range<usize>,
    values: GpuValues,
}

/// Row-major values in the memory of a GPU.
#[cfg(feature = "cuda")]
pub(crate) enum GpuValues {
    F32(Buffer<f32>),
    F64(Buffer<f64>),
}

/// The rows of [`Samples`] in the memory of a GPU: the whole array, and the index of the first row in it.
#[cfg(feature = "cuda")]
#[derive(Clone, Copy)]
pub(crate) struct GpuView<'a> {
    pub(crate) values: &'a GpuValues,
    pub(crate) first: usize,
}

impl<'a> Samples<'a> {
    /// Copies the rows to the memory of `device`; several GPUs receive one part each.
    ///
    /// Operations need memory for results too: if the free memory of a GPU is less than three times the size of its rows,
    /// the rows stay in host memory, and each operation transfers them.
    ///
    /// # Errors
    /// Errors of the GPU, and `Interrupted` if the progress callback requests it.
    pub fn to_device(&self, device: &Device) -> Result<DeviceSamples<'a>> {
        #[cfg(feature = "cuda")]
        let parts = {
            let one;
            let cudas: &[Cuda] = match (device.multiple_gpus(), device.processor(self.len() < MIN_GPU_VALUES))
            {
                (Some(cudas), _) => cudas,
                (None, Processor::Cuda(cuda)) => {
                    one = [cuda.clone()];
                    &one
                }
                (None, Processor::Cpu(_)) => &[],
            };
            let rows_per_gpu = self.rows().div_ceil(cudas.len().max(1)).max(1);
            let mut parts = Vec::new();
            for (gpu, cuda) in cudas.iter().enumerate() {
                let rows = (gpu * rows_per_gpu).min(self.rows())..self.rows().min((gpu + 1) * rows_per_gpu);
                let Some(part) = GpuRows::upload(cuda, self, rows, device)? else {
                    parts.clear();
                    break;
                };
                parts.push(part);
            }
            parts.into()
        };
        #[cfg(not(feature = "cuda"))]
        let _ = device;
        Ok(DeviceSamples {
            host: self.clone(),
            #[cfg(feature = "cuda")]
            parts,
        })
    }

    #[cfg(feature = "cuda")]
    fn len(&self) -> usize {
        self.rows() * self.columns()
    }
}

#[cfg(feature = "cuda")]
impl GpuRows {
    /// Copies the given rows; `None` if the memory is not sufficient.
    fn upload(
        cuda: &Cuda,
        samples: &Samples<'_>,
        rows: Range<usize>,
        device: &Device,
    ) -> Result<Option<Self>> {
        let value_bytes = if samples.precision() == Precision::F32 { 4 } else { 8 };
        let bytes = (rows.len() * samples.columns()) as u64 * value_bytes;
        if bytes > cuda.memory()?.0 / MEMORY_FACTOR {
            return Ok(None);
        }
        let values = match samples.slice(rows.clone()) {
            Values::F32(values) => GpuValues::F32(cuda.upload_large(values, device.progress())?),
            Values::F64(values) => GpuValues::F64(cuda.upload_large(values, device.progress())?),
        };
        Ok(Some(GpuRows { cuda: cuda.clone(), rows, values }))
    }

    /// Index of the GPU.
    pub(crate) fn gpu(&self) -> usize {
        self.cuda.index()
    }

    /// The given rows, if they are in this part.
    pub(super) fn view(&self, rows: &Range<usize>) -> Option<GpuView<'_>> {
        let contained = self.rows.start <= rows.start && rows.end <= self.rows.end;
        contained.then(|| GpuView { values: &self.values, first: rows.start - self.rows.start })
    }
}

#[cfg(feature = "cuda")]
impl fmt::Debug for GpuRows {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "GpuRows({:?}, {:?})", self.cuda, self.rows)
    }
}

impl<'a, 'd: 'a> From<&'a DeviceSamples<'d>> for Samples<'a> {
    fn from(rows: &'a DeviceSamples<'d>) -> Self {
        let samples = rows.host.clone();
        #[cfg(feature = "cuda")]
        let samples = if rows.parts.is_empty() { samples } else { samples.on_gpus(&rows.parts) };
        samples
    }
}
