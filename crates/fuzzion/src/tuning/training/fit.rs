//! Training: from settings and samples to a tuned system.

use crate::base::SettingError;
use crate::data::{DataError, Samples, host_samples};
use crate::device::{Cpu, Device};
use crate::tuning::algorithm::{fit_consequents, gradient_descent, scale_for_softmax};
use crate::tuning::error::{Result, TuningError};
use crate::tuning::export;
use crate::tuning::initial;
use crate::tuning::model::TunedSystem;
use crate::tuning::network::Network;
use crate::tuning::network::antecedents::Antecedents;
use crate::tuning::report::build::build_report;
use crate::tuning::report::{PathPoint, TuningReport};
use crate::tuning::settings::{Classify, InitialRules, TrainingMethod, Tuner};
use crate::tuning::training::backend::Backend;
use crate::tuning::training::calibrate::{HeldOutRows, calibration, trained_folds};
use crate::tuning::training::descent::{Descent, DescentSettings};
use crate::tuning::training::dispatch::{backend_for, device_for, prefetch};
use crate::tuning::training::levenberg_marquardt::levenberg_marquardt;
use crate::tuning::training::loss::{Gradient, Loss};
use crate::tuning::training::prepare::{PreparedData, input_columns};
use crate::tuning::training::readable;
use crate::tuning::training::recursive;
use crate::tuning::training::recursive::evaluated;
use crate::tuning::training::samples::ScaledSamples;
use crate::tuning::training::shrinkage::merge::{self, SIMILARITIES, merged};
use crate::tuning::training::shrinkage::{TOLERANCE, shrink_consequents};
use crate::tuning::training::tree::{Tree, TreeSettings, fit_tree};
use std::time::Instant;

/// Minimum ridge if there are fewer rows than unknowns.
const MIN_RIDGE_FOR_FEW_ROWS: f64 = 1e-6;

/// Maximum number of rows for the lowest firing strength.
const MAX_STRENGTH_ROWS: usize = 20_000;

/// Result of training, in scaled coordinates.
pub(in crate::tuning) struct TrainingResult {
    /// Antecedents before tuning.
    pub(in crate::tuning) initial_antecedents: Antecedents,
    pub(in crate::tuning) descent: Descent,
    /// Cross-validation errors of a tree, in scaled units.
    path: Vec<PathPoint>,
    /// Networks of the folds of a tree.
    pub(in crate::tuning) folds: Vec<HeldOutRows>,
}

impl Tuner {
    /// Learns the columns named in `targets` from the input columns, with the weights of `samples`, if any.
    ///
    /// Several GPUs share the rows: in every iteration, their sums are added on the host, in the order of the GPUs, so that
    /// the result agrees with that of one GPU up to rounding. With few rows and consequents, one GPU is faster, because it
    /// performs many iterations without the host. Methods that [run on the
    /// CPU only](TrainingMethod::is_cpu_only) do not use a GPU.
    ///
    /// ```
    /// use fuzzion::{Device, Samples, tuning::Tuner};
    /// let values = [0.0, 0.0, 1.0, 2.0, 2.0, 4.0, 3.0, 9.0]; // columns c1 and c2; c2 = 2·c1 except in the last row
    /// let samples = Samples::new(2, &values)?.with_weights(&[1.0, 1.0, 1.0, 0.0])?;
    /// let tuned = Tuner::grid(&[1]).iterations(0).fit(samples, &["c2"], &Device::cpu()?)?;
    /// assert!(tuned.report.rmse < 1e-6); // the row of weight 0 does not count
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`SettingError::OutOfRange`], [`SettingError::Conflict`], [`DataError::UnknownColumn`],
    /// [`DataError::TrainingColumn`], [`DataError::NotFinite`], [`DataError::ClassCount`],
    /// [`DataError::SampleWeight`] if all weights are 0, [`TuningError::SetCount`], [`TuningError::TooManyRules`],
    /// [`TuningError::TooFewRows`], [`TuningError::TooManyParameters`],
    /// [`InferenceError::InvalidSystem`](crate::inference::InferenceError::InvalidSystem) if the initial system cannot
    /// be tuned, clustering errors, and [`TuningError::Interrupted`].
    pub fn fit<'a>(
        &self,
        samples: impl Into<Samples<'a>>,
        targets: &[&str],
        device: &Device,
    ) -> Result<TunedSystem> {
        fit(self, &host_samples(samples)?, targets, device)
    }
}

