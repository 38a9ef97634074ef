//! From settings and a table to a tuned system.

use super::algorithm::{descend, sharpen};
use super::antecedents::Antecedents;
use super::classes::{largest, softmax};
use super::descent::{Course, Descent, least_squares};
use super::form::Form;
use super::lm;
use super::network::Network;
use super::prepare::Prepared;
use super::readable;
use super::recursive;
use super::report::{Point, Report, Warning};
use super::rows::{Loss, Rows, Samples};
use super::settings::{Classify, Method, Start};
use super::starts;
use super::tuned::Tuned;
use super::tuner::{Tuner, rows_of};
use crate::data::Table;
use crate::device::Device;
use crate::error::{Error, Result};
use std::time::Instant;

/// Fewer rows than consequents need at least this ridge.
const ENOUGH_RIDGE: f64 = 1e-6;
/// A rule whose squared firing strengths sum up to less than this share of one row learned nothing.
const IDLE: f64 = 1e-3;

/// What was learned, in scaled coordinates.
pub(super) struct Learned {
    /// The antecedents that it started from.
    pub(super) before: Antecedents,
    pub(super) descent: Descent,
}

/// Checks, learns, and tells how it went.
pub(super) fn fit(
    tuner: &Tuner<'_>,
    table: &Table,
    targets: &[&str],
    weights: Option<&[f64]>,
    device: &Device,
) -> Result<Tuned> {
    tuner.check()?;
    let prepared = Prepared::new(tuner, table, targets, weights)?;
    let clock = Instant::now();
    let mut rows = rows_of(&prepared.samples, device)?;
    let learned = learn(tuner, &prepared, &prepared.samples, &mut *rows, device)?;
    let seconds = clock.elapsed().as_secs_f64();
    let report = report(tuner, &prepared, &learned, &mut *rows, device, seconds)?;
    drop(rows);
    Tuned::new(tuner, prepared, learned, report)
}

/// Learns from `samples`, which are those of `prepared` or a part of them, on `rows`.
pub(super) fn learn(
    tuner: &Tuner<'_>,
    prepared: &Prepared,
    samples: &Samples,
    rows: &mut dyn Rows,
    device: &Device,
) -> Result<Learned> {
    let before = starts::antecedents(tuner, prepared, samples, device)?;
    let mut network = Network::new(before.clone(), tuner.order, samples.targets.len());
    check_rules(tuner, prepared, &network, samples.training)?;
    let course = course(tuner);
    let descent = match tuner.method {
        Method::Recursive(forgetting) => recursive::one_pass(samples, rows, network, &course, forgetting)?,
        Method::LevenbergMarquardt => {
            let ill_conditioned = least_squares(rows, &mut network, tuner.ridge)?;
            lm::descend(samples, rows, network, &course, ill_conditioned, tuner.progress)?
        }
        Method::Hybrid | Method::Gradient => {
            let ill_conditioned = least_squares(rows, &mut network, tuner.ridge)?;
            if course.loss == Loss::CrossEntropy {
                sharpen(rows, &mut network, &course)?;
            }
            descend(rows, network, &course, tuner.step, ill_conditioned, tuner.progress)?
        }
    };
    Ok(Learned { before, descent })
}

/// What the settings mean for a descent.
fn course(tuner: &Tuner<'_>) -> Course {
    let softmax = tuner.classify == Some(Classify::CrossEntropy);
    let solves = tuner.method == Method::Hybrid && !softmax;
    Course {
        iterations: tuner.iterations,
        solve_every: if solves { tuner.solve_every } else { 0 },
        rate: tuner.first_rate(),
        ridge: tuner.ridge,
        readable: tuner.readable,
        loss: if softmax { Loss::CrossEntropy } else { Loss::Squares },
        patience: tuner.patience,
    }
}

/// Refuses rules that these settings cannot learn.
fn check_rules(tuner: &Tuner<'_>, prepared: &Prepared, network: &Network, training: usize) -> Result<()> {
    let antecedents = &network.antecedents;
    let moves = tuner.iterations > 0 && !matches!(tuner.method, Method::Recursive(_));
    if !antecedents.form.is_smooth() && moves {
        let (algorithm, name) = ("tuning of triangles", "iterations");
        let must = "0, which is least squares alone, since triangles have no slopes to follow";
        return Err(Error::Parameter { algorithm, name, value: tuner.iterations as f64, must });
    }
    let unknowns = network.unknowns();
    if training == 0 || (training < unknowns && tuner.ridge < ENOUGH_RIDGE) {
        return Err(Error::FewTrainingRows { rows: training, unknowns });
    }
    if tuner.readable && matches!(tuner.start, Start::Grid(_) | Start::System(_)) {
        for (input, order) in readable::in_order(antecedents).into_iter().enumerate() {
            let p = |set: usize| &antecedents.sets[set].parameters;
            if !order.windows(2).all(|pair| readable::agree(antecedents.form, p(pair[0]), p(pair[1]))) {
                let problem = "has sets that are not readable to begin with: neighbors must cross at a membership from 0.2 \
                               to 0.8; start from a grid, or without `readable`";
                let name = prepared.inputs[input].clone();
                return Err(Error::LearnedColumn { what: "input", name, problem });
            }
        }
    }
    Ok(())
}

