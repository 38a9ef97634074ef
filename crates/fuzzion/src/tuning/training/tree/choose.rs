//! Choice of the number of rules by cross-validation.

use super::path::{FittedRules, path};
use super::problem::{LocalSlopes, Problem};
use crate::device::{Cpu, Device};
use crate::random::shuffled;
use crate::tuning::error::Result;
use crate::tuning::training::samples::{ScaledSamples, select_rows};

const FOLDS: usize = 5;
/// Repetitions of the cross-validation of small tables, whose folds have few rows.
const SMALL_TABLE: (usize, usize) = (500, 2);
/// Differences of mean squared errors that are not worth another rule: relative, and for targets with a range of 1.
const NEGLIGIBLE: (f64, f64) = (1e-3, 1e-12);
/// Maximum number of unknowns with all slopes in every rule.
const MAX_UNKNOWNS: usize = 400;

/// Limits of the rules.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    pub(super) rules: usize,
    pub(super) conditions: usize,
}

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
    /// Mean squared errors of all sizes with these slopes, summed over the targets.
    pub(super) errors: Vec<MeanWithError>,
}

/// The smallest rule base whose error is at most one standard error above the lowest one.
pub(super) fn choose(
    samples: &ScaledSamples,
    order: usize,
    limits: Limits,
    seed: u64,
    device: &Device,
) -> Result<Choice> {
    let unknowns = (limits.rules + limits.rules / 2 + 1) * (samples.inputs.len() + 1);
    let kinds: &[LocalSlopes] = match order {
        0 => &[LocalSlopes::None],
        _ if unknowns > MAX_UNKNOWNS => &[LocalSlopes::Conditions],
        _ => &[LocalSlopes::Conditions, LocalSlopes::All],
    };
    let repetitions = if samples.training < SMALL_TABLE.0 { SMALL_TABLE.1 } else { 1 };
    let folds = repetitions * FOLDS;
    let job = |job: usize| fold_errors(samples, kinds[job / folds], job % folds, limits, seed, device);
    let cpu: &Cpu = device.host_cpu();
    let errors = cpu.map_chunks(kinds.len() * folds, 1, |jobs| job(jobs.start));
    let errors: Vec<Vec<f64>> = errors.into_iter().collect::<Result<_>>()?;
    let by_kind: Vec<&[Vec<f64>]> = errors.chunks_exact(folds).collect();
    let sizes = |folds: &[Vec<f64>]| folds.iter().map(Vec::len).min().expect("invariant: there are folds");
    let of_size = |kind: usize, size: usize| by_kind[kind].iter().map(move |errors| errors[size]);
    let candidates: Vec<(usize, usize)> =
        (0..kinds.len()).flat_map(|kind| (0..sizes(by_kind[kind])).map(move |size| (kind, size))).collect();
    let mean = |(kind, size): (usize, usize)| MeanWithError::of(of_size(kind, size)).mean;
    let best = candidates.iter().copied().min_by(|a, b| mean(*a).total_cmp(&mean(*b)));
    let best = best.expect("invariant: every path has at least one rule base");
    let limit = MeanWithError::of(of_size(best.0, best.1)).limit();
    let is_good = |candidate: &(usize, usize)| mean(*candidate) <= limit;
    let chosen = candidates.iter().copied().filter(is_good).min_by_key(|(kind, size)| (*size, *kind));
    let (kind, size) = chosen.expect("invariant: the best candidate is good");
    let errors = (0..sizes(by_kind[kind])).map(|size| MeanWithError::of(of_size(kind, size))).collect();
    Ok(Choice { slopes: kinds[kind], size, errors })
}

/// Mean squared error of every size in one fold, after training on the others.
fn fold_errors(
    samples: &ScaledSamples,
    slopes: LocalSlopes,
    fold: usize,
    limits: Limits,
    seed: u64,
    device: &Device,
) -> Result<Vec<f64>> {
    let order = shuffled(samples.training, seed.wrapping_add((fold / FOLDS) as u64));
    let fold = fold % FOLDS;
    let (first, end) = (order.len() * fold / FOLDS, order.len() * (fold + 1) / FOLDS);
    let rows = [&order[..first], &order[end..], &order[first..end]].concat();
    let samples = select_rows(samples, &rows, rows.len() - (end - first));
    let problem = Problem::new(&samples, slopes);
    let path = path(&problem, limits.rules, limits.conditions, device.progress())?;
    Ok(path.iter().map(|fitted| held_out_error(fitted, &samples)).collect())
}

/// Mean squared error over the rows that are not training rows, with outputs bounded to the range of the targets.
fn held_out_error(fitted: &FittedRules, samples: &ScaledSamples) -> f64 {
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
