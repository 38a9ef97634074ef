//! Interval arithmetic for memberships and firing strengths.

use crate::sets::{Hedge, Interval, complement};

impl Interval {
    /// Image of the interval under a monotone function.
    pub(super) fn map(self, f: impl Fn(f64) -> f64) -> Self {
        Interval::new(f(self.lower), f(self.upper))
    }

    /// Combines two intervals with a function that is nondecreasing in both arguments.
    pub(super) fn combine(self, other: Self, f: impl Fn(f64, f64) -> f64) -> Self {
        Interval::new(f(self.lower, other.lower), f(self.upper, other.upper))
    }

    /// The complement [1 − upper, 1 − lower].
    pub(super) fn complement(self) -> Self {
        Interval { lower: complement(self.upper), upper: complement(self.lower) }
    }

    /// Clamps both bounds to [0, 1]; NaN is unchanged.
    pub(super) fn clamp_to_unit(self) -> Self {
        self.map(|end| end.clamp(0.0, 1.0))
    }

    /// Applies the hedges before a set, starting with the one next to the set.
    pub(super) fn apply_hedges(self, hedges: &[Hedge]) -> Self {
        hedges.iter().rev().fold(self, |interval, hedge| match hedge {
            Hedge::Not => interval.complement(),
            other => interval.map(|end| other.apply(end)),
        })
    }
}
