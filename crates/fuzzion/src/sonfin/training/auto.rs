//! Settings search: trains many candidates for a few epochs, the better ones for all epochs, and the best one on all
//! rows.

use super::evaluate::network_error;
use super::group::train_group;
use super::prepare::Prepared;
use super::report::SonfinTrial;
use super::schedule::Split;
use super::state::TrainingState;
use crate::data::{Samples, host_samples};
use crate::device::{Device, distribute};
use crate::sonfin::algorithm::{Checkpoint, fit_prepared};
use crate::sonfin::backend::BackEnd;
use crate::sonfin::error::Result;
use crate::sonfin::model::Model;
use crate::sonfin::settings::Sonfin;
use crate::sonfin::types::options::{Classify, Growth, Optimizer};
use rayon::prelude::*;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

/// Default fraction of the rows held out to evaluate candidates.
pub(super) const VALIDATION: f64 = 0.2;
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
/// Batch size of Adam.
const BATCH: usize = 32;

impl Sonfin {
    /// Like [`Sonfin::fit_with_checkpoints`], with rule budget, learning rates, optimizer and gates chosen by a
    /// short search.
    ///
    /// Each candidate is trained on part of the rows, for a few epochs in the first round and for all epochs in the
    /// second, and evaluated on the held-out rows. The best candidate is then trained on all rows. The
    /// [report](crate::sonfin::SonfinReport::trials) lists the trials.
    ///
    /// A GPU trains all candidates with the same optimizer at once. Several GPUs train these groups, which are the same as
    /// on one GPU, at the same time: the two optimizers, and for small tables up to five splits of the rows. The result is
    /// identical to that of one GPU. The first GPU trains the best candidate.
    ///
    /// The search ignores `growth`, the learning rates,
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
        self.search(&host_samples(samples)?, targets, device, &mut checkpoint)
    }

    pub(super) fn search(
        &self,
        samples: &Samples<'_>,
        targets: &[&str],
        device: &Device,
        checkpoint: Checkpoint<'_>,
    ) -> Result<Model> {
        let clock = Instant::now();
        let base = Sonfin { optimizer: Optimizer::Online, gates: false, ..self.with_growth() };
        base.check()?;
        let prepared = Prepared::new(&base, samples, targets)?;
        let validation = if self.validation > 0.0 { self.validation } else { VALIDATION };
        let validated = Sonfin { validation, ..base };
        let candidates = validated.candidates(prepared.samples.rows());
        let (mut trials, mut chosen) = (Vec::new(), validated.clone());
        let devices = device.each_gpu();
        let back_ends: Vec<BackEnd<'_>> =
            devices.iter().map(|device| BackEnd::new(&prepared.samples, device)).collect();
        if prepared.samples.rows() >= 2 * ROWS_PER_RULE {
            let search = Search { prepared: &prepared, back_ends: &back_ends, initial: Mutex::default() };
            search.prefetch(&candidates);
            let epochs = (self.epochs / FIRST_ROUND.0).max(FIRST_ROUND.1).min(self.epochs);
            let first_round = search.round(&candidates, epochs, MAX_ROWS[0])?;
            let best_indices: Vec<usize> =
                ranking(&first_round).into_iter().take(SECOND_ROUND_SIZE).collect();
            let finalists: Vec<Sonfin> = best_indices.iter().map(|i| candidates[*i].clone()).collect();
            search.prefetch(&finalists);
            finalists.iter().for_each(|finalist| search.prefetch(std::slice::from_ref(finalist)));
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
        let mut model = fit_prepared(&chosen, &prepared, &back_ends[0], checkpoint)?;
        if !trials.is_empty() {
            model.report.device = device.to_string();
        }
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
    /// One for each GPU, or one for the CPU.
    back_ends: &'a [BackEnd<'a>],
    /// Initial states found so far, by number of training rows.
    initial: Mutex<Vec<(usize, TrainingState)>>,
}

/// The candidates before training on one split of the rows.
struct CandidateStates {
    split: Split,
    states: Vec<TrainingState>,
}

impl CandidateStates {
    /// Indices of the candidates that are trained online and with Adam.
    fn by_optimizer(&self) -> [Vec<usize>; 2] {
        let is_online = |i: &usize| self.states[*i].settings.optimizer == Optimizer::Online;
        (0..self.states.len()).partition::<Vec<usize>, _>(is_online).into()
    }
}

