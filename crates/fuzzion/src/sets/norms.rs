//! And, or: how two memberships become one.
//!
//! Fuzzylite's names. Where either membership is NaN, so is the result (fuzzylite's drastic and nilpotent norms
//! give 0 or 1 there, which hides it).

use crate::device::math::Real;

/// `y`, or NaN where a or b is; for formulas that choose instead of compute.
#[inline(always)]
fn unless_nan<T: Real>(a: T, b: T, y: T) -> T {
    if a.is_nan() | b.is_nan() { T::NAN } else { y }
}

/// An and: commutative, associative, monotone, T(a, 1) = a.
///
/// ```
/// use fuzzion::sets::TNorm;
/// assert_eq!(TNorm::AlgebraicProduct.apply(0.5, 0.5), 0.25);
/// assert_eq!(TNorm::BoundedDifference.apply(0.75, 0.5), 0.25);
/// assert_eq!(TNorm::from_name("HamacherProduct").map(|t| t.apply(0.5, 0.5)), Some(1.0 / 3.0));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum TNorm {
    /// min(a, b), the largest.
    Minimum,
    /// ab.
    AlgebraicProduct,
    /// max(0, a + b − 1), after Łukasiewicz.
    BoundedDifference,
    /// min(a, b) where one of them is 1, else 0: the smallest.
    DrasticProduct,
    /// ab/(2 − (a + b − ab)).
    EinsteinProduct,
    /// ab/(a + b − ab), 0 where both are 0.
    HamacherProduct,
    /// min(a, b) where a + b > 1, else 0.
    NilpotentMinimum,
}

impl TNorm {
    /// Every t-norm.
    pub const ALL: [TNorm; 7] = [
        TNorm::Minimum,
        TNorm::AlgebraicProduct,
        TNorm::BoundedDifference,
        TNorm::DrasticProduct,
        TNorm::EinsteinProduct,
        TNorm::HamacherProduct,
        TNorm::NilpotentMinimum,
    ];

    /// The name in fuzzylite and its files.
    pub fn name(self) -> &'static str {
        match self {
            TNorm::Minimum => "Minimum",
            TNorm::AlgebraicProduct => "AlgebraicProduct",
            TNorm::BoundedDifference => "BoundedDifference",
            TNorm::DrasticProduct => "DrasticProduct",
            TNorm::EinsteinProduct => "EinsteinProduct",
            TNorm::HamacherProduct => "HamacherProduct",
            TNorm::NilpotentMinimum => "NilpotentMinimum",
        }
    }

    /// The t-norm of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        TNorm::ALL.into_iter().find(|norm| norm.name() == name)
    }

    /// T(a, b).
    pub fn apply(self, a: f64, b: f64) -> f64 {
        self.of(a, b)
    }

    /// [`TNorm::apply`] in either precision; `self` is fixed in a loop, so the match leaves it.
    #[inline(always)]
    pub(crate) fn of<T: Real>(self, a: T, b: T) -> T {
        let (least, most) = (a.least(b), a.most(b));
        match self {
            TNorm::Minimum => unless_nan(a, b, least),
            TNorm::AlgebraicProduct => a * b,
            // 1 − most is exact wherever the result is not 0.
            TNorm::BoundedDifference => unless_nan(a, b, T::ZERO.most(least - (T::ONE - most))),
            TNorm::DrasticProduct => unless_nan(a, b, if most == T::ONE { least } else { T::ZERO }),
            TNorm::EinsteinProduct => a * b / (T::ONE + (T::ONE - a) * (T::ONE - b)),
            TNorm::HamacherProduct => {
                // The smaller one times at most 1: a product of two small numbers would underflow.
                let sum = most + least * (T::ONE - most);
                unless_nan(a, b, if sum == T::ZERO { T::ZERO } else { least * (most / sum) })
            }
            TNorm::NilpotentMinimum => {
                // With 1 the sum of a small number rounds to 1, and is more.
                let above = (a + b > T::ONE) | (most == T::ONE);
                unless_nan(a, b, if above { least } else { T::ZERO })
            }
        }
    }
}

