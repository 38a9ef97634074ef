//! Builds the report of a fit, in the units of the data.

use crate::data::{argmax_rows, softmax};
use crate::device::Device;
use crate::tuning::error::Result;
use crate::tuning::report::{TuningIteration, TuningReport, TuningWarning};
use crate::tuning::settings::{Classify, Tuner};
use crate::tuning::training::backend::Backend;
use crate::tuning::training::descent::Descent;
use crate::tuning::training::prepare::PreparedData;
use crate::tuning::training::samples::ScaledSamples;
use crate::tuning::training::scaling::Scaling;
use std::ops::Range;

/// A rule is idle if the sum of its squared firing strengths is below this fraction of one row's weight.
const IDLE_THRESHOLD: f64 = 1e-3;

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
    let best = descent.history.len().saturating_sub(1 + descent.iterations_since_best);
    let mut report = TuningReport {
        rmse: history[best].rmse,
        validation_rmse: history[best].validation_rmse,
        accuracy: None,
        validation_accuracy: None,
        iterations: descent.iterations(),
        stop: descent.stop.expect("invariant: training ends with a stop reason"),
        history,
        rules: network.antecedents.rules(),
        unknowns: network.unknowns() * network.outputs,
        warnings: warnings(descent, &prepared.samples, &backend.squared_firing(network)?),
        device: device.to_string(),
        seconds: 0.0,
        trials: Vec::new(),
        path: Vec::new(),
    };
    if !prepared.classes.is_empty() || tuner.bounded {
        let samples = &prepared.samples;
        let (training, validation) = (0..samples.training, samples.training..samples.rows());
        let mut outputs = backend.predict(network)?;
        let is_softmax = tuner.classify == Some(Classify::CrossEntropy);
        if is_softmax {
            softmax(&mut outputs);
        }
        if tuner.bounded {
            Scaling::bound(&mut outputs, !prepared.classes.is_empty());
        }
        if is_softmax || tuner.bounded {
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
fn warnings(descent: &Descent, samples: &ScaledSamples, squared_firing: &[f64]) -> Vec<TuningWarning> {
    let antecedents = &descent.best_network.antecedents;
    let mut warnings = Vec::new();
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

/// Σ w·(ŷ − y)² / Σ w over `rows`, summed over outputs.
fn mean_square(outputs: &[Vec<f64>], samples: &ScaledSamples, rows: Range<usize>) -> f64 {
    let (mut sum, mut weight) = (0.0, 0.0);
    for row in rows {
        let square = |(p, y): (&Vec<f64>, &Vec<f64>)| (p[row] - y[row]) * (p[row] - y[row]);
        sum += samples.weight(row) * outputs.iter().zip(&samples.targets).map(square).sum::<f64>();
        weight += samples.weight(row);
    }
    sum / weight
}

/// Weighted fraction of `rows` whose class has the largest output.
fn accuracy(outputs: &[Vec<f64>], samples: &ScaledSamples, rows: Range<usize>) -> f64 {
    let (predicted, actual) = (argmax_rows(outputs), argmax_rows(&samples.targets));
    let weight = |rows: &mut dyn Iterator<Item = usize>| rows.map(|row| samples.weight(row)).sum::<f64>();
    weight(&mut rows.clone().filter(|row| predicted[*row] == actual[*row])) / weight(&mut rows.clone())
}
