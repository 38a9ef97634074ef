//! Settings search: trains many candidates for a few epochs, the better ones for all epochs, and the best one on all
//! rows.

use super::evaluate::network_error;
use super::prepare::Prepared;
use super::report::SonfinTrial;
use super::schedule::Split;
use super::state::TrainingState;
use crate::data::Samples;
use crate::device::Device;
use crate::sonfin::algorithm::{Checkpoint, fit_prepared};
use crate::sonfin::backend::new_learner;
use crate::sonfin::error::Result;
use crate::sonfin::learner::TrainingRun;
use crate::sonfin::model::Model;
use crate::sonfin::settings::Sonfin;
use crate::sonfin::types::network::Network;
use crate::sonfin::types::options::{Classify, Growth, Optimizer};
use rayon::prelude::*;
use std::time::Instant;

/// Default fraction of the rows held out to evaluate candidates.
const VALIDATION: f64 = 0.2;
/// Divisor of the number of epochs in the first round, and the minimum number of epochs.
const FIRST_ROUND: (usize, usize) = (4, 6);
/// Number of candidates in the second round.
const SECOND_ROUND_SIZE: usize = 4;
/// Maximum number of training rows in each round.
const MAX_ROWS: [usize; 2] = [8192, 16_384];
/// Tables with at most half this many rows are split repeatedly, up to five times, because small validation sets
/// are noisy.
const REPEATED_SPLIT_ROWS: usize = 1000;
/// Rule budgets to try, and the minimum number of rows per rule.
const BUDGETS: [usize; 4] = [8, 32, 128, 512];
const ROWS_PER_RULE: usize = 3;
/// Samples between two progress reports.
const CHUNK: usize = 4096;
/// Batch size of Adam.
const BATCH: usize = 32;

