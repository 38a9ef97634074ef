//! Settings chosen by a short search: many for a few epochs, the better ones for all, the best on all rows.

use super::course::Split;
use super::errors::error_of;
use super::fit::{Checkpoint, fit_prepared};
use super::learner::Lesson;
use super::model::Model;
use super::network::Network;
use super::prepare::Prepared;
use super::report::Trial;
use super::settings::{Classify, Growth, Optimizer};
use super::sonfin::{Sonfin, cpu_of, learner};
use super::state::State;
use crate::data::Table;
use crate::device::Device;
use crate::error::Result;
use crate::progress::Progress;
use rayon::prelude::*;
use std::time::Instant;

/// The share of the rows that a choice is judged by, where the settings say none.
const KEPT_BACK: f64 = 0.2;
/// The first round learns this part of the epochs, and at least so many.
const FIRST_ROUND: (usize, usize) = (4, 6);
/// How many choices go into the second round.
const SECOND_ROUND: usize = 4;
/// Rows that the rounds learn from at most.
const ROWS: [usize; 2] = [8192, 16_384];
/// Half as many rows as this, and fewer, are split several times, up to five, since few rows that are kept back say little.
const ENOUGH_ROWS: usize = 1000;
/// Budgets of rules that are tried, and at most one rule in so many rows.
const BUDGETS: [usize; 4] = [8, 32, 128, 512];
const ROWS_PER_RULE: usize = 3;
/// Samples of all choices between two looks at whether to go on.
const PIECE: usize = 4096;
/// Adam's batches.
const BATCH: usize = 32;

/// Chooses and learns. The epochs that were the best to learn may be fewer than those of the settings.
pub(super) fn auto(
    sonfin: &Sonfin<'_>,
    table: &Table,
    targets: &[&str],
    device: &Device,
    checkpoint: Checkpoint<'_>,
) -> Result<Model> {
    let clock = Instant::now();
    let plain = Sonfin { optimizer: Optimizer::Online, gates: false, ..sonfin.clone() };
    plain.check()?;
    let prepared = Prepared::new(&plain, table, targets)?;
    let validation = if sonfin.validation > 0.0 { sonfin.validation } else { KEPT_BACK };
    let judged = Sonfin { validation, ..plain };
    let choices = judged.choices(prepared.samples.rows());
    let (mut trials, mut chosen) = (Vec::new(), judged.clone());
    if prepared.samples.rows() >= 2 * ROWS_PER_RULE {
        let search = Search { prepared: &prepared, device, progress: sonfin.progress };
        let epochs = (sonfin.epochs / FIRST_ROUND.0).max(FIRST_ROUND.1).min(sonfin.epochs);
        let first = search.round(&choices, epochs, ROWS[0])?;
        let second: Vec<usize> = in_order(&first).into_iter().take(SECOND_ROUND).collect();
        let again: Vec<Sonfin<'_>> = second.iter().map(|i| choices[*i].clone()).collect();
        let last = search.round(&again, sonfin.epochs, ROWS[1])?;
        // Few epochs are as good a choice as many, where both rounds learned from the same rows.
        let alike = prepared.samples.rows() <= ROWS[0];
        let known = if alike { [&last[..], &first].concat() } else { last.clone() };
        let best = in_order(&known)[0];
        chosen = match best < last.len() {
            true => again[best].clone(),
            false => Sonfin { epochs, ..choices[best - last.len()].clone() },
        };
        trials = [first, last].concat();
        if let Some(trial) = trials.iter_mut().find(|trial| **trial == known[best]) {
            trial.chosen = true;
        }
    }
    chosen.validation = sonfin.validation;
    let mut model = fit_prepared(&chosen, &prepared, device, checkpoint)?;
    model.report.trials = trials;
    model.report.seconds = clock.elapsed().as_secs_f64();
    Ok(model)
}

impl<'a> Sonfin<'a> {
    /// The settings that are tried.
    fn choices(&self, rows: usize) -> Vec<Sonfin<'a>> {
        let most = (rows / ROWS_PER_RULE).max(1).min(self.max_rules);
        let mut budgets: Vec<usize> = BUDGETS.iter().map(|rules| *rules.min(&most)).collect();
        budgets.dedup();
        let softmax = self.classify.map(|_| Classify::CrossEntropy);
        let squares = self.classify.map(|_| Classify::OneHot);
        let adam = |rate: f64| Optimizer::Adam { batch: BATCH, rate };
        let mut choices = Vec::new();
        for rules in budgets {
            let of = |optimizer, classify, gates, rate: f64| Sonfin {
                growth: Growth::Budget(rules),
                optimizer,
                classify,
                gates,
                rate_w: rate,
                rate_m: rate,
                rate_s: rate,
                ..self.clone()
            };
            choices.push(of(adam(0.01), softmax, false, 0.3));
            choices.push(of(adam(0.01), softmax, true, 0.3));
            choices.push(of(adam(0.003), softmax, false, 0.3));
            choices.push(of(Optimizer::Online, squares, false, 0.3));
            choices.push(of(Optimizer::Online, squares, false, 0.1));
        }
        choices
    }
}

