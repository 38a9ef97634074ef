//! Times of the stages of a command, for its summary.

use crate::format::format_seconds;
use fuzzion::data::StageTimes;
use serde_json::{Value, json};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

#[derive(Clone, Copy)]
pub(crate) enum Stage {
    Read,
    Compute,
    Write,
}

/// Times of the stages so far.
#[derive(Default)]
pub(crate) struct Stages(Mutex<State>);

#[derive(Default)]
struct State {
    times: Option<StageTimes>,
    current: Option<(Stage, Instant)>,
}

impl State {
    /// Ends the current stage.
    fn end(&mut self) {
        if let Some((stage, started)) = self.current.take() {
            let times = self.times.get_or_insert_default();
            *match stage {
                Stage::Read => &mut times.read,
                Stage::Compute => &mut times.compute,
                Stage::Write => &mut times.write,
            } += started.elapsed();
        }
    }
}

impl Stages {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Ends the current stage and begins another one.
    pub(crate) fn begin(&self, stage: Stage) {
        let mut state = self.lock();
        state.end();
        state.current = Some((stage, Instant::now()));
    }

    /// Ends the current stage.
    pub(crate) fn end(&self) {
        self.lock().end();
    }

    /// Adds the times of stages that worked at the same time; the current stage has to end before they begin.
    pub(crate) fn add(&self, added: StageTimes) {
        let mut state = self.lock();
        let times = state.times.get_or_insert_default();
        times.read += added.read;
        times.compute += added.compute;
        times.write += added.write;
    }

    /// Ends the current stage and returns all times; `None` if there was no stage.
    fn finish(&self) -> Option<StageTimes> {
        let mut state = self.lock();
        state.end();
        state.times
    }

    /// Adds the times, in seconds, and the `device` to a summary in JSON.
    pub(super) fn add_to_json(&self, summary: &mut Value, device: &str) {
        if let Some(times) = self.finish() {
            summary["device"] = json!(device);
            summary["read_seconds"] = json!(times.read.as_secs_f64());
            summary["compute_seconds"] = json!(times.compute.as_secs_f64());
            summary["write_seconds"] = json!(times.write.as_secs_f64());
        }
    }

    /// The line of a text summary with the times and the `device`.
    pub(super) fn line(&self, device: &str) -> String {
        let Some(times) = self.finish() else { return String::new() };
        let on_device = format!(" on {device}");
        let stages =
            [("read", times.read, ""), ("computed", times.compute, &on_device), ("written", times.write, "")];
        let stages = stages.iter().filter(|(_, time, _)| !time.is_zero());
        let stages =
            stages.map(|(name, time, on)| format!("{name} in {}{on}", format_seconds(time.as_secs_f64())));
        format!("\n{}\n", stages.collect::<Vec<_>>().join(", "))
    }
}
