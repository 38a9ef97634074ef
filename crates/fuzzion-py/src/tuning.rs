//! Takagi-Sugeno-Kang systems learned from data.

use crate::device::Device;
use crate::error::{exception, json_exception};
use crate::rows::{Rows, table_array};
use crate::run::{run, run_on_rows};
use crate::system::{System, cached_system};
use crate::training::{Targets, training_table};
use fuzzion::tuning::Tuner;
use numpy::{PyReadonlyArray1, PyReadonlyArray2};
use pyo3::prelude::*;
use std::sync::OnceLock;

/// A learned system.
#[pyclass(frozen, module = "fuzzion._fuzzion")]
pub(crate) struct TunedSystem {
    tuned: fuzzion::tuning::TunedSystem,
    system: OnceLock<Py<System>>,
}

impl From<fuzzion::tuning::TunedSystem> for TunedSystem {
    fn from(tuned: fuzzion::tuning::TunedSystem) -> Self {
        TunedSystem { tuned, system: OnceLock::new() }
    }
}

/// Learns a system with the library's settings, given as JSON. With `auto`, rules, order and rate are chosen by
/// cross-validation.
#[pyfunction]
#[pyo3(signature = (settings, names, inputs, target_names, targets, device, *, weights=None, auto=false, progress=None))]
#[allow(clippy::too_many_arguments)] // keyword arguments in Python
pub(crate) fn fit_tuner(
    py: Python<'_>,
    settings: &str,
    names: Vec<String>,
    inputs: PyReadonlyArray2<'_, f64>,
    target_names: Vec<String>,
    targets: Targets<'_>,
    device: &Device,
    weights: Option<PyReadonlyArray1<'_, f64>>,
    auto: bool,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<TunedSystem> {
    let tuner: Tuner = serde_json::from_str(settings).map_err(json_exception)?;
    let table = training_table(&names, &inputs, &target_names, &targets)?;
    let weights = weights.as_ref().map(|weights| weights.as_slice()).transpose()?;
    let fit = |device: &fuzzion::Device| {
        let samples = match weights {
            Some(weights) => table.samples().with_weights(weights)?,
            None => table.samples(),
        };
        let targets: Vec<&str> = target_names.iter().map(String::as_str).collect();
        let fit = if auto { Tuner::auto } else { Tuner::fit };
        Ok::<_, fuzzion::Error>(fit(&tuner, samples, &targets, device)?)
    };
    run(py, device, progress, fit).map(Into::into)
}

#[pymethods]
impl TunedSystem {
    /// The system, in the units of the data.
    #[getter]
    fn system(&self, py: Python<'_>) -> PyResult<Py<System>> {
        cached_system(py, &self.system, || Ok(self.tuned.system.clone()))
    }

    #[getter]
    fn inputs(&self) -> Vec<String> {
        self.tuned.inputs.clone()
    }

    #[getter]
    fn targets(&self) -> Vec<String> {
        self.tuned.targets.clone()
    }

    /// Class names in the order of the outputs; empty for regression.
    #[getter]
    fn classes(&self) -> Vec<String> {
        self.tuned.classes.clone()
    }

    /// The library's report, as JSON.
    #[getter]
    fn report(&self) -> PyResult<String> {
        serde_json::to_string(&self.tuned.report).map_err(json_exception)
    }

    /// Messages of the warnings of the fit.
    #[getter]
    fn warnings(&self) -> Vec<String> {
        self.tuned.report.warnings.iter().map(ToString::to_string).collect()
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
            rows.with_samples(device, |samples| Ok(self.tuned.predict(samples, device)?))
        };
        table_array(py, run_on_rows(py, device, None, &rows, predict)?)
    }

    fn to_json(&self) -> PyResult<String> {
        self.tuned.to_json().map_err(exception)
    }

    #[staticmethod]
    fn from_json(text: &str) -> PyResult<Self> {
        fuzzion::tuning::TunedSystem::from_json(text).map(Into::into).map_err(exception)
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (String,))> {
        Ok((slf.get_type().getattr("from_json")?, (slf.get().to_json()?,)))
    }
}
