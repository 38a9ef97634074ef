//! Training on a stream: each sample is used once, in order.

use super::evaluate::network_error;
use super::prepare::{Prepared, samples_for};
use super::schedule::Split;
use crate::base::SettingError;
use crate::data::{Samples, host_samples};
use crate::device::Device;
use crate::sonfin::backend::new_learner;
use crate::sonfin::error::Result;
use crate::sonfin::learner::TrainingRun;
use crate::sonfin::model::Model;
use crate::sonfin::settings::Sonfin;
use crate::sonfin::types::network::Network;
use crate::sonfin::types::options::{Growth, Optimizer};
use crate::sonfin::types::scaled_samples::ScaledSamples;
use serde::{Deserialize, Serialize};
use std::time::Instant;

/// Statistics of one part of a stream, returned by [`Model::partial_fit`].
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct StreamReport {
    /// Number of samples.
    pub samples: usize,
    /// Error on these samples before training on them, as in a [`SonfinReport`](crate::sonfin::SonfinReport); for the first
    /// part of a stream, after training.
    pub error: f64,
    /// Number of added rules.
    pub added: usize,
    /// Current number of rules.
    pub rules: usize,
}

impl Sonfin {
    /// Starts a model for a stream whose first rows are `samples`: they determine the classes and the input
    /// scaling, and each is learned once, in order. Continue with [`Model::partial_fit`].
    ///
    /// ```
    /// use fuzzion::{Device, Table, sonfin::{Growth, Sonfin}};
    /// let (device, rows) = (Device::cpu()?, |values: &[f64]| Table::new(["x", "y"], values.to_vec()));
    /// let sonfin = Sonfin::new().growth(Growth::Gamma(0.5));
    /// let mut model = sonfin.begin_stream(&rows(&[0.0, 10.0, 1.0, 20.0])?, &["y"], &device)?;
    /// let report = model.partial_fit(&rows(&[0.0, 10.0, 5.0, 60.0])?, &device)?;
    /// assert_eq!((report.samples, report.added, report.rules), (2, 1, 3)); // no rule covered x = 5
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Sonfin::fit`].
    pub fn begin_stream<'a>(
        &self,
        samples: impl Into<Samples<'a>>,
        targets: &[&str],
        device: &Device,
    ) -> Result<Model> {
        self.start_stream(&host_samples(samples)?, targets, device)
    }

    fn start_stream(&self, samples: &Samples<'_>, targets: &[&str], device: &Device) -> Result<Model> {
        if matches!(self.optimizer, Optimizer::Adam { .. }) {
            return Err(SettingError::Conflict {
                a: "a stream",
                b: "Adam, which needs several passes over the samples",
            }
            .into());
        }
        let sonfin = Sonfin { validation: 0.0, ..self.with_growth() };
        sonfin.check()?;
        let prepared = Prepared::new(&sonfin, samples, targets)?;
        let mut model = Model::untrained(&sonfin, &prepared, device);
        let split = Split::new(&sonfin, &prepared.samples);
        model.state.initialize(&prepared.samples, &split, device.host_cpu(), device.progress())?;
        // Even with a budget, rules are added while streaming.
        model.state.network = Network::empty(prepared.samples.dims, prepared.samples.outputs);
        model.train_once(&prepared.samples, device)?;
        Ok(model)
    }
}

impl Model {
    /// Continues online training on more samples, each used once and in this order; adds rules as needed. Training
    /// on a stream in parts is bit-identical to training on it at once. Classes and scaling do not change; learning
    /// rates and thresholds are those at the end of the fit; a network that has chosen its number of rules ([`Growth::Auto`])
    /// keeps its centers, widths and slopes. Of several GPUs, the first one is used.
    ///
    /// # Errors
    /// [`DataError::UnknownColumn`], [`DataError::NotFinite`], [`DataError::TrainingColumn`] for an unsuitable column or an
    /// unknown class, and [`SettingError::Conflict`] for sample weights and for a classifier that has chosen its number of
    /// rules ([`Growth::Auto`]), whose linear part cannot be trained online.
    ///
    /// [`DataError::UnknownColumn`]: crate::data::DataError::UnknownColumn
    /// [`DataError::NotFinite`]: crate::data::DataError::NotFinite
    /// [`DataError::TrainingColumn`]: crate::data::DataError::TrainingColumn
    pub fn partial_fit<'a>(
        &mut self,
        samples: impl Into<Samples<'a>>,
        device: &Device,
    ) -> Result<StreamReport> {
        if self.score_offset().is_some() {
            return Err(SettingError::Conflict {
                a: "training on more rows",
                b: "a classifier that has chosen its number of rules (fit it with a given number of rules)",
            }
            .into());
        }
        let samples = samples_for(self, &host_samples(samples)?)?;
        self.train_once(&samples, device)
    }

    fn train_once(&mut self, samples: &ScaledSamples, device: &Device) -> Result<StreamReport> {
        let clock = Instant::now();
        let state = &mut self.state;
        let mut settings = state.step_settings();
        if !matches!(state.settings.growth, Growth::Threshold { .. }) {
            settings.ln_threshold = state.ln_threshold;
        }
        if self.linear.is_some() {
            // Solved consequents can be large and of opposite signs; steps of the centers and widths would be too large.
            (settings.rate_m, settings.rate_s) = (0.0, 0.0);
        }
        let before = state.result_network().rules();
        let mut learner = new_learner(
            samples,
            std::slice::from_ref(state.result_network()),
            device,
            state.settings.mapping,
        )?;
        let order = samples.row_indices();
        let classes = state.settings.classify.is_some();
        let error_before = match before {
            0 => None,
            _ => Some(network_error(&mut *learner, 0, samples, &order, &self.scale, classes, None)?),
        };
        learner.learn(&[TrainingRun { order: &order, settings, replay: None }])?;
        state.network = learner.network(0)?;
        // The best epoch and the state of Adam belong to the previous network.
        (state.best, state.adam) = (None, None);
        self.mean_firing_strengths.clear();
        state.seen += order.len() as u64;
        state.seconds += clock.elapsed().as_secs_f64();
        let error = match error_before {
            Some(error) => error,
            None => network_error(&mut *learner, 0, samples, &order, &self.scale, classes, None)?,
        };
        let rules = state.network.rules();
        let report = &mut self.report;
        (report.rules, report.train_error, report.validation_error) = (rules, error, None);
        report.seconds = state.seconds;
        report.us_per_sample = 1e6 * state.seconds / state.seen as f64;
        Ok(StreamReport { samples: order.len(), error, added: rules - before, rules })
    }
}
