//! Rows in the memory of a device.

#[cfg(feature = "cuda")]
use super::cuda::{self, GpuOnlyRows, GpuRows, GpuScalar};
#[cfg(feature = "cuda")]
use super::row_values::RowValues;
use super::samples::Samples;
use super::scalar::Precision;
#[cfg(feature = "cuda")]
use super::storage::TypedStorage;
use super::storage::Values;
use super::table::Table;
use crate::data::error::Result;
use crate::device::Device;
#[cfg(feature = "cuda")]
use crate::device::cuda::Buffer;
#[cfg(feature = "cuda")]
use crate::device::storage::MIN_GPU_VALUES;
#[cfg(feature = "cuda")]
use crate::device::{Cuda, CudaArrayView, DeviceError, Processor};
#[cfg(feature = "cuda")]
use std::marker::PhantomData;
use std::sync::Arc;

/// Rows in the memory of a device, used by several operations without further transfers; created by
/// [`Samples::to_device`], by operations such as [`Plan::infer_on_device`](crate::inference::Plan::infer_on_device), or
/// from the array of another library.
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
    rows: Rows<'a>,
}

#[derive(Clone, Debug)]
enum Rows<'a> {
    Borrowed(Samples<'a>),
    Owned(Arc<Table>),
    /// Rows in host memory and a copy of them: consecutive ranges, one per GPU.
    #[cfg(feature = "cuda")]
    Copied(Samples<'a>, Arc<[GpuRows]>),
    /// Rows that are only in GPU memory.
    #[cfg(feature = "cuda")]
    Gpu(Arc<GpuOnlyRows>, PhantomData<&'a ()>),
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
        {
            let one;
            let small = self.rows() * self.columns() < MIN_GPU_VALUES;
            let cudas: &[Cuda] = match (device.multiple_gpus(), device.processor(small)) {
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
                let Some(part) =
                    GpuRows::upload(cuda, self.to_host()?.slice(rows.clone()), rows, device.progress())?
                else {
                    parts.clear();
                    break;
                };
                parts.push(part);
            }
            if !parts.is_empty() {
                return Ok(DeviceSamples { rows: Rows::Copied(self.clone(), parts.into()) });
            }
        }
        #[cfg(not(feature = "cuda"))]
        let _ = device;
        Ok(DeviceSamples { rows: Rows::Borrowed(self.clone()) })
    }
}

impl<'a> DeviceSamples<'a> {
    /// Rows of `columns` columns, named `c1`, `c2`, …, that are in the memory of a GPU, in an array of another library.
    /// No copy is made, unless the array is not aligned to 16 bytes.
    ///
    /// # Errors
    /// [`DataError::TableShape`](crate::data::DataError::TableShape) if there is no column or the last row is
    /// incomplete, and [`DeviceError::OtherDevice`] if `device` is not a GPU.
    #[cfg(feature = "cuda")]
    pub fn from_cuda<T: GpuScalar>(
        view: CudaArrayView<'a, T>,
        columns: usize,
        device: &Device,
    ) -> Result<Self> {
        let Processor::Cuda(gpu) = device.processor(false) else {
            let memory = "cuda".to_owned();
            return Err(DeviceError::OtherDevice { what: "rows", memory, device: device.to_string() }.into());
        };
        Ok(DeviceSamples { rows: Rows::Gpu(Arc::new(cuda::borrow(view, columns, gpu)?), PhantomData) })
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        Samples::from(self).rows()
    }

    /// Names of the columns.
    pub fn names(&self) -> Vec<String> {
        Samples::from(self).names().to_vec()
    }

    /// Precision of the values.
    pub fn precision(&self) -> Precision {
        Samples::from(self).precision()
    }

    /// The rows in host memory; weights and label columns are omitted.
    ///
    /// # Errors
    /// Errors of the GPU.
    pub fn to_host(&self) -> Result<Table> {
        #[cfg(feature = "cuda")]
        if let Rows::Gpu(rows, _) = &self.rows {
            return match rows.download()? {
                TypedStorage::F32(values) => Table::from_storage(rows.names().to_vec(), values),
                TypedStorage::F64(values) => Table::from_storage(rows.names().to_vec(), values),
            };
        }
        let samples = Samples::from(self);
        match samples.values() {
            Values::F32(values) => Table::new(samples.names(), values.to_vec()),
            Values::F64(values) => Table::new(samples.names(), values.to_vec()),
        }
    }

    /// Index of the GPU whose memory contains the rows, and the address of the first value there. `None` if the rows
    /// are in host memory as well. The values are row-major and valid as long as these samples; the kernels that write
    /// them have finished.
    #[cfg(feature = "cuda")]
    pub fn cuda_address(&self) -> Option<(usize, u64)> {
        match &self.rows {
            Rows::Gpu(rows, _) => Some(rows.address()),
            _ => None,
        }
    }
}

impl DeviceSamples<'static> {
    /// Complete values in the memory of a GPU.
    #[cfg(feature = "cuda")]
    pub(crate) fn on_gpu<T: GpuScalar>(names: Vec<String>, values: Buffer<T>, cuda: &Cuda) -> Self {
        let rows = GpuOnlyRows::new(names, T::on_gpu(values), cuda);
        DeviceSamples { rows: Rows::Gpu(Arc::new(rows), PhantomData) }
    }

    /// Whether rows that were only in GPU memory have been copied to host memory.
    #[cfg(all(test, feature = "cuda"))]
    pub(crate) fn has_host_copy(&self) -> bool {
        matches!(&self.rows, Rows::Gpu(rows, _) if rows.has_host_copy())
    }
}

impl From<Table> for DeviceSamples<'static> {
    /// Rows in host memory.
    fn from(table: Table) -> Self {
        DeviceSamples { rows: Rows::Owned(Arc::new(table)) }
    }
}

impl<'a, 'd: 'a> From<&'a DeviceSamples<'d>> for Samples<'a> {
    fn from(samples: &'a DeviceSamples<'d>) -> Self {
        match &samples.rows {
            Rows::Borrowed(samples) => samples.clone(),
            Rows::Owned(table) => table.samples(),
            #[cfg(feature = "cuda")]
            Rows::Copied(samples, parts) => samples.clone().on_gpus(parts),
            #[cfg(feature = "cuda")]
            Rows::Gpu(rows, _) => {
                let len = rows.rows() * rows.names().len();
                let values = RowValues::Gpu(rows, 0, len);
                Samples::from_parts(rows.names(), rows.rows(), values, &[]).on_gpus(rows.parts())
            }
        }
    }
}
