//! The training loop: initial structure, epochs, selection of the best epoch and checkpoints.

use super::backend::BackEnd;
use super::learner::{BatchLearner, BatchRun, TrainingRun};
use super::model::Model;
use super::settings::Sonfin;
use super::training::evaluate::network_error;
use super::training::prepare::Prepared;
use super::training::report::{SonfinEpoch, SonfinReport, SonfinWarning};
use super::training::schedule::{MIN_WIDTH, Split};
use super::training::state::{BestEpoch, TrainingState};
use super::training::structure::{WidthSettings, gamma_for_budget, grow_rules, median_distance};
use super::training::usage::mean_firing_strengths;
use super::types::adam::Adam;
use super::types::network::Network;
use super::types::options::{Growth, Optimizer};
use super::types::scale::Scale;
use super::types::scaled_samples::ScaledSamples;
use crate::device::{Cpu, Device};
use crate::progress::Progress;
use crate::sonfin::error::{Result, SonfinError};
use std::time::Instant;

/// Samples between two progress reports; rounded to whole batches for Adam.
const CHUNK: usize = 4096;

/// Callback that receives the model after each epoch and on interruption.
pub(super) type Checkpoint<'a> = &'a mut dyn FnMut(&Model) -> Result<()>;

/// Trains a model on prepared rows.
pub(super) fn fit_prepared(
    sonfin: &Sonfin,
    prepared: &Prepared,
    back_end: &BackEnd<'_>,
    checkpoint: Checkpoint<'_>,
) -> Result<Model> {
    let mut model = Model::untrained(sonfin, prepared, back_end.device);
    continue_training(&mut model, back_end, checkpoint)?;
    Ok(model)
}

impl Model {
    /// A model without rules.
    pub(super) fn untrained(sonfin: &Sonfin, prepared: &Prepared, device: &Device) -> Self {
        let warnings = match prepared.constant.is_empty() {
            true => Vec::new(),
            false => vec![SonfinWarning::Constant(prepared.constant.clone())],
        };
        let report = SonfinReport {
            rules: 0,
            epochs: 0,
            best_epoch: 0,
            train_error: 0.0,
            validation_error: None,
            us_per_sample: 0.0,
            seconds: 0.0,
            mapping: sonfin.mapping,
            device: device.with_first_gpu().to_string(), // which trains a single network
            history: Vec::new(),
            warnings,
            trials: Vec::new(),
        };
        Model {
            inputs: prepared.inputs.clone(),
            outputs: prepared.targets.clone(),
            classes: prepared.classes.clone(),
            report,
            state: TrainingState::new(sonfin, &prepared.samples),
            scale: prepared.scale.clone(),
            linear: None,
            mean_firing_strengths: Vec::new(),
        }
    }

    /// Adds a warning if the rule limit was reached.
    fn warn_if_full(&mut self) {
        let (settings, rules) = (&self.state.settings, self.report.rules);
        let warning = SonfinWarning::RuleLimit(rules);
        let full = rules >= settings.max_rules && !matches!(settings.growth, Growth::Budget(_));
        if full && !self.report.warnings.contains(&warning) {
            self.report.warnings.push(warning);
        }
    }

    /// Copies the training state to the report.
    fn update_report(&mut self, clock: &Clock) {
        let (state, report) = (&mut self.state, &mut self.report);
        state.seconds = clock.seconds();
        report.rules = state.result_network().rules();
        report.epochs = state.epoch;
        report.seconds = state.seconds;
        report.us_per_sample = 1e6 * state.seconds / state.seen.max(1) as f64;
        report.history.clone_from(&state.history);
        report.best_epoch = state.best.as_ref().map_or(state.epoch, |best| best.epoch);
        if let Some(point) = report.best_epoch.checked_sub(1).and_then(|epoch| state.history.get(epoch)) {
            (report.train_error, report.validation_error) = (point.train_error, point.validation_error);
        }
    }
}

/// Training time, including earlier sessions.
struct Clock {
    before: f64,
    since: Instant,
}

impl Clock {
    fn seconds(&self) -> f64 {
        self.before + self.since.elapsed().as_secs_f64()
    }
}

