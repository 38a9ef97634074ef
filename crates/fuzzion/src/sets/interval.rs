//! Closed intervals of real numbers.

use serde::{Deserialize, Serialize};

/// A closed interval; either bound can be infinite.
///
/// ```
/// use fuzzion::sets::Interval;
/// let strength = Interval::new(0.75, 0.25);
/// assert_eq!((strength.lower, strength.upper, strength.midpoint()), (0.25, 0.75, 0.5));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Interval {
    /// Lower bound.
    #[serde(with = "super::number::field")]
    pub lower: f64,
    /// Upper bound.
    #[serde(with = "super::number::field")]
    pub upper: f64,
}

impl Interval {
    /// All real numbers.
    pub(crate) const REAL_LINE: Interval = Interval { lower: f64::NEG_INFINITY, upper: f64::INFINITY };

    /// The interval between `a` and `b`, in either order.
    pub fn new(a: f64, b: f64) -> Self {
        if b < a { Interval { lower: b, upper: a } } else { Interval { lower: a, upper: b } }
    }

    /// The interval that contains a single number.
    pub fn point(value: f64) -> Self {
        Interval { lower: value, upper: value }
    }

    /// Midpoint of the interval.
    pub fn midpoint(self) -> f64 {
        self.lower / 2.0 + self.upper / 2.0
    }

    /// The interval of all x with |x − `center`| ≤ `distance`.
    pub(super) fn around(center: f64, distance: f64) -> Self {
        Interval { lower: center - distance, upper: center + distance }
    }

    /// The half-line from `end` to ∞ if `upwards`, otherwise from −∞ to `end`.
    pub(super) fn beyond(end: f64, upwards: bool) -> Self {
        let all = Interval::REAL_LINE;
        if upwards { Interval { lower: end, ..all } } else { Interval { upper: end, ..all } }
    }
}
