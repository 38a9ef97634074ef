//! What learns: rules in scaled inputs.

use serde::{Deserialize, Serialize};

/// Rules, in the form of equation (1).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Network {
    pub(super) dims: usize,
    pub(super) outputs: usize,
    /// 1/σ, rule by rule.
    pub(super) a: Vec<f32>,
    /// m/σ, rule by rule.
    pub(super) c: Vec<f32>,
    /// What each rule says for each output.
    pub(super) w: Vec<f32>,
}

impl Network {
    /// One without rules.
    pub(super) fn empty(dims: usize, outputs: usize) -> Self {
        Network { dims, outputs, a: Vec::new(), c: Vec::new(), w: Vec::new() }
    }

    pub(super) fn rules(&self) -> usize {
        self.w.len() / self.outputs
    }

    /// Adds a rule around a sample: equation (3). What the sample misses, the rule does not ask for.
    pub(super) fn add(&mut self, x: &[f32], targets: &[f32], width: f32) {
        let a = 1.0 / width;
        self.a.extend(x.iter().map(|x| if x.is_nan() { 0.0 } else { a }));
        self.c.extend(x.iter().map(|x| if x.is_nan() { 0.0 } else { x * a }));
        self.w.extend_from_slice(targets);
    }
}