/// Trains the remaining epochs.
pub(super) fn continue_training(
    model: &mut Model,
    back_end: &BackEnd<'_>,
    checkpoint: Checkpoint<'_>,
) -> Result<()> {
    let (samples, device) = (back_end.samples, back_end.device);
    model.mean_firing_strengths.clear();
    let clock = Clock { before: model.state.seconds, since: Instant::now() };
    let split = Split::new(&model.state.settings, samples);
    let (cpu, progress) = (device.host_cpu(), device.progress());
    let mapping = model.state.settings.mapping;
    model.state.prefetch(back_end);
    if model.state.network.rules() == 0 {
        model.state.initialize(samples, &split, cpu, progress)?;
    }
    let adam = if model.state.is_done() { None } else { model.state.start_adam() };
    let mut learner = back_end.learner(std::slice::from_ref(&model.state.network), mapping)?;
    if let Some(adam) = adam {
        learner.set_adam(vec![adam])?;
    }
    let context = EpochContext { samples, split: &split, progress };
    let outcome = loop {
        if model.state.is_done() {
            break Ok(());
        }
        if let Err(error) = context.run_epoch(&mut model.state, &mut *learner, &model.scale) {
            break Err(error);
        }
        model.report.mapping = learner.mapping().unwrap_or(mapping);
        model.update_report(&clock);
        checkpoint(model)?;
    };
    if matches!(outcome, Ok(()) | Err(SonfinError::Interrupted)) && model.state.result_network().rules() > 0 {
        learner.replace(0, model.state.result_network())?;
        let classes = model.state.settings.classify.is_some();
        let train = network_error(
            &mut *learner,
            0,
            samples,
            &split.training,
            &model.scale,
            classes,
            model.score_offset(),
        )?;
        model.update_report(&clock);
        model.report.train_error = train;
        model.mean_firing_strengths = mean_firing_strengths(model.state.result_network(), samples, cpu);
        model.warn_if_full();
        if outcome.is_err() {
            checkpoint(model)?;
        }
    }
    outcome
}

/// Data and resources of an epoch.
struct EpochContext<'a> {
    samples: &'a ScaledSamples,
    split: &'a Split,
    progress: &'a Progress,
}

impl EpochContext<'_> {
    /// Trains the rest of the current epoch and updates the best network.
    fn run_epoch(
        &self,
        state: &mut TrainingState,
        learner: &mut dyn BatchLearner,
        scale: &Scale,
    ) -> Result<()> {
        let order = self.split.order(state.settings.seed, state.epoch);
        let adam_settings = state.settings.adam_settings(order.len());
        let chunk = adam_settings
            .map_or(CHUNK, |adam_settings| (CHUNK / adam_settings.batch).max(1) * adam_settings.batch);
        let total = order.len().saturating_mul(state.settings.epochs) as u64;
        while state.position < order.len() {
            let rows = &order[state.position..order.len().min(state.position + chunk)];
            let stats = match adam_settings {
                Some(settings) => learner.learn_batches(&[BatchRun { order: rows, settings }])?,
                None => {
                    let run = TrainingRun { order: rows, settings: state.step_settings(), replay: None };
                    learner.learn(&[run])?
                }
            };
            state.position += rows.len();
            state.seen += rows.len() as u64;
            state.loss += stats[0].loss;
            state.misclassified += stats[0].misclassified;
            if let Err(error) = self
                .progress
                .report(order.len().saturating_mul(state.epoch).saturating_add(state.position) as u64, total)
            {
                state.update_from(learner)?;
                return Err(error.into());
            }
        }
        state.update_from(learner)?;
        let rows = &self.split.validation;
        let validation = match rows.is_empty() {
            true => None,
            false => {
                let classes = state.settings.classify.is_some();
                Some(network_error(learner, 0, self.samples, rows, scale, classes, None)?)
            }
        };
        state.end_epoch(order.len(), validation, scale);
        Ok(())
    }
}

impl TrainingState {
    /// Initial state, before training.
    pub(super) fn new(sonfin: &Sonfin, samples: &ScaledSamples) -> Self {
        TrainingState {
            settings: sonfin.clone(),
            network: Network::empty(samples.dims, samples.outputs),
            adam: None,
            best: None,
            epoch: 0,
            position: 0,
            loss: 0.0,
            misclassified: 0,
            history: Vec::new(),
            first_width: 1.0,
            ln_threshold: 0.0,
            seen: 0,
            seconds: 0.0,
            data_checksum: samples.checksum(),
        }
    }

