//! Fits of rows that are distributed over processes or machines.

use crate::clustering::{Partition, parse_settings};
use crate::device::Device;
use crate::error::exception;
use crate::rows::Rows;
use crate::run::run;
use fuzzion::clustering as library;
use fuzzion::data::Precision;
use numpy::{PyReadonlyArray1, PyReadonlyArray2};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::sync::{Mutex, MutexGuard};

/// The state of a distributed fit, which is sent to all workers.
#[pyclass(frozen, module = "fuzzion._fuzzion")]
pub(crate) struct ClusteringState(library::ClusteringState);

#[pymethods]
impl ClusteringState {
    /// Number of statistics that were computed before.
    #[getter]
    fn step(&self) -> u64 {
        self.0.step()
    }

    /// Whether the rows have single precision.
    #[getter]
    fn single(&self) -> bool {
        self.0.precision() == Precision::F32
    }

    /// The statistics of a chunk of rows.
    #[pyo3(signature = (rows, chunk, device, *, weights=None))]
    fn partial_statistics(
        &self,
        py: Python<'_>,
        rows: Rows<'_>,
        chunk: u64,
        device: &Device,
        weights: Option<PyReadonlyArray1<'_, f64>>,
    ) -> PyResult<ClusteringStatistics> {
        let rows = rows.borrow(None, weights.as_ref())?;
        let compute = |device: &fuzzion::Device| {
            rows.with_samples(device, |samples| Ok(self.0.partial_statistics(samples, chunk, device)?))
        };
        run(py, device, None, compute).map(ClusteringStatistics)
    }

    #[staticmethod]
    fn from_bytes(bytes: &[u8]) -> PyResult<Self> {
        library::ClusteringState::from_bytes(bytes).map(ClusteringState).map_err(exception)
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyBytes>,))> {
        let bytes = PyBytes::new(slf.py(), &slf.get().0.to_bytes());
        Ok((slf.get_type().getattr("from_bytes")?, (bytes,)))
    }
}

/// Statistics of rows at a state.
#[pyclass(frozen, module = "fuzzion._fuzzion")]
pub(crate) struct ClusteringStatistics(library::ClusteringStatistics);

#[pymethods]
impl ClusteringStatistics {
    /// Number of rows.
    #[getter]
    fn rows(&self) -> u64 {
        self.0.rows()
    }

    /// The statistics of these and other rows.
    fn merge(&self, py: Python<'_>, other: &ClusteringStatistics) -> PyResult<Self> {
        py.detach(|| {
            let mut merged = self.0.clone();
            merged.merge(&other.0).map(|()| ClusteringStatistics(merged))
        })
        .map_err(exception)
    }

    #[staticmethod]
    fn from_bytes(bytes: &[u8]) -> PyResult<Self> {
        library::ClusteringStatistics::from_bytes(bytes).map(ClusteringStatistics).map_err(exception)
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyBytes>,))> {
        let bytes = PyBytes::new(slf.py(), &slf.get().0.to_bytes());
        Ok((slf.get_type().getattr("from_bytes")?, (bytes,)))
    }
}

/// A distributed fit; the lock is needed because the library's type is not shared between threads.
#[pyclass(frozen, module = "fuzzion._fuzzion")]
pub(crate) struct DistributedClustering(Mutex<Option<library::DistributedFit>>);

#[pymethods]
impl DistributedClustering {
    /// Starts a fit with the library's settings, given as JSON, and initial centers.
    #[new]
    #[pyo3(signature = (settings, names, single, device, *, initial=None))]
    fn new(
        py: Python<'_>,
        settings: &str,
        names: Vec<String>,
        single: bool,
        device: &Device,
        initial: Option<PyReadonlyArray2<'_, f64>>,
    ) -> PyResult<Self> {
        let settings = parse_settings(settings, initial.as_ref(), false)?;
        let precision = if single { Precision::F32 } else { Precision::F64 };
        let fit = py.detach(|| library::DistributedFit::new(settings, names, precision, &device.0));
        Ok(DistributedClustering(Mutex::new(Some(fit.map_err(exception)?))))
    }

    /// The state for which statistics are needed; `None` if the fit is finished.
    #[getter]
    fn state(&self) -> PyResult<Option<ClusteringState>> {
        Ok(self.lock()?.as_ref().and_then(|fit| fit.state().cloned().map(ClusteringState)))
    }

    /// Continues with the statistics of all rows.
    fn update(&self, py: Python<'_>, statistics: &ClusteringStatistics, device: &Device) -> PyResult<()> {
        run(py, device, None, |_| -> fuzzion::Result<()> {
            match self.0.lock().ok().as_mut().and_then(|fit| fit.as_mut()) {
                Some(fit) => Ok(fit.update(statistics.0.clone())?),
                None => Ok(()), // `finish` has returned the partition
            }
        })
    }

    /// The fitted clusters.
    fn finish(&self) -> PyResult<Partition> {
        match self.lock()?.take() {
            Some(fit) => fit.finish().map(Partition).map_err(exception),
            None => Err(PyRuntimeError::new_err("the fit is finished; its result was already returned")),
        }
    }
}

impl DistributedClustering {
    fn lock(&self) -> PyResult<MutexGuard<'_, Option<library::DistributedFit>>> {
        self.0
            .lock()
            .map_err(|_| PyRuntimeError::new_err("the fit was interrupted by an error; start it again"))
    }
}
