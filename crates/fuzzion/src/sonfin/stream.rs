//! Samples that never end: each is learned once, in its order.

use super::course::Split;
use super::errors::error_of;
use super::learner::Lesson;
use super::model::Model;
use super::prepare::{Prepared, samples_for};
use super::samples::Samples;
use super::settings::{Growth, Optimizer};
use super::sonfin::{Sonfin, cpu_of, learner};
use crate::data::Table;
use crate::device::Device;
use crate::error::{Error, Result};
use std::time::Instant;

/// How a stretch of a stream went.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Streamed {
    /// How many samples it was.
    pub samples: usize,
    /// The error over them before any of them was learned, as in a [`Report`](super::Report); of the first of a stream, after.
    pub error: f64,
    /// How many rules were added.
    pub added: usize,
    /// How many there are now.
    pub rules: usize,
}

/// A model of the first rows of a stream.
pub(super) fn begin(sonfin: &Sonfin<'_>, table: &Table, targets: &[&str], device: &Device) -> Result<Model> {
    if matches!(sonfin.optimizer, Optimizer::Adam { .. }) {
        return Err(Error::NotTogether { a: "a stream", b: "Adam, which sees samples again and again" });
    }
    let sonfin = Sonfin { validation: 0.0, ..sonfin.clone() };
    sonfin.check()?;
    let prepared = Prepared::new(&sonfin, table, targets)?;
    let mut model = Model::unlearned(&sonfin, &prepared, device);
    let split = Split::new(&sonfin, prepared.samples.rows());
    model.state.prepare(&prepared.samples, &split, &cpu_of(device)?, sonfin.progress)?;
    // A budget is met while it streams.
    model.state.network = super::network::Network::empty(prepared.samples.dims, prepared.samples.outputs);
    model.learn_once(&prepared.samples, device)?;
    Ok(model)
}

impl Model {
    /// Learns more samples on-line, each once and in this order, and adds rules where they are new. Parts of a stream teach
    /// the same as all of it at once, to the bit. Classes and scaling stay what they were; rates and thresholds are those
    /// that the fit ended with.
    ///
    /// # Errors
    /// [`Error::UnknownColumn`], [`Error::NotFinite`], [`Error::LearnedColumn`] for a column that does not fit and for a class
    /// that was not learned.
    pub fn partial_fit(&mut self, samples: &Table, device: &Device) -> Result<Streamed> {
        let samples = samples_for(self, samples)?;
        self.learn_once(&samples, device)
    }

    fn learn_once(&mut self, samples: &Samples, device: &Device) -> Result<Streamed> {
        let clock = Instant::now();
        let state = &mut self.state;
        let mut course = state.course();
        if !matches!(state.settings.growth, Growth::Threshold { .. }) {
            course.ln_threshold = state.ln_threshold;
        }
        let before = state.kept().rules();
        let mut learner =
            learner(samples, std::slice::from_ref(state.kept()), device, state.settings.mapping)?;
        let order: Vec<u32> = (0..samples.rows() as u32).collect();
        let classes = state.settings.classify.is_some();
        let unseen = match before {
            0 => None,
            _ => Some(error_of(&mut *learner, 0, samples, &order, &self.scale, classes)?),
        };
        learner.learn(&[Lesson { order: &order, course, replay: None }])?;
        state.network = learner.network(0)?;
        // What was the best belongs to the rows of the fit, and Adam's means to its parameters.
        (state.best, state.adam) = (None, None);
        self.shares.clear();
        state.seen += order.len() as u64;
        state.seconds += clock.elapsed().as_secs_f64();
        let error = match unseen {
            Some(error) => error,
            None => error_of(&mut *learner, 0, samples, &order, &self.scale, classes)?,
        };
        let rules = state.network.rules();
        let report = &mut self.report;
        (report.rules, report.train_error, report.validation_error) = (rules, error, None);
        report.seconds = state.seconds;
        report.us_per_sample = 1e6 * state.seconds / state.seen as f64;
        Ok(Streamed { samples: order.len(), error, added: rules - before, rules })
    }
}
