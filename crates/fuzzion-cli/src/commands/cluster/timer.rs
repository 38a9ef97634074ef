//! Timing of the iterations of a fit.

use super::summary::Timing;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// Times the iterations of a fit.
pub(super) struct IterationTimer {
    started: Instant,
    ticks: Mutex<Ticks>,
}

/// Seconds since the start, and number of iterations, at some ticks.
#[derive(Default)]
struct Ticks {
    first: Option<f64>,
    /// The rows are converted during the first iteration, so that later ones are representative.
    second: Option<(f64, u64)>,
    last: (f64, u64),
    /// Number of iterations of the current fit; there may be several fits.
    done: u64,
}

impl IterationTimer {
    pub(super) fn start() -> Arc<Self> {
        Arc::new(IterationTimer { started: Instant::now(), ticks: Mutex::default() })
    }

    fn ticks(&self) -> MutexGuard<'_, Ticks> {
        self.ticks.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Records that `done` iterations of the current fit are done.
    pub(super) fn tick(&self, done: u64) {
        let now = self.started.elapsed().as_secs_f64();
        let ticks = &mut *self.ticks();
        let Some(_) = ticks.first else {
            (ticks.first, ticks.last) = (Some(now), (now, 0));
            return;
        };
        // A GPU may perform several iterations between two ticks.
        let iterations = ticks.last.1 + done.checked_sub(ticks.done).unwrap_or(1).max(1);
        (ticks.last, ticks.done) = ((now, iterations), done);
        ticks.second.get_or_insert(ticks.last);
    }

    /// Time since the start, and the mean time per iteration of a fit with this number of iterations.
    pub(super) fn timing(&self, iterations: usize) -> Timing {
        let seconds = self.started.elapsed().as_secs_f64();
        let ticks = self.ticks();
        let (last, done) = ticks.last;
        let per_iteration = match ticks.second {
            Some((second, before)) if done > before => (last - second) / (done - before) as f64,
            _ => (seconds - ticks.first.unwrap_or(0.0)) / iterations.max(1) as f64,
        };
        Timing { seconds, ms_per_iteration: per_iteration * 1e3 }
    }
}
