//! The user's units and those in which a network learns.

use serde::{Deserialize, Serialize};

/// Standard deviations from the mean beyond which values are not looked at for the range of an input: a few that lie far
/// off would squeeze all others together.
const FAR: f64 = 6.0;

/// Ranges beyond which nothing is told apart: squares of it over all inputs, in the narrowest widths, stay numbers.
const FARTHEST: f64 = 1e12;

/// Inputs lie in [0, 1] while a network learns, but for those far off, and targets about 0 with a standard deviation of 1,
/// so that rates mean the same for all data: input = low + span·scaled, target = offset + span·scaled.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Scale {
    /// Where each input's range begins.
    pub(super) low: Vec<f64>,
    /// How wide it is; positive.
    pub(super) span: Vec<f64>,
    /// What 0 is for each target: its mean; 0 for a class.
    pub(super) target_offset: Vec<f64>,
    /// What 1 is for each target: its standard deviation; 1 for a class.
    pub(super) target_span: Vec<f64>,
}

impl Scale {
    /// A value of an input as it is learned from. What is further away than can be squared is brought nearer.
    pub(super) fn entered(&self, input: usize, x: f64) -> f32 {
        ((x - self.low[input]) / self.span[input]).clamp(-FARTHEST, FARTHEST) as f32
    }

    /// What errors of targets are told in: the target's own unit, or standard deviations where there are several, which may have
    /// nothing in common.
    pub(super) fn error_unit(&self) -> f64 {
        match self.target_span[..] {
            [span] => span,
            _ => 1.0,
        }
    }

    /// A value of a target as it is learned.
    pub(super) fn entered_target(&self, target: usize, y: f64) -> f32 {
        ((y - self.target_offset[target]) / self.target_span[target]) as f32
    }

    /// An output's values in the user's units.
    pub(super) fn leave_target(&self, target: usize, values: &mut [f64]) {
        let (offset, span) = (self.target_offset[target], self.target_span[target]);
        values.iter_mut().for_each(|y| *y = offset + *y * span);
    }

    /// Whether there is a unit for each of so many inputs and outputs, as a file may not say.
    pub(super) fn is_whole(&self, inputs: usize, outputs: usize) -> bool {
        let positive = |spans: &[f64]| spans.iter().all(|span| *span > 0.0 && span.is_finite());
        let finite = |places: &[f64]| places.iter().all(|place| place.is_finite());
        (self.low.len(), self.span.len()) == (inputs, inputs)
            && (self.target_offset.len(), self.target_span.len()) == (outputs, outputs)
            && positive(&self.span)
            && positive(&self.target_span)
            && finite(&self.low)
            && finite(&self.target_offset)
    }
}

/// Mean and standard deviation of the values that are there.
pub(super) fn moments(values: &[f64]) -> (f64, f64) {
    let present = || values.iter().filter(|x| !x.is_nan());
    let n = present().count().max(1) as f64;
    let mean = present().map(|x| x / n).sum::<f64>();
    let deviation = (present().map(|x| (x - mean) * (x - mean) / n).sum::<f64>()).sqrt();
    (mean, deviation)
}

/// Where the range of an input begins and how wide it is; `None` where it has none.
pub(super) fn range(values: &[f64]) -> Option<(f64, f64)> {
    let wider = |(least, most): (f64, f64), x: &f64| (least.min(*x), most.max(*x));
    let (least, most) = values.iter().fold((f64::INFINITY, f64::NEG_INFINITY), wider); // a NaN is neither
    if least >= most {
        return None; // not so where every value is missing: ∞ and −∞
    }
    let (mean, deviation) = moments(values);
    let (low, high) = (least.max(mean - FAR * deviation), most.min(mean + FAR * deviation));
    Some((low, high - low))
}