/// Validates the settings, trains, and builds the report.
pub(in crate::tuning) fn fit(
    tuner: &Tuner,
    samples: &Samples<'_>,
    targets: &[&str],
    device: &Device,
) -> Result<TunedSystem> {
    tuner.check()?;
    let device = &device_for(tuner, (samples.rows(), samples.columns()), device);
    prefetch_early(tuner, samples, targets, device);
    let prepared = PreparedData::new(tuner, samples, targets, device.host_cpu())?;
    let clock = Instant::now();
    let mut backend = backend_for(&prepared.samples, f64::INFINITY, device)?;
    let result = train(tuner, &prepared, &prepared.samples, &mut *backend, device)?;
    let seconds = clock.elapsed().as_secs_f64();
    let mut report =
        TuningReport { seconds, ..build_report(tuner, &prepared, &result.descent, &mut *backend, device)? };
    let unit = prepared.scale.target_span[0];
    let in_units = |point: &PathPoint| PathPoint {
        rmse: unit * point.rmse,
        standard_error: unit * point.standard_error,
        ..*point
    };
    report.path = result.path.iter().map(in_units).collect();
    drop(backend);
    let folds = if tuner.intervals { held_out_rows(tuner, &prepared, &result, device)? } else { Vec::new() };
    let calibration = calibration((tuner, report.bounded), &prepared, &folds, device)?;
    let min_ln_strength = min_ln_strength(&result.descent.best_network, &prepared.samples);
    let tuned = tuned_system(tuner, prepared, result, report)?;
    Ok(TunedSystem { calibration, min_ln_strength, ..tuned })
}

/// The rows that calibrate prediction intervals: the validation rows if they had no influence on training, or else the rows of
/// all folds, which are trained for as many iterations as the result.
fn held_out_rows(
    tuner: &Tuner,
    prepared: &PreparedData,
    result: &TrainingResult,
    device: &Device,
) -> Result<Vec<HeldOutRows>> {
    let (samples, descent) = (&prepared.samples, &result.descent);
    let has_validation = samples.training < samples.rows();
    let chooses_iteration = has_validation && descent.history.len() > 1;
    if has_validation && !chooses_iteration {
        let rows = (samples.training..samples.rows()).collect();
        return Ok(vec![HeldOutRows { network: result.descent.best_network.clone(), rows }]);
    }
    if !result.folds.is_empty() {
        return Ok(result.folds.clone());
    }
    let best = descent.history.len().saturating_sub(1 + descent.iterations_since_best);
    let iterations = if chooses_iteration { best } else { tuner.iterations };
    let tuner = &Tuner { iterations, ..tuner.clone() };
    let folds = trained_folds(tuner, samples, |samples| {
        let mut backend = backend_for(samples, f64::INFINITY, device)?;
        Ok(train(tuner, prepared, samples, &mut *backend, device)?.descent.best_network)
    })?;
    Ok(folds.unwrap_or_default())
}

/// Lowest log firing strength of the strongest rule among the training rows.
fn min_ln_strength(network: &Network, samples: &ScaledSamples) -> Option<f64> {
    let step = samples.training.div_ceil(MAX_STRENGTH_ROWS).max(1);
    let rows = (0..samples.training).step_by(step).filter(|row| samples.weight(*row) > 0.0);
    let strengths = rows.map(|row| network.antecedents.ln_strength(&samples.inputs_of(row)));
    strengths.reduce(f64::min).filter(|strength| strength.is_finite())
}

