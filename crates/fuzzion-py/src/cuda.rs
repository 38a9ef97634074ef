//! Arrays of other libraries in GPU memory.

use fuzzion::data::Precision;
use fuzzion::device::CudaArrayView;
use fuzzion::inference::image::{CudaPixels, DeviceImages, InterleavedImages};
use fuzzion::{Device, DeviceSamples, Result, Samples};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use std::any::Any;

/// Rows in GPU memory, from the attributes of the same names. The caller in Python has checked that they are contiguous,
/// synchronized the stream that writes them, and holds a reference to the array during the call.
#[derive(Clone, FromPyObject)]
pub(crate) struct CudaRows {
    pub(crate) address: u64,
    pub(crate) rows: usize,
    pub(crate) columns: usize,
    pub(crate) double: bool,
}

/// Rows in GPU memory, as the library uses them.
pub(crate) struct GpuRows<'a>(DeviceSamples<'a>);

impl GpuRows<'_> {
    pub(crate) fn samples(&self) -> Samples<'_> {
        Samples::from(&self.0)
    }
}

impl CudaRows {
    pub(crate) fn precision(&self) -> Precision {
        if self.double { Precision::F64 } else { Precision::F32 }
    }

    /// The rows on `device`.
    #[allow(unsafe_code)]
    pub(crate) fn open(&self, device: &Device) -> Result<GpuRows<'_>> {
        let len = self.rows * self.columns;
        // The caller in Python has checked the size and the GPU of the array, has waited for the work that writes it, and
        // keeps it alive until the operation returns.
        let samples = if self.double {
            // SAFETY: see above.
            let view = unsafe { CudaArrayView::<f64>::new(self.address, len) };
            DeviceSamples::from_cuda(view, self.columns, device)?
        } else {
            // SAFETY: see above.
            let view = unsafe { CudaArrayView::<f32>::new(self.address, len) };
            DeviceSamples::from_cuda(view, self.columns, device)?
        };
        Ok(GpuRows(samples))
    }
}

/// Images in GPU memory, from the attributes of the same names, with the same guarantees as `CudaRows`.
#[derive(FromPyObject)]
pub(crate) struct CudaFrames {
    address: u64,
    frames: usize,
    height: usize,
    width: usize,
    channels: usize,
    bits: u32,
}

impl CudaFrames {
    /// The images on `device`.
    #[allow(unsafe_code)]
    pub(crate) fn open(&self, device: &Device) -> Result<DeviceImages<'_>> {
        let &CudaFrames { address, frames, height, width, channels, bits } = self;
        let len = frames * height * width * channels;
        let pixels = if bits == 16 {
            // SAFETY: see `CudaRows::open`.
            CudaPixels::U16(unsafe { CudaArrayView::new(address, len) })
        } else {
            // SAFETY: see `CudaRows::open`.
            CudaPixels::U8(unsafe { CudaArrayView::new(address, len) })
        };
        Ok(DeviceImages::from_cuda(width, height, channels, pixels, device)?)
    }
}

/// Results in GPU memory, which other libraries read through the attribute `__cuda_array_interface__`.
#[pyclass(frozen, module = "fuzzion._fuzzion")]
pub(crate) struct CudaArray {
    /// `None` if the values are in host memory.
    address: Option<u64>,
    shape: Vec<usize>,
    /// Type of the values, as in NumPy.
    kind: &'static str,
    /// Keeps the memory alive.
    _owner: Box<dyn Any + Send + Sync>,
}

impl From<DeviceSamples<'static>> for CudaArray {
    fn from(samples: DeviceSamples<'static>) -> Self {
        CudaArray {
            address: samples.cuda_address().map(|(_, address)| address),
            shape: vec![samples.rows(), samples.names().len()],
            kind: if samples.precision() == Precision::F64 { "<f8" } else { "<f4" },
            _owner: Box::new(samples),
        }
    }
}

impl CudaArray {
    /// Images with interleaved channels.
    pub(crate) fn from_images(images: &DeviceImages<'static>) -> Result<Self> {
        let interleaved = images.to_interleaved()?;
        Ok(CudaArray {
            address: interleaved.as_ref().map(InterleavedImages::address),
            shape: vec![images.frames(), images.height(), images.width(), images.channels()],
            kind: if images.bits() == 8 { "|u1" } else { "<u2" },
            _owner: Box::new(interleaved),
        })
    }
}

#[pymethods]
impl CudaArray {
    /// The address, shape and type of the array; `None` if the values are in host memory.
    #[getter]
    fn __cuda_array_interface__<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        let Some(address) = self.address else { return Ok(None) };
        let interface = PyDict::new(py);
        interface.set_item("version", 3)?;
        interface.set_item("shape", PyTuple::new(py, &self.shape)?)?;
        interface.set_item("typestr", self.kind)?;
        interface.set_item("data", (address, false))?; // PyTorch rejects read-only arrays
        interface.set_item("strides", py.None())?;
        interface.set_item("stream", py.None())?; // the library has waited for its kernels
        Ok(Some(interface))
    }
}