impl Search<'_> {
    /// Starts compiling the kernels that train the candidates concurrently.
    fn prefetch(&self, candidates: &[Sonfin]) {
        let (online, adam): (Vec<&Sonfin>, Vec<&Sonfin>) =
            candidates.iter().partition(|candidate| candidate.optimizer == Optimizer::Online);
        let rules = |of: &[&Sonfin]| of.iter().map(|candidate| candidate.rule_limit()).collect::<Vec<_>>();
        let (online, adam) = (rules(&online), rules(&adam));
        self.back_ends.iter().for_each(|back_end| back_end.prefetch(&online, &adam, candidates[0].mapping));
    }

    /// Trains all candidates and evaluates them on the held-out rows.
    fn round(&self, candidates: &[Sonfin], epochs: usize, rows: usize) -> Result<Vec<SonfinTrial>> {
        let count = (REPEATED_SPLIT_ROWS / self.prepared.samples.rows()).clamp(1, 5);
        let with_split = |split: usize| {
            let candidate = |candidate: &Sonfin| Sonfin {
                epochs,
                seed: candidate.seed ^ ((split as u64) << 32),
                ..candidate.clone()
            };
            self.initial_states(&candidates.iter().map(candidate).collect::<Vec<_>>(), rows)
        };
        let splits = (0..count).map(with_split).collect::<Result<Vec<_>>>()?;
        let mut errors = vec![0.0; candidates.len()];
        for found in self.errors(&splits)? {
            errors.iter_mut().zip(found).for_each(|(sum, error)| *sum += error / count as f64);
        }
        let trial = |(candidate, error): (&Sonfin, f64)| SonfinTrial {
            growth: candidate.growth,
            optimizer: candidate.optimizer,
            rate: candidate.rate_m,
            gates: candidate.gates,
            classify: candidate.classify,
            beta: candidate.beta,
            epochs,
            linear: false,
            error: if error.is_finite() { error } else { f64::MAX }, // diverged: worst rank, but representable in JSON
            chosen: false,
        };
        Ok(candidates.iter().zip(errors).map(trial).collect())
    }

    /// Errors of all candidates, for each split.
    fn errors(&self, splits: &[CandidateStates]) -> Result<Vec<Vec<f64>>> {
        let groups: Vec<[Vec<usize>; 2]> = splits.iter().map(CandidateStates::by_optimizer).collect();
        let found = match self.back_ends {
            [back_end] => {
                let of_split = |(split, groups)| self.errors_on(back_end, split, groups);
                splits.iter().zip(&groups).map(of_split).collect::<Result<Vec<_>>>()?.concat()
            }
            // The candidates of a group influence how its networks are distributed over the blocks of a GPU, and with it the
            // order of sums; so groups are never divided.
            back_ends => distribute(back_ends.len(), 2 * splits.len(), |gpu, job| {
                self.group_errors(&back_ends[gpu], &groups[job / 2][job % 2], &splits[job / 2])
            })?,
        };
        let ordered = |(groups, found): (&[Vec<usize>; 2], &[Vec<f64>])| {
            let mut errors: Vec<(usize, f64)> = groups.concat().into_iter().zip(found.concat()).collect();
            errors.sort_by_key(|(candidate, _)| *candidate);
            errors.into_iter().map(|(_, error)| error).collect()
        };
        Ok(groups.iter().zip(found.chunks_exact(2)).map(ordered).collect())
    }

    /// Errors of the candidates of each optimizer, on one device.
    fn errors_on(
        &self,
        back_end: &BackEnd<'_>,
        split: &CandidateStates,
        [online, adam]: &[Vec<usize>; 2],
    ) -> Result<[Vec<f64>; 2]> {
        // Without a GPU, networks trained with Adam are independent of each other.
        let rules: Vec<usize> = adam.iter().map(|i| split.states[*i].network.rules()).collect();
        let groups: Vec<&[usize]> = match back_end.is_cpu(&rules) {
            true => adam.chunks(1).collect(),
            false => vec![adam],
        };
        // On a GPU, the kernel of Adam may still be compiled meanwhile.
        let online = self.group_errors(back_end, online, split)?;
        let train = |group: &&[usize]| self.group_errors(back_end, group, split);
        let adam: Vec<Vec<f64>> =
            back_end.device.host_cpu().run(|| groups.par_iter().map(train).collect::<Result<_>>())?;
        Ok([online, adam.concat()])
    }

    /// The state of each candidate before training on up to `rows` rows; candidates with the same growth share the initial
    /// rules. All candidates have the same seed.
    fn initial_states(&self, candidates: &[Sonfin], rows: usize) -> Result<CandidateStates> {
        // Training and validation rows, limited to `rows` each.
        let mut split = Split::new(&candidates[0], &self.prepared.samples);
        split.training.truncate(rows);
        split.validation.truncate(rows);
        let (samples, device) = (&self.prepared.samples, self.back_ends[0].device);
        let known = || self.initial.lock().unwrap_or_else(PoisonError::into_inner);
        let key = |candidate: &Sonfin| (candidate.growth, candidate.seed, split.training.len());
        let find = |candidate: &Sonfin| {
            let is_same = |(rows, state): &&(usize, TrainingState)| {
                (state.settings.growth, state.settings.seed, *rows) == key(candidate)
            };
            known().iter().find(is_same).map(|(_, state)| state.clone())
        };
        let mut missing: Vec<&Sonfin> =
            candidates.iter().filter(|candidate| find(candidate).is_none()).collect();
        missing.dedup_by_key(|candidate| key(candidate));
        let initialize = |candidate: &&Sonfin| {
            let mut state = TrainingState::new(candidate, samples);
            state.initialize(samples, &split, device.host_cpu(), device.progress())?;
            Ok((split.training.len(), state))
        };
        let found: Vec<_> =
            device.host_cpu().run(|| missing.par_iter().map(initialize).collect::<Result<_>>())?;
        known().extend(found);
        let state = |candidate: &Sonfin| TrainingState {
            settings: candidate.clone(),
            ..find(candidate).expect("invariant: missing states were added")
        };
        let states = candidates.iter().map(state).collect();
        Ok(CandidateStates { split, states })
    }

    /// Trains networks with the same optimizer concurrently; returns their errors.
    fn group_errors(
        &self,
        back_end: &BackEnd<'_>,
        group: &[usize],
        CandidateStates { split, states }: &CandidateStates,
    ) -> Result<Vec<f64>> {
        let mut states: Vec<TrainingState> = group.iter().map(|i| states[*i].clone()).collect();
        let Some(settings) = states.first().map(|state| state.settings.clone()) else {
            return Ok(Vec::new()); // all finalists may use the other optimizer
        };
        let scale = &self.prepared.scale;
        let mut learner = train_group(back_end, &vec![split; states.len()], &mut states, scale)?;
        let (samples, classes) = (&self.prepared.samples, settings.classify.is_some());
        let error =
            |i: usize| network_error(&mut *learner, i, samples, &split.validation, scale, classes, None);
        (0..states.len()).map(error).collect()
    }
}
