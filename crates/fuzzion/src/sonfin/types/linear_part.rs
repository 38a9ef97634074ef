//! The linear part of the consequents.

use super::scaled_samples::ScaledSamples;
use serde::{Deserialize, Serialize};

/// Slopes that all rules share, Equation (7): Σⱼ bₗⱼ·(xⱼ − x̄ⱼ) is added to output l. Since the normalized firing strengths
/// sum to 1, the consequent of rule k is wₖₗ + Σⱼ bₗⱼ·(xⱼ − x̄ⱼ).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(in crate::sonfin) struct LinearPart {
    /// Mean x̄ of each scaled input, which replaces missing values.
    pub(in crate::sonfin) means: Vec<f64>,
    /// Slopes b in scaled inputs and targets, output by output.
    pub(in crate::sonfin) slopes: Vec<f64>,
}

impl LinearPart {
    /// Value for output l.
    pub(in crate::sonfin) fn value(&self, l: usize, x: &[f32]) -> f64 {
        let slopes = &self.slopes[l * self.means.len()..][..self.means.len()];
        let term = |((x, mean), slope): ((&f32, &f64), &f64)| match x.is_nan() {
            true => 0.0,
            false => slope * (f64::from(*x) - mean),
        };
        x.iter().zip(&self.means).zip(slopes).map(term).sum()
    }

    /// Adds the values for one row to its outputs.
    pub(in crate::sonfin) fn add_to(&self, x: &[f32], outputs: &mut [f64]) {
        outputs.iter_mut().enumerate().for_each(|(l, y)| *y += self.value(l, x));
    }

    /// Subtracts the values from the targets of all rows.
    pub(in crate::sonfin) fn subtract_from(&self, samples: &mut ScaledSamples) {
        let ScaledSamples { dims, outputs, x, t } = samples;
        for (x, t) in x.chunks_exact(*dims).zip(t.chunks_exact_mut(*outputs)) {
            t.iter_mut().enumerate().for_each(|(l, t)| *t = (f64::from(*t) - self.value(l, x)) as f32);
        }
    }

    /// Whether the sizes match and all values are finite.
    pub(in crate::sonfin) fn is_consistent(&self, inputs: usize, outputs: usize) -> bool {
        let is_finite = |values: &[f64]| values.iter().all(|x| x.is_finite());
        self.means.len() == inputs
            && self.slopes.len() == inputs * outputs
            && is_finite(&self.means)
            && is_finite(&self.slopes)
    }
}
