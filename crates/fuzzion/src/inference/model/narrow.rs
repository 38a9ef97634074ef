//! Output sets that are too narrow for the samples of their defuzzifier.

use super::defuzzifier::Defuzzifier;
use super::dialect::Dialect;
use super::system::System;
use crate::sets::{Interval, Set};
use std::fmt;

/// A set of an output that is narrower than two samples of the output range, so that centroid and bisector depend on the
/// position of the samples.
///
/// ```
/// use fuzzion::inference::{Dialect, Output, System, Variable};
/// use fuzzion::sets::Set;
/// let system = System::new("")
///     .input(Variable::new("a", 0.0, 1.0).set("on", Set::ramp(0.0, 1.0)?))
///     .output(Output::new("y", 0.0, 400.0).set("peak", Set::triangle(99.5, 100.0, 100.5)?))
///     .rule("if a is on then y is peak")?;
/// let narrow = &system.narrow_sets(Dialect::Matlab)[0]; // 101 samples
/// assert_eq!((narrow.set.as_str(), narrow.width, narrow.step), ("peak", 1.0, 4.0));
/// # Ok::<(), fuzzion::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct NarrowSet {
    /// Name of the output.
    pub output: String,
    /// Name of the set.
    pub set: String,
    /// Width of the support within the range, or of the part with at least half of the height if the support is unbounded.
    pub width: f64,
    /// Distance between two samples.
    pub step: f64,
}

impl fmt::Display for NarrowSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let NarrowSet { output, set, width, step } = self;
        write!(
            f,
            "set `{set}` of output `{output}` is {width} wide, but the samples of the output are {step} apart, which is too \
             coarse for it"
        )
    }
}

impl System {
    /// Sets in conclusions about outputs with a centroid or bisector that are narrower than two samples.
    pub fn narrow_sets(&self, dialect: Dialect) -> Vec<NarrowSet> {
        let rules = || self.blocks.iter().flat_map(|block| &block.rules);
        let mut narrow = Vec::new();
        for (i, output) in self.outputs.iter().enumerate() {
            let (Defuzzifier::Centroid { samples } | Defuzzifier::Bisector { samples }) = output.defuzzifier
            else {
                continue;
            };
            let variable = &output.variable;
            let range = Interval::new(variable.minimum, variable.maximum);
            let samples = samples.unwrap_or(dialect.default_samples());
            let step = dialect.sample_step(range.lower, range.upper, samples);
            for (j, named) in variable.sets.iter().enumerate() {
                let mut conclusions = rules().flat_map(|rule| &rule.consequent);
                let is_used = conclusions.any(|conclusion| (conclusion.output, conclusion.set) == (i, j));
                if let Some(width) = width(&named.set, range).filter(|width| is_used && *width < 2.0 * step) {
                    let (output, set) = (variable.name.clone(), named.name.clone());
                    narrow.push(NarrowSet { output, set, width, step });
                }
            }
        }
        narrow
    }
}

/// Width of the part of a set within a range; `None` if there is none, or if the set has no α-cuts.
fn width(set: &Set, range: Interval) -> Option<f64> {
    let support = set.support().filter(|cut| cut.lower.is_finite() || cut.upper.is_finite());
    let cut = support.or_else(|| set.alpha_cut(0.5 * set.height()))?;
    let width = cut.upper.min(range.upper) - cut.lower.max(range.lower);
    (width >= 0.0).then_some(width)
}