/// An or: commutative, associative, monotone, S(a, 0) = a.
///
/// ```
/// use fuzzion::sets::SNorm;
/// assert_eq!(SNorm::AlgebraicSum.apply(0.5, 0.5), 0.75);
/// assert_eq!(SNorm::UnboundedSum.apply(0.75, 0.5), 1.25);
/// assert_eq!(SNorm::from_name("EinsteinSum").map(|s| s.apply(0.5, 0.5)), Some(0.8));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SNorm {
    /// max(a, b), the smallest.
    Maximum,
    /// a + b − ab.
    AlgebraicSum,
    /// min(1, a + b), after Łukasiewicz.
    BoundedSum,
    /// max(a, b) where one of them is 0, else 1: the largest within 1.
    DrasticSum,
    /// (a + b)/(1 + ab).
    EinsteinSum,
    /// (a + b − 2ab)/(1 − ab), 1 where ab is 1.
    HamacherSum,
    /// max(a, b) where a + b < 1, else 1.
    NilpotentMaximum,
    /// (a + b)/max(1, a + b): for two memberships the same as [`BoundedSum`](SNorm::BoundedSum).
    NormalizedSum,
    /// a + b, which may exceed 1.
    UnboundedSum,
}

impl SNorm {
    /// Every s-norm.
    pub const ALL: [SNorm; 9] = [
        SNorm::Maximum,
        SNorm::AlgebraicSum,
        SNorm::BoundedSum,
        SNorm::DrasticSum,
        SNorm::EinsteinSum,
        SNorm::HamacherSum,
        SNorm::NilpotentMaximum,
        SNorm::NormalizedSum,
        SNorm::UnboundedSum,
    ];

    /// The name in fuzzylite and its files.
    pub fn name(self) -> &'static str {
        match self {
            SNorm::Maximum => "Maximum",
            SNorm::AlgebraicSum => "AlgebraicSum",
            SNorm::BoundedSum => "BoundedSum",
            SNorm::DrasticSum => "DrasticSum",
            SNorm::EinsteinSum => "EinsteinSum",
            SNorm::HamacherSum => "HamacherSum",
            SNorm::NilpotentMaximum => "NilpotentMaximum",
            SNorm::NormalizedSum => "NormalizedSum",
            SNorm::UnboundedSum => "UnboundedSum",
        }
    }

    /// The s-norm of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        SNorm::ALL.into_iter().find(|norm| norm.name() == name)
    }

    /// S(a, b).
    pub fn apply(self, a: f64, b: f64) -> f64 {
        self.of(a, b)
    }

    /// [`SNorm::apply`] in either precision; `self` is fixed in a loop, so the match leaves it.
    #[inline(always)]
    pub(crate) fn of<T: Real>(self, a: T, b: T) -> T {
        let (least, most) = (a.least(b), a.most(b));
        match self {
            SNorm::Maximum => unless_nan(a, b, most),
            // The sums are the larger one and what is added to it, so that rounding cannot take from it.
            SNorm::AlgebraicSum => unless_nan(a, b, most + least * (T::ONE - most)),
            SNorm::BoundedSum => T::ONE.least(a + b),
            SNorm::DrasticSum => unless_nan(a, b, if least == T::ZERO { most } else { T::ONE }),
            SNorm::EinsteinSum => {
                let rest = (T::ONE - most) * (T::ONE + most);
                unless_nan(a, b, most + least * rest / (T::ONE + a * b))
            }
            SNorm::HamacherSum => {
                // 1 − ab cancels near (1, 1); p + most·q is the same.
                let (p, q) = (T::ONE - most, T::ONE - least);
                let rest = p + most * q;
                let sum = most + least * p * (p / rest);
                unless_nan(a, b, if rest == T::ZERO { T::ONE } else { sum })
            }
            SNorm::NilpotentMaximum => unless_nan(a, b, if a + b < T::ONE { most } else { T::ONE }),
            SNorm::NormalizedSum => (a + b) / T::ONE.most(a + b),
            SNorm::UnboundedSum => a + b,
        }
    }
}
