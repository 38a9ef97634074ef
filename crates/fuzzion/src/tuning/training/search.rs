//! Trials of a search by cross-validation, with a time limit.

use crate::device::{Device, distribute};
use crate::tuning::error::{Result, TuningError};
use crate::tuning::settings::Tuner;
use crate::tuning::training::prepare::PreparedData;
use crate::tuning::training::samples::Folds;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Maximum number of training rows used for cross-validation.
pub(super) const MAX_ROWS: usize = 4096;

/// Rows of one fold of the cross-validation.
pub(super) struct Fold<'a> {
    pub(super) prepared: &'a PreparedData,
    pub(super) training: Vec<usize>,
    pub(super) held_out: Vec<usize>,
}

/// The trials of a search with a time limit.
pub(super) struct Search<'a> {
    folds: Vec<Fold<'a>>,
    device: &'a Device,
    end: Instant,
    /// Number of completed choices, and of all choices.
    completed: Arc<AtomicU64>,
    choices: u64,
}

impl<'a> Search<'a> {
    /// A search with at most `choices` choices.
    pub(super) fn new(tuner: &Tuner, prepared: &'a PreparedData, choices: usize, device: &'a Device) -> Self {
        let folds = Folds::new(prepared.samples.training, MAX_ROWS, tuner.seed);
        let fold = |fold| {
            let (training, held_out) = folds.rows(fold);
            Fold { prepared, training, held_out }
        };
        let end = Instant::now() + Duration::from_secs_f64(tuner.budget);
        let folds = (0..folds.count()).map(fold).collect();
        Search { folds, device, end, completed: Arc::default(), choices: choices as u64 }
    }

    /// Results of each choice. The first choice is always completed; the others until the time limit.
    pub(super) fn try_all<R>(
        &self,
        choices: &[Tuner],
        evaluate: impl Fn(&Tuner, &Device) -> Result<R>,
    ) -> Result<Vec<R>> {
        let mut results = Vec::new();
        for choice in choices {
            let is_first = results.is_empty();
            if !is_first && Instant::now() >= self.end {
                break;
            }
            let (device, was_interrupted) = self.watched(is_first);
            let result = evaluate(choice, &device);
            self.completed.fetch_add(1, Ordering::Relaxed);
            match result {
                Err(TuningError::Interrupted) if !is_first && !was_interrupted.load(Ordering::Relaxed) => {
                    break;
                }
                result => results.push(result?),
            }
        }
        Ok(results)
    }

    /// Results of all folds, each on one GPU.
    pub(super) fn each_fold<R: Send>(
        &self,
        device: &Device,
        evaluate: impl Fn(&Fold<'_>, &Device) -> Result<R> + Sync,
    ) -> Result<Vec<R>> {
        let devices = device.each_gpu();
        distribute(devices.len(), self.folds.len(), |gpu, fold| evaluate(&self.folds[fold], &devices[gpu]))
    }

    /// A device whose callback reports the number of choices and ends fits at the time limit, unless they belong to the first
    /// choice; and whether the caller has interrupted the search.
    fn watched(&self, is_first: bool) -> (Device, Arc<AtomicBool>) {
        let was_interrupted = Arc::new(AtomicBool::new(false));
        let (progress, interrupted) = (self.device.progress().clone(), Arc::clone(&was_interrupted));
        let (completed, choices, end) = (Arc::clone(&self.completed), self.choices, self.end);
        let device = self.device.with_progress(move |_, _| {
            if progress.report(completed.load(Ordering::Relaxed).min(choices), choices).is_err() {
                interrupted.store(true, Ordering::Relaxed);
                return ControlFlow::Break(());
            }
            match is_first || Instant::now() < end {
                true => ControlFlow::Continue(()),
                false => ControlFlow::Break(()),
            }
        });
        (device, was_interrupted)
    }
}
