//! Networks that choose their number of rules, the training of their centers and widths, and slopes shared by all rules.
//!
//! Centers and widths are trained as usual, on what a linear model does not explain; then the consequents
//! wₖₗ + Σⱼ bₗⱼ·(xⱼ − x̄ⱼ) are solved at once (Equations (7) and (8)). Candidates are compared by cross-validation.

mod candidates;
mod least_squares;
mod logistic;
mod problem;
mod search;
mod tidy;

use super::auto::VALIDATION;
use super::evaluate::network_error;
use super::prepare::Prepared;
use super::report::{SonfinEpoch, SonfinTrial};
use super::schedule::Split;
use super::usage::mean_firing_strengths;
use crate::data::Samples;
use crate::device::Device;
use crate::random::shuffled;
use crate::sonfin::backend::{BackEnd, new_learner};
use crate::sonfin::error::Result;
use crate::sonfin::model::Model;
use crate::sonfin::reference::textbook::{ln_mu, rules_in_f64};
use crate::sonfin::settings::Sonfin;
use crate::sonfin::types::network::Network;
use crate::sonfin::types::options::Classify;
use crate::sonfin::types::scaled_samples::ScaledSamples;
use candidates::{Candidate, unconditional};
use least_squares::least_squares;
use problem::{Problem, RowLoss, Solved};
use search::{Search, Trial};
use std::time::Instant;

/// Maximum number of rows of the cross-validation; the network is then trained on all rows.
const MAX_ROWS: usize = 8192;
/// Rows, inputs and classes above which a classifier is found by [`Sonfin::fit_auto`], which is faster and, with many inputs,
/// more accurate.
const MAX_CLASSIFIER_ROWS: usize = 4096;
const MAX_CLASSIFIER_INPUTS: usize = 100;
const MAX_CLASSES: usize = 20;
/// Tables with fewer rows have no cross-validation: their model is linear.
const MIN_ROWS: usize = 10;

/// Fits a network that chooses its number of rules.
pub(super) fn fit_growing(
    sonfin: &Sonfin,
    samples: &Samples<'_>,
    targets: &[&str],
    device: &Device,
) -> Result<Model> {
    let clock = Instant::now();
    // The scores of classes are logits.
    let classify = sonfin.classify.map(|_| Classify::CrossEntropy);
    let base = Sonfin { classify, ..sonfin.with_growth() };
    let mut prepared = Prepared::new(&base, samples, targets)?;
    let cpu = device.host_cpu();
    let is_classifier = classify.is_some();
    let originals = prepared.samples.t.clone();
    if !is_classifier {
        let problem = Problem { samples: &prepared.samples, targets: &originals, is_classifier, cpu };
        let rule = unconditional(prepared.samples.dims, prepared.samples.outputs);
        let rows = prepared.samples.row_indices();
        if let Some(Solved { linear, .. }) = least_squares(problem, rule, &rows) {
            linear.subtract_from(&mut prepared.samples);
        }
    }
    let (trials, chosen) = match is_classifier && is_large(&prepared) {
        false => cross_validation(&base, &prepared, &originals, device)?,
        true => match large_classifier(sonfin, samples, targets, &prepared, device)? {
            LargeClassifier::Rules(model) => return Ok(*model),
            LargeClassifier::Linear(trials) => (trials, Candidate::linear(true)[0]),
        },
    };
    let problem = Problem { samples: &prepared.samples, targets: &originals, is_classifier, cpu };
    let back_end = BackEnd::new(&prepared.samples, device);
    let search = Search { base: &base, problem, scale: &prepared.scale, back_end: &back_end };
    let (mut state, mut solved) = search.train(chosen)?;
    if solved.is_none() {
        (state, solved) = search.train(Candidate::linear(is_classifier)[0])?;
    }
    let solved = solved.expect("invariant: the equations of a linear model with a penalty can be solved");
    let rows = prepared.samples.row_indices();
    let losses = solved.losses(problem, &rows);
    let error = reported_error(&losses, &prepared, is_classifier);
    let half = 0.5 * prepared.samples.outputs as f64 / rows.len() as f64;
    let loss = half * losses.iter().map(|loss| loss.squared).sum::<f64>();
    let Solved { network, linear } = solved;
    if state.history.is_empty() {
        let point = SonfinEpoch { train_error: error, validation_error: None, loss, rules: network.rules() };
        state.history.push(point);
    }
    let mut model = Model::untrained(&state.settings, &prepared, device);
    model.mean_firing_strengths = mean_firing_strengths(&network, &prepared.samples, cpu);
    (state.network, state.adam, state.position) = (network, None, 0);
    state.epoch = state.settings.epochs;
    state.seen = (rows.len() * state.epoch) as u64;
    state.seconds = clock.elapsed().as_secs_f64();
    if !is_classifier {
        // Further training continues with what the final slopes do not explain.
        prepared.samples.t.clone_from(&originals);
        linear.subtract_from(&mut prepared.samples);
        state.data_checksum = prepared.samples.checksum();
    }
    state.ln_threshold = smallest_membership(&state.network, &prepared.samples);
    let report = &mut model.report;
    (report.rules, report.epochs, report.best_epoch) = (state.network.rules(), state.epoch, state.epoch);
    (report.train_error, report.seconds) = (error, state.seconds);
    report.us_per_sample = 1e6 * state.seconds / state.seen.max(1) as f64;
    report.history.clone_from(&state.history);
    report.trials = trials;
    (model.state, model.linear) = (state, Some(linear));
    let networks = std::slice::from_ref(model.network());
    let mut learner = new_learner(&prepared.samples, networks, device, base.mapping)?;
    let (samples, scale) = (&prepared.samples, &prepared.scale);
    model.report.train_error =
        network_error(&mut *learner, 0, samples, &rows, scale, is_classifier, model.score_offset())?;
    Ok(model)
}

