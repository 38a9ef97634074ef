//! Choice of the number of rules by cross-validation.

use super::convert;
use super::logistic::{SEARCH_TOLERANCE, fit_logistic, held_out_loss};
use super::path::{FittedRules, path};
use super::problem::{Limits, LocalSlopes, Problem};
use super::ridge::Ridge;
use super::rule_base::RuleBase;
use crate::device::{Cpu, Device};
use crate::tuning::error::Result;
use crate::tuning::network::Network;
use crate::tuning::training::calibrate::HeldOutRows;
use crate::tuning::training::samples::{FOLDS, Folds, ScaledSamples, select_rows};

/// Differences of mean squared errors that are not worth another rule: relative, and for targets with a range of 1.
const NEGLIGIBLE: (f64, f64) = (1e-3, 1e-12);
/// Candidate penalties of classifiers, relative to that of logistic regression with standardized inputs and C = 1.
const CLASSIFIER_PENALTIES: [f64; 7] = [1e2, 1e1, 1.0, 1e-1, 1e-2, 1e-3, 1e-4];
/// Index of C = 1.
const STANDARD_PENALTY: usize = 2;
/// Number of standard errors by which another penalty must be better than C = 1: the lowest cross-entropy does not always have the
/// fewest errors.
const DEFAULT_PREFERENCE: f64 = 2.0;
/// Maximum number of coefficients of a linear model whose penalty is searched for.
const MAX_SEARCHED_COEFFICIENTS: usize = 5000;
/// Maximum number of unknowns with all slopes in every rule.
const MAX_UNKNOWNS: usize = 400;

/// Mean of an error over the folds, with its standard error.
#[derive(Clone, Copy, Debug)]
pub(in crate::tuning) struct MeanWithError {
    pub(in crate::tuning) mean: f64,
    pub(in crate::tuning) standard_error: f64,
}

impl MeanWithError {
    pub(in crate::tuning) fn of(values: impl Iterator<Item = f64> + Clone) -> Self {
        let count = values.clone().count() as f64;
        let mean = values.clone().sum::<f64>() / count;
        let squares = values.map(|value| (value - mean) * (value - mean)).sum::<f64>();
        MeanWithError { mean, standard_error: (squares / (count - 1.0) / count).sqrt() }
    }

    /// Largest mean squared error that is as good as this one: one standard error above it.
    pub(in crate::tuning) fn limit(self) -> f64 {
        self.mean + self.standard_error.max(NEGLIGIBLE.0 * self.mean).max(NEGLIGIBLE.1)
    }
}

/// Kind of consequents and number of rules.
pub(super) struct Choice {
    pub(super) slopes: LocalSlopes,
    /// Index in the path: the number of rules minus 1.
    pub(super) size: usize,
    /// Penalties of a classifier with this number of rules.
    pub(super) ridge: Ridge,
    /// Errors of all sizes with these slopes: mean squared errors, summed over the targets, or cross-entropies.
    pub(super) errors: Vec<MeanWithError>,
    /// The rule bases of this size without the rows of one fold, of the first repetition.
    pub(super) folds: Vec<HeldOutRows>,
}

/// Rule bases of all sizes without the rows of one fold.
struct FoldPath {
    /// Errors of the rows of the fold: for each size, with each penalty of a classifier.
    errors: Vec<Vec<f64>>,
    networks: Vec<Vec<Network>>,
    rows: Vec<usize>,
}

/// Rows and settings of the cross-validation.
pub(super) struct CrossValidation<'a> {
    pub(super) samples: &'a ScaledSamples,
    pub(super) order: usize,
    pub(super) limits: Limits,
    pub(super) is_logistic: bool,
    pub(super) seed: u64,
    pub(super) device: &'a Device,
}

