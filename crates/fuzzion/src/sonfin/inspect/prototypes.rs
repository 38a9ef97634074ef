//! Rules of a network in the user's units.

use crate::sets::Set;
use crate::sonfin::error::Result;
use crate::sonfin::types::argmax::argmax;
use crate::sonfin::types::linear_part::LinearPart;
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
    linear: Option<&'a LinearPart>,
}

impl<'a> Prototypes<'a> {
    pub(in crate::sonfin) fn new(
        network: &'a Network,
        scale: &'a Scale,
        linear: Option<&'a LinearPart>,
    ) -> Self {
        Prototypes { network, scale, linear }
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

    /// Consequent of rule k for output l, at the center of the rule.
    pub(in crate::sonfin) fn consequent(&self, k: usize, l: usize) -> f64 {
        let w = f64::from(self.network.w[k * self.network.outputs + l]);
        let linear = self.linear.map_or(0.0, |linear| linear.value(l, &self.center(k)));
        self.scale.target_offset[l] + self.scale.target_span[l] * (w + linear)
    }

    /// Scaled center of rule k; missing for inputs that the rule ignores.
    fn center(&self, k: usize) -> Vec<f32> {
        let range = k * self.network.dims..(k + 1) * self.network.dims;
        let center = |(a, c): (&f32, &f32)| if *a == 0.0 { f32::NAN } else { c / a };
        self.network.a[range.clone()].iter().zip(&self.network.c[range]).map(center).collect()
    }

    /// Slopes of output l, which all rules share.
    pub(in crate::sonfin) fn slopes(&self, l: usize) -> Option<Vec<f64>> {
        let linear = self.linear?;
        let slopes = &linear.slopes[l * self.network.dims..][..self.network.dims];
        let unit = self.scale.target_span[l];
        Some(slopes.iter().zip(&self.scale.span).map(|(slope, span)| unit * slope / span).collect())
    }

    /// Consequent of rule k for output l as a function of the inputs.
    pub(in crate::sonfin) fn consequent_set(&self, k: usize, l: usize) -> Result<Set> {
        let (Some(slopes), Some(linear)) = (self.slopes(l), self.linear) else {
            return Ok(Set::constant(self.consequent(k, l))?);
        };
        let w = f64::from(self.network.w[k * self.network.outputs + l]);
        let mean = |j: usize| self.scale.low[j] + self.scale.span[j] * linear.means[j];
        let at_means = self.scale.target_offset[l] + self.scale.target_span[l] * w;
        let constant = slopes.iter().enumerate().fold(at_means, |sum, (j, slope)| sum - slope * mean(j));
        Ok(Set::linear(&slopes, constant)?)
    }

    /// Index of the largest consequent of rule k, the first one on a tie.
    pub(in crate::sonfin) fn class(&self, k: usize) -> usize {
        let consequents: Vec<f64> = (0..self.outputs()).map(|l| self.consequent(k, l)).collect();
        argmax(&consequents)
    }
}