/// Whether a classifier is found by [`Sonfin::fit_auto`].
fn is_large(Prepared { samples, classes, .. }: &Prepared) -> bool {
    samples.rows() > MAX_CLASSIFIER_ROWS
        || samples.dims > MAX_CLASSIFIER_INPUTS
        || classes.len() > MAX_CLASSES
}

/// A classifier for a large table: a network, or the trials if logistic regression is more accurate.
enum LargeClassifier {
    Rules(Box<Model>),
    Linear(Vec<SonfinTrial>),
}

/// Compares the network of [`Sonfin::fit_auto`] with logistic regression.
fn large_classifier(
    sonfin: &Sonfin,
    samples: &Samples<'_>,
    targets: &[&str],
    prepared: &Prepared,
    device: &Device,
) -> Result<LargeClassifier> {
    let mut model = sonfin.search(samples, targets, device, &mut |_| Ok(()))?;
    let all = &prepared.samples;
    let problem = Problem { samples: all, targets: &all.t, is_classifier: true, cpu: device.host_cpu() };
    // The first split of the search.
    let mut split = Split::new(&Sonfin { validation: VALIDATION, ..sonfin.clone() }, all);
    split.training.truncate(MAX_ROWS);
    split.validation.truncate(MAX_ROWS);
    let candidate = Candidate::linear(true)[0];
    let rule = unconditional(all.dims, all.outputs);
    let solved = candidate.solve(problem, rule, &split.training);
    let losses = solved.map_or(Vec::new(), |solved| solved.losses(problem, &split.validation));
    let error = reported_error(&losses, prepared, true);
    let trials = &mut model.report.trials;
    let smallest = trials.iter().find(|trial| trial.chosen).map_or(f64::INFINITY, |trial| trial.error);
    let chosen = error < smallest && !losses.is_empty();
    if chosen {
        trials.iter_mut().for_each(|trial| trial.chosen = false);
    }
    trials.push(SonfinTrial { chosen, ..trial(&candidate, sonfin, error) });
    Ok(if chosen {
        LargeClassifier::Linear(model.report.trials)
    } else {
        LargeClassifier::Rules(Box::new(model))
    })
}