impl CrossValidation<'_> {
    /// The smallest rule base whose error is at most one standard error above the lowest one.
    pub(super) fn choose(&self) -> Result<Choice> {
        let kinds = self.kinds();
        let folds = self.folds().count();
        let linear = if self.is_logistic { self.linear_penalty(folds)? } else { 0.0 };
        let mut paths = self
            .map_folds(kinds.len() * folds, |job| self.fold_path(kinds[job / folds], job % folds, linear))?;
        let by_kind: Vec<&[FoldPath]> = paths.chunks_exact(folds).collect();
        let sizes = |kind: usize| {
            let sizes = by_kind[kind].iter().map(|path| path.errors.len());
            sizes.min().expect("invariant: there are folds")
        };
        let of_size =
            |kind: usize, size: usize| best_penalty(by_kind[kind].iter().map(|path| &path.errors[size]));
        let candidates: Vec<(usize, usize)> =
            (0..kinds.len()).flat_map(|kind| (0..sizes(kind)).map(move |size| (kind, size))).collect();
        let mean = |(kind, size): (usize, usize)| of_size(kind, size).1.mean;
        let best = candidates.iter().copied().min_by(|a, b| mean(*a).total_cmp(&mean(*b)));
        let best = best.expect("invariant: every path has at least one rule base");
        let limit = of_size(best.0, best.1).1.limit();
        let is_good = |candidate: &(usize, usize)| mean(*candidate) <= limit;
        let chosen = candidates.iter().copied().filter(is_good).min_by_key(|(kind, size)| (*size, *kind));
        let (kind, size) = chosen.expect("invariant: the best candidate is good");
        let penalty = of_size(kind, size).0;
        let ridge = Ridge { linear, deviation: self.penalties()[penalty] };
        let errors = (0..sizes(kind)).map(|size| of_size(kind, size).1).collect();
        let chosen = paths.drain(kind * folds..).take(FOLDS);
        let held_out = chosen.map(|mut path| HeldOutRows {
            network: path.networks.swap_remove(size).swap_remove(penalty),
            rows: path.rows,
        });
        Ok(Choice { slopes: kinds[kind], size, ridge, errors, folds: held_out.collect() })
    }

    /// Kinds of slopes to try, from simple to complex.
    fn kinds(&self) -> &'static [LocalSlopes] {
        let rules = self.limits.rules + self.limits.rules / 2 + 1;
        let outputs = if self.is_logistic { self.samples.targets.len() } else { 1 };
        let unknowns = rules * (self.samples.inputs.len() + 1) * outputs;
        match self.order {
            0 => &[LocalSlopes::None],
            _ if unknowns > MAX_UNKNOWNS => &[LocalSlopes::Conditions],
            _ => &[LocalSlopes::Conditions, LocalSlopes::All],
        }
    }

    fn map_folds<R: Send>(&self, jobs: usize, job: impl Fn(usize) -> Result<R> + Sync) -> Result<Vec<R>> {
        let cpu: &Cpu = self.device.host_cpu();
        cpu.map_chunks(jobs, 1, |jobs| job(jobs.start)).into_iter().collect()
    }

    /// Candidate penalties of a classifier. With two classes, both have coefficients of equal size, whose squares sum to half of
    /// that of their difference.
    fn penalties(&self) -> [f64; CLASSIFIER_PENALTIES.len()] {
        let factor = if self.samples.targets.len() == 2 { 2.0 } else { 1.0 };
        CLASSIFIER_PENALTIES.map(|penalty| factor * penalty / self.samples.training as f64)
    }

    /// Penalty of the linear model of a classifier: of those from C = 1 to the lowest error in either direction, the nearest
    /// to C = 1 whose error is at most two standard errors above the lowest. With many coefficients it is C = 1.
    fn linear_penalty(&self, folds: usize) -> Result<f64> {
        let coefficients = (self.samples.inputs.len() + 1) * self.samples.targets.len();
        if coefficients > MAX_SEARCHED_COEFFICIENTS {
            return Ok(self.penalties()[STANDARD_PENALTY]);
        }
        let error = |penalty: usize| -> Result<MeanWithError> {
            self.device.progress().report(0, 0)?;
            let errors =
                self.map_folds(folds, |fold| Ok(self.linear_error(fold, self.penalties()[penalty])))?;
            Ok(MeanWithError::of(errors.iter().copied()))
        };
        let standard = error(STANDARD_PENALTY)?;
        let weaker = STANDARD_PENALTY + 1..CLASSIFIER_PENALTIES.len();
        let stronger = (0..STANDARD_PENALTY).rev();
        let directions: [&mut dyn Iterator<Item = usize>; 2] = [&mut { weaker }, &mut { stronger }];
        for penalties in directions {
            let mut tried = vec![(STANDARD_PENALTY, standard)];
            for penalty in penalties {
                let (next, last) = (error(penalty)?, tried[tried.len() - 1].1);
                if next.mean >= last.mean {
                    break;
                }
                tried.push((penalty, next));
            }
            if tried.len() > 1 {
                let MeanWithError { mean, standard_error } = tried[tried.len() - 1].1;
                let limit = mean + DEFAULT_PREFERENCE * standard_error;
                let nearest = tried.iter().find(|(_, error)| error.mean <= limit);
                let (penalty, _) = nearest.expect("invariant: the lowest error is within its limit");
                return Ok(self.penalties()[*penalty]);
            }
        }
        Ok(self.penalties()[STANDARD_PENALTY])
    }

    /// Cross-entropy of the linear model in a fold.
    fn linear_error(&self, fold: usize, linear: f64) -> f64 {
        let (samples, _) = self.fold(fold);
        let problem = Problem::new(&samples, self.kinds()[0], true);
        let ridges = [Ridge { linear, deviation: 0.0 }];
        penalty_errors(&problem, &RuleBase::new(&problem), &ridges).0[0]
    }

    /// The rows of all other folds as training rows, followed by those of this fold, whose numbers are returned.
    fn fold(&self, fold: usize) -> (ScaledSamples, Vec<usize>) {
        let (training, held_out) = self.folds().rows(fold);
        let rows = [&training[..], &held_out].concat();
        (select_rows(self.samples, &rows, training.len()), held_out)
    }

    fn folds(&self) -> Folds {
        Folds::new(self.samples.training, usize::MAX, self.seed)
    }

    /// Rule bases of every size and their errors in one fold, after training on the others.
    fn fold_path(&self, slopes: LocalSlopes, fold: usize, linear: f64) -> Result<FoldPath> {
        let (samples, rows) = self.fold(fold);
        let problem = Problem::new(&samples, slopes, self.is_logistic);
        let path = path(&problem, self.limits, linear, self.device.progress())?;
        let network = |fitted: &FittedRules<'_>, theta: &[Vec<f64>]| {
            convert::network(&fitted.rules, theta, samples.inputs.len(), self.order)
        };
        let evaluated = |fitted: &FittedRules<'_>| -> (Vec<f64>, Vec<Network>) {
            let theta = &fitted.solution.theta;
            let (errors, theta) = match (self.is_logistic, fitted.rules.regions.len()) {
                (false, _) => (vec![held_out_error(fitted, &samples)], vec![theta.clone()]),
                (true, 1) => (vec![held_out_loss(&fitted.rules, theta, &problem)], vec![theta.clone()]),
                _ => {
                    let ridges = self.penalties().map(|deviation| Ridge { linear, deviation });
                    penalty_errors(&problem, &fitted.rules, &ridges)
                }
            };
            (errors, theta.iter().map(|theta| network(fitted, theta)).collect())
        };
        let (errors, networks) = path.iter().map(evaluated).unzip();
        Ok(FoldPath { errors, networks, rows })
    }
}

