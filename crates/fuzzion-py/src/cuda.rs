//! Arrays of other libraries in GPU memory.

use fuzzion::data::Precision;
use fuzzion::device::CudaArrayView;
use fuzzion::{Device, DeviceSamples, Result, Samples};
use pyo3::prelude::*;
use pyo3::types::PyDict;

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

/// Results in GPU memory, which other libraries read through the attribute `__cuda_array_interface__`.
#[pyclass(frozen, module = "fuzzion._fuzzion")]
pub(crate) struct CudaArray(pub(crate) DeviceSamples<'static>);

#[pymethods]
impl CudaArray {
    /// The address, shape and type of the array; `None` if the values are in host memory.
    #[getter]
    fn __cuda_array_interface__<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        let Some((_, address)) = self.0.cuda_address() else { return Ok(None) };
        let interface = PyDict::new(py);
        interface.set_item("version", 3)?;
        interface.set_item("shape", (self.0.rows(), self.0.names().len()))?;
        interface.set_item("typestr", if self.0.precision() == Precision::F64 { "<f8" } else { "<f4" })?;
        interface.set_item("data", (address, false))?; // PyTorch rejects read-only arrays
        interface.set_item("strides", py.None())?;
        interface.set_item("stream", py.None())?; // the library has waited for its kernels
        Ok(Some(interface))
    }
}
