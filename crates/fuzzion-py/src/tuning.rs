//! Takagi-Sugeno-Kang systems learned from data.

use crate::device::Device;
use crate::error::{exception, json_exception};
use crate::learned::learned_model;
use crate::rows::{Rows, array, table_array};
use crate::run::{run, run_on_rows};
use crate::training::{Targets, training_table};
use fuzzion::tuning::Tuner;
use fuzzion::{Result, Samples, Table};
use numpy::{PyArrayDyn, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::prelude::*;

learned_model! {
    /// A learned system.
    TunedSystem(fuzzion::tuning::TunedSystem) {
        system: |model: &fuzzion::tuning::TunedSystem| Ok(model.system.clone()), targets: targets, outputs: predict,

        /// Number of held-out rows that calibrated the prediction intervals.
        #[getter]
        fn calibration_rows(&self) -> Option<usize> {
            self.model.calibration_rows()
        }

        /// Lower and upper ends of the prediction intervals: rows × targets.
        fn intervals<'py>(
            &self,
            py: Python<'py>,
            names: Vec<String>,
            rows: Rows<'_>,
            level: f64,
            device: &Device,
        ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
            let rows = rows.borrow(Some(names), None)?;
            let found = run_on_rows(py, device, None, &rows, |device| {
                rows.with_samples(device, |samples| Ok(self.model.predict_intervals(samples, level, device)?))
            })?;
            Ok((table_array(py, found.lower)?, table_array(py, found.upper)?))
        }

        /// Whether the prediction set of each row contains each class.
        fn sets<'py>(
            &self,
            py: Python<'py>,
            names: Vec<String>,
            rows: Rows<'_>,
            level: f64,
            device: &Device,
        ) -> PyResult<Bound<'py, PyArrayDyn<bool>>> {
            let rows = rows.borrow(Some(names), None)?;
            let found = run_on_rows(py, device, None, &rows, |device| {
                rows.with_samples(device, |samples| Ok(self.model.predict_sets(samples, level, device)?))
            })?;
            array(py, &[found.contains.len(), self.model.classes.len()], found.contains.concat())
        }

        /// Whether each input of each row is outside its range, and whether each row is far from all rules.
        fn outside<'py>(
            &self,
            py: Python<'py>,
            names: Vec<String>,
            rows: Rows<'_>,
            device: &Device,
        ) -> PyResult<[Bound<'py, PyArrayDyn<bool>>; 2]> {
            let rows = rows.borrow(Some(names), None)?;
            let found = run_on_rows(py, device, None, &rows, |device| {
                rows.with_samples(device, |samples| Ok(self.model.outside_range(samples, device)?))
            })?;
            let inputs = self.model.inputs.len();
            let mut outside = vec![false; found.len() * inputs];
            for (row, found) in found.iter().enumerate() {
                found.inputs.iter().for_each(|input| outside[row * inputs + input] = true);
            }
            let far: Vec<bool> = found.iter().map(|row| row.far_from_rules).collect();
            Ok([array(py, &[found.len(), inputs], outside)?, array(py, &[found.len()], far)?])
        }

        /// The library's reports about the rules, as JSON. With `resamples`, each of them contains the stability of the rule
        /// over refits with `settings`.
        #[pyo3(signature = (names, inputs, targets, device, *, weights=None, settings=None, resamples=0))]
        #[allow(clippy::too_many_arguments)] // keyword arguments in Python
        fn rule_reports(
            &self,
            py: Python<'_>,
            names: Vec<String>,
            inputs: PyReadonlyArray2<'_, f64>,
            targets: Targets<'_>,
            device: &Device,
            weights: Option<PyReadonlyArray1<'_, f64>>,
            settings: Option<&str>,
            resamples: usize,
        ) -> PyResult<String> {
            let tuner: Option<Tuner> = settings.map(serde_json::from_str).transpose().map_err(json_exception)?;
            let table = training_table(&names, &inputs, &self.model.targets, &targets)?;
            let weights = weights.as_ref().map(|weights| weights.as_slice()).transpose()?;
            let reports = run(py, device, None, |device: &fuzzion::Device| {
                let samples = weighted(&table, weights)?;
                let stability = match &tuner {
                    Some(tuner) if resamples > 0 => {
                        self.model.rule_stability(tuner, samples.clone(), resamples, device)?
                    }
                    _ => Vec::new(),
                };
                Ok::<_, fuzzion::Error>((self.model.rule_reports(samples, device)?, stability))
            })?;
            let mut value = serde_json::to_value(&reports.0).map_err(json_exception)?;
            for (report, stability) in value.as_array_mut().into_iter().flatten().zip(reports.1) {
                report["stability"] = stability.into();
            }
            Ok(value.to_string())
        }

        /// The system with these names for the sets of an input.
        fn with_words(&self, input: &str, words: Vec<String>) -> PyResult<Self> {
            self.model.clone().with_words(input, &words).map(Into::into).map_err(exception)
        }
    }
}

/// The rows of a table with their weights, if any.
fn weighted<'a>(table: &'a Table, weights: Option<&'a [f64]>) -> Result<Samples<'a>> {
    match weights {
        Some(weights) => Ok(table.samples().with_weights(weights)?),
        None => Ok(table.samples()),
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
        let samples = weighted(&table, weights)?;
        let targets: Vec<&str> = target_names.iter().map(String::as_str).collect();
        let fit = if auto { Tuner::auto } else { Tuner::fit };
        Ok::<_, fuzzion::Error>(fit(&tuner, samples, &targets, device)?)
    };
    run(py, device, progress, fit).map(Into::into)
}
