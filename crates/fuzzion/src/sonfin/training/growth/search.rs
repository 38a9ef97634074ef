//! Cross-validation of candidates with a growing number of rules.

use super::candidates::{Candidate, Family, unconditional};
use super::problem::{Problem, RowLoss, Solved};
use crate::random::shuffled;
use crate::sonfin::backend::BackEnd;
use crate::sonfin::error::Result;
use crate::sonfin::settings::Sonfin;
use crate::sonfin::training::group::train_group;
use crate::sonfin::training::schedule::Split;
use crate::sonfin::training::state::TrainingState;
use crate::sonfin::types::argmax::argmax;
use crate::sonfin::types::network::Network;
use crate::sonfin::types::scale::Scale;
use rayon::prelude::*;

/// Number of folds.
const FOLDS: usize = 5;
/// Tables with fewer rows repeat all folds so many times, because small validation sets are noisy; larger tables than the last
/// one use only some of the folds.
const REPEATS: [(usize, usize); 3] = [(200, 4), (500, 2), (3000, 1)];
const FOLDS_OF_LARGE_TABLES: usize = 2;
/// Largest number of rules, and the minimum number of rows per rule.
const MAX_RULES: usize = 256;
const ROWS_PER_RULE: usize = 3;
/// Number of larger networks without a smaller error after which a family is not tried further.
const MAX_MISSES: usize = 2;
/// A family is also not tried further if a network with a smaller error has this many times fewer rules.
const MUCH_SIMPLER: usize = 4;
/// Standard errors within which a simpler model is preferred, for numbers and for classes.
const STANDARD_ERRORS: [f64; 2] = [1.0, 3.0];
/// Losses below this fraction of the variance of the targets are rounding errors of single precision.
const NEGLIGIBLE: f64 = 1e-10;
/// Makes the folds independent of other uses of the seed.
const FOLD_SEED: u64 = 0xf01d;

/// A candidate with its losses on the held-out rows.
#[derive(Clone, Debug)]
pub(super) struct Trial {
    pub(super) candidate: Candidate,
    /// Mean loss of each row that was held out; infinite if a model could not be computed.
    losses: Vec<RowLoss>,
}

impl Trial {
    fn mean(&self, of: impl Fn(&RowLoss) -> f64) -> f64 {
        self.losses.iter().map(of).sum::<f64>() / self.losses.len().max(1) as f64
    }

    /// Mean of the squared errors.
    fn loss(&self) -> f64 {
        self.mean(|loss| loss.squared)
    }

    /// Mean of the reported error: squared for numeric targets.
    pub(super) fn error(&self) -> f64 {
        self.mean(|loss| loss.error)
    }
}

/// Rows, folds and resources of the search.
pub(super) struct Search<'a> {
    pub(super) base: &'a Sonfin,
    pub(super) problem: Problem<'a>,
    pub(super) scale: &'a Scale,
    pub(super) back_end: &'a BackEnd<'a>,
}

