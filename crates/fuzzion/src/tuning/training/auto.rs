//! Cross-validation of settings.

use crate::data::{Samples, host_samples};
use crate::device::Device;
use crate::random::shuffled;
use crate::tuning::error::{Result, TuningError};
use crate::tuning::model::TunedSystem;
use crate::tuning::report::TuningTrial;
use crate::tuning::settings::{InitialRules, Tuner};
use crate::tuning::training::dispatch::{backend_for, device_for};
use crate::tuning::training::fit::{fit, train};
use crate::tuning::training::prepare::PreparedData;
use crate::tuning::training::samples::select_rows;

/// Number of cross-validation folds.
const FOLDS: usize = 5;
/// Maximum number of training rows used for cross-validation.
const MAX_ROWS: usize = 4096;
/// Maximum number of iterations for trials of rules and order.
const MAX_TRIAL_ITERATIONS: usize = 30;
/// Minimum number of training rows per unknown.
const ROWS_PER_UNKNOWN: usize = 2;
/// Candidate learning rates, relative to the default.
const RATE_FACTORS: [f64; 2] = [1.0 / 3.0, 3.0];

impl Tuner {
    /// Like [`Tuner::fit`], with initial rules, order and rate chosen by five-fold cross-validation on the training
    /// rows. The candidates are grids of several sizes for up to four inputs and several numbers of fuzzy c-means
    /// clusters for more inputs. All other settings are used as given. The [report](crate::tuning::TuningReport::trials)
    /// lists all trials.
    ///
    /// ```
    /// use fuzzion::{Device, Table, tuning::Tuner};
    /// let rows: Vec<f64> = (0..40).flat_map(|i| [f64::from(i), 5.0 * f64::from(i)]).collect();
    /// let rows = Table::new(["x", "y"], rows)?;
    /// let tuned = Tuner::default().iterations(0).auto(&rows, &["y"], &Device::cpu()?)?;
    /// assert_eq!(tuned.report.trials.iter().find(|trial| trial.chosen).unwrap().order, 1); // y is linear in x
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Tuner::fit`].
    pub fn auto<'a>(
        &self,
        samples: impl Into<Samples<'a>>,
        targets: &[&str],
        device: &Device,
    ) -> Result<TunedSystem> {
        self.choose(&host_samples(samples)?, targets, device)
    }

    fn choose(&self, samples: &Samples<'_>, targets: &[&str], device: &Device) -> Result<TunedSystem> {
        self.check()?;
        let prepared = PreparedData::new(self, samples, targets, device.host_cpu())?;
        let mut trials: Vec<TuningTrial> = Vec::new();
        for (initial_rules, order) in self.choices(&prepared)? {
            let iterations = MAX_TRIAL_ITERATIONS.min(self.iterations);
            let choice = Tuner { initial_rules, order, iterations, ..self.clone() };
            trials.push(choice.trial(&prepared, device)?);
        }
        let mut chosen_index = best(&trials);
        let mut chosen = Tuner {
            initial_rules: trials[chosen_index].initial_rules.clone(),
            order: trials[chosen_index].order,
            ..self.clone()
        };
        if self.iterations > 0 {
            let mut rates = vec![chosen.trial(&prepared, device)?];
            for factor in RATE_FACTORS {
                let choice = Tuner { rate: Some(self.initial_rate() * factor), ..chosen.clone() };
                rates.push(choice.trial(&prepared, device)?);
            }
            let best = best(&rates);
            chosen.rate = Some(rates[best].rate);
            chosen_index = trials.len() + best;
            trials.extend(rates);
        }
        trials[chosen_index].chosen = true;
        let mut tuned = fit(&chosen, samples, targets, device)?;
        tuned.report.trials = trials;
        Ok(tuned)
    }

    /// Candidate rules and orders that have enough rows per unknown in four folds; at least one.
    fn choices(&self, prepared: &PreparedData) -> Result<Vec<(InitialRules, usize)>> {
        let inputs = prepared.inputs.len();
        let grids: &[usize] = match inputs {
            1 => &[2, 3, 5, 7, 9, 12],
            2 => &[2, 3, 4, 5, 7],
            3 => &[2, 3, 4],
            4 => &[2, 3],
            _ => &[],
        };
        let clusters: &[usize] = if grids.is_empty() { &[2, 4, 8, 16, 32] } else { &[] };
        let grids = grids.iter().map(|sets| (InitialRules::Grid(vec![*sets]), sets.pow(inputs as u32)));
        let clusters = clusters.iter().map(|rules| (InitialRules::FuzzyCMeans(*rules), *rules));
        let rows = prepared.samples.training.min(MAX_ROWS) * (FOLDS - 1) / FOLDS;
        let choices: Vec<(InitialRules, usize)> = grids
            .chain(clusters)
            .flat_map(|(initial_rules, rules)| {
                let fits = move |order: &usize| rules * (1 + order * inputs) * ROWS_PER_UNKNOWN <= rows;
                [0, 1]
                    .into_iter()
                    .filter(fits)
                    .map(move |order| (initial_rules.clone(), order))
                    .collect::<Vec<_>>()
            })
            .collect();
        if choices.is_empty() {
            return Err(TuningError::TooFewRows {
                rows: prepared.samples.training,
                unknowns: 2 * ROWS_PER_UNKNOWN,
            });
        }
        Ok(choices)
    }

    /// Cross-validation error of these settings.
    fn trial(&self, prepared: &PreparedData, device: &Device) -> Result<TuningTrial> {
        let mut order = shuffled(prepared.samples.training, self.seed);
        order.truncate(MAX_ROWS);
        let (mut sum, mut weight) = (0.0, 0.0);
        for fold in 0..FOLDS {
            let (first, end) = (order.len() * fold / FOLDS, order.len() * (fold + 1) / FOLDS);
            let rows = [&order[..first], &order[end..], &order[first..end]].concat();
            let samples = select_rows(&prepared.samples, &rows, rows.len() - (end - first));
            let fold_weight: f64 = (samples.training..samples.rows()).map(|row| samples.weight(row)).sum();
            if fold_weight == 0.0 {
                continue;
            }
            // No early stopping: the held-out fold must not influence training.
            let settings = Tuner { patience: usize::MAX, ..self.clone() };
            let device = &device_for((samples.rows(), samples.inputs.len()), self.iterations, device);
            let mut backend = backend_for(&samples, f64::INFINITY, device)?;
            let result = train(&settings, prepared, &samples, &mut *backend, device)?;
            let last = result.descent.history.last().expect("invariant: training records at least one loss");
            sum += fold_weight * last.squares[1];
            weight += fold_weight;
        }
        let outputs = prepared.samples.targets.len() as f64;
        Ok(TuningTrial {
            initial_rules: self.initial_rules.clone(),
            order: self.order,
            rate: self.initial_rate(),
            iterations: self.iterations,
            rmse: prepared.scale.target_span[0] * (sum / weight / outputs).sqrt(),
            chosen: false,
        })
    }
}

/// Index of the trial with the lowest error; the first one in case of a tie.
fn best(trials: &[TuningTrial]) -> usize {
    let best = (0..trials.len()).min_by(|a, b| trials[*a].rmse.total_cmp(&trials[*b].rmse));
    best.expect("invariant: at least one candidate was tried")
}
