//! Conversion between the units of the data and scaled units.

use crate::data::encoded;
use serde::{Deserialize, Serialize};

/// Scaling of inputs to [0, 1] and of targets to ranges of at most 1 centered at 0, so that learning rates and ridge
/// penalties do not depend on the units: input = low + span·scaled, target = offset + span·scaled.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(in crate::tuning) struct Scaling {
    /// Minimum of each input.
    pub(in crate::tuning) low: Vec<f64>,
    /// Range of each input; positive.
    pub(in crate::tuning) span: Vec<f64>,
    /// Midpoint of each target's range; 0 for class targets.
    pub(in crate::tuning) target_offset: Vec<f64>,
    /// The largest target range, which scales all targets; positive, 1 for class targets.
    pub(in crate::tuning) target_span: Vec<f64>,
    /// Range of each target; empty in files of older versions, where it is the span.
    #[serde(default)]
    pub(in crate::tuning) target_range: Vec<f64>,
}

encoded! { Scaling { low, span, target_offset, target_span, target_range } }

impl Scaling {
    /// Scales the values of an input in place.
    pub(in crate::tuning) fn scale_input(&self, input: usize, values: &mut [f64]) {
        let (low, inverse) = (self.low[input], 1.0 / self.span[input]);
        values.iter_mut().for_each(|x| *x = (*x - low) * inverse);
    }

    /// Scales the values of a target in place.
    pub(in crate::tuning) fn scale_target(&self, target: usize, values: &mut [f64]) {
        let (offset, inverse) = (self.target_offset[target], 1.0 / self.target_span[target]);
        values.iter_mut().for_each(|y| *y = (*y - offset) * inverse);
    }

    /// Range of a target in its units.
    pub(in crate::tuning) fn range(&self, target: usize, is_classifier: bool) -> (f64, f64) {
        let (offset, span) = (self.target_offset[target], self.target_span[target]);
        let range = self.target_range.get(target).copied().unwrap_or(span);
        if is_classifier { (offset, offset + span) } else { (offset - 0.5 * range, offset + 0.5 * range) }
    }

    /// Bounds scaled outputs, in place, to the ranges of the targets.
    pub(in crate::tuning) fn bound(&self, outputs: &mut [Vec<f64>], is_classifier: bool) {
        for (target, output) in outputs.iter_mut().enumerate() {
            let (low, high) = self.range(target, is_classifier);
            let scaled = |y: f64| (y - self.target_offset[target]) / self.target_span[target];
            let (low, high) = (scaled(low), scaled(high));
            output.iter_mut().for_each(|y| *y = y.max(low).min(high));
        }
    }

    /// Converts the values of an output to the target's units in place.
    pub(in crate::tuning) fn unscale_target(&self, target: usize, values: &mut [f64]) {
        let (offset, span) = (self.target_offset[target], self.target_span[target]);
        values.iter_mut().for_each(|y| *y = offset + *y * span);
    }
}
