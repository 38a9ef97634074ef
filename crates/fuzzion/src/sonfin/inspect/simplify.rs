//! Simplification: prunes idle rules and merges similar ones.

use crate::base::SettingError;
use crate::data::{Samples, host_samples};
use crate::device::Device;
use crate::sonfin::backend::new_learner;
use crate::sonfin::error::Result;
use crate::sonfin::model::Model;
use crate::sonfin::training::evaluate::network_error;
use crate::sonfin::training::merge::merge_rules;
use crate::sonfin::training::prepare::samples_for;
use crate::sonfin::training::usage::{mean_firing_strengths, rule_usage};
use serde::{Deserialize, Serialize};

/// Tolerances for similar and idle rules, coarsest first.
const TOLERANCES: [f32; 6] = [0.5, 0.3, 0.2, 0.1, 0.05, 0.01];

/// Result of [`Model::simplify`].
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct SimplifyReport {
    /// Number of pruned idle rules.
    pub pruned: usize,
    /// Number of rules merged into others.
    pub merged: usize,
    /// Number of remaining rules.
    pub rules: usize,
    /// Error on the rows after the simplification, as in a [`SonfinReport`](crate::sonfin::SonfinReport).
    pub error: f64,
}

impl Model {
    /// Prunes rules that hardly fire for these rows and merges nearly identical rules, as long as the error on the
    /// rows increases by at most `allowed`. An unfinished fit can no longer be resumed afterwards.
    ///
    /// ```
    /// use fuzzion::{Device, Table, sonfin::{Growth, Sonfin}};
    /// let (rows, device) = (Table::new(["x", "y"], vec![0.0, 10.0, 1.0, 20.0])?, Device::cpu()?);
    /// let mut model = Sonfin::new().growth(Growth::Budget(2)).fit(&rows, &["y"], &device)?;
    /// let report = model.simplify(&rows, 0.0, &device)?; // the error must not increase
    /// assert_eq!((report.pruned, report.merged, report.rules), (0, 0, 2)); // the rules differ, and both fire
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`SettingError::OutOfRange`] if `allowed` is negative or not finite, and as [`Model::partial_fit`].
    pub fn simplify<'a>(
        &mut self,
        samples: impl Into<Samples<'a>>,
        allowed: f64,
        device: &Device,
    ) -> Result<SimplifyReport> {
        self.simplify_rules(&host_samples(samples)?, allowed, device)
    }

    fn simplify_rules(
        &mut self,
        samples: &Samples<'_>,
        allowed: f64,
        device: &Device,
    ) -> Result<SimplifyReport> {
        if !(allowed >= 0.0 && allowed.is_finite()) {
            let (algorithm, name, must) = ("sonfin", "allowed error", "at least 0");
            return Err(SettingError::OutOfRange { algorithm, name, value: allowed, must }.into());
        }
        let samples = samples_for(self, samples)?;
        let rows = samples.row_indices();
        let network = self.state.result_network().clone();
        let (classes, mapping) = (!self.classes.is_empty(), self.state.settings.mapping);
        let mut learner = new_learner(&samples, std::slice::from_ref(&network), device, mapping)?;
        let before =
            network_error(&mut *learner, 0, &samples, &rows, &self.scale, classes, self.score_offset())?;
        let cpu = device.host_cpu();
        let usage = rule_usage(&network, &samples, 1, cpu);
        let mut found =
            (network.clone(), SimplifyReport { pruned: 0, merged: 0, rules: network.rules(), error: before });
        for tolerance in TOLERANCES {
            let (simplified, pruned, merged) = merge_rules(&network, &usage, tolerance, tolerance);
            learner.replace(0, &simplified)?;
            let error =
                network_error(&mut *learner, 0, &samples, &rows, &self.scale, classes, self.score_offset())?;
            if error <= before + allowed {
                let rules = simplified.rules();
                found = (simplified, SimplifyReport { pruned, merged, rules, error });
                break;
            }
        }
        drop(learner);
        self.mean_firing_strengths = mean_firing_strengths(&found.0, &samples, cpu);
        let state = &mut self.state;
        (state.network, state.best, state.adam) = (found.0, None, None);
        (state.epoch, state.position) = (state.settings.epochs.max(state.epoch), 0);
        (self.report.rules, self.report.train_error) = (found.1.rules, found.1.error);
        Ok(found.1)
    }
}
