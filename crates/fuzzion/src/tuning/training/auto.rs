//! Cross-validation of settings.

use crate::data::{Samples, host_samples};
use crate::device::{Device, distribute};
use crate::random::shuffled;
use crate::tuning::error::{Result, TuningError};
use crate::tuning::model::TunedSystem;
use crate::tuning::report::TuningTrial;
use crate::tuning::settings::{InitialRules, Tuner};
use crate::tuning::training::dispatch::{backend_for, device_for};
use crate::tuning::training::fit::{fit, train};
use crate::tuning::training::prepare::PreparedData;
use crate::tuning::training::samples::select_rows;
use crate::tuning::training::tree::{self, MeanWithError};

/// Number of cross-validation folds.
const FOLDS: usize = 5;
/// Maximum number of rules of a tree.
const MAX_TREE_RULES: usize = 10;
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
    /// rows. The candidates are the linear model, a [sparse rule base](InitialRules::Tree), and grids of several sizes for
    /// up to four inputs or several numbers of fuzzy c-means clusters for more inputs. The first of them whose error
    /// exceeds the lowest one by at most one standard error is chosen. All other settings are used as given. The
    /// [report](crate::tuning::TuningReport::trials) lists all trials. Several GPUs train different folds at the same time; the trials are the same as on one GPU.
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
        let iterations = MAX_TRIAL_ITERATIONS.min(self.iterations);
        let choice = |(initial_rules, order)| {
            let bounded = self.bounded || matches!(initial_rules, InitialRules::Tree { .. });
            Tuner { initial_rules, order, iterations, bounded, ..self.clone() }
        };
        let tuned_choices = self.choices(&prepared)?;
        let choices =
            self.simple_choices(prepared.samples.training).into_iter().chain(tuned_choices.iter().cloned());
        let (choices, tuned_choices): (Vec<Tuner>, usize) =
            (choices.map(choice).collect(), tuned_choices.len());
        let (mut trials, errors) = cross_validate(&choices, &prepared, device)?;
        let mut chosen_index = simplest(&errors);
        let mut chosen = Tuner { iterations: self.iterations, ..choices[chosen_index].clone() };
        // The linear model and trees have no sets that are tuned.
        if self.iterations > 0 && chosen_index >= choices.len() - tuned_choices {
            let with_factor = |factor| Tuner { rate: Some(self.initial_rate() * factor), ..chosen.clone() };
            let choices: Vec<Tuner> =
                std::iter::once(chosen.clone()).chain(RATE_FACTORS.map(with_factor)).collect();
            let (rates, errors) = cross_validate(&choices, &prepared, device)?;
            let best = lowest(&errors);
            chosen.rate = Some(rates[best].rate);
            chosen_index = trials.len() + best;
            trials.extend(rates);
        }
        trials[chosen_index].chosen = true;
        let mut tuned = fit(&chosen, samples, targets, device)?;
        tuned.report.trials = trials;
        Ok(tuned)
    }

    /// The linear model and a sparse rule base, if the other settings allow them.
    fn simple_choices(&self, rows: usize) -> Vec<(InitialRules, usize)> {
        let trees = [1, MAX_TREE_RULES].map(|max_rules| Tuner::tree(max_rules).initial_rules);
        let allows_tree = Tuner { initial_rules: trees[0].clone(), order: 1, ..self.clone() }.check().is_ok()
            && rows * (FOLDS - 1) / FOLDS >= tree::MIN_ROWS;
        trees.into_iter().filter(|_| allows_tree).map(|tree| (tree, 1)).collect()
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

    /// Sums of the weighted squared errors and of the weights over one fold, after training on the others.
    fn fold_error(&self, fold: usize, prepared: &PreparedData, device: &Device) -> Result<[f64; 2]> {
        let mut order = shuffled(prepared.samples.training, self.seed);
        order.truncate(MAX_ROWS);
        let (first, end) = (order.len() * fold / FOLDS, order.len() * (fold + 1) / FOLDS);
        let rows = [&order[..first], &order[end..], &order[first..end]].concat();
        let samples = select_rows(&prepared.samples, &rows, rows.len() - (end - first));
        let weight: f64 = (samples.training..samples.rows()).map(|row| samples.weight(row)).sum();
        if weight == 0.0 {
            return Ok([0.0; 2]);
        }
        // No early stopping: the held-out fold must not influence training.
        let settings = Tuner { patience: usize::MAX, ..self.clone() };
        let device = &device_for(self, (samples.rows(), samples.inputs.len()), device);
        let mut backend = backend_for(&samples, f64::INFINITY, device)?;
        let result = train(&settings, prepared, &samples, &mut *backend, device)?;
        let last = result.descent.history.last().expect("invariant: training records at least one loss");
        Ok([weight * last.squares[1], weight])
    }
}

/// Cross-validation errors of the choices, and the mean squared errors of their folds. Each fold is trained on one GPU.
fn cross_validate(
    choices: &[Tuner],
    prepared: &PreparedData,
    device: &Device,
) -> Result<(Vec<TuningTrial>, Vec<Vec<f64>>)> {
    let devices = device.each_gpu();
    let folds = distribute(devices.len(), choices.len() * FOLDS, |gpu, job| {
        choices[job / FOLDS].fold_error(job % FOLDS, prepared, &devices[gpu])
    })?;
    let outputs = prepared.samples.targets.len() as f64;
    let trial = |(choice, folds): (&Tuner, &[[f64; 2]])| {
        let [sum, weight] = [0, 1].map(|i| folds.iter().map(|fold| fold[i]).sum::<f64>());
        TuningTrial {
            initial_rules: choice.initial_rules.clone(),
            order: choice.order,
            rate: choice.initial_rate(),
            iterations: choice.iterations,
            rmse: prepared.scale.target_span[0] * (sum / weight / outputs).sqrt(),
            chosen: false,
        }
    };
    let trials = choices.iter().zip(folds.chunks_exact(FOLDS)).map(trial).collect();
    let mean = |[sum, weight]: &[f64; 2]| if *weight > 0.0 { sum / weight } else { 0.0 };
    Ok((trials, folds.chunks_exact(FOLDS).map(|folds| folds.iter().map(mean).collect()).collect()))
}

/// Index of the choice with the lowest error; the first one in case of a tie.
fn lowest(errors: &[Vec<f64>]) -> usize {
    let sum = |choice: &usize| errors[*choice].iter().sum::<f64>();
    let lowest = (0..errors.len()).min_by(|a, b| sum(a).total_cmp(&sum(b)));
    lowest.expect("invariant: at least one candidate was tried")
}

/// Index of the first choice, which are in ascending order of complexity, whose mean error exceeds the lowest one by at
/// most one standard error.
fn simplest(errors: &[Vec<f64>]) -> usize {
    let error = |choice: usize| MeanWithError::of(errors[choice].iter().copied());
    let lowest = lowest(errors);
    let limit = error(lowest).limit();
    (0..lowest).find(|choice| error(*choice).mean <= limit).unwrap_or(lowest)
}