/// Reported trials of the candidates, and the chosen one.
fn cross_validation(
    base: &Sonfin,
    prepared: &Prepared,
    originals: &[f32],
    device: &Device,
) -> Result<(Vec<SonfinTrial>, Candidate)> {
    let (all, is_classifier) = (&prepared.samples, base.classify.is_some());
    if all.rows() < MIN_ROWS {
        return Ok((Vec::new(), Candidate::linear(is_classifier)[0]));
    }
    let (part, targets);
    let (samples, targets) = match all.rows() <= MAX_ROWS {
        true => (all, originals),
        false => {
            (part, targets) = some_rows(all, originals, base.seed);
            (&part, &targets[..])
        }
    };
    let back_end = BackEnd::new(samples, device);
    let problem = Problem { samples, targets, is_classifier, cpu: device.host_cpu() };
    let search = Search { base, problem, scale: &prepared.scale, back_end: &back_end };
    let (trials, chosen) = search.run()?;
    let report = |(i, found): (usize, &Trial)| {
        let error = unit_error(found.error(), prepared, is_classifier);
        SonfinTrial { chosen: i == chosen, ..trial(&found.candidate, base, error) }
    };
    Ok((trials.iter().enumerate().map(report).collect(), trials[chosen].candidate))
}

/// Reported trial of a candidate.
fn trial(candidate: &Candidate, base: &Sonfin, error: f64) -> SonfinTrial {
    let settings = candidate.settings(base);
    SonfinTrial {
        growth: settings.growth,
        optimizer: settings.optimizer,
        rate: if candidate.is_trained() { settings.rate_m } else { 0.0 },
        gates: settings.gates,
        classify: settings.classify.map(|_| Classify::CrossEntropy),
        beta: settings.beta,
        epochs: settings.epochs,
        error: if error.is_finite() { error } else { f64::MAX }, // representable in JSON
        linear: true,
        chosen: false,
    }
}

/// Up to [`MAX_ROWS`] rows, drawn at random, with their original targets.
fn some_rows(samples: &ScaledSamples, originals: &[f32], seed: u64) -> (ScaledSamples, Vec<f32>) {
    let rows: Vec<usize> = shuffled(samples.rows(), seed).into_iter().take(MAX_ROWS).collect();
    let of = |values: &[f32], width: usize| -> Vec<f32> {
        rows.iter().flat_map(|row| &values[row * width..][..width]).copied().collect()
    };
    let (dims, outputs) = (samples.dims, samples.outputs);
    let part = ScaledSamples { dims, outputs, x: of(&samples.x, dims), t: of(&samples.t, outputs) };
    (part, of(originals, outputs))
}

/// Threshold of ln μ below which further training adds a rule: slightly less than the smallest ln μ of the nearest rule of a
/// training row.
fn smallest_membership(network: &Network, samples: &ScaledSamples) -> f32 {
    let rules = rules_in_f64(network);
    let nearest = |row: usize| {
        let x: Vec<f64> = samples.inputs_of(row).iter().map(|x| f64::from(*x)).collect();
        rules.iter().map(|rule| ln_mu(rule, &x)).fold(f64::NEG_INFINITY, f64::max)
    };
    let rows = (0..samples.rows()).step_by(samples.rows().div_ceil(MAX_ROWS).max(1));
    (1.01 * rows.map(nearest).fold(0.0, f64::min) - 1e-3) as f32
}

/// The error of a report for the losses of rows.
fn reported_error(losses: &[RowLoss], prepared: &Prepared, is_classifier: bool) -> f64 {
    let mean = losses.iter().map(|loss| loss.error).sum::<f64>() / losses.len().max(1) as f64;
    unit_error(mean, prepared, is_classifier)
}

/// The error of a report for the mean of the rows.
fn unit_error(mean: f64, prepared: &Prepared, is_classifier: bool) -> f64 {
    if is_classifier { mean } else { prepared.scale.error_unit() * mean.sqrt() }
}

#[cfg(test)]
mod tests {
    use crate::random::Random;
    use crate::sonfin::types::network::Network;
    use crate::sonfin::types::scaled_samples::ScaledSamples;

    /// Uniform inputs in [0, 1], and targets 0.
    pub(super) fn samples(rows: usize, dims: usize, outputs: usize, seed: u64) -> ScaledSamples {
        let mut random = Random::new(seed);
        let x = (0..rows * dims).map(|_| random.between(0.0, 1.0) as f32).collect();
        ScaledSamples { dims, outputs, x, t: vec![0.0; rows * outputs] }
    }

    /// Rules at the first rows.
    pub(super) fn network(samples: &ScaledSamples, rules: usize) -> Network {
        let mut network = Network::empty(samples.dims, samples.outputs);
        (0..rules).for_each(|row| network.add(samples.inputs_of(row), samples.targets_of(row), 0.4));
        network
    }
}