impl Search<'_> {
    /// Trials of all candidates, and the index of the simplest one with an error close to the smallest.
    pub(super) fn run(&self) -> Result<(Vec<Trial>, usize)> {
        let folds = self.folds();
        let is_classifier = self.problem.is_classifier;
        let mut trials = self.trials(&Candidate::linear(is_classifier), &folds)?;
        let training_rows = folds[0].training.len();
        let largest = (training_rows / ROWS_PER_RULE).min(self.base.max_rules).min(MAX_RULES);
        // Family, smallest loss and number of larger networks without a smaller loss.
        let mut families: Vec<(Family, f64, usize)> =
            Candidate::families(is_classifier).into_iter().map(|family| (family, f64::INFINITY, 0)).collect();
        let mut rules = 2;
        while rules <= largest && !families.is_empty() {
            let tried: Vec<Family> = families.iter().map(|(family, ..)| *family).collect();
            let found = self.trials(&Candidate::with_rules(&tried, rules), &folds)?;
            for ((_, best, misses), trial) in families.iter_mut().zip(&found) {
                let loss = trial.loss();
                (*best, *misses) = if loss < *best { (loss, 0) } else { (*best, *misses + 1) };
            }
            trials.extend(found);
            let best = smallest(&trials.iter().map(Trial::loss).collect::<Vec<_>>());
            let (loss, is_much_simpler) =
                (trials[best].loss(), MUCH_SIMPLER * trials[best].candidate.rules <= rules);
            families.retain(|(_, best, misses)| *misses < MAX_MISSES && (!is_much_simpler || *best <= loss));
            rules *= 2;
        }
        let chosen = simplest(&trials, STANDARD_ERRORS[usize::from(is_classifier)]);
        Ok((trials, chosen))
    }

    /// Splits of the rows. The training rows of all splits have the same number.
    fn folds(&self) -> Vec<Split> {
        let rows = self.problem.samples.rows();
        let repeats = REPEATS.iter().find(|(limit, _)| rows < *limit).map(|(_, repeats)| *repeats);
        let used = if repeats.is_some() { FOLDS } else { FOLDS_OF_LARGE_TABLES };
        let mut splits = Vec::new();
        for repeat in 0..repeats.unwrap_or(1) {
            let mut order: Vec<u32> = shuffled(rows, self.base.seed ^ FOLD_SEED ^ ((repeat as u64) << 32))
                .into_iter()
                .map(|row| row as u32)
                .collect();
            if self.problem.is_classifier {
                order.sort_by_key(|row| argmax(self.problem.targets_of(*row))); // stable: folds have equal shares of a class
            }
            for fold in 0..used {
                let part = |held_out: bool| {
                    let rows = order.iter().enumerate().filter(|(i, _)| (i % FOLDS == fold) == held_out);
                    rows.map(|(_, row)| *row).collect::<Vec<u32>>()
                };
                let mut training = part(false);
                // Without the order of the classes, a row can be left out.
                let shuffle = shuffled(training.len(), self.base.seed ^ FOLD_SEED ^ (1 + fold as u64));
                training = shuffle.into_iter().map(|i| training[i]).collect();
                training.truncate(rows - rows.div_ceil(FOLDS));
                splits.push(Split { training, validation: part(true) });
            }
        }
        splits
    }

    /// Trains candidates with the same number of rules on all folds and evaluates them on the held-out rows.
    fn trials(&self, candidates: &[Candidate], folds: &[Split]) -> Result<Vec<Trial>> {
        let networks = self.networks(candidates, folds)?;
        // (candidate, fold), in the order of `networks`
        let jobs: Vec<(usize, usize)> =
            (0..candidates.len()).flat_map(|i| (0..folds.len()).map(move |fold| (i, fold))).collect();
        let evaluate = |((i, fold), network): (&(usize, usize), &Network)| {
            let (candidate, fold) = (&candidates[*i], &folds[*fold]);
            let solved = candidate.solve(self.problem, network.clone(), &fold.training);
            let failed = vec![RowLoss { squared: f64::MAX, error: f64::MAX }; fold.validation.len()];
            let is_finite = |losses: &Vec<RowLoss>| losses.iter().all(|loss| loss.squared.is_finite());
            solved
                .map(|solved| solved.losses(self.problem, &fold.validation))
                .filter(is_finite)
                .unwrap_or(failed)
        };
        let losses: Vec<Vec<RowLoss>> =
            self.problem.cpu.run(|| jobs.par_iter().zip(&networks).map(evaluate).collect());
        let trial = |(candidate, losses): (&Candidate, &[Vec<RowLoss>])| {
            let mut sums = vec![(RowLoss::default(), 0.0); self.problem.samples.rows()];
            for (loss, row) in losses.iter().flatten().zip(folds.iter().flat_map(|fold| &fold.validation)) {
                let (sum, count) = &mut sums[*row as usize];
                (sum.squared, sum.error) = (sum.squared + loss.squared, sum.error + loss.error);
                *count += 1.0;
            }
            let mean = |(sum, count): &(RowLoss, f64)| RowLoss {
                squared: sum.squared / count,
                error: sum.error / count,
            };
            let losses = sums.iter().filter(|(_, count)| *count > 0.0).map(mean).collect();
            Trial { candidate: *candidate, losses }
        };
        Ok(candidates.iter().zip(losses.chunks_exact(folds.len())).map(trial).collect())
    }

    /// Trained rules of every candidate on every fold, candidate by candidate.
    fn networks(&self, candidates: &[Candidate], folds: &[Split]) -> Result<Vec<Network>> {
        let (dims, outputs) = (self.problem.samples.dims, self.problem.samples.outputs);
        if candidates[0].family == Family::Linear {
            return Ok(vec![unconditional(dims, outputs); candidates.len() * folds.len()]);
        }
        let rules_of = |is_adam: bool| -> Vec<usize> {
            let trained = candidates
                .iter()
                .filter(|candidate| candidate.is_trained() && candidate.is_adam() == is_adam);
            trained.flat_map(|candidate| vec![candidate.rules; folds.len()]).collect()
        };
        self.back_end.prefetch(&rules_of(false), &rules_of(true), self.base.mapping);
        // All candidates have the same initial rules.
        let (cpu, progress) = (self.problem.cpu, self.back_end.device.progress());
        let initialize = |fold: &Split| {
            let mut state = TrainingState::new(&candidates[0].settings(self.base), self.problem.samples);
            state.initialize(self.problem.samples, fold, cpu, progress)?;
            Ok(state)
        };
        let initial: Vec<TrainingState> =
            cpu.run(|| folds.par_iter().map(initialize).collect::<Result<_>>())?;
        let mut networks = Vec::new();
        let mut jobs: [Vec<(usize, &Split, TrainingState)>; 2] = Default::default(); // online and Adam
        for candidate in candidates {
            for (fold, state) in folds.iter().zip(&initial) {
                let network = candidate.initial(state.network.clone());
                let settings = candidate.settings(self.base);
                if candidate.is_trained() {
                    let state = TrainingState { settings, network: network.clone(), ..state.clone() };
                    jobs[usize::from(candidate.is_adam())].push((networks.len(), fold, state));
                }
                networks.push(network);
            }
        }
        let rules: Vec<usize> = networks.iter().map(Network::rules).collect();
        // Without a GPU, the networks are independent of each other.
        let size = if self.back_end.is_cpu(&rules) { 1 } else { usize::MAX };
        let groups: Vec<&[(usize, &Split, TrainingState)]> =
            jobs.iter().flat_map(|jobs| jobs.chunks(size.min(jobs.len().max(1)))).collect();
        let train = |group: &&[(usize, &Split, TrainingState)]| {
            let splits: Vec<&Split> = group.iter().map(|(_, split, _)| *split).collect();
            let mut states: Vec<TrainingState> = group.iter().map(|(.., state)| state.clone()).collect();
            let mut learner = train_group(self.back_end, &splits, &mut states, self.scale)?;
            let network =
                |(i, job): (usize, &(usize, &Split, TrainingState))| Ok((job.0, learner.network(i)?));
            group.iter().enumerate().map(network).collect::<Result<Vec<_>>>()
        };
        let trained: Vec<Vec<(usize, Network)>> = match size {
            1 => cpu.run(|| groups.par_iter().map(train).collect::<Result<_>>())?,
            _ => groups.iter().map(train).collect::<Result<_>>()?,
        };
        trained.into_iter().flatten().for_each(|(at, network)| networks[at] = network);
        Ok(networks)
    }

    /// The candidate trained on all rows, with the state of the training.
    pub(super) fn train(&self, candidate: Candidate) -> Result<(TrainingState, Option<Solved>)> {
        let samples = self.problem.samples;
        let mut state = TrainingState::new(&candidate.settings(self.base), samples);
        let split = Split { training: samples.row_indices(), validation: Vec::new() };
        if candidate.family == Family::Linear {
            state.network = unconditional(samples.dims, samples.outputs);
        } else {
            let progress = self.back_end.device.progress();
            state.initialize(samples, &split, self.problem.cpu, progress)?;
            state.network = candidate.initial(state.network);
        }
        if candidate.is_trained() {
            let states = std::slice::from_mut(&mut state);
            let mut learner = train_group(self.back_end, &[&split], states, self.scale)?;
            state.network = learner.network(0)?;
        }
        let solved = candidate.solve(self.problem, state.network.clone(), &split.training);
        Ok((state, solved))
    }
}