fn report(
    tuner: &Tuner<'_>,
    prepared: &Prepared,
    learned: &Learned,
    rows: &mut dyn Rows,
    device: &Device,
    seconds: f64,
) -> Result<Report> {
    let (descent, samples) = (&learned.descent, &prepared.samples);
    let network = &descent.best_at;
    let unit = prepared.scale.target_span[0] / (network.outputs as f64).sqrt();
    let rmse = |square: f64| unit * square.sqrt();
    let some = |square: f64| Some(rmse(square)).filter(|rmse| !rmse.is_nan());
    let history: Vec<Point> = descent
        .history
        .iter()
        .map(|seen| Point {
            rmse: rmse(seen.squares[0]),
            validation_rmse: some(seen.squares[1]),
            loss: seen.loss[0],
            rate: seen.rate,
        })
        .collect();
    let mut outputs = rows.predict(network)?;
    if tuner.classify == Some(Classify::CrossEntropy) {
        softmax(&mut outputs);
    }
    let (training, validation) = (0..samples.training, samples.training..samples.rows());
    let classes = !prepared.classes.is_empty();
    let statistics = rows.statistics(network)?;
    let mut warnings = Vec::new();
    if descent.ill_conditioned {
        warnings.push(Warning::IllConditioned);
    }
    if network.antecedents.form == Form::Triangle {
        let uncovered =
            |row: &usize| network.antecedents.firing(&samples.inputs_of(*row)).iter().all(|phi| *phi == 0.0);
        warnings.extend(
            Some((0..samples.rows()).filter(uncovered).count()).filter(|n| *n > 0).map(Warning::Uncovered),
        );
    }
    let least = IDLE * statistics.weight / samples.training as f64;
    // The first monomial of every rule is 1: its place on the diagonal is Σ w·φ².
    let firing = |rule: usize| rule * network.basis.len();
    let idle = (0..network.antecedents.rules())
        .filter(|rule| statistics.gram[firing(*rule) * (firing(*rule) + 3) / 2] < least);
    warnings.extend(Some(idle.count()).filter(|n| *n > 0).map(Warning::Idle));
    Ok(Report {
        rmse: rmse(mean_square(&outputs, samples, training.clone())),
        validation_rmse: some(mean_square(&outputs, samples, validation.clone())),
        accuracy: classes.then(|| accuracy(&outputs, samples, training)),
        validation_accuracy: (classes && !validation.is_empty())
            .then(|| accuracy(&outputs, samples, validation)),
        iterations: descent.iterations(),
        stop: descent.stop.unwrap_or(super::report::Stop::MaxIterations),
        history,
        rules: network.antecedents.rules(),
        unknowns: network.unknowns() * network.outputs,
        warnings,
        device: device.to_string(),
        seconds,
        trials: Vec::new(),
    })
}

/// Σ w·(ŷ − y)² / Σ w of some rows, all outputs together.
fn mean_square(outputs: &[Vec<f64>], samples: &Samples, rows: std::ops::Range<usize>) -> f64 {
    let (mut sum, mut weight) = (0.0, 0.0);
    for row in rows {
        let square = |(p, y): (&Vec<f64>, &Vec<f64>)| (p[row] - y[row]) * (p[row] - y[row]);
        sum += samples.weight(row) * outputs.iter().zip(&samples.targets).map(square).sum::<f64>();
        weight += samples.weight(row);
    }
    sum / weight
}

/// The share of some rows, by weight, whose class has the largest output.
fn accuracy(outputs: &[Vec<f64>], samples: &Samples, rows: std::ops::Range<usize>) -> f64 {
    let (found, right) = (largest(outputs), largest(&samples.targets));
    let weight = |rows: &mut dyn Iterator<Item = usize>| rows.map(|row| samples.weight(row)).sum::<f64>();
    weight(&mut rows.clone().filter(|row| found[*row] == right[*row])) / weight(&mut rows.clone())
}
