//! From settings and a table to a learned network: structure, epochs, the best of them, and what was in between.

use super::adam::Adam;
use super::course::{LEAST_WIDTH, Split};
use super::errors::error_of;
use super::learner::{Learner, Lesson};
use super::model::Model;
use super::network::Network;
use super::prepare::{Prepared, samples_for};
use super::report::{Point, Report, Warning};
use super::samples::Samples;
use super::scale::Scale;
use super::settings::{Growth, Optimizer};
use super::sonfin::{Sonfin, cpu_of, learner};
use super::state::{Best, State};
use super::structure::{Widths, gamma_for, grown, typical_distance};
use super::uses::shares;
use crate::data::Table;
use crate::device::{Cpu, Device};
use crate::error::{Error, Result};
use crate::progress::Progress;
use std::time::Instant;

/// Samples between two looks at whether to go on, and what Adam rounds to whole batches.
const PIECE: usize = 4096;

/// Called with the model at the end of each epoch.
pub(super) type Checkpoint<'a> = &'a mut dyn FnMut(&Model) -> Result<()>;

/// Checks, grows, learns, and tells how it went.
pub(super) fn fit(
    sonfin: &Sonfin<'_>,
    table: &Table,
    targets: &[&str],
    device: &Device,
    checkpoint: Checkpoint<'_>,
) -> Result<Model> {
    sonfin.check()?;
    fit_prepared(sonfin, &Prepared::new(sonfin, table, targets)?, device, checkpoint)
}

/// The same for rows that are prepared already.
pub(super) fn fit_prepared(
    sonfin: &Sonfin<'_>,
    prepared: &Prepared,
    device: &Device,
    checkpoint: Checkpoint<'_>,
) -> Result<Model> {
    let mut model = Model::unlearned(sonfin, prepared, device);
    go_on(&mut model, &prepared.samples, device, sonfin.progress, checkpoint)?;
    Ok(model)
}

impl Model {
    /// A model without rules.
    pub(super) fn unlearned(sonfin: &Sonfin<'_>, prepared: &Prepared, device: &Device) -> Self {
        let warnings = match prepared.constant.is_empty() {
            true => Vec::new(),
            false => vec![Warning::Constant(prepared.constant.clone())],
        };
        let report = Report {
            rules: 0,
            epochs: 0,
            best_epoch: 0,
            train_error: 0.0,
            validation_error: None,
            us_per_sample: 0.0,
            seconds: 0.0,
            mapping: sonfin.mapping,
            device: device.to_string(),
            history: Vec::new(),
            warnings,
            trials: Vec::new(),
        };
        Model {
            inputs: prepared.inputs.clone(),
            outputs: prepared.targets.clone(),
            classes: prepared.classes.clone(),
            report,
            state: State::new(sonfin, &prepared.samples),
            scale: prepared.scale.clone(),
            shares: Vec::new(),
        }
    }

    /// Goes on with a fit that was interrupted, on the same rows: what comes out has the same bits as if nothing had
    /// happened. Where it is interrupted again, the model is as far as it came.
    ///
    /// # Errors
    /// [`Error::OtherRows`] where these are not the rows of the fit, and as [`Sonfin::fit`].
    pub fn resume(&mut self, samples: &Table, device: &Device, progress: Progress<'_>) -> Result<()> {
        self.resume_watched(samples, device, progress, &mut |_| Ok(()))
    }

    /// As [`Model::resume`], with a checkpoint as that of [`Sonfin::fit_watched`].
    ///
    /// # Errors
    /// As there.
    pub fn resume_watched(
        &mut self,
        samples: &Table,
        device: &Device,
        progress: Progress<'_>,
        checkpoint: &mut dyn FnMut(&Model) -> Result<()>,
    ) -> Result<()> {
        let samples = samples_for(self, samples)?;
        if samples.checksum() != self.state.rows {
            return Err(Error::OtherRows { rows: samples.rows() });
        }
        go_on(self, &samples, device, progress, checkpoint)
    }