/// Starts compiling the kernels of the fit before its data are prepared, if the number of rules does not depend on them.
fn prefetch_early(tuner: &Tuner, samples: &Samples<'_>, targets: &[&str], device: &Device) {
    if tuner.classify.is_some() {
        return; // the number of outputs is the number of classes
    }
    // Invalid columns and settings are reported when they are used.
    let names: Vec<String> = targets.iter().map(|target| (*target).to_owned()).collect();
    let Ok(inputs) = input_columns(tuner, samples, &names) else { return };
    let Some(antecedents) = initial::with_initial_shape(tuner, inputs.len()) else { return };
    let network = Network::new(antecedents, tuner.order, targets.len());
    let shape = (samples.rows(), samples.weights().is_some());
    prefetch(tuner, &descent_settings(tuner), &network, shape, device);
}

/// Converts a training result to the units of the data.
pub(in crate::tuning) fn tuned_system(
    tuner: &Tuner,
    prepared: PreparedData,
    result: TrainingResult,
    report: TuningReport,
) -> Result<TunedSystem> {
    let PreparedData { inputs, targets, classes, scale, .. } = prepared;
    let network = result.descent.best_network;
    let outputs = export::OutputNames::of(&targets, &classes);
    let (softmax, bounded) = (tuner.classify == Some(Classify::CrossEntropy), report.bounded);
    Ok(TunedSystem {
        system: export::bounded_system(&network, &scale, &inputs, outputs, bounded)?,
        report,
        inputs,
        targets,
        classes,
        network,
        scale,
        initial_antecedents: result.initial_antecedents,
        missing: tuner.missing,
        bounded,
        softmax,
        calibration: None,
        min_ln_strength: None,
    })
}

/// Trains on `samples`, which are all or some of the samples of `prepared`.
pub(in crate::tuning) fn train(
    tuner: &Tuner,
    prepared: &PreparedData,
    samples: &ScaledSamples,
    backend: &mut dyn Backend,
    device: &Device,
) -> Result<TrainingResult> {
    if let InitialRules::Tree { max_rules, max_conditions } = tuner.initial_rules {
        let is_logistic = tuner.classify == Some(Classify::CrossEntropy);
        let Tuner { order, seed, .. } = *tuner;
        let settings = TreeSettings { max_rules, max_conditions, order, is_logistic, seed };
        let Tree { network, path, folds } = fit_tree(samples, settings, device)?;
        let initial_antecedents = network.antecedents.clone();
        let descent = evaluated(network, backend, &descent_settings(tuner))?;
        return Ok(TrainingResult { initial_antecedents, descent, path, folds });
    }
    let initial_antecedents = initial::antecedents(tuner, prepared, samples, backend, device)?;
    let mut network = Network::new(initial_antecedents.clone(), tuner.order, samples.targets.len());
    check_rules(tuner, prepared, &network, samples.training)?;
    let settings = descent_settings(tuner);
    prefetch(tuner, &settings, &network, (samples.rows(), samples.weights.is_some()), device);
    let descent = match tuner.method {
        TrainingMethod::RecursiveLeastSquares(forgetting) => {
            recursive::one_pass(samples, backend, network, &settings, forgetting)?
        }
        TrainingMethod::LevenbergMarquardt => {
            let ill_conditioned = fit_consequents(backend, &mut network, tuner.training_ridge())?;
            levenberg_marquardt(samples, backend, network, &settings, ill_conditioned, device)?
        }
        TrainingMethod::Hybrid | TrainingMethod::Gradient => {
            let ill_conditioned = fit_consequents(backend, &mut network, tuner.training_ridge())?;
            if tuner.ridge.is_none() && settings.solve_every == 0 {
                // Gradient steps change the consequents of rules with few rows little.
                let start = backend.loss_and_gradient(&network, Loss::SquaredError)?;
                shrink_consequents(
                    backend,
                    &mut network,
                    start.squares[0] / start.weight[0],
                    device.host_cpu(),
                )?;
            }
            if settings.loss == Loss::CrossEntropy {
                scale_for_softmax(backend, &mut network, &settings)?;
            }
            gradient_descent(backend, network, &settings, tuner.step, ill_conditioned, device.progress())?
        }
    };
    let descent = match tuner.method {
        TrainingMethod::LevenbergMarquardt | TrainingMethod::Hybrid
            if tuner.ridge.is_none() && settings.loss == Loss::SquaredError =>
        {
            simplified(tuner, descent, backend, device.host_cpu())?
        }
        _ => descent,
    };
    Ok(TrainingResult { initial_antecedents, descent, path: Vec::new(), folds: Vec::new() })
}

