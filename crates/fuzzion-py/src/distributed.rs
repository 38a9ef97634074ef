//! Fits of rows that are distributed over processes or machines.

use crate::clustering::{Partition, parse_settings};
use crate::device::Device;
use crate::error::{exception, json_exception};
use crate::rows::Rows;
use crate::run::run;
use crate::training::{Targets, training_table};
use crate::tuning::TunedSystem;
use fuzzion::clustering as library;
use fuzzion::data::Precision;
use fuzzion::tuning;
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
        Ok(lock(&self.0)?.as_ref().and_then(|fit| fit.state().cloned().map(ClusteringState)))
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
        match lock(&self.0)?.take() {
            Some(fit) => fit.finish().map(Partition).map_err(exception),
            None => Err(PyRuntimeError::new_err("the fit is finished; its result was already returned")),
        }
    }
}

/// Locks a fit, which is not usable after a panic.
fn lock<T>(fit: &Mutex<T>) -> PyResult<MutexGuard<'_, T>> {
    fit.lock().map_err(|_| PyRuntimeError::new_err("the fit was interrupted by an error; start it again"))
}

/// The state of a distributed fit of a Takagi-Sugeno-Kang system, with the names of all columns of its rows.
#[pyclass(frozen, module = "fuzzion._fuzzion")]
pub(crate) struct TuningState {
    state: tuning::TuningState,
    names: Vec<String>,
    target_names: Vec<String>,
}

#[pymethods]
impl TuningState {
    /// Number of statistics that were computed before.
    #[getter]
    fn step(&self) -> u64 {
        self.state.step()
    }

    /// Numbers of columns and targets.
    #[getter]
    fn shape(&self) -> (usize, usize) {
        (self.names.len(), self.target_names.len())
    }

    /// The statistics of a chunk of rows and their targets, which have the columns of the fit.
    #[pyo3(signature = (rows, targets, chunk, device, *, weights=None))]
    fn partial_statistics(
        &self,
        py: Python<'_>,
        rows: PyReadonlyArray2<'_, f64>,
        targets: PyReadonlyArray2<'_, f64>,
        chunk: u64,
        device: &Device,
        weights: Option<PyReadonlyArray1<'_, f64>>,
    ) -> PyResult<TuningStatistics> {
        let table = training_table(&self.names, &rows, &self.target_names, &Targets::Numbers(targets))?;
        let weights = weights.as_ref().map(|weights| weights.as_slice()).transpose()?;
        let compute = |device: &fuzzion::Device| {
            let samples = match weights {
                Some(weights) => table.samples().with_weights(weights)?,
                None => table.samples(),
            };
            Ok::<_, fuzzion::Error>(self.state.partial_statistics(samples, chunk, device)?)
        };
        run(py, device, None, compute).map(TuningStatistics)
    }

    #[staticmethod]
    fn from_bytes(bytes: &[u8], names: Vec<String>, target_names: Vec<String>) -> PyResult<Self> {
        let state = tuning::TuningState::from_bytes(bytes).map_err(exception)?;
        Ok(TuningState { state, names, target_names })
    }

    #[allow(clippy::type_complexity)] // the arguments of `from_bytes`
    fn __reduce__<'py>(
        slf: &Bound<'py, Self>,
    ) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyBytes>, Vec<String>, Vec<String>))> {
        let TuningState { state, names, target_names } = slf.get();
        let bytes = PyBytes::new(slf.py(), &state.to_bytes());
        Ok((slf.get_type().getattr("from_bytes")?, (bytes, names.clone(), target_names.clone())))
    }
}

/// Statistics of rows at a state.
#[pyclass(frozen, module = "fuzzion._fuzzion")]
pub(crate) struct TuningStatistics(tuning::TuningStatistics);

#[pymethods]
impl TuningStatistics {
    /// Number of rows.
    #[getter]
    fn rows(&self) -> u64 {
        self.0.rows()
    }

    /// The statistics of these and other rows.
    fn merge(&self, py: Python<'_>, other: &TuningStatistics) -> PyResult<Self> {
        py.detach(|| {
            let mut merged = self.0.clone();
            merged.merge(&other.0).map(|()| TuningStatistics(merged))
        })
        .map_err(exception)
    }

    #[staticmethod]
    fn from_bytes(bytes: &[u8]) -> PyResult<Self> {
        tuning::TuningStatistics::from_bytes(bytes).map(TuningStatistics).map_err(exception)
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyBytes>,))> {
        let bytes = PyBytes::new(slf.py(), &slf.get().0.to_bytes());
        Ok((slf.get_type().getattr("from_bytes")?, (bytes,)))
    }
}

/// A distributed fit of a Takagi-Sugeno-Kang system.
#[pyclass(frozen, module = "fuzzion._fuzzion")]
pub(crate) struct DistributedTuning {
    fit: Mutex<Option<tuning::DistributedTuning>>,
    names: Vec<String>,
    target_names: Vec<String>,
}

#[pymethods]
impl DistributedTuning {
    /// Starts a fit with the library's settings, given as JSON.
    #[new]
    fn new(
        py: Python<'_>,
        settings: &str,
        names: Vec<String>,
        target_names: Vec<String>,
        device: &Device,
    ) -> PyResult<Self> {
        let tuner: tuning::Tuner = serde_json::from_str(settings).map_err(json_exception)?;
        let start = || tuning::DistributedTuning::new(tuner, names.clone(), target_names.clone(), &device.0);
        let fit = py.detach(start).map_err(exception)?;
        Ok(DistributedTuning { fit: Mutex::new(Some(fit)), names, target_names })
    }

    /// The state for which statistics are needed; `None` if the fit is finished.
    #[getter]
    fn state(&self) -> PyResult<Option<TuningState>> {
        let state = |fit: &tuning::DistributedTuning| {
            let (names, target_names) = (self.names.clone(), self.target_names.clone());
            fit.state().cloned().map(|state| TuningState { state, names, target_names })
        };
        Ok(lock(&self.fit)?.as_ref().and_then(state))
    }

    /// Continues with the statistics of all rows.
    fn update(&self, py: Python<'_>, statistics: &TuningStatistics, device: &Device) -> PyResult<()> {
        run(py, device, None, |_| -> fuzzion::Result<()> {
            match self.fit.lock().ok().as_mut().and_then(|fit| fit.as_mut()) {
                Some(fit) => Ok(fit.update(statistics.0.clone())?),
                None => Ok(()), // `finish` has returned the system
            }
        })
    }

    /// The learned system.
    fn finish(&self) -> PyResult<TunedSystem> {
        match lock(&self.fit)?.take() {
            Some(fit) => fit.finish().map(Into::into).map_err(exception),
            None => Err(PyRuntimeError::new_err("the fit is finished; its result was already returned")),
        }
    }
}
