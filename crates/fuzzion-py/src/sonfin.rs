//! Self-constructing neural fuzzy inference networks.

use crate::device::Device;
use crate::error::{exception, json_exception};
use crate::rows::{Rows, table_array};
use crate::run::{run, run_on_rows};
use crate::system::{System, cached_system};
use crate::training::{Targets, training_table};
use fuzzion::sonfin::{Model, Sonfin};
use numpy::PyReadonlyArray2;
use pyo3::prelude::*;
use std::sync::OnceLock;

/// A trained network.
#[pyclass(frozen, module = "fuzzion._fuzzion")]
pub(crate) struct Network {
    model: Model,
    system: OnceLock<Py<System>>,
}

impl From<Model> for Network {
    fn from(model: Model) -> Self {
        Network { model, system: OnceLock::new() }
    }
}

/// Trains a network with the library's settings, given as JSON, in one of these modes: `fit`, `auto` (settings chosen by a
/// search) or `stream` (every row is used once).
#[pyfunction]
#[pyo3(signature = (settings, names, inputs, target_names, targets, device, *, mode="fit", progress=None))]
#[allow(clippy::too_many_arguments)] // keyword arguments in Python
pub(crate) fn fit_network(
    py: Python<'_>,
    settings: &str,
    names: Vec<String>,
    inputs: PyReadonlyArray2<'_, f64>,
    target_names: Vec<String>,
    targets: Targets<'_>,
    device: &Device,
    mode: &str,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Network> {
    let sonfin: Sonfin = serde_json::from_str(settings).map_err(json_exception)?;
    let table = training_table(&names, &inputs, &target_names, &targets)?;
    let fit = |device: &fuzzion::Device| {
        let targets: Vec<&str> = target_names.iter().map(String::as_str).collect();
        match mode {
            "auto" => sonfin.fit_auto(&table, &targets, device, |_| Ok(())),
            "stream" => sonfin.begin_stream(&table, &targets, device),
            _ => sonfin.fit(&table, &targets, device),
        }
    };
    run(py, device, progress, fit).map(Into::into)
}

#[pymethods]
impl Network {
    /// The network after training on more rows, each used once.
    fn partial_fit(
        &self,
        py: Python<'_>,
        names: Vec<String>,
        inputs: PyReadonlyArray2<'_, f64>,
        targets: Targets<'_>,
        device: &Device,
    ) -> PyResult<Network> {
        let table = training_table(&names, &inputs, &self.model.outputs, &targets)?;
        let mut model = self.model.clone();
        let fit = |device: &fuzzion::Device| {
            model.partial_fit(&table, device)?;
            Ok::<_, fuzzion::Error>(model)
        };
        run(py, device, None, fit).map(Into::into)
    }

    /// The equivalent system, in the units of the data.
    #[getter]
    fn system(&self, py: Python<'_>) -> PyResult<Py<System>> {
        cached_system(py, &self.system, || Ok(self.model.to_system()?))
    }

    #[getter]
    fn inputs(&self) -> Vec<String> {
        self.model.inputs.clone()
    }

    #[getter]
    fn targets(&self) -> Vec<String> {
        self.model.outputs.clone()
    }

    /// Class names in the order of the outputs; empty for regression.
    #[getter]
    fn classes(&self) -> Vec<String> {
        self.model.classes.clone()
    }

    /// The library's report, as JSON.
    #[getter]
    fn report(&self) -> PyResult<String> {
        serde_json::to_string(&self.model.report).map_err(json_exception)
    }

    /// Messages of the warnings of the fit.
    #[getter]
    fn warnings(&self) -> Vec<String> {
        self.model.report.warnings.iter().map(ToString::to_string).collect()
    }

    /// The outputs of every row: one column for each target or class.
    fn outputs<'py>(
        &self,
        py: Python<'py>,
        names: Vec<String>,
        rows: Rows<'_>,
        device: &Device,
    ) -> PyResult<Bound<'py, PyAny>> {
        let rows = rows.borrow(Some(names), None)?;
        let predict = |device: &fuzzion::Device| {
            rows.with_samples(device, |samples| Ok(self.model.scores(samples, device)?))
        };
        table_array(py, run_on_rows(py, device, None, &rows, predict)?)
    }

    /// The file format of `fuzzion sonfin fit --model`.
    fn to_json(&self) -> PyResult<String> {
        self.model.to_json().map_err(exception)
    }

    #[staticmethod]
    fn from_json(text: &str) -> PyResult<Self> {
        Model::from_json(text).map(Into::into).map_err(exception)
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (String,))> {
        Ok((slf.get_type().getattr("from_json")?, (slf.get().to_json()?,)))
    }
}
