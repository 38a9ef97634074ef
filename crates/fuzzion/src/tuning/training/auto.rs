//! Cross-validation of settings.

use crate::data::{Samples, host_samples};
use crate::device::Device;
use crate::tuning::error::{Result, TuningError};
use crate::tuning::model::TunedSystem;
use crate::tuning::network::Network;
use crate::tuning::report::{TuningTrial, TuningWarning};
use crate::tuning::settings::{InitialRules, Tuner};
use crate::tuning::training::calibrate::{HeldOutRows, held_out_outputs};
use crate::tuning::training::descent::Descent;
use crate::tuning::training::dispatch::{backend_for, device_for};
use crate::tuning::training::fit::{fit, train};
use crate::tuning::training::prepare::PreparedData;
use crate::tuning::training::samples::{FOLDS, ScaledSamples, mean_square, select_rows};
use crate::tuning::training::search::{self, Fold, Search};
use crate::tuning::training::tree::{self, MeanWithError};

/// Maximum number of rules of a tree.
const MAX_TREE_RULES: usize = 10;
/// Maximum number of iterations for trials of rules and order.
const MAX_TRIAL_ITERATIONS: usize = 30;
/// Minimum number of training rows per unknown.
const ROWS_PER_UNKNOWN: usize = 2;
/// Candidate learning rates, relative to the default.
const RATE_FACTORS: [f64; 2] = [1.0 / 3.0, 3.0];

