//! Conversion between the user's units and the scaled values used for training.

use serde::{Deserialize, Serialize};

/// Values beyond this many standard deviations from the mean are excluded from an input's range; otherwise a few
/// outliers would compress all other values.
const OUTLIER_DEVIATIONS: f64 = 6.0;

/// Limit of scaled inputs: sums of squares remain finite even with the narrowest widths.
const MAX_SCALED: f64 = 1e12;

/// Scaling of inputs to [0, 1] (except outliers) and of targets to mean 0 and standard deviation 1, so that
/// learning rates have the same effect on all data: input = low + span·scaled, target = offset + span·scaled.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(in crate::sonfin) struct Scale {
    /// Lower end of each input's range.
    pub(in crate::sonfin) low: Vec<f64>,
    /// Width of each input's range; positive.
    pub(in crate::sonfin) span: Vec<f64>,
    /// Mean of each target; 0 for class targets.
    pub(in crate::sonfin) target_offset: Vec<f64>,
    /// Standard deviation of each target; 1 for class targets.
    pub(in crate::sonfin) target_span: Vec<f64>,
}

impl Scale {
    /// Scales an input value. Values too large to be squared are clamped.
    pub(in crate::sonfin) fn scale_input(&self, input: usize, x: f64) -> f32 {
        ((x - self.low[input]) / self.span[input]).clamp(-MAX_SCALED, MAX_SCALED) as f32
    }

    /// Unit of reported errors: that of the target, or standard deviations for several targets, whose units may
    /// differ.
    pub(in crate::sonfin) fn error_unit(&self) -> f64 {
        match self.target_span[..] {
            [span] => span,
            _ => 1.0,
        }
    }

    /// Scales a target value.
    pub(in crate::sonfin) fn scale_target(&self, target: usize, y: f64) -> f32 {
        ((y - self.target_offset[target]) / self.target_span[target]) as f32
    }

    /// Converts scaled outputs to the user's units.
    pub(in crate::sonfin) fn unscale_target(&self, target: usize, values: &mut [f64]) {
        let (offset, span) = (self.target_offset[target], self.target_span[target]);
        values.iter_mut().for_each(|y| *y = offset + *y * span);
    }

    /// Whether a loaded scale is valid for this number of inputs and outputs.
    pub(in crate::sonfin) fn is_consistent(&self, inputs: usize, outputs: usize) -> bool {
        let positive = |spans: &[f64]| spans.iter().all(|span| *span > 0.0 && span.is_finite());
        let finite = |values: &[f64]| values.iter().all(|value| value.is_finite());
        (self.low.len(), self.span.len()) == (inputs, inputs)
            && (self.target_offset.len(), self.target_span.len()) == (outputs, outputs)
            && positive(&self.span)
            && positive(&self.target_span)
            && finite(&self.low)
            && finite(&self.target_offset)
    }
}

/// Mean and standard deviation of the present values.
pub(in crate::sonfin) fn moments(values: &[f64]) -> (f64, f64) {
    let present = || values.iter().filter(|x| !x.is_nan());
    let n = present().count().max(1) as f64;
    let mean = present().map(|x| x / n).sum::<f64>();
    let deviation = (present().map(|x| (x - mean) * (x - mean) / n).sum::<f64>()).sqrt();
    (mean, deviation)
}

/// Lower end and width of an input's range; `None` for a constant input.
pub(in crate::sonfin) fn range(values: &[f64]) -> Option<(f64, f64)> {
    let widen = |(min, max): (f64, f64), x: &f64| (min.min(*x), max.max(*x));
    let (min, max) = values.iter().fold((f64::INFINITY, f64::NEG_INFINITY), widen); // ignores NaN
    if min >= max {
        return None; // if all values are missing, min = ∞ and max = −∞
    }
    let (mean, deviation) = moments(values);
    let (low, high) =
        (min.max(mean - OUTLIER_DEVIATIONS * deviation), max.min(mean + OUTLIER_DEVIATIONS * deviation));
    Some((low, high - low))
}