/// The descent with shrunk consequents of its best network and, for rules from clusters, with fewer sets.
fn simplified(tuner: &Tuner, mut descent: Descent, backend: &mut dyn Backend, cpu: &Cpu) -> Result<Descent> {
    let squares = descent.best_squares()[0];
    let Some((score, mut has_changed)) =
        shrink_consequents(backend, &mut descent.best_network, squares, cpu)?
    else {
        return Ok(descent);
    };
    let similarities: &[f64] = if merge::applies_to(tuner) { &SIMILARITIES } else { &[] };
    for similarity in similarities {
        let Some(antecedents) = merged(&descent.best_network.antecedents, *similarity) else { break };
        let mut network = Network::new(antecedents, tuner.order, descent.best_network.outputs);
        fit_consequents(backend, &mut network, tuner.training_ridge())?;
        let Gradient { squares, weight, .. } = backend.loss_and_gradient(&network, Loss::SquaredError)?;
        let new_score = shrink_consequents(backend, &mut network, squares[0] / weight[0], cpu)?;
        if new_score.is_some_and(|(new_score, _)| new_score <= TOLERANCE * score) {
            (descent.best_network, has_changed) = (network, true);
            break;
        }
    }
    if has_changed {
        let Gradient { squares, weight, .. } =
            backend.loss_and_gradient(&descent.best_network, Loss::SquaredError)?;
        descent.changed_squares = Some([squares[0] / weight[0], squares[1] / weight[1]]);
    }
    Ok(descent)
}

/// Descent settings for a tuner.
fn descent_settings(tuner: &Tuner) -> DescentSettings {
    let softmax = tuner.classify == Some(Classify::CrossEntropy);
    let solves = tuner.method == TrainingMethod::Hybrid && !softmax;
    DescentSettings {
        iterations: tuner.iterations,
        solve_every: if solves { tuner.solve_every } else { 0 },
        rate: tuner.initial_rate(),
        ridge: tuner.training_ridge(),
        readable: tuner.readable,
        loss: if softmax { Loss::CrossEntropy } else { Loss::SquaredError },
        patience: tuner.patience,
    }
}

/// Rejects rules that cannot be trained with these settings.
fn check_rules(tuner: &Tuner, prepared: &PreparedData, network: &Network, training: usize) -> Result<()> {
    let antecedents = &network.antecedents;
    let tunes_sets =
        tuner.iterations > 0 && !matches!(tuner.method, TrainingMethod::RecursiveLeastSquares(_));
    if !antecedents.form.is_differentiable() && tunes_sets {
        let (algorithm, name) = ("tuning of triangles", "iterations");
        let must = "0 (least squares only), because triangles are not differentiable";
        return Err(SettingError::OutOfRange { algorithm, name, value: tuner.iterations as f64, must }.into());
    }
    let unknowns = network.unknowns();
    if training == 0 || (training < unknowns && tuner.training_ridge() < MIN_RIDGE_FOR_FEW_ROWS) {
        return Err(TuningError::TooFewRows { rows: training, unknowns });
    }
    if tuner.readable && matches!(tuner.initial_rules, InitialRules::Grid(_) | InitialRules::System(_)) {
        for (input, order) in readable::sets_by_center(antecedents).into_iter().enumerate() {
            let p = |set: usize| &antecedents.sets[set].parameters;
            if !order
                .windows(2)
                .all(|pair| readable::is_readable_pair(antecedents.form, p(pair[0]), p(pair[1])))
            {
                let problem = "has initial sets that are not readable: neighboring sets must cross at a membership from \
                               0.2 to 0.8; start from a grid or turn off `readable`";
                let name = prepared.inputs[input].clone();
                return Err(DataError::TrainingColumn { what: "input", name, problem }.into());
            }
        }
    }
    Ok(())
}