impl Tuner {
    /// Like [`Tuner::fit`], with initial rules, order, rate and number of iterations chosen by five-fold cross-validation on the
    /// training rows, which is repeated for fewer than 500 rows. The candidates are the linear model, a
    /// [sparse rule base](InitialRules::Tree), and grids of several sizes for up to four inputs or several numbers of fuzzy
    /// c-means clusters for more inputs, from simple to complex, until the [time limit](Tuner::budget). The first of them whose
    /// error exceeds the lowest one by at most one standard error is chosen. Its predictions are [bounded](Tuner::bounded). All
    /// other settings are used as given; [`Tuner::iterations`] is the maximum. The
    /// [report](crate::tuning::TuningReport::trials) lists all trials, and the progress callback of the device counts trials.
    /// Several GPUs train different folds at the same time; the trials are the same as on one GPU.
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
            let is_tree = matches!(initial_rules, InitialRules::Tree { .. });
            let intervals = self.intervals || is_tree;
            let bounded = Some(self.bounded.unwrap_or(true));
            Tuner { initial_rules, order, iterations, bounded, intervals, ..self.clone() }
        };
        let simple = self.simple_choices(prepared.samples.training);
        let has_tuned_sets = |index: usize| self.iterations > 0 && index >= simple.len();
        let choices: Vec<Tuner> = simple.iter().cloned().chain(self.choices(&prepared)).map(choice).collect();
        if choices.is_empty() {
            let rows = prepared.samples.training;
            return Err(TuningError::TooFewRowsForTree { rows, min: tree::MIN_ROWS });
        }
        let search = Search::new(self, &prepared, choices.len() + 1 + RATE_FACTORS.len(), device);
        let errors = search.try_all(&choices, |choice, device| choice.errors(&search, &prepared, device))?;
        let mut trials: Vec<TuningTrial> =
            choices.iter().zip(&errors).map(|(choice, errors)| trial(choice, errors, &prepared)).collect();
        let skipped = choices.len() - errors.len();
        let mut chosen_index = simplest(&errors);
        let mut chosen = choices[chosen_index].clone();
        if has_tuned_sets(chosen_index) {
            chosen.iterations = self.iterations;
            let with_factor = |factor| Tuner { rate: Some(self.initial_rate() * factor), ..chosen.clone() };
            let rates: Vec<Tuner> =
                std::iter::once(chosen.clone()).chain(RATE_FACTORS.map(with_factor)).collect();
            let histories = search.try_all(&rates, |choice, device| {
                search.each_fold(device, |fold, device| choice.fold_history(fold, device))
            })?;
            let best = |histories: &Vec<Vec<FoldError>>| best_iteration(histories);
            let tried: Vec<(usize, Vec<FoldError>)> = histories.iter().map(best).collect();
            let of_rate = |(rate, (iterations, errors)): (&Tuner, &(usize, Vec<FoldError>))| {
                trial(&Tuner { iterations: *iterations, ..rate.clone() }, errors, &prepared)
            };
            let first = trials.len();
            trials.extend(rates.iter().zip(&tried).map(of_rate));
            let errors: Vec<Vec<FoldError>> = tried.into_iter().map(|(_, errors)| errors).collect();
            chosen_index = first + lowest(&errors);
            let trial = &trials[chosen_index];
            (chosen.rate, chosen.iterations) = (Some(trial.rate), trial.iterations);
        }
        trials[chosen_index].chosen = true;
        let mut tuned = fit(&chosen, samples, targets, device)?;
        if skipped > 0 {
            let tried = errors.len();
            tuned.report.warnings.push(TuningWarning::TimeLimit { tried, skipped });
        }
        tuned.report.trials = trials;
        Ok(tuned)
    }

    /// The linear model and a sparse rule base, if the other settings allow them.
    fn simple_choices(&self, rows: usize) -> Vec<(InitialRules, usize)> {
        let trees = [1, MAX_TREE_RULES].map(|max_rules| Tuner::tree(max_rules).initial_rules);
        let allows_tree = Tuner { initial_rules: trees[0].clone(), order: 1, ..self.clone() }.check().is_ok()
            && rows >= tree::MIN_ROWS;
        trees.into_iter().filter(|_| allows_tree).map(|tree| (tree, 1)).collect()
    }

    /// Candidate rules and orders that have enough rows per unknown in four folds.
    fn choices(&self, prepared: &PreparedData) -> Vec<(InitialRules, usize)> {
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
        let rows = prepared.samples.training.min(search::MAX_ROWS) * (FOLDS - 1) / FOLDS;
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
        choices
    }

    /// The error of the bounded predictions of a fold by a system that is trained without it.
    fn fold_error(&self, fold: &Fold<'_>, device: &Device) -> Result<FoldError> {
        let Fold { prepared, training, held_out } = fold;
        let samples = select_rows(&prepared.samples, training, training.len());
        let network = fold.train(self, &samples, device)?.best_network;
        let rows = select_rows(&prepared.samples, held_out, 0);
        self.error_of(prepared, &network, &rows, device)
    }

    /// The error of the predictions of held-out rows.
    fn error_of(
        &self,
        prepared: &PreparedData,
        network: &Network,
        rows: &ScaledSamples,
        device: &Device,
    ) -> Result<FoldError> {
        let bounded = self.bounded == Some(true);
        let outputs = held_out_outputs((self, bounded), prepared, network, rows, device)?;
        Ok(FoldError::new(mean_square(&outputs, rows, 0..rows.rows()), rows))
    }

    /// The errors of the folds that a tree is chosen with, so that trees are not fitted again for every fold.
    fn tree_errors(&self, prepared: &PreparedData, device: &Device) -> Result<Vec<FoldError>> {
        let device = &device_for(self, (prepared.samples.rows(), prepared.inputs.len()), device);
        let mut backend = backend_for(&prepared.samples, f64::INFINITY, device)?;
        let folds = train(self, prepared, &prepared.samples, &mut *backend, device)?.folds;
        let error = |fold: &HeldOutRows| {
            let rows = select_rows(&prepared.samples, &fold.rows, 0);
            self.error_of(prepared, &fold.network, &rows, device)
        };
        folds.iter().map(error).collect()
    }

    /// The errors of a choice in all folds.
    fn errors(
        &self,
        search: &Search<'_>,
        prepared: &PreparedData,
        device: &Device,
    ) -> Result<Vec<FoldError>> {
        match self.initial_rules {
            InitialRules::Tree { .. } => self.tree_errors(prepared, device),
            _ => search.each_fold(device, |fold, device| self.fold_error(fold, device)),
        }
    }

    /// The errors of a fold after each iteration of training without it.
    fn fold_history(&self, fold: &Fold<'_>, device: &Device) -> Result<Vec<FoldError>> {
        let rows = [&fold.training[..], &fold.held_out].concat();
        let samples = select_rows(&fold.prepared.samples, &rows, fold.training.len());
        // No early stopping: all folds need errors of the same iterations.
        let settings = Tuner { patience: usize::MAX, ..self.clone() };
        let descent = fold.train(&settings, &samples, device)?;
        let held_out = select_rows(&samples, &(fold.training.len()..rows.len()).collect::<Vec<_>>(), 0);
        Ok(descent.history.iter().map(|record| FoldError::new(record.squares[1], &held_out)).collect())
    }
}

