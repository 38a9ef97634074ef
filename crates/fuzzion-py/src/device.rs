//! Devices.

use crate::error::exception;
use fuzzion::device::Cpu;
use pyo3::prelude::*;

/// An opened device.
#[pyclass(frozen, module = "fuzzion._fuzzion")]
pub(crate) struct Device(pub(crate) fuzzion::Device);

#[pymethods]
impl Device {
    /// Opens the device `name`, with this number of CPU threads.
    #[new]
    fn new(py: Python<'_>, name: &str, threads: usize) -> PyResult<Self> {
        // The library's global thread pool does not survive a fork, so each device has its own pool.
        let open = || Ok(fuzzion::Device::named(name, Cpu::with_threads(threads)?)?);
        py.detach(|| open().map(Device)).map_err(|error: fuzzion::Error| exception(error))
    }

    /// Number of CPU threads.
    #[getter]
    fn threads(&self) -> usize {
        self.0.threads()
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }
}

/// Keeps an object alive until the process ends. After a fork, the threads of a device do not exist, and it cannot be
/// dropped.
#[pyfunction]
pub(crate) fn leak(object: Py<PyAny>) {
    std::mem::forget(object);
}