/// The places of trials, the best first, and of equals the first.
fn in_order(trials: &[Trial]) -> Vec<usize> {
    let mut places: Vec<usize> = (0..trials.len()).collect();
    places.sort_by(|a, b| trials[*a].error.total_cmp(&trials[*b].error));
    places
}

/// What choices are tried on.
struct Search<'a> {
    prepared: &'a Prepared,
    device: &'a Device,
    progress: Progress<'a>,
}

impl Search<'_> {
    /// Learns with all choices, and judges them by the rows kept back.
    fn round(&self, choices: &[Sonfin<'_>], epochs: usize, rows: usize) -> Result<Vec<Trial>> {
        let (online, batches): (Vec<usize>, Vec<usize>) =
            (0..choices.len()).partition(|i| choices[*i].optimizer == Optimizer::Online);
        let splits = (ENOUGH_ROWS / self.prepared.samples.rows()).clamp(1, 5);
        let mut errors = vec![0.0; choices.len()];
        for split in 0..splits as u64 {
            let of = |places: &[usize]| -> Vec<Sonfin<'_>> {
                let choice = |i: &usize| Sonfin {
                    epochs,
                    seed: choices[*i].seed ^ (split << 32),
                    ..choices[*i].clone()
                };
                places.iter().map(choice).collect()
            };
            let found = self.batch_errors(&of(&batches), rows)?;
            batches.iter().zip(found).for_each(|(i, error)| errors[*i] += error / splits as f64);
            let found = self.online_errors(&of(&online), rows)?;
            online.iter().zip(found).for_each(|(i, error)| errors[*i] += error / splits as f64);
        }
        let trial = |(choice, error): (&Sonfin<'_>, f64)| Trial {
            growth: choice.growth,
            optimizer: choice.optimizer,
            rate: choice.rate_m,
            gates: choice.gates,
            classify: choice.classify,
            beta: choice.beta,
            epochs,
            error: if error.is_finite() { error } else { f64::MAX }, // what diverged is the worst, and can be written
            chosen: false,
        };
        Ok(choices.iter().zip(errors).map(trial).collect())
    }

    /// The rows to learn from and to judge by, not too many of either.
    fn split(&self, choice: &Sonfin<'_>, rows: usize) -> Split {
        let mut split = Split::new(choice, self.prepared.samples.rows());
        split.training.truncate(rows);
        split.validation.truncate(rows);
        split
    }

    /// Errors of choices that learn in batches, side by side on the threads.
    fn batch_errors(&self, choices: &[Sonfin<'_>], rows: usize) -> Result<Vec<f64>> {
        let (cpu, samples) = (cpu_of(self.device)?, &self.prepared.samples);
        let error = |choice: &Sonfin<'_>| {
            let (mut state, split) = (State::new(choice, samples), self.split(choice, rows));
            state.prepare(samples, &split, &cpu, self.progress)?;
            for epoch in 0..choice.epochs {
                for piece in split.order(choice.seed, epoch).chunks(PIECE) {
                    self.progress.report(0, 0)?;
                    state.learn_batches(samples, piece, split.training.len(), &cpu);
                }
            }
            let networks = std::slice::from_ref(&state.network);
            let mut learner = learner(samples, networks, self.device, choice.mapping)?;
            let (scale, classes) = (&self.prepared.scale, choice.classify.is_some());
            error_of(&mut *learner, 0, samples, &split.validation, scale, classes)
        };
        cpu.run(|| choices.par_iter().map(error).collect())
    }

    /// Errors of choices that learn on-line: networks side by side on the device.
    fn online_errors(&self, choices: &[Sonfin<'_>], rows: usize) -> Result<Vec<f64>> {
        let Some(any) = choices.first() else { return Ok(Vec::new()) };
        let (cpu, samples, split) = (cpu_of(self.device)?, &self.prepared.samples, self.split(any, rows));
        let begin = |choice: &Sonfin<'_>| {
            let mut state = State::new(choice, samples);
            state.prepare(samples, &split, &cpu, self.progress)?;
            Ok(state)
        };
        let mut states: Vec<State> = cpu.run(|| choices.par_iter().map(begin).collect::<Result<_>>())?;
        let networks: Vec<Network> = states.iter().map(|state| state.network.clone()).collect();
        let mut learner = learner(samples, &networks, self.device, any.mapping)?;
        for epoch in 0..any.epochs {
            states.iter_mut().for_each(|state| state.epoch = epoch);
            for order in split.order(any.seed, epoch).chunks(PIECE) {
                self.progress.report(0, 0)?;
                let lesson = |state: &State| Lesson { order, course: state.course(), replay: None };
                learner.learn(&states.iter().map(lesson).collect::<Vec<_>>())?;
            }
        }
        let (scale, classes) = (&self.prepared.scale, any.classify.is_some());
        let error = |i: usize| error_of(&mut *learner, i, samples, &split.validation, scale, classes);
        (0..choices.len()).map(error).collect()
    }
}
