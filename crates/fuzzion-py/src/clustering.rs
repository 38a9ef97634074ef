//! Fuzzy c-means and its variants.

use crate::cuda::CudaArray;
use crate::device::Device;
use crate::error::{exception, json_exception};
use crate::rows::{Rows, array, table_array};
use crate::run::run_on_rows;
use fuzzion::clustering::{FuzzyCMeans, InitialCenters};
use fuzzion::{Stop, Table};
use numpy::{PyArrayDyn, PyReadonlyArray1, PyReadonlyArray2, PyUntypedArrayMethods};
use pyo3::prelude::*;

/// Fitted clusters.
#[pyclass(frozen, module = "fuzzion._fuzzion")]
pub(crate) struct Partition(pub(crate) fuzzion::clustering::Partition);

/// Fits clusters with the library's settings, given as JSON. `initial` are centers, or memberships if they have a row for
/// each row of the data (`initial_memberships`). With `previous`, the fit continues with another batch of rows. Returns the clusters and the
/// labels of the rows.
#[pyfunction]
#[pyo3(signature = (settings, rows, device, *, names=None, weights=None, initial=None, initial_memberships=false, previous=None, progress=None))]
#[allow(clippy::too_many_arguments)] // keyword arguments in Python
pub(crate) fn fit_clusters<'py>(
    py: Python<'py>,
    settings: &str,
    rows: Rows<'_>,
    device: &Device,
    names: Option<Vec<String>>,
    weights: Option<PyReadonlyArray1<'_, f64>>,
    initial: Option<PyReadonlyArray2<'_, f64>>,
    initial_memberships: bool,
    previous: Option<&Partition>,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<(Partition, Bound<'py, PyArrayDyn<i32>>)> {
    let settings = parse_settings(settings, initial.as_ref(), initial_memberships)?;
    let rows = rows.borrow(names, weights.as_ref())?;
    let previous = previous.map(|previous| previous.0.clone());
    let fit = |device: &fuzzion::Device| {
        rows.with_samples(device, |samples| {
            let partition = settings.partial_fit(previous, samples.clone(), device)?;
            let labels = partition.labels(samples, device)?;
            Ok((partition, labels))
        })
    };
    let (partition, labels) = run_on_rows(py, device, progress, &rows, fit)?;
    Ok((Partition(partition), label_array(py, labels)?))
}

/// The library's settings, given as JSON, with initial centers or memberships.
pub(crate) fn parse_settings(
    settings: &str,
    initial: Option<&PyReadonlyArray2<'_, f64>>,
    initial_memberships: bool,
) -> PyResult<FuzzyCMeans> {
    let settings: FuzzyCMeans = serde_json::from_str(settings).map_err(json_exception)?;
    let Some(initial) = initial else { return Ok(settings) };
    let values = initial.as_slice()?.to_vec();
    let table = Table::unnamed(initial.shape()[1], values).map_err(exception)?;
    let kind = if initial_memberships { InitialCenters::Memberships } else { InitialCenters::Centers };
    Ok(settings.initial_centers(kind(table)))
}