/// Cross-entropy over the held-out rows with each penalty, and the coefficients of each class.
fn penalty_errors(
    problem: &Problem<'_>,
    rules: &RuleBase,
    ridges: &[Ridge],
) -> (Vec<f64>, Vec<Vec<Vec<f64>>>) {
    let mut start = vec![vec![0.0; rules.columns.len()]; problem.samples.targets.len()];
    let fits = ridges.iter().map(|ridge| {
        match fit_logistic(problem, rules, *ridge, Some(&start), SEARCH_TOLERANCE) {
            Some(fit) => {
                start.clone_from(&fit.theta);
                (held_out_loss(rules, &fit.theta, problem), fit.theta)
            }
            None => (f64::INFINITY, start.clone()),
        }
    });
    fits.unzip()
}

/// Index of the penalty with the lowest mean error over the folds, and this error.
fn best_penalty<'a>(folds: impl Iterator<Item = &'a Vec<f64>> + Clone) -> (usize, MeanWithError) {
    let penalties = folds.clone().next().map_or(0, Vec::len);
    let of_penalty =
        |penalty: usize| (penalty, MeanWithError::of(folds.clone().map(move |fold| fold[penalty])));
    let best = (0..penalties).map(of_penalty).min_by(|a, b| a.1.mean.total_cmp(&b.1.mean));
    best.expect("invariant: every fold has an error for each penalty")
}

/// Mean squared error over the rows that are not training rows, with outputs bounded to the range of the targets.
fn held_out_error(fitted: &FittedRules<'_>, samples: &ScaledSamples) -> f64 {
    let (mut sum, mut weight) = (0.0, 0.0);
    for (target, theta) in samples.targets.iter().zip(&fitted.solution.theta) {
        let (training, held_out) = target.split_at(samples.training);
        let range = training
            .iter()
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), y| (low.min(*y), high.max(*y)));
        for (row, y) in (samples.training..).zip(held_out) {
            let error = fitted.rules.output(theta, samples, row).max(range.0).min(range.1) - y;
            sum += samples.weight(row) * error * error;
        }
    }
    (samples.training..samples.rows()).for_each(|row| weight += samples.weight(row));
    if weight > 0.0 { sum / weight } else { 0.0 }
}
