//! Takagi-Sugeno-Kang systems learned from data.

use crate::device::Device;
use crate::error::json_exception;
use crate::learned::learned_model;
use crate::run::run;
use crate::training::{Targets, training_table};
use fuzzion::tuning::Tuner;
use numpy::{PyReadonlyArray1, PyReadonlyArray2};
use pyo3::prelude::*;

learned_model! {
    /// A learned system.
    TunedSystem(fuzzion::tuning::TunedSystem) {
        system: |model: &fuzzion::tuning::TunedSystem| Ok(model.system.clone()), targets: targets, outputs: predict,
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
