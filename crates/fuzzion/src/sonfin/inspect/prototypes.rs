//! Rules of a network in the user's units.

use crate::sonfin::types::argmax::argmax;
use crate::sonfin::types::network::Network;
use crate::sonfin::types::scale::Scale;
use std::f64::consts::SQRT_2;

/// Gaussian set of a rule for one input.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::sonfin) struct InputGaussian {
    /// Center of the set.
    pub(in crate::sonfin) center: f64,
    /// Standard deviation of the set, σ/√2 of Equation (1).
    pub(in crate::sonfin) deviation: f64,
}

/// The rules of a network in the user's units.
#[derive(Clone, Copy)]
pub(in crate::sonfin) struct Prototypes<'a> {
    network: &'a Network,
    scale: &'a Scale,
}

impl<'a> Prototypes<'a> {
    pub(in crate::sonfin) fn new(network: &'a Network, scale: &'a Scale) -> Self {
        Prototypes { network, scale }
    }

    pub(in crate::sonfin) fn rules(&self) -> usize {
        self.network.rules()
    }

    pub(in crate::sonfin) fn outputs(&self) -> usize {
        self.network.outputs
    }

    /// Gaussian set of rule k for input j; `None` if the rule ignores the input.
    pub(in crate::sonfin) fn gaussian(&self, k: usize, j: usize) -> Option<InputGaussian> {
        let index = k * self.network.dims + j;
        let (a, c) = (f64::from(self.network.a[index]), f64::from(self.network.c[index]));
        let (low, span) = (self.scale.low[j], self.scale.span[j]);
        (a != 0.0)
            .then(|| InputGaussian { center: low + span * (c / a), deviation: span / (a.abs() * SQRT_2) })
    }

    /// Consequent of rule k for output l.
    pub(in crate::sonfin) fn consequent(&self, k: usize, l: usize) -> f64 {
        let w = f64::from(self.network.w[k * self.network.outputs + l]);
        self.scale.target_offset[l] + self.scale.target_span[l] * w
    }

    /// Index of the largest consequent of rule k, the first one on a tie.
    pub(in crate::sonfin) fn class(&self, k: usize) -> usize {
        argmax(&self.network.w[k * self.network.outputs..][..self.network.outputs])
    }
}