    /// Warns where rules were added until there was no room.
    fn warn_if_full(&mut self) {
        let (settings, rules) = (&self.state.settings, self.report.rules);
        let warning = Warning::Full(rules);
        let full = rules >= settings.max_rules && !matches!(settings.growth, Growth::Budget(_));
        if full && !self.report.warnings.contains(&warning) {
            self.report.warnings.push(warning);
        }
    }

    /// Brings the report up to date.
    fn tell(&mut self, clock: &Clock) {
        let (state, report) = (&mut self.state, &mut self.report);
        state.seconds = clock.seconds();
        report.rules = state.kept().rules();
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

/// Seconds of this and earlier stretches of learning.
struct Clock {
    before: f64,
    since: Instant,
}

impl Clock {
    fn seconds(&self) -> f64 {
        self.before + self.since.elapsed().as_secs_f64()
    }
}

/// Learns what is left to learn.
fn go_on(
    model: &mut Model,
    samples: &Samples,
    device: &Device,
    progress: Progress<'_>,
    checkpoint: Checkpoint<'_>,
) -> Result<()> {
    model.shares.clear();
    let clock = Clock { before: model.state.seconds, since: Instant::now() };
    let split = Split::new(&model.state.settings, samples.rows());
    let cpu = cpu_of(device)?;
    if model.state.network.rules() == 0 {
        model.state.prepare(samples, &split, &cpu, progress)?;
    }
    let mapping = model.state.settings.mapping;
    let mut learner = learner(samples, std::slice::from_ref(&model.state.network), device, mapping)?;
    let work = Work { samples, split: &split, cpu: &cpu, progress };
    let outcome = loop {
        if model.state.is_done() {
            break Ok(());
        }
        if let Err(error) = work.epoch(&mut model.state, &mut *learner, &model.scale) {
            break Err(error);
        }
        model.report.mapping = learner.mapping().unwrap_or(mapping);
        model.tell(&clock);
        checkpoint(model)?;
    };
    if matches!(outcome, Ok(()) | Err(Error::Interrupted)) && model.state.kept().rules() > 0 {
        learner.replace(0, model.state.kept())?;
        let classes = model.state.settings.classify.is_some();
        let train = error_of(&mut *learner, 0, samples, &split.training, &model.scale, classes)?;
        model.tell(&clock);
        model.report.train_error = train;
        model.shares = shares(model.state.kept(), samples, &cpu);
        model.warn_if_full();
        if outcome.is_err() {
            checkpoint(model)?;
        }
    }
    outcome
}

/// What an epoch works on.
struct Work<'a> {
    samples: &'a Samples,
    split: &'a Split,
    cpu: &'a Cpu,
    progress: Progress<'a>,
}

impl Work<'_> {
    /// Learns the rest of the present epoch, and looks whether it was the best.
    fn epoch(&self, state: &mut State, learner: &mut dyn Learner, scale: &Scale) -> Result<()> {
        let order = self.split.order(state.settings.seed, state.epoch);
        let pace = state.settings.pace(order.len());
        let piece = pace.map_or(PIECE, |pace| (PIECE / pace.batch).max(1) * pace.batch);
        let total = (order.len() * state.settings.epochs) as u64;
        while state.position < order.len() {
            let rows = &order[state.position..order.len().min(state.position + piece)];
            let (loss, wrong) = match pace {
                Some(_) => state.learn_batches(self.samples, rows, order.len(), self.cpu),
                None => {
                    let lesson = Lesson { order: rows, course: state.course(), replay: None };
                    let tallies = learner.learn(&[lesson])?;
                    (tallies[0].loss, tallies[0].wrong)
                }
            };
            state.position += rows.len();
            state.seen += rows.len() as u64;
            state.loss += loss;
            state.wrong += wrong;
            if let Err(error) =
                self.progress.report((order.len() * state.epoch + state.position) as u64, total)
            {
                if pace.is_none() {
                    state.network = learner.network(0)?;
                }
                return Err(error);
            }
        }
        match pace {
            Some(_) => learner.replace(0, &state.network)?,
            None => state.network = learner.network(0)?,
        }
        let rows = &self.split.validation;
        let validation = match rows.is_empty() {
            true => None,
            false => {
                Some(error_of(learner, 0, self.samples, rows, scale, state.settings.classify.is_some())?)
            }
        };
        state.close(order.len(), validation, scale);
        Ok(())
    }
}

