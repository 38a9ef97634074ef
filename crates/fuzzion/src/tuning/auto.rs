//! Settings chosen by cross-validation.

use super::fit::{fit, learn};
use super::prepare::{Prepared, reordered};
use super::report::Trial;
use super::settings::Start;
use super::tuned::Tuned;
use super::tuner::{Tuner, rows_of};
use crate::data::Table;
use crate::device::Device;
use crate::error::{Error, Result};
use crate::random::shuffled;

/// How many parts the training rows are cut into; each is predicted by a fit of the others.
const FOLDS: usize = 5;
/// Rows that are looked at; more would cost time and choose the same.
const ROWS: usize = 4096;
/// Iterations of the fits that choose rules and order.
const ITERATIONS: usize = 30;
/// Consequents have at least so many rows each.
const ROWS_PER_UNKNOWN: usize = 2;
/// Rates that are tried, as factors of the one that suits the step rule.
const RATES: [f64; 2] = [1.0 / 3.0, 3.0];

impl Tuner<'_> {
    /// As [`Tuner::fit`], with rules, order and rate chosen by five-fold cross-validation on the training rows: grids of
    /// several sizes for up to four inputs, several numbers of fuzzy c-means rules for more. What was tried is in the
    /// [report](super::Report::trials); all other settings count as they are.
    ///
    /// # Errors
    /// As [`Tuner::fit`].
    pub fn auto(&self, samples: &Table, targets: &[&str], device: &Device) -> Result<Tuned> {
        self.check()?;
        let prepared = Prepared::new(self, samples, targets, None)?;
        let mut trials: Vec<Trial> = Vec::new();
        for (start, order) in self.choices(&prepared)? {
            let iterations = ITERATIONS.min(self.iterations);
            let choice = Tuner { start, order, iterations, ..self.clone() };
            trials.push(choice.trial(&prepared, device)?);
        }
        let none = Error::FewTrainingRows { rows: prepared.samples.training, unknowns: 1 };
        let mut at = best(&trials).ok_or(none)?;
        let mut chosen = Tuner { start: trials[at].start.clone(), order: trials[at].order, ..self.clone() };
        if self.iterations > 0 {
            let mut rates = vec![chosen.trial(&prepared, device)?];
            for factor in RATES {
                let choice = Tuner { rate: Some(self.first_rate() * factor), ..chosen.clone() };
                rates.push(choice.trial(&prepared, device)?);
            }
            let best = best(&rates).unwrap_or(0);
            chosen.rate = Some(rates[best].rate);
            at = trials.len() + best;
            trials.extend(rates);
        }
        trials[at].chosen = true;
        let mut tuned = fit(&chosen, samples, targets, None, device)?;
        tuned.report.trials = trials;
        Ok(tuned)
    }

    /// The rules and orders that are tried: those that the rows of four folds can tell apart.
    fn choices(&self, prepared: &Prepared) -> Result<Vec<(Start, usize)>> {
        let inputs = prepared.inputs.len();
        let grids: &[usize] = match inputs {
            1 => &[2, 3, 5, 7, 9, 12],
            2 => &[2, 3, 4, 5, 7],
            3 => &[2, 3, 4],
            4 => &[2, 3],
            _ => &[],
        };
        let clusters: &[usize] = if grids.is_empty() { &[2, 4, 8, 16, 32] } else { &[] };
        let grids = grids.iter().map(|sets| (Start::Grid(vec![*sets]), sets.pow(inputs as u32)));
        let clusters = clusters.iter().map(|rules| (Start::FuzzyCMeans(*rules), *rules));
        let rows = prepared.samples.training.min(ROWS) * (FOLDS - 1) / FOLDS;
        let choices: Vec<(Start, usize)> = grids
            .chain(clusters)
            .flat_map(|(start, rules)| {
                let fits = move |order: &usize| rules * (1 + order * inputs) * ROWS_PER_UNKNOWN <= rows;
                [0, 1].into_iter().filter(fits).map(move |order| (start.clone(), order)).collect::<Vec<_>>()
            })
            .collect();
        if choices.is_empty() {
            return Err(Error::FewTrainingRows {
                rows: prepared.samples.training,
                unknowns: 2 * ROWS_PER_UNKNOWN,
            });
        }
        Ok(choices)
    }

    /// The error of these settings over rows that are not learned from.
    fn trial(&self, prepared: &Prepared, device: &Device) -> Result<Trial> {
        let mut order = shuffled(prepared.samples.training, self.seed);
        order.truncate(ROWS);
        let (mut sum, mut weight) = (0.0, 0.0);
        for fold in 0..FOLDS {
            let (first, end) = (order.len() * fold / FOLDS, order.len() * (fold + 1) / FOLDS);
            let rows = [&order[..first], &order[end..], &order[first..end]].concat();
            let samples = reordered(&prepared.samples, &rows, rows.len() - (end - first));
            // The fold must not choose when to stop, or it would be learned from.
            let settings = Tuner { patience: usize::MAX, ..self.clone() };
            let mut swept = rows_of(&samples, device)?;
            let learned = learn(&settings, prepared, &samples, &mut *swept, device)?;
            let size: f64 = (samples.training..samples.rows()).map(|row| samples.weight(row)).sum();
            let last = learned.descent.history.last().map_or(f64::NAN, |seen| seen.squares[1]);
            sum += size * last;
            weight += size;
        }
        let outputs = prepared.samples.targets.len() as f64;
        Ok(Trial {
            start: self.start.clone(),
            order: self.order,
            rate: self.first_rate(),
            iterations: self.iterations,
            rmse: prepared.scale.target_span[0] * (sum / weight / outputs).sqrt(),
            chosen: false,
        })
    }
}

/// The trial with the least error; the first of equals.
fn best(trials: &[Trial]) -> Option<usize> {
    (0..trials.len()).min_by(|a, b| trials[*a].rmse.total_cmp(&trials[*b].rmse))
}
