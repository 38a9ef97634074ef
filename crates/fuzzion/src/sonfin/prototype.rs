//! Rules in the user's units: where each is at home, how wide it is, and what it says.

use super::network::Network;
use super::scale::Scale;
use std::f64::consts::SQRT_2;

/// What a rule says about an input: that it is about a place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct About {
    /// The place at which the rule applies fully.
    pub(super) center: f64,
    /// The standard deviation of its Gaussian set, σ/√2 of the door's equation (1).
    pub(super) deviation: f64,
}

/// The rules of a network in the user's units.
#[derive(Clone, Copy)]
pub(super) struct Prototypes<'a> {
    network: &'a Network,
    scale: &'a Scale,
}

impl<'a> Prototypes<'a> {
    pub(super) fn new(network: &'a Network, scale: &'a Scale) -> Self {
        Prototypes { network, scale }
    }

    pub(super) fn rules(&self) -> usize {
        self.network.rules()
    }

    pub(super) fn outputs(&self) -> usize {
        self.network.outputs
    }

    /// What rule k asks of input j; `None` where it does not.
    pub(super) fn about(&self, k: usize, j: usize) -> Option<About> {
        let at = k * self.network.dims + j;
        let (a, c) = (f64::from(self.network.a[at]), f64::from(self.network.c[at]));
        let (low, span) = (self.scale.low[j], self.scale.span[j]);
        (a != 0.0).then(|| About { center: low + span * (c / a), deviation: span / (a.abs() * SQRT_2) })
    }

    /// w of rule k for output l.
    pub(super) fn says(&self, k: usize, l: usize) -> f64 {
        let w = f64::from(self.network.w[k * self.network.outputs + l]);
        self.scale.target_offset[l] + self.scale.target_span[l] * w
    }

    /// The output that rule k says most of, the first of equals: the class it stands for.
    pub(super) fn class(&self, k: usize) -> usize {
        let w = &self.network.w[k * self.network.outputs..][..self.network.outputs];
        (1..w.len()).fold(0, |best, l| if w[l] > w[best] { l } else { best })
    }
}
