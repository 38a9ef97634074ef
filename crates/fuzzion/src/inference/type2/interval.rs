//! Two ends between which a number lies.

use crate::sets::{Hedge, complement};

/// A number that is known only to lie between two ends.
///
/// ```
/// use fuzzion::inference::type2::Interval;
/// let strength = Interval::new(0.75, 0.25);
/// assert_eq!((strength.lower, strength.upper, strength.middle()), (0.25, 0.75, 0.5));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// The lower end.
    pub lower: f64,
    /// The upper end.
    pub upper: f64,
}

impl Interval {
    /// Between `a` and `b`, whichever is the smaller.
    pub fn new(a: f64, b: f64) -> Self {
        if b < a { Interval { lower: b, upper: a } } else { Interval { lower: a, upper: b } }
    }

    /// One number.
    pub fn exactly(value: f64) -> Self {
        Interval { lower: value, upper: value }
    }

    /// Halfway between the ends.
    pub fn middle(self) -> f64 {
        self.lower / 2.0 + self.upper / 2.0
    }

    /// Both ends under a function that keeps their order.
    pub(super) fn map(self, f: impl Fn(f64) -> f64) -> Self {
        Interval::new(f(self.lower), f(self.upper))
    }

    /// Lower end with lower, upper with upper, under a function that grows with both.
    pub(super) fn join(self, other: Self, f: impl Fn(f64, f64) -> f64) -> Self {
        Interval::new(f(self.lower, other.lower), f(self.upper, other.upper))
    }

    /// 1 − it: the ends swap.
    pub(super) fn complement(self) -> Self {
        Interval { lower: complement(self.upper), upper: complement(self.lower) }
    }

    /// As memberships are: within 0 and 1; NaN stays.
    pub(super) fn within_unit(self) -> Self {
        self.map(|end| end.clamp(0.0, 1.0))
    }

    /// Bent by the hedges before a set, the one next to it first.
    pub(super) fn bent(self, hedges: &[Hedge]) -> Self {
        hedges.iter().rev().fold(self, |interval, hedge| match hedge {
            Hedge::Not => interval.complement(),
            other => interval.map(|end| other.apply(end)),
        })
    }
}
