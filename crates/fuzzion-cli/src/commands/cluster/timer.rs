//! Timing of the iterations of a fit.

use super::summary::Timing;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

/// Counts and times the iterations of a fit.
pub(super) struct IterationTimer {
    started: Instant,
    iterations: AtomicU64,
    /// Nanoseconds from the start to the first and to the last iteration.
    first: AtomicU64,
    last: AtomicU64,
}

impl IterationTimer {
    pub(super) fn start() -> Arc<Self> {
        Arc::new(IterationTimer {
            started: Instant::now(),
            iterations: AtomicU64::new(0),
            first: AtomicU64::new(0),
            last: AtomicU64::new(0),
        })
    }

    /// Records the start of an iteration.
    pub(super) fn tick(&self) {
        let now = self.started.elapsed().as_nanos() as u64;
        let before = self.iterations.fetch_add(1, Ordering::Relaxed);
        if before == 0 {
            self.first.store(now, Ordering::Relaxed);
        }
        self.last.store(now, Ordering::Relaxed);
    }

    /// Time since the start, and the mean time per iteration (the total time of a single iteration).
    pub(super) fn timing(&self) -> Timing {
        let seconds = self.started.elapsed().as_secs_f64();
        let between = self.last.load(Ordering::Relaxed) - self.first.load(Ordering::Relaxed);
        let ms_per_iteration = match self.iterations.load(Ordering::Relaxed) {
            0 | 1 => seconds * 1e3,
            n => between as f64 / 1e6 / (n - 1) as f64,
        };
        Timing { seconds, ms_per_iteration }
    }
}
