//! Timing of training runs.

use super::shapes::{BenchShape, SampleKind, Training};
use crate::device::{Ceilings, Measurement, MinimumWork, median_host_seconds};
use fuzzion::internals::sonfin::{EpochStats, Learner, ScaledSamples, TrainingRun, order};
use fuzzion::{Device, Progress, Result};
use std::time::Instant;

/// Rules × inputs × samples of a timed run on one thread.
const WORK: usize = 20_000_000;

/// Device and context of a benchmark.
pub(super) struct BenchSetup<'a> {
    pub(super) device: &'a Device,
    pub(super) progress: &'a Progress,
    pub(super) ceilings: Ceilings,
    pub(super) name: &'static str,
}

impl BenchSetup<'_> {
    /// Times `learner` on samples of one shape; `plain` is the time of the plain loop.
    pub(super) fn time_learning(
        &self,
        shape: BenchShape,
        kind: SampleKind,
        name: &str,
        plain: Option<f64>,
        learner: &mut dyn Learner,
    ) -> Result<Measurement> {
        let BenchShape { dims, rules, outputs } = shape;
        let order = order(shape.rows(), 1);
        let order = &order[..(WORK / (dims * rules)).clamp(16, order.len())];
        let run = || TrainingRun { order, settings: shape.step_settings(), replay: None };
        let seconds = median_host_seconds(self.progress, || Ok(learner.learn(&[run()]).map(drop)?))?;
        let n = order.len() as f64;
        let name = format!("sonfin/learn/{dims}x{rules}/{outputs}o/{}/{name}", kind.name());
        let mut measurement = Measurement::new(
            name,
            self.device,
            seconds,
            (n, "samples/s"),
            minimum_work(n, dims, rules),
            &self.ceilings,
        );
        let per_sample = format!("{:.2} µs per sample", seconds / n * 1e6);
        measurement.note = Some(match plain {
            Some(plain) => format!("{per_sample}, {:.1}× as fast as the plain loop", plain / seconds),
            None => per_sample,
        });
        Ok(measurement)
    }

    /// Times a complete training run.
    pub(super) fn time_training(
        &self,
        training: Training,
        samples: &ScaledSamples,
        learner: &mut dyn Learner,
    ) -> Result<Measurement> {
        let Training { name, dims, rules, epochs, .. } = training;
        let start = Instant::now();
        let mut last = EpochStats::default();
        for epoch in 0..epochs {
            self.progress.report(epoch as u64, epochs as u64)?;
            let order = order(samples.rows(), epoch as u64);
            let run = TrainingRun { order: &order, settings: training.step_settings(), replay: None };
            last = learner.learn(&[run])?.remove(0);
        }
        let seconds = start.elapsed().as_secs_f64();
        let n = (epochs * samples.rows()) as f64;
        let final_rules = learner.network(0)?.rules();
        let floor = minimum_work(n, dims, final_rules);
        let name = format!("sonfin/train/{name}/{}x{dims}/{rules}r/{epochs} epochs", samples.rows());
        let mut measurement =
            Measurement::new(name, self.device, seconds, (n, "samples/s"), floor, &self.ceilings);
        measurement.runs = 1;
        measurement.note = Some(format!(
            "{:.1} µs per sample, {final_rules} rules, {:.1} % misclassified in the last epoch",
            seconds / n * 1e6,
            100.0 * last.misclassified as f64 / samples.rows() as f64,
        ));
        Ok(measurement)
    }
}

/// Two multiply-adds per sample, rule and input; fewer are needed if the distances of a block of rules are abandoned
/// early.
pub(super) fn minimum_work(samples: f64, dims: usize, rules: usize) -> MinimumWork {
    MinimumWork { operations_f32: 4.0 * samples * (dims * rules) as f64, ..MinimumWork::default() }
}
