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

/// The share of the rows that a choice is judged by, where the settings say none.
const KEPT_BACK: f64 = 0.2;
/// The first round learns this part of the epochs, and at least so many.
const FIRST_ROUND: (usize, usize) = (4, 6);
/// How many choices go into the second round.
const SECOND_ROUND: usize = 4;
/// Budgets of rules that are tried, and at most one rule in so many rows.
const BUDGETS: [usize; 3] = [32, 128, 512];
const ROWS_PER_RULE: usize = 3;
/// Samples of all choices between two looks at whether to go on.
const PIECE: usize = 4096;
/// Adam's batches.
const BATCH: usize = 32;

/// Chooses and learns.
pub(super) fn auto(
    sonfin: &Sonfin<'_>,
    table: &Table,
    targets: &[&str],
    device: &Device,
    checkpoint: Checkpoint<'_>,
) -> Result<Model> {
    let plain = Sonfin { optimizer: Optimizer::Online, gates: false, ..sonfin.clone() };
    plain.check()?;
    let prepared = Prepared::new(&plain, table, targets)?;
    let validation = if sonfin.validation > 0.0 { sonfin.validation } else { KEPT_BACK };
    let judged = Sonfin { validation, ..plain };
    let choices = judged.choices(prepared.samples.rows());
    let (mut trials, mut chosen) = (Vec::new(), judged.clone());
    if prepared.samples.rows() >= 2 * ROWS_PER_RULE {
        let epochs = (sonfin.epochs / FIRST_ROUND.0).max(FIRST_ROUND.1).min(sonfin.epochs);
        let first = tried(&choices, epochs, &prepared, device, sonfin.progress)?;
        let mut second: Vec<usize> = (0..first.len()).collect();
        second.sort_by(|a, b| first[*a].error.total_cmp(&first[*b].error)); // stable: the first of equals
        second.truncate(SECOND_ROUND);
        let again: Vec<Sonfin<'_>> = second.iter().map(|i| choices[*i].clone()).collect();
        let mut last = tried(&again, sonfin.epochs, &prepared, device, sonfin.progress)?;
        let best = (0..last.len()).min_by(|a, b| last[*a].error.total_cmp(&last[*b].error)).unwrap_or(0);
        last[best].chosen = true;
        chosen = again[best].clone();
        trials = [first, last].concat();
    }
    chosen.validation = sonfin.validation;
    let mut model = fit_prepared(&chosen, &prepared, device, checkpoint)?;
    model.report.trials = trials;
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

/// Learns with all choices, and judges them by the rows kept back.
fn tried(
    choices: &[Sonfin<'_>],
    epochs: usize,
    prepared: &Prepared,
    device: &Device,
    progress: Progress<'_>,
) -> Result<Vec<Trial>> {
    let choices: Vec<Sonfin<'_>> = choices.iter().map(|choice| Sonfin { epochs, ..choice.clone() }).collect();
    let (online, batches): (Vec<usize>, Vec<usize>) =
        (0..choices.len()).partition(|i| choices[*i].optimizer == Optimizer::Online);
    let mut errors = vec![f64::INFINITY; choices.len()];
    let of = |places: &[usize]| -> Vec<&Sonfin<'_>> { places.iter().map(|i| &choices[*i]).collect() };
    let found = batch_errors(&of(&batches), prepared, device, progress)?;
    batches.iter().zip(found).for_each(|(i, error)| errors[*i] = error);
    let found = online_errors(&of(&online), prepared, device, progress)?;
    online.iter().zip(found).for_each(|(i, error)| errors[*i] = error);
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

/// Errors of choices that learn in batches, side by side on the threads.
fn batch_errors(
    choices: &[&Sonfin<'_>],
    prepared: &Prepared,
    device: &Device,
    progress: Progress<'_>,
) -> Result<Vec<f64>> {
    let cpu = cpu_of(device)?;
    let samples = &prepared.samples;
    let error = |choice: &&Sonfin<'_>| {
        let mut state = State::new(choice, samples);
        let split = Split::new(choice, samples.rows());
        state.prepare(samples, &split, &cpu, progress)?;
        for epoch in 0..choice.epochs {
            for piece in split.order(choice.seed, epoch).chunks(PIECE) {
                progress.report(0, 0)?;
                state.learn_batches(samples, piece, split.training.len(), &cpu);
            }
        }
        let networks = std::slice::from_ref(&state.network);
        let mut learner = learner(samples, networks, device, choice.mapping)?;
        error_of(&mut *learner, 0, samples, &split.validation, &prepared.scale, choice.classify.is_some())
    };
    cpu.run(|| choices.par_iter().map(error).collect())
}

/// Errors of choices that learn on-line: networks side by side on the device.
fn online_errors(
    choices: &[&Sonfin<'_>],
    prepared: &Prepared,
    device: &Device,
    progress: Progress<'_>,
) -> Result<Vec<f64>> {
    let Some(any) = choices.first() else { return Ok(Vec::new()) };
    let (cpu, samples) = (cpu_of(device)?, &prepared.samples);
    let split = Split::new(any, samples.rows());
    let begin = |choice: &&Sonfin<'_>| {
        let mut state = State::new(choice, samples);
        state.prepare(samples, &split, &cpu, progress)?;
        Ok(state)
    };
    let mut states: Vec<State> = cpu.run(|| choices.par_iter().map(begin).collect::<Result<_>>())?;
    let networks: Vec<Network> = states.iter().map(|state| state.network.clone()).collect();
    let mut learner = learner(samples, &networks, device, any.mapping)?;
    for epoch in 0..any.epochs {
        states.iter_mut().for_each(|state| state.epoch = epoch);
        for order in split.order(any.seed, epoch).chunks(PIECE) {
            progress.report(0, 0)?;
            let lesson = |state: &State| Lesson { order, course: state.course(), replay: None };
            learner.learn(&states.iter().map(lesson).collect::<Vec<_>>())?;
        }
    }
    let (scale, classes) = (&prepared.scale, any.classify.is_some());
    (0..choices.len())
        .map(|i| error_of(&mut *learner, i, samples, &split.validation, scale, classes))
        .collect()
}
