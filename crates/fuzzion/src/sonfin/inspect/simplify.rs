//! Simplification: prunes idle rules and merges similar ones.

use crate::base::SettingError;
use crate::data::{Samples, host_samples};
use crate::device::Device;
use crate::sonfin::backend::new_learner;
use crate::sonfin::error::Result;
use crate::sonfin::model::Model;
use crate::sonfin::training::evaluate::network_error;
use crate::sonfin::training::prepare::samples_for;
use crate::sonfin::training::usage::{RuleUsage, mean_firing_strengths, rule_usage};
use crate::sonfin::types::network::Network;
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
    /// use fuzzion::{Device, Table, sonfin::Sonfin};
    /// let (rows, device) = (Table::new(["x", "y"], vec![0.0, 10.0, 1.0, 20.0])?, Device::cpu()?);
    /// let mut model = Sonfin::new().fit(&rows, &["y"], &device)?;
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
        let before = network_error(&mut *learner, 0, &samples, &rows, &self.scale, classes)?;
        let cpu = device.host_cpu();
        let usage = rule_usage(&network, &samples, 1, cpu);
        let mut found =
            (network.clone(), SimplifyReport { pruned: 0, merged: 0, rules: network.rules(), error: before });
        for tolerance in TOLERANCES {
            let (simplified, pruned, merged) = simplify_network(&network, &usage, tolerance);
            learner.replace(0, &simplified)?;
            let error = network_error(&mut *learner, 0, &samples, &rows, &self.scale, classes)?;
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

/// One rule of a network.
struct Rule<'a> {
    a: &'a [f32],
    c: &'a [f32],
    w: &'a [f32],
}

fn rule(network: &Network, k: usize) -> Rule<'_> {
    let (d, l) = (network.dims, network.outputs);
    Rule { a: &network.a[k * d..][..d], c: &network.c[k * d..][..d], w: &network.w[k * l..][..l] }
}

/// Simplified network, number of pruned rules and number of merged rules.
fn simplify_network(network: &Network, rule_usage: &[RuleUsage], tolerance: f32) -> (Network, usize, usize) {
    let most_used = (0..rule_usage.len())
        .fold(0, |best, k| if rule_usage[k].sum > rule_usage[best].sum { k } else { best });
    let is_kept = |k: &usize| rule_usage[*k].max >= tolerance * tolerance || *k == most_used;
    let kept: Vec<usize> = (0..network.rules()).filter(is_kept).collect();
    let pruned = network.rules() - kept.len();
    // Each group contains the rules similar to its first rule.
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for k in kept {
        match groups.iter_mut().find(|group| are_similar(network, group[0], k, tolerance)) {
            Some(group) => group.push(k),
            None => groups.push(vec![k]),
        }
    }
    let merged = network.rules() - pruned - groups.len();
    let mut simplified = Network::empty(network.dims, network.outputs);
    for group in groups {
        let total: f32 = group.iter().map(|k| rule_usage[*k].sum).sum();
        let weight =
            |k: usize| if total > 0.0 { rule_usage[k].sum / total } else { 1.0 / group.len() as f32 };
        let mean =
            |of: &dyn Fn(Rule<'_>) -> f32| group.iter().map(|k| weight(*k) * of(rule(network, *k))).sum();
        simplified.a.extend((0..network.dims).map(|j| -> f32 { mean(&|rule| rule.a[j]) }));
        simplified.c.extend((0..network.dims).map(|j| -> f32 { mean(&|rule| rule.c[j]) }));
        simplified.w.extend((0..network.outputs).map(|l| -> f32 { mean(&|rule| rule.w[l]) }));
    }
    (simplified, pruned, merged)
}

/// Whether centers, widths and consequents of two rules are nearly identical.
fn are_similar(network: &Network, k: usize, l: usize, tolerance: f32) -> bool {
    let (k, l) = (rule(network, k), rule(network, l));
    let same_consequents = k.w.iter().zip(l.w).all(|(k, l)| (k - l).abs() <= tolerance);
    let same_inputs = k.a.iter().zip(l.a).all(|(k, l)| (*k > 0.0) == (*l > 0.0));
    if !(same_consequents && same_inputs) {
        return false;
    }
    let (mut center_distance, mut width_difference, mut inputs) = (0.0, 0.0, 0.0);
    for j in (0..network.dims).filter(|j| k.a[*j] > 0.0) {
        let distance = k.c[j] / k.a[j] - l.c[j] / l.a[j];
        center_distance += distance * distance * k.a[j] * l.a[j];
        width_difference += (k.a[j] / l.a[j]).ln().powi(2);
        inputs += 1.0;
    }
    center_distance <= tolerance * tolerance && width_difference <= tolerance * tolerance * inputs
}
