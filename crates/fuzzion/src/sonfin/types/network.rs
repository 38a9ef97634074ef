//! The trained parameters, in scaled inputs.

use serde::{Deserialize, Serialize};

/// Rules in the form of Equation (1).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Network {
    pub dims: usize,
    pub outputs: usize,
    /// 1/σ, rule by rule.
    pub a: Vec<f32>,
    /// m/σ, rule by rule.
    pub c: Vec<f32>,
    /// Consequents, rule by rule.
    pub w: Vec<f32>,
}

impl Network {
    /// A network without rules.
    pub fn empty(dims: usize, outputs: usize) -> Self {
        Network { dims, outputs, a: Vec::new(), c: Vec::new(), w: Vec::new() }
    }

    pub fn rules(&self) -> usize {
        self.w.len() / self.outputs
    }

    /// Adds a rule centered at a sample: Equation (3). The rule ignores inputs that are missing in the sample.
    pub(in crate::sonfin) fn add(&mut self, x: &[f32], targets: &[f32], width: f32) {
        let a = 1.0 / width;
        self.a.extend(x.iter().map(|x| if x.is_nan() { 0.0 } else { a }));
        self.c.extend(x.iter().map(|x| if x.is_nan() { 0.0 } else { x * a }));
        self.w.extend_from_slice(targets);
    }
}
