//! Rows in the memory of a device.

#[cfg(feature = "cuda")]
use super::gpu_rows::GpuRows;
use super::samples::Samples;
use crate::data::error::Result;
use crate::device::Device;
#[cfg(feature = "cuda")]
use crate::device::{Cuda, Processor};
#[cfg(feature = "cuda")]
use std::sync::Arc;

/// Number of values below which the device `best` keeps the rows on the CPU.
#[cfg(feature = "cuda")]
const MIN_GPU_VALUES: usize = 1 << 18;

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
                let Some(part) = GpuRows::upload(cuda, self.slice(rows.clone()), rows, device.progress())?
                else {
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

impl<'a, 'd: 'a> From<&'a DeviceSamples<'d>> for Samples<'a> {
    fn from(rows: &'a DeviceSamples<'d>) -> Self {
        let samples = rows.host.clone();
        #[cfg(feature = "cuda")]
        let samples = if rows.parts.is_empty() { samples } else { samples.on_gpus(&rows.parts) };
        samples
    }
}