    /// Determines the width of the first rule and the threshold, and adds the initial rules.
    pub(super) fn initialize(
        &mut self,
        samples: &ScaledSamples,
        split: &Split,
        cpu: &Cpu,
        progress: &Progress,
    ) -> Result<()> {
        let settings = &self.settings;
        let order = split.order(settings.seed, 0);
        let beta = settings.scaled_beta(samples.dims);
        self.first_width = (beta * median_distance(samples, &order, cpu.simd())).max(MIN_WIDTH);
        let widths = WidthSettings { beta, first: self.first_width, min: MIN_WIDTH };
        let gamma = match settings.growth {
            Growth::Threshold { threshold, .. } => settings.beta as f32 * (-threshold.ln()).sqrt() as f32,
            Growth::Gamma(gamma) => gamma as f32,
            Growth::Budget(_) | Growth::Auto => {
                let rules = settings.rule_limit().min(order.len()).max(1);
                gamma_for_budget(samples, &order, rules, widths, cpu, progress)?
            }
        };
        self.ln_threshold = match settings.growth {
            Growth::Threshold { threshold, .. } => threshold.ln() as f32,
            _ => -(gamma / beta).powi(2),
        };
        // With other settings, rules are added during training.
        if matches!(settings.growth, Growth::Budget(_))
            || matches!(settings.optimizer, Optimizer::Adam { .. })
        {
            let gamma = beta * (-self.ln_threshold).sqrt();
            let max_rules = settings.rule_limit();
            self.network = grow_rules(samples, &order, gamma, max_rules, widths, cpu.simd(), progress)?;
        }
        Ok(())
    }

    /// State of Adam, if it is the optimizer. A new one multiplies the consequents if a softmax follows.
    pub(super) fn start_adam(&mut self) -> Option<Adam> {
        let TrainingState { adam, network, settings, .. } = self;
        matches!(settings.optimizer, Optimizer::Adam { .. })
            .then(|| adam.get_or_insert_with(|| Adam::new(network, settings.gates, settings.loss())).clone())
    }

    /// Copies the network and the state of Adam from the learner.
    fn update_from(&mut self, learner: &mut dyn BatchLearner) -> Result<()> {
        self.network = learner.network(0)?;
        if let Some(adam) = &mut self.adam {
            *adam = learner.adam(0)?;
        }
        Ok(())
    }

    /// Starts compiling the kernels of the training.
    fn prefetch(&self, back_end: &BackEnd<'_>) {
        let rules = [self.settings.rule_limit().max(self.network.rules())];
        let (online, adam) = match self.settings.optimizer {
            Optimizer::Adam { .. } => (&[][..], &rules[..]),
            _ => (&rules[..], &[][..]),
        };
        back_end.prefetch(online, adam, self.settings.mapping);
    }

    /// Error on the samples of an epoch, each predicted just before its update.
    fn mean_error(&self, loss: f64, misclassified: u64, samples: usize, scale: &Scale) -> f64 {
        let n = samples as f64;
        match self.settings.classify {
            Some(_) => misclassified as f64 / n,
            None => scale.error_unit() * (2.0 * loss / (n * scale.target_span.len() as f64)).sqrt(),
        }
    }

    /// Completes an epoch of `samples` samples and updates the best network.
    fn end_epoch(&mut self, samples: usize, validation: Option<f64>, scale: &Scale) {
        let train = self.record_epoch(samples, validation, scale);
        let error = validation.unwrap_or(train);
        if self.best.as_ref().is_none_or(|best| error <= best.error) {
            self.best = Some(BestEpoch { network: self.network.clone(), error, epoch: self.epoch });
        }
    }

    /// Completes an epoch of `samples` samples; returns the error on the training rows.
    pub(super) fn record_epoch(&mut self, samples: usize, validation: Option<f64>, scale: &Scale) -> f64 {
        let train = self.mean_error(self.loss, self.misclassified, samples, scale);
        let point = SonfinEpoch {
            train_error: train,
            validation_error: validation,
            loss: self.loss / samples as f64,
            rules: self.network.rules(),
        };
        self.history.push(point);
        self.epoch += 1;
        (self.position, self.loss, self.misclassified) = (0, 0.0, 0);
        train
    }
}