impl Fold<'_> {
    fn train(&self, tuner: &Tuner, samples: &ScaledSamples, device: &Device) -> Result<Descent> {
        let device = &device_for(tuner, (samples.rows(), samples.inputs.len()), device);
        let mut backend = backend_for(samples, f64::INFINITY, device)?;
        Ok(train(tuner, self.prepared, samples, &mut *backend, device)?.descent)
    }
}

/// Mean squared error of a fold, summed over the outputs, and the sum of its weights.
#[derive(Clone, Copy)]
struct FoldError {
    mean: f64,
    weight: f64,
}

impl FoldError {
    /// A fold whose rows all have the weight 0 has no error.
    fn new(mean: f64, rows: &ScaledSamples) -> Self {
        let weight = (0..rows.rows()).map(|row| rows.weight(row)).sum();
        FoldError { mean: if weight > 0.0 { mean } else { 0.0 }, weight }
    }
}

/// The report of a trial.
fn trial(choice: &Tuner, folds: &[FoldError], prepared: &PreparedData) -> TuningTrial {
    let outputs = prepared.samples.targets.len() as f64;
    let sum: f64 = folds.iter().map(|fold| fold.mean * fold.weight).sum();
    let weight: f64 = folds.iter().map(|fold| fold.weight).sum();
    let root = (sum / weight / outputs).sqrt();
    let error = MeanWithError::of(folds.iter().map(|fold| fold.mean)).standard_error / outputs;
    let unit = prepared.scale.target_span[0];
    TuningTrial {
        initial_rules: choice.initial_rules.clone(),
        order: choice.order,
        rate: choice.initial_rate(),
        iterations: choice.iterations,
        rmse: unit * root,
        // The derivative of the root.
        standard_error: if root > 0.0 { unit * error / (2.0 * root) } else { 0.0 },
        chosen: false,
    }
}

/// The iteration with the lowest error, and its errors of all folds.
fn best_iteration(histories: &[Vec<FoldError>]) -> (usize, Vec<FoldError>) {
    let iterations = histories.iter().map(Vec::len).min().unwrap_or(1);
    let at =
        |iteration: usize| -> Vec<FoldError> { histories.iter().map(|errors| errors[iteration]).collect() };
    let errors: Vec<Vec<FoldError>> = (0..iterations).map(at).collect();
    let best = lowest(&errors);
    (best, at(best))
}

/// Index of the choice with the lowest error; the first one in case of a tie.
fn lowest(errors: &[Vec<FoldError>]) -> usize {
    let sum = |choice: &usize| errors[*choice].iter().map(|fold| fold.mean).sum::<f64>();
    let lowest = (0..errors.len()).min_by(|a, b| sum(a).total_cmp(&sum(b)));
    lowest.expect("invariant: at least one candidate was tried")
}

/// Index of the first choice, which are in ascending order of complexity, whose mean error exceeds the lowest one by at
/// most one standard error.
fn simplest(errors: &[Vec<FoldError>]) -> usize {
    let error = |choice: usize| MeanWithError::of(errors[choice].iter().map(|fold| fold.mean));
    let lowest = lowest(errors);
    let limit = error(lowest).limit();
    (0..lowest).find(|choice| error(*choice).mean <= limit).unwrap_or(lowest)
}
