//! Builds the report of a fit, in the units of the data.

use crate::data::{argmax_rows, softmax};
use crate::device::Device;
use crate::tuning::error::Result;
use crate::tuning::report::{TuningIteration, TuningReport, TuningWarning};
use crate::tuning::settings::{Classify, InitialRules, Tuner};
use crate::tuning::training::backend::Backend;
use crate::tuning::training::descent::Descent;
use crate::tuning::training::prepare::PreparedData;
use crate::tuning::training::samples::{ScaledSamples, mean_square};
use std::ops::Range;

/// A rule is idle if the sum of its squared firing strengths is below this fraction of one row's weight.
const IDLE_THRESHOLD: f64 = 1e-3;

/// Differences of predictions, relative to the largest range of a target, that are rounding errors.
const UNCHANGED: f64 = 1e-9;
/// Classes with fewer training rows are reported.
const MIN_CLASS_ROWS: usize = 10;

/// The report of a descent; the caller fills in the training time.
pub(in crate::tuning) fn build_report(
    tuner: &Tuner,
    prepared: &PreparedData,
    descent: &Descent,
    backend: &mut dyn Backend,
    device: &Device,
) -> Result<TuningReport> {
    let network = &descent.best_network;
    let unit = prepared.scale.target_span[0] / (network.outputs as f64).sqrt();
    let rmse = |square: f64| Some(unit * square.sqrt()).filter(|rmse| !rmse.is_nan());
    let point = |squares: [f64; 2], loss: f64, rate: f64| TuningIteration {
        rmse: rmse(squares[0]).unwrap_or(f64::INFINITY),
        validation_rmse: rmse(squares[1]),
        loss,
        rate,
    };
    let history: Vec<TuningIteration> =
        descent.history.iter().map(|record| point(record.squares, record.loss[0], record.rate)).collect();
    let best = descent.best_squares();
    let mut report = TuningReport {
        rmse: rmse(best[0]).unwrap_or(f64::INFINITY),
        validation_rmse: rmse(best[1]),
        accuracy: None,
        validation_accuracy: None,
        iterations: descent.iterations(),
        stop: descent.stop.expect("invariant: training ends with a stop reason"),
        history,
        bounded: false,
        rules: network.antecedents.rules(),
        unknowns: network.unknowns() * network.outputs,
        warnings: warnings(tuner, prepared, descent, &backend.squared_firing(network)?),
        device: device.to_string(),
        seconds: 0.0,
        trials: Vec::new(),
        path: Vec::new(),
    };
    let is_softmax = tuner.classify == Some(Classify::CrossEntropy);
    // Probabilities are in [0, 1] anyway.
    let may_be_bounded = !is_softmax && tuner.bounded != Some(false);
    if !prepared.classes.is_empty() || may_be_bounded {
        let samples = &prepared.samples;
        let (training, validation) = (0..samples.training, samples.training..samples.rows());
        let mut outputs = backend.predict(network)?;
        if is_softmax {
            softmax(&mut outputs);
        }
        if may_be_bounded {
            let mut bounded = outputs.clone();
            prepared.scale.bound(&mut bounded, !prepared.classes.is_empty());
            let is_unchanged = || max_difference(&outputs, &bounded, samples.training) <= UNCHANGED;
            report.bounded = tuner.bounded == Some(true) || is_unchanged();
            if tuner.bounded == Some(true) {
                outputs = bounded;
            }
        }
        if is_softmax || tuner.bounded == Some(true) {
            report.rmse = rmse(mean_square(&outputs, samples, training.clone())).unwrap_or(f64::INFINITY);
            report.validation_rmse = rmse(mean_square(&outputs, samples, validation.clone()));
        }
        if !prepared.classes.is_empty() {
            report.accuracy = Some(accuracy(&outputs, samples, training));
            report.validation_accuracy =
                (!validation.is_empty()).then(|| accuracy(&outputs, samples, validation));
        }
    }
    Ok(report)
}

/// Warnings about the result.
fn warnings(
    tuner: &Tuner,
    prepared: &PreparedData,
    descent: &Descent,
    squared_firing: &[f64],
) -> Vec<TuningWarning> {
    let (samples, network) = (&prepared.samples, &descent.best_network);
    let antecedents = &network.antecedents;
    let mut warnings = Vec::new();
    if !prepared.constant.is_empty() {
        warnings.push(TuningWarning::Constant(prepared.constant.clone()));
    }
    let tuned_sets =
        if tuner.iterations > 0 { antecedents.sets.len() * antecedents.form.parameter_count() } else { 0 };
    let (parameters, rows) = (network.unknowns() + tuned_sets, samples.training);
    // The consequents of a tree are shrunk towards the linear model.
    let is_tree = matches!(tuner.initial_rules, InitialRules::Tree { .. });
    let outnumber = !is_tree && parameters > rows;
    warnings.extend(outnumber.then_some(TuningWarning::TooManyParameters { parameters, rows }));
    if !prepared.classes.is_empty() {
        let rows_of = |target: &Vec<f64>| target[..rows].iter().filter(|y| **y == 1.0).count();
        let rare = samples.targets.iter().filter(|target| rows_of(target) < MIN_CLASS_ROWS).count();
        warnings.extend((rare > 0).then_some(TuningWarning::RareClasses(rare)));
    }
    if descent.ill_conditioned {
        warnings.push(TuningWarning::IllConditioned);
    }
    if !antecedents.form.is_differentiable() {
        let is_uncovered =
            |row: &usize| antecedents.firing(&samples.inputs_of(*row)).iter().all(|phi| *phi == 0.0);
        let uncovered = (0..samples.rows()).filter(is_uncovered).count();
        warnings.extend((uncovered > 0).then_some(TuningWarning::Uncovered(uncovered)));
    }
    let weight: f64 = (0..samples.training).map(|row| samples.weight(row)).sum();
    let threshold = IDLE_THRESHOLD * weight / samples.training as f64;
    let idle = squared_firing.iter().filter(|sum| **sum < threshold).count();
    warnings.extend((idle > 0).then_some(TuningWarning::Idle(idle)));
    warnings
}

/// Largest difference between the outputs of the first `rows` rows.
fn max_difference(a: &[Vec<f64>], b: &[Vec<f64>], rows: usize) -> f64 {
    let pairs = a.iter().zip(b).flat_map(|(a, b)| a[..rows].iter().zip(b));
    pairs.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

/// Weighted fraction of `rows` whose class has the largest output.
fn accuracy(outputs: &[Vec<f64>], samples: &ScaledSamples, rows: Range<usize>) -> f64 {
    let (predicted, actual) = (argmax_rows(outputs), argmax_rows(&samples.targets));
    let weight = |rows: &mut dyn Iterator<Item = usize>| rows.map(|row| samples.weight(row)).sum::<f64>();
    weight(&mut rows.clone().filter(|row| predicted[*row] == actual[*row])) / weight(&mut rows.clone())
}
