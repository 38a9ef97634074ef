//! Self-constructing neural fuzzy inference networks.

use crate::device::Device;
use crate::error::json_exception;
use crate::learned::learned_model;
use crate::run::run;
use crate::training::{Targets, training_table};
use fuzzion::sonfin::{Model, Sonfin};
use numpy::PyReadonlyArray2;
use pyo3::prelude::*;

learned_model! {
    /// A trained network.
    Network(Model) {
        system: |model: &Model| Ok(model.to_system()?), targets: outputs, outputs: scores,

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