/// Index of the smallest loss, the first one on a tie.
fn smallest(losses: &[f64]) -> usize {
    (0..losses.len()).fold(0, |best, i| if losses[i] < losses[best] { i } else { best })
}

/// Index of the simplest trial whose mean loss exceeds the smallest by at most `standard_errors` standard errors of the
/// difference. Of trials with the same number of rules, that with the smaller loss is simpler, except that the usual linear
/// model is the simplest.
fn simplest(trials: &[Trial], standard_errors: f64) -> usize {
    let losses: Vec<f64> = trials.iter().map(Trial::loss).collect();
    let best = smallest(&losses);
    let is_close = |i: &usize| {
        let n = trials[*i].losses.len() as f64;
        let difference = losses[*i] - losses[best];
        let pairs = trials[*i].losses.iter().zip(&trials[best].losses);
        let deviation = |(a, b): (&RowLoss, &RowLoss)| (a.squared - b.squared - difference).powi(2);
        let variance = pairs.map(deviation).sum::<f64>() / n;
        losses[*i] <= NEGLIGIBLE || difference <= standard_errors * (variance / n).sqrt()
    };
    let simplicity = |i: &usize| (trials[*i].candidate.rules, *i > 0, losses[*i]);
    let close = (0..trials.len()).filter(is_close);
    let simpler = |a: &usize, b: &usize| {
        let ((a_rules, a_other, a_loss), (b_rules, b_other, b_loss)) = (simplicity(a), simplicity(b));
        (a_rules, a_other).cmp(&(b_rules, b_other)).then(a_loss.total_cmp(&b_loss))
    };
    close.min_by(simpler).unwrap_or(best)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_simplest_trial_within_the_standard_error_is_chosen() {
        let trial = |rules: usize, losses: &[f64]| Trial {
            candidate: Candidate::with_rules(&[Family::Adam], rules)[0],
            losses: losses.iter().map(|loss| RowLoss { squared: *loss, error: *loss }).collect(),
        };
        let (worse, close, best) = ([3.0, 3.0, 3.1, 3.0], [1.0, 2.5, 0.5, 2.0], [1.5, 1.0, 1.0, 1.5]);
        let trials = [trial(1, &worse), trial(4, &close), trial(8, &best), trial(8, &close)];
        assert_eq!(simplest(&trials, 1.0), 1);
        assert_eq!(simplest(&trials, 0.0), 2);
        assert_eq!(simplest(&trials, 1e9), 0);
    }
}
