//! Fewer rules that say nearly the same: idle ones are left out, near-identical ones become one.

use super::errors::error_of;
use super::model::Model;
use super::network::Network;
use super::prepare::samples_for;
use super::sonfin::{cpu_of, learner};
use super::uses::{Use, shares, uses};
use crate::data::Table;
use crate::device::Device;
use crate::error::{Error, Result};

/// How alike rules must be to be merged, and how much a rule must fire at most to be idle: the coarsest is tried first.
const LIKENESS: [f32; 6] = [0.5, 0.3, 0.2, 0.1, 0.05, 0.01];

/// What became of the rules.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Simplified {
    /// How many idle ones were left out.
    pub pruned: usize,
    /// How many were merged into others.
    pub merged: usize,
    /// How many are left.
    pub rules: usize,
    /// The error over the rows now: the share of wrong ones, or the root mean square in the targets' units.
    pub error: f64,
}

impl Model {
    /// Leaves out rules that hardly fire for these rows, and merges rules that are nearly the same, as far as the error over
    /// the rows does not grow by more than `allowed`. A fit that is not finished cannot be resumed any more.
    ///
    /// # Errors
    /// [`Error::Parameter`] for an `allowed` that is not a number from 0 on, and as [`Model::partial_fit`].
    pub fn simplify(&mut self, samples: &Table, allowed: f64, device: &Device) -> Result<Simplified> {
        if !(allowed >= 0.0 && allowed.is_finite()) {
            let (algorithm, name, must) = ("sonfin", "allowed error", "at least 0");
            return Err(Error::Parameter { algorithm, name, value: allowed, must });
        }
        let samples = samples_for(self, samples)?;
        let rows: Vec<u32> = (0..samples.rows() as u32).collect();
        let network = self.state.kept().clone();
        let (classes, mapping) = (!self.classes.is_empty(), self.state.settings.mapping);
        let mut learner = learner(&samples, std::slice::from_ref(&network), device, mapping)?;
        let before = error_of(&mut *learner, 0, &samples, &rows, &self.scale, classes)?;
        let cpu = cpu_of(device)?;
        let use_of = uses(&network, &samples, 1, &cpu);
        let mut found =
            (network.clone(), Simplified { pruned: 0, merged: 0, rules: network.rules(), error: before });
        for likeness in LIKENESS {
            let (simpler, pruned, merged) = simpler(&network, &use_of, likeness);
            learner.replace(0, &simpler)?;
            let error = error_of(&mut *learner, 0, &samples, &rows, &self.scale, classes)?;
            if error <= before + allowed {
                let rules = simpler.rules();
                found = (simpler, Simplified { pruned, merged, rules, error });
                break;
            }
        }
        drop(learner);
        self.shares = shares(&found.0, &samples, &cpu);
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

/// Fewer rules, how many were left out, and how many were merged into others.
fn simpler(network: &Network, uses: &[Use], likeness: f32) -> (Network, usize, usize) {
    let busiest = (0..uses.len()).fold(0, |best, k| if uses[k].sum > uses[best].sum { k } else { best });
    let stays = |k: &usize| uses[*k].most >= likeness * likeness || *k == busiest;
    let kept: Vec<usize> = (0..network.rules()).filter(stays).collect();
    let pruned = network.rules() - kept.len();
    // Each group is what its first rule is like.
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for k in kept {
        match groups.iter_mut().find(|group| are_alike(network, group[0], k, likeness)) {
            Some(group) => group.push(k),
            None => groups.push(vec![k]),
        }
    }
    let merged = network.rules() - pruned - groups.len();
    let mut simpler = Network::empty(network.dims, network.outputs);
    for group in groups {
        let total: f32 = group.iter().map(|k| uses[*k].sum).sum();
        let share = |k: usize| if total > 0.0 { uses[k].sum / total } else { 1.0 / group.len() as f32 };
        let mean =
            |of: &dyn Fn(Rule<'_>) -> f32| group.iter().map(|k| share(*k) * of(rule(network, *k))).sum();
        simpler.a.extend((0..network.dims).map(|j| -> f32 { mean(&|rule| rule.a[j]) }));
        simpler.c.extend((0..network.dims).map(|j| -> f32 { mean(&|rule| rule.c[j]) }));
        simpler.w.extend((0..network.outputs).map(|l| -> f32 { mean(&|rule| rule.w[l]) }));
    }
    (simpler, pruned, merged)
}

/// Whether centers, widths and consequents of two rules are nearly the same.
fn are_alike(network: &Network, k: usize, l: usize, likeness: f32) -> bool {
    let (k, l) = (rule(network, k), rule(network, l));
    let says = k.w.iter().zip(l.w).all(|(k, l)| (k - l).abs() <= likeness);
    let asks = k.a.iter().zip(l.a).all(|(k, l)| (*k > 0.0) == (*l > 0.0));
    if !(says && asks) {
        return false;
    }
    let (mut apart, mut wider, mut inputs) = (0.0, 0.0, 0.0);
    for j in (0..network.dims).filter(|j| k.a[*j] > 0.0) {
        let distance = k.c[j] / k.a[j] - l.c[j] / l.a[j];
        apart += distance * distance * k.a[j] * l.a[j];
        wider += (k.a[j] / l.a[j]).ln().powi(2);
        inputs += 1.0;
    }
    apart <= likeness * likeness && wider <= likeness * likeness * inputs
}
