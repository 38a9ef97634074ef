//! What a fit tells about itself, in the user's units.

use super::descent::Descent;
use super::form::Form;
use super::network::Network;
use super::prepare::Prepared;
use super::report::{Point, Report, Stop, Warning};
use super::rows::{Rows, Samples};
use super::settings::Classify;
use super::statistics::Statistics;
use super::tuner::Tuner;
use crate::data::{largest, softmax};
use crate::device::Device;
use crate::error::Result;
use std::ops::Range;

/// A rule whose squared firing strengths sum up to less than this share of one row learned nothing.
const IDLE: f64 = 1e-3;

/// The report of a descent; how long it took is for whoever held the watch.
pub(super) fn summary(
    tuner: &Tuner<'_>,
    prepared: &Prepared,
    descent: &Descent,
    rows: &mut dyn Rows,
    device: &Device,
) -> Result<Report> {
    let network = &descent.best_at;
    let unit = prepared.scale.target_span[0] / (network.outputs as f64).sqrt();
    let rmse = |square: f64| Some(unit * square.sqrt()).filter(|rmse| !rmse.is_nan());
    let point = |squares: [f64; 2], loss: f64, rate: f64| Point {
        rmse: rmse(squares[0]).unwrap_or(f64::INFINITY),
        validation_rmse: rmse(squares[1]),
        loss,
        rate,
    };
    let history: Vec<Point> =
        descent.history.iter().map(|seen| point(seen.squares, seen.loss[0], seen.rate)).collect();
    let kept = descent.history.len().saturating_sub(1 + descent.since);
    let mut report = Report {
        rmse: history[kept].rmse,
        validation_rmse: history[kept].validation_rmse,
        accuracy: None,
        validation_accuracy: None,
        iterations: descent.iterations(),
        stop: descent.stop.unwrap_or(Stop::MaxIterations),
        history,
        rules: network.antecedents.rules(),
        unknowns: network.unknowns() * network.outputs,
        warnings: warnings(descent, &prepared.samples, &rows.statistics(network)?),
        device: device.to_string(),
        seconds: 0.0,
        trials: Vec::new(),
    };
    if !prepared.classes.is_empty() {
        let samples = &prepared.samples;
        let (training, validation) = (0..samples.training, samples.training..samples.rows());
        let mut outputs = rows.predict(network)?;
        if tuner.classify == Some(Classify::CrossEntropy) {
            softmax(&mut outputs);
            report.rmse = rmse(mean_square(&outputs, samples, training.clone())).unwrap_or(f64::INFINITY);
            report.validation_rmse = rmse(mean_square(&outputs, samples, validation.clone()));
        }
        report.accuracy = Some(accuracy(&outputs, samples, training));
        report.validation_accuracy =
            (!validation.is_empty()).then(|| accuracy(&outputs, samples, validation));
    }
    Ok(report)
}

/// What the user should know of the network that is kept.
fn warnings(descent: &Descent, samples: &Samples, statistics: &Statistics) -> Vec<Warning> {
    let Network { antecedents, basis, .. } = &descent.best_at;
    let mut warnings = Vec::new();
    if descent.ill_conditioned {
        warnings.push(Warning::IllConditioned);
    }
    if antecedents.form == Form::Triangle {
        let bare = |row: &usize| antecedents.firing(&samples.inputs_of(*row)).iter().all(|phi| *phi == 0.0);
        let uncovered = (0..samples.rows()).filter(bare).count();
        warnings.extend((uncovered > 0).then_some(Warning::Uncovered(uncovered)));
    }
    // The first monomial of every rule is 1: its place on the diagonal is Σ w·φ².
    let firing = |rule: usize| statistics.gram[rule * basis.len() * (rule * basis.len() + 3) / 2];
    let least = IDLE * statistics.weight / samples.training as f64;
    let idle = (0..antecedents.rules()).filter(|rule| firing(*rule) < least).count();
    warnings.extend((idle > 0).then_some(Warning::Idle(idle)));
    warnings
}

/// Σ w·(ŷ − y)² / Σ w of some rows, all outputs together.
fn mean_square(outputs: &[Vec<f64>], samples: &Samples, rows: Range<usize>) -> f64 {
    let (mut sum, mut weight) = (0.0, 0.0);
    for row in rows {
        let square = |(p, y): (&Vec<f64>, &Vec<f64>)| (p[row] - y[row]) * (p[row] - y[row]);
        sum += samples.weight(row) * outputs.iter().zip(&samples.targets).map(square).sum::<f64>();
        weight += samples.weight(row);
    }
    sum / weight
}

/// The share of some rows, by weight, whose class has the largest output.
fn accuracy(outputs: &[Vec<f64>], samples: &Samples, rows: Range<usize>) -> f64 {
    let (found, right) = (largest(outputs), largest(&samples.targets));
    let weight = |rows: &mut dyn Iterator<Item = usize>| rows.map(|row| samples.weight(row)).sum::<f64>();
    weight(&mut rows.clone().filter(|row| found[*row] == right[*row])) / weight(&mut rows.clone())
}