#[pymethods]
impl Partition {
    /// Centers, clusters × columns.
    #[getter]
    fn centers<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        table_array(py, self.0.centers.clone())
    }

    /// Covariances, clusters × columns × columns, if the metric has them.
    #[getter]
    fn covariances<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyArrayDyn<f64>>>> {
        let Some(covariances) = &self.0.covariances else { return Ok(None) };
        let columns = self.0.centers.columns();
        array(py, &[covariances.len(), columns, columns], covariances.concat()).map(Some)
    }

    /// Sum of the memberships of each cluster.
    #[getter]
    fn weights<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArrayDyn<f64>>> {
        array(py, &[self.0.weights.len()], self.0.weights.clone())
    }

    /// Names of the columns.
    #[getter]
    fn columns(&self) -> Vec<String> {
        self.0.centers.names().to_vec()
    }

    /// Number of iterations, final objective, whether the fit converged, and the objective before each step. Parsing the
    /// whole report takes longer.
    #[getter]
    fn summary<'py>(&self, py: Python<'py>) -> PyResult<(usize, f64, bool, Bound<'py, PyArrayDyn<f64>>)> {
        let report = &self.0.report;
        let history = array(py, &[report.history.len()], report.history.clone())?;
        Ok((report.iterations, report.objective, report.stop == Stop::Converged, history))
    }

    /// The library's report, as JSON.
    #[getter]
    fn report(&self) -> PyResult<String> {
        serde_json::to_string(&self.0.report).map_err(json_exception)
    }

    /// Messages of the warnings of the fit.
    #[getter]
    fn warnings(&self) -> Vec<String> {
        self.0.report.warnings.iter().map(ToString::to_string).collect()
    }

    /// Memberships of the rows; typicalities for possibilistic clusters.
    fn memberships<'py>(
        &self,
        py: Python<'py>,
        rows: Rows<'_>,
        device: &Device,
    ) -> PyResult<Bound<'py, PyAny>> {
        let rows = rows.borrow(None, None)?;
        let compute = |device: &fuzzion::Device| {
            rows.with_samples(device, |samples| Ok(self.0.memberships(samples, device)?))
        };
        table_array(py, run_on_rows(py, device, None, &rows, compute)?)
    }

    /// Typicalities of the rows, for variants that have them.
    fn typicalities<'py>(
        &self,
        py: Python<'py>,
        rows: Rows<'_>,
        device: &Device,
    ) -> PyResult<Bound<'py, PyAny>> {
        let rows = rows.borrow(None, None)?;
        let compute = |device: &fuzzion::Device| {
            rows.with_samples(device, |samples| Ok(self.0.typicalities(samples, device)?))
        };
        table_array(py, run_on_rows(py, device, None, &rows, compute)?)
    }

    /// Like `memberships`, in the memory of the device.
    fn memberships_on_device(&self, py: Python<'_>, rows: Rows<'_>, device: &Device) -> PyResult<CudaArray> {
        let rows = rows.borrow(None, None)?;
        let compute = |device: &fuzzion::Device| {
            rows.with_samples(device, |samples| Ok(self.0.memberships_on_device(samples, device)?))
        };
        run_on_rows(py, device, None, &rows, compute).map(Into::into)
    }

    /// The cluster with the largest membership of each row.
    fn labels<'py>(
        &self,
        py: Python<'py>,
        rows: Rows<'_>,
        device: &Device,
    ) -> PyResult<Bound<'py, PyArrayDyn<i32>>> {
        let rows = rows.borrow(None, None)?;
        let compute = |device: &fuzzion::Device| {
            rows.with_samples(device, |samples| Ok(self.0.labels(samples, device)?))
        };
        let labels = run_on_rows(py, device, None, &rows, compute)?;
        label_array(py, labels)
    }

    /// The objective of the rows at these clusters.
    #[pyo3(signature = (rows, device, *, weights=None))]
    fn objective(
        &self,
        py: Python<'_>,
        rows: Rows<'_>,
        device: &Device,
        weights: Option<PyReadonlyArray1<'_, f64>>,
    ) -> PyResult<f64> {
        let rows = rows.borrow(None, weights.as_ref())?;
        run_on_rows(py, device, None, &rows, |device| {
            rows.with_samples(device, |samples| Ok(self.0.objective(samples, device)?))
        })
    }

    /// The file format of `fuzzion cluster --model`.
    fn to_json(&self) -> PyResult<String> {
        self.0.to_json().map_err(exception)
    }

    #[staticmethod]
    fn from_json(text: &str) -> PyResult<Self> {
        fuzzion::clustering::Partition::from_json(text).map(Partition).map_err(exception)
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (String,))> {
        Ok((slf.get_type().getattr("from_json")?, (slf.get().to_json()?,)))
    }
}

/// Labels as an array of the type that scikit-learn uses.
fn label_array(py: Python<'_>, labels: Vec<u32>) -> PyResult<Bound<'_, PyArrayDyn<i32>>> {
    array(py, &[labels.len()], labels.into_iter().map(|label| label as i32).collect())
}