impl State {
    /// A fit that has not begun.
    pub(super) fn new(sonfin: &Sonfin<'_>, samples: &Samples) -> Self {
        State {
            settings: sonfin.unwatched(),
            network: Network::empty(samples.dims, samples.outputs),
            adam: None,
            best: None,
            epoch: 0,
            position: 0,
            loss: 0.0,
            wrong: 0,
            history: Vec::new(),
            first_width: 1.0,
            ln_threshold: 0.0,
            seen: 0,
            seconds: 0.0,
            rows: samples.checksum(),
        }
    }

    /// Finds the width of the first rule and the threshold, and adds the rules that must be there before learning.
    pub(super) fn prepare(
        &mut self,
        samples: &Samples,
        split: &Split,
        cpu: &Cpu,
        progress: Progress<'_>,
    ) -> Result<()> {
        let settings = &self.settings;
        let order = split.order(settings.seed, 0);
        let beta = settings.wide_beta(samples.dims);
        self.first_width = (beta * typical_distance(samples, &order, cpu.simd())).max(LEAST_WIDTH);
        let widths = Widths { beta, first: self.first_width, least: LEAST_WIDTH };
        let gamma = match settings.growth {
            Growth::Threshold { threshold, .. } => settings.beta as f32 * (-threshold.ln()).sqrt() as f32,
            Growth::Gamma(gamma) => gamma as f32,
            Growth::Budget(rules) => {
                let rules = rules.min(settings.max_rules).min(order.len()).max(1);
                gamma_for(samples, &order, rules, widths, cpu.simd(), progress)?
            }
        };
        self.ln_threshold = match settings.growth {
            Growth::Threshold { threshold, .. } => threshold.ln() as f32,
            _ => -(gamma / beta).powi(2),
        };
        let before = matches!(settings.growth, Growth::Budget(_));
        if before || matches!(settings.optimizer, Optimizer::Adam { .. }) {
            let gamma = beta * (-self.ln_threshold).sqrt();
            let most = settings.most_rules();
            self.network = grown(samples, &order, gamma, most, widths, cpu.simd(), progress)?;
        }
        Ok(())
    }

    /// Learns samples in batches, in epochs of so many samples; Σ of the losses, and how many were wrong.
    pub(super) fn learn_batches(
        &mut self,
        samples: &Samples,
        rows: &[u32],
        epoch: usize,
        cpu: &Cpu,
    ) -> (f64, u64) {
        let State { adam, network, settings, .. } = self;
        let Some(pace) = settings.pace(epoch) else { return (0.0, 0) };
        let adam = adam.get_or_insert_with(|| Adam::new(network, settings.gates, settings.loss()));
        adam.learn(network, samples, rows, &pace, cpu)
    }

    /// The error of samples, each just before it moved the rules.
    fn mean_error(&self, loss: f64, wrong: u64, samples: usize, scale: &Scale) -> f64 {
        let n = samples as f64;
        match self.settings.classify {
            Some(_) => wrong as f64 / n,
            None => scale.error_unit() * (2.0 * loss / (n * scale.target_span.len() as f64)).sqrt(),
        }
    }

    /// Ends an epoch of so many samples.
    fn close(&mut self, samples: usize, validation: Option<f64>, scale: &Scale) {
        let train = self.mean_error(self.loss, self.wrong, samples, scale);
        let point = Point {
            train_error: train,
            validation_error: validation,
            loss: self.loss / samples as f64,
            rules: self.network.rules(),
        };
        self.history.push(point);
        self.epoch += 1;
        (self.position, self.loss, self.wrong) = (0, 0.0, 0);
        let error = validation.unwrap_or(train);
        if self.best.as_ref().is_none_or(|best| error <= best.error) {
            self.best = Some(Best { network: self.network.clone(), error, epoch: self.epoch });
        }
    }
}