impl Sonfin {
    /// Like [`Sonfin::fit_with_checkpoints`], with rule budget, learning rates, optimizer and gates chosen by a
    /// short search.
    ///
    /// Each candidate is trained on part of the rows, for a few epochs in the first round and for all epochs in the
    /// second, and evaluated on the held-out rows. The best candidate is then trained on all rows. The
    /// [report](crate::sonfin::SonfinReport::trials) lists the trials. The search ignores `growth`, the learning rates,
    /// `optimizer`, `gates` and the variant of `classify`; it uses all other settings. `epochs` is the maximum
    /// number of epochs.
    ///
    /// ```
    /// use fuzzion::{Device, sonfin::{Classify, Sonfin, two_spirals}};
    /// let sonfin = Sonfin::new().classify(Classify::OneHot).epochs(2).max_rules(8);
    /// let model = sonfin.fit_auto(&two_spirals(20)?, &["arm"], &Device::cpu()?, |_| Ok(()))?;
    /// assert_eq!(model.report.trials.iter().filter(|trial| trial.chosen).count(), 1);
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Sonfin::fit_with_checkpoints`].
    pub fn fit_auto<'a>(
        &self,
        samples: impl Into<Samples<'a>>,
        targets: &[&str],
        device: &Device,
        mut checkpoint: impl FnMut(&Model) -> Result<()>,
    ) -> Result<Model> {
        self.search(&samples.into(), targets, device, &mut checkpoint)
    }

    fn search(
        &self,
        samples: &Samples<'_>,
        targets: &[&str],
        device: &Device,
        checkpoint: Checkpoint<'_>,
    ) -> Result<Model> {
        let clock = Instant::now();
        let base = Sonfin { optimizer: Optimizer::Online, gates: false, ..self.clone() };
        base.check()?;
        let prepared = Prepared::new(&base, samples, targets)?;
        let validation = if self.validation > 0.0 { self.validation } else { VALIDATION };
        let validated = Sonfin { validation, ..base };
        let candidates = validated.candidates(prepared.samples.rows());
        let (mut trials, mut chosen) = (Vec::new(), validated.clone());
        if prepared.samples.rows() >= 2 * ROWS_PER_RULE {
            let search = Search { prepared: &prepared, device };
            let epochs = (self.epochs / FIRST_ROUND.0).max(FIRST_ROUND.1).min(self.epochs);
            let first_round = search.round(&candidates, epochs, MAX_ROWS[0])?;
            let best_indices: Vec<usize> =
                ranking(&first_round).into_iter().take(SECOND_ROUND_SIZE).collect();
            let finalists: Vec<Sonfin> = best_indices.iter().map(|i| candidates[*i].clone()).collect();
            let second_round = search.round(&finalists, self.epochs, MAX_ROWS[1])?;
            // First-round candidates with few epochs compete too if both rounds used the same rows.
            let same_rows = prepared.samples.rows() <= MAX_ROWS[0];
            let compared =
                if same_rows { [&second_round[..], &first_round].concat() } else { second_round.clone() };
            let best = ranking(&compared)[0];
            chosen = match best < second_round.len() {
                true => finalists[best].clone(),
                false => Sonfin { epochs, ..candidates[best - second_round.len()].clone() },
            };
            trials = [first_round, second_round].concat();
            let chosen_trial = trials.iter_mut().find(|trial| **trial == compared[best]);
            chosen_trial.expect("invariant: the best trial is one of the trials").chosen = true;
        }
        chosen.validation = self.validation;
        let mut model = fit_prepared(&chosen, &prepared, device, checkpoint)?;
        model.report.trials = trials;
        model.report.seconds = clock.elapsed().as_secs_f64();
        Ok(model)
    }

    /// Candidate settings.
    fn candidates(&self, rows: usize) -> Vec<Sonfin> {
        let max_rules = (rows / ROWS_PER_RULE).max(1).min(self.max_rules);
        let mut budgets: Vec<usize> = BUDGETS.iter().map(|rules| *rules.min(&max_rules)).collect();
        budgets.dedup();
        let cross_entropy = self.classify.map(|_| Classify::CrossEntropy);
        let one_hot = self.classify.map(|_| Classify::OneHot);
        let adam = |rate: f64| Optimizer::Adam { batch: BATCH, rate };
        let mut candidates = Vec::new();
        for rules in budgets {
            let settings = |optimizer, classify, gates, rate: f64| Sonfin {
                growth: Growth::Budget(rules),
                optimizer,
                classify,
                gates,
                rate_w: rate,
                rate_m: rate,
                rate_s: rate,
                ..self.clone()
            };
            candidates.push(settings(adam(0.01), cross_entropy, false, 0.3));
            candidates.push(settings(adam(0.01), cross_entropy, true, 0.3));
            candidates.push(settings(adam(0.003), cross_entropy, false, 0.3));
            candidates.push(settings(Optimizer::Online, one_hot, false, 0.3));
            candidates.push(settings(Optimizer::Online, one_hot, false, 0.1));
        }
        candidates
    }
}

/// Indices of the trials by increasing error; ties keep their order.
fn ranking(trials: &[SonfinTrial]) -> Vec<usize> {
    let mut indices: Vec<usize> = (0..trials.len()).collect();
    indices.sort_by(|a, b| trials[*a].error.total_cmp(&trials[*b].error));
    indices
}

/// Data and resources of the search.
struct Search<'a> {
    prepared: &'a Prepared,
    device: &'a Device,
}

impl Search<'_> {
    /// Trains all candidates and evaluates them on the held-out rows.
    fn round(&self, candidates: &[Sonfin], epochs: usize, rows: usize) -> Result<Vec<SonfinTrial>> {
        let (online, batches): (Vec<usize>, Vec<usize>) =
            (0..candidates.len()).partition(|i| candidates[*i].optimizer == Optimizer::Online);
        let splits = (REPEATED_SPLIT_ROWS / self.prepared.samples.rows()).clamp(1, 5);
        let mut errors = vec![0.0; candidates.len()];
        for split in 0..splits as u64 {
            let select = |indices: &[usize]| -> Vec<Sonfin> {
                let candidate = |i: &usize| Sonfin {
                    epochs,
                    seed: candidates[*i].seed ^ (split << 32),
                    ..candidates[*i].clone()
                };
                indices.iter().map(candidate).collect()
            };
            let found = self.batch_errors(&select(&batches), rows)?;
            batches.iter().zip(found).for_each(|(i, error)| errors[*i] += error / splits as f64);
            let found = self.online_errors(&select(&online), rows)?;
            online.iter().zip(found).for_each(|(i, error)| errors[*i] += error / splits as f64);
        }
        let trial = |(candidate, error): (&Sonfin, f64)| SonfinTrial {
            growth: candidate.growth,
            optimizer: candidate.optimizer,
            rate: candidate.rate_m,
            gates: candidate.gates,
            classify: candidate.classify,
            beta: candidate.beta,
            epochs,
            error: if error.is_finite() { error } else { f64::MAX }, // diverged: worst rank, but representable in JSON
            chosen: false,
        };
        Ok(candidates.iter().zip(errors).map(trial).collect())
    }

    /// Training and validation rows, limited to `rows` each.
    fn split(&self, candidate: &Sonfin, rows: usize) -> Split {
        let mut split = Split::new(candidate, &self.prepared.samples);
        split.training.truncate(rows);
        split.validation.truncate(rows);
        split
    }

    /// Errors of candidates trained on mini-batches, in parallel on the CPU.
    fn batch_errors(&self, candidates: &[Sonfin], rows: usize) -> Result<Vec<f64>> {
        let (cpu, samples) = (self.device.host_cpu(), &self.prepared.samples);
        let error = |candidate: &Sonfin| {
            let (mut state, split) = (TrainingState::new(candidate, samples), self.split(candidate, rows));
            state.initialize(samples, &split, cpu, self.device.progress())?;
            for epoch in 0..candidate.epochs {
                for chunk in split.order(candidate.seed, epoch).chunks(CHUNK) {
                    self.device.progress().report(0, 0)?;
                    state.learn_batches(samples, chunk, split.training.len(), cpu);
                }
            }
            let networks = std::slice::from_ref(&state.network);
            let mut learner = new_learner(samples, networks, self.device, candidate.mapping)?;
            let (scale, classes) = (&self.prepared.scale, candidate.classify.is_some());
            network_error(&mut *learner, 0, samples, &split.validation, scale, classes)
        };
        cpu.run(|| candidates.par_iter().map(error).collect())
    }

    /// Errors of candidates trained online; all networks are trained concurrently on the device.
    fn online_errors(&self, candidates: &[Sonfin], rows: usize) -> Result<Vec<f64>> {
        let Some(common) = candidates.first() else { return Ok(Vec::new()) }; // all finalists may use Adam
        let (cpu, samples, split) =
            (self.device.host_cpu(), &self.prepared.samples, self.split(common, rows));
        let initialize = |candidate: &Sonfin| {
            let mut state = TrainingState::new(candidate, samples);
            state.initialize(samples, &split, cpu, self.device.progress())?;
            Ok(state)
        };
        let mut states: Vec<TrainingState> =
            cpu.run(|| candidates.par_iter().map(initialize).collect::<Result<_>>())?;
        let networks: Vec<Network> = states.iter().map(|state| state.network.clone()).collect();
        let mut learner = new_learner(samples, &networks, self.device, common.mapping)?;
        for epoch in 0..common.epochs {
            states.iter_mut().for_each(|state| state.epoch = epoch);
            for order in split.order(common.seed, epoch).chunks(CHUNK) {
                self.device.progress().report(0, 0)?;
                let run = |state: &TrainingState| TrainingRun {
                    order,
                    settings: state.step_settings(),
                    replay: None,
                };
                learner.learn(&states.iter().map(run).collect::<Vec<_>>())?;
            }
        }
        let (scale, classes) = (&self.prepared.scale, common.classify.is_some());
        let error = |i: usize| network_error(&mut *learner, i, samples, &split.validation, scale, classes);
        (0..candidates.len()).map(error).collect()
    }
}
