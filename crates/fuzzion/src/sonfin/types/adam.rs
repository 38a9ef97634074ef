//! State and settings of Adam on mini-batches: Equation (6).

use super::network::Network;
use super::options::Loss;
use serde::{Deserialize, Serialize};
use std::f64::consts::PI;

pub(in crate::sonfin) const BETAS: (f32, f32) = (0.9, 0.999);
/// Initial logit of a rule for its class if a softmax follows; with 1, the initial probabilities would be too uniform.
pub(in crate::sonfin) const INITIAL_LOGIT: f32 = 3.0;

/// State of the optimizer: the parameters as Adam updates them, and the moving averages of the gradient.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Adam {
    /// Number of batches so far.
    pub(in crate::sonfin) step: u64,
    /// Mean initial width, the unit of center updates.
    pub(in crate::sonfin) unit: f32,
    /// Centers, then 1/σ, rule by rule, without the gates.
    pub(in crate::sonfin) rules: Vec<f32>,
    /// One gate per input; empty if gates are not used.
    pub(in crate::sonfin) gates: Vec<f32>,
    /// Moving average of the gradient: centers, ln 1/σ and w, rule by rule; then the gates.
    pub(in crate::sonfin) first: Vec<f32>,
    /// Moving average of the squared gradient.
    pub(in crate::sonfin) second: Vec<f32>,
}

/// Settings of Adam.
#[derive(Clone, Copy, Debug)]
pub struct AdamSettings {
    pub batch: usize,
    pub rate: f64,
    /// Total number of batches in all epochs; the learning rate decays to 0 over them.
    pub steps: u64,
    pub min_width: f32,
    pub loss: Loss,
}

/// Factors of one step.
#[derive(Clone, Copy)]
pub(in crate::sonfin) struct StepFactors {
    pub(in crate::sonfin) rate: f32,
    /// Bias correction 1/(1 − βᵗ).
    pub(in crate::sonfin) first: f32,
    pub(in crate::sonfin) second: f32,
    /// Largest allowed 1/σ.
    pub(in crate::sonfin) max_inverse_width: f32,
    pub(in crate::sonfin) unit: f32,
}

impl Adam {
    /// Initial state for the rules of `network`; multiplies the consequents by [`INITIAL_LOGIT`] if a softmax follows.
    pub fn new(network: &mut Network, gates: bool, loss: Loss) -> Self {
        let (d, rules) = (network.dims, network.rules());
        if loss == Loss::CrossEntropy {
            network.w.iter_mut().for_each(|w| *w *= INITIAL_LOGIT);
        }
        let used = || network.a.iter().filter(|a| **a > 0.0);
        let unit = used().map(|a| f64::from(1.0 / a)).sum::<f64>() / used().count().max(1) as f64;
        let center = |(a, c): (&f32, &f32)| if *a > 0.0 { c / a } else { 0.0 };
        let mut parameters = Vec::with_capacity(2 * d * rules);
        for (a, c) in network.a.chunks_exact(d).zip(network.c.chunks_exact(d)) {
            parameters.extend(a.iter().zip(c).map(center));
            parameters.extend_from_slice(a);
        }
        let gates = if gates { vec![1.0; d] } else { Vec::new() };
        let gradient_len = rules * (2 * d + network.outputs) + gates.len();
        let (first, second) = (vec![0.0; gradient_len], vec![0.0; gradient_len]);
        Adam { step: 0, unit: unit as f32, rules: parameters, gates, first, second }
    }

    /// Whether a loaded state matches the size of the network.
    pub(in crate::sonfin) fn is_consistent(&self, network: &Network) -> bool {
        let gradient_len = network.rules() * (2 * network.dims + network.outputs) + self.gates.len();
        self.rules.len() == 2 * network.a.len()
            && (self.gates.is_empty() || self.gates.len() == network.dims)
            && (self.first.len(), self.second.len()) == (gradient_len, gradient_len)
    }

    /// Factors of step `step`, counted from 1.
    pub(in crate::sonfin) fn factors(&self, step: u64, settings: &AdamSettings) -> StepFactors {
        let decay = 0.5 * (1.0 + (PI * step as f64 / settings.steps.max(1) as f64).min(PI).cos());
        let correction = |beta: f32| (1.0 / (1.0 - f64::from(beta).powf(step as f64))) as f32;
        StepFactors {
            rate: (settings.rate * decay) as f32,
            first: correction(BETAS.0),
            second: correction(BETAS.1),
            max_inverse_width: 1.0 / settings.min_width,
            unit: self.unit,
        }
    }
}
