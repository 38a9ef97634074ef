//! T-norms and s-norms.
//!
//! The names are fuzzylite's. The result is NaN if either membership is NaN; in fuzzylite, the drastic and nilpotent
//! norms return 0 or 1 instead.

use crate::device::math::Real;
use crate::macros::named;
use serde::{Deserialize, Serialize};

/// `y`, or NaN if `a` or `b` is NaN; for formulas that select a value by comparisons.
#[inline(always)]
fn propagate_nan<T: Real>(a: T, b: T, y: T) -> T {
    if a.is_nan() | b.is_nan() { T::NAN } else { y }
}

named! {
    /// T-norm (fuzzy and): commutative, associative and monotone, with T(a, 1) = a.
    ///
    /// ```
    /// use fuzzion::sets::TNorm;
    /// assert_eq!(TNorm::AlgebraicProduct.apply(0.5, 0.5), 0.25);
    /// assert_eq!(TNorm::BoundedDifference.apply(0.75, 0.5), 0.25);
    /// assert_eq!("HamacherProduct".parse::<TNorm>()?.apply(0.5, 0.5), 1.0 / 3.0);
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
    #[non_exhaustive]
    pub enum TNorm("t-norm") {
        /// min(a, b), the largest t-norm.
        Minimum = "Minimum",
        /// ab.
        AlgebraicProduct = "AlgebraicProduct",
        /// max(0, a + b − 1), the Łukasiewicz t-norm.
        BoundedDifference = "BoundedDifference",
        /// min(a, b) if one of them is 1, otherwise 0; the smallest t-norm.
        DrasticProduct = "DrasticProduct",
        /// ab/(2 − (a + b − ab)).
        EinsteinProduct = "EinsteinProduct",
        /// ab/(a + b − ab), or 0 if both are 0.
        HamacherProduct = "HamacherProduct",
        /// min(a, b) if a + b > 1, otherwise 0.
        NilpotentMinimum = "NilpotentMinimum",
    }
}

impl TNorm {
    /// T(a, b).
    pub fn apply(self, a: f64, b: f64) -> f64 {
        self.apply_real(a, b)
    }

    /// [`TNorm::apply`] in either precision; the compiler moves the match out of a loop with a constant `self`.
    #[inline(always)]
    pub(crate) fn apply_real<T: Real>(self, a: T, b: T) -> T {
        let (min, max) = (a.simd_min(b), a.simd_max(b));
        match self {
            TNorm::Minimum => propagate_nan(a, b, min),
            TNorm::AlgebraicProduct => a * b,
            // 1 − max is exact if the result is not 0.
            TNorm::BoundedDifference => propagate_nan(a, b, T::ZERO.simd_max(min - (T::ONE - max))),
            TNorm::DrasticProduct => propagate_nan(a, b, if max == T::ONE { min } else { T::ZERO }),
            TNorm::EinsteinProduct => a * b / (T::ONE + (T::ONE - a) * (T::ONE - b)),
            TNorm::HamacherProduct => {
                // `min` times a factor of at most 1, because the product of two small numbers would underflow.
                let sum = max + min * (T::ONE - max);
                propagate_nan(a, b, if sum == T::ZERO { T::ZERO } else { min * (max / sum) })
            }
            TNorm::NilpotentMinimum => {
                // 1 plus a small number exceeds 1 but rounds to 1.
                let above = (a + b > T::ONE) | (max == T::ONE);
                propagate_nan(a, b, if above { min } else { T::ZERO })
            }
        }
    }
}

named! {
    /// S-norm (fuzzy or): commutative, associative and monotone, with S(a, 0) = a.
    ///
    /// ```
    /// use fuzzion::sets::SNorm;
    /// assert_eq!(SNorm::AlgebraicSum.apply(0.5, 0.5), 0.75);
    /// assert_eq!(SNorm::UnboundedSum.apply(0.75, 0.5), 1.25);
    /// assert_eq!("EinsteinSum".parse::<SNorm>()?.apply(0.5, 0.5), 0.8);
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
    #[non_exhaustive]
    pub enum SNorm("s-norm") {
        /// max(a, b), the smallest s-norm.
        Maximum = "Maximum",
        /// a + b − ab.
        AlgebraicSum = "AlgebraicSum",
        /// min(1, a + b), the Łukasiewicz s-norm.
        BoundedSum = "BoundedSum",
        /// max(a, b) if one of them is 0, otherwise 1; the largest s-norm with values in [0, 1].
        DrasticSum = "DrasticSum",
        /// (a + b)/(1 + ab).
        EinsteinSum = "EinsteinSum",
        /// (a + b − 2ab)/(1 − ab), or 1 if ab is 1.
        HamacherSum = "HamacherSum",
        /// max(a, b) if a + b < 1, otherwise 1.
        NilpotentMaximum = "NilpotentMaximum",
        /// (a + b)/max(1, a + b); equals [`BoundedSum`](SNorm::BoundedSum) for two memberships.
        NormalizedSum = "NormalizedSum",
        /// a + b, which may exceed 1.
        UnboundedSum = "UnboundedSum",
    }
}

impl SNorm {
    /// S(a, b).
    pub fn apply(self, a: f64, b: f64) -> f64 {
        self.apply_real(a, b)
    }

    /// [`SNorm::apply`] in either precision; the compiler moves the match out of a loop with a constant `self`.
    #[inline(always)]
    pub(crate) fn apply_real<T: Real>(self, a: T, b: T) -> T {
        let (min, max) = (a.simd_min(b), a.simd_max(b));
        match self {
            SNorm::Maximum => propagate_nan(a, b, max),
            // `max` plus a nonnegative number, so that the rounded result is never below `max`.
            SNorm::AlgebraicSum => propagate_nan(a, b, max + min * (T::ONE - max)),
            SNorm::BoundedSum => T::ONE.simd_min(a + b),
            SNorm::DrasticSum => propagate_nan(a, b, if min == T::ZERO { max } else { T::ONE }),
            SNorm::EinsteinSum => {
                let rest = (T::ONE - max) * (T::ONE + max);
                propagate_nan(a, b, max + min * rest / (T::ONE + a * b))
            }
            SNorm::HamacherSum => {
                // 1 − ab cancels near (1, 1); p + max·q has the same value.
                let (p, q) = (T::ONE - max, T::ONE - min);
                let rest = p + max * q;
                let sum = max + min * p * (p / rest);
                propagate_nan(a, b, if rest == T::ZERO { T::ONE } else { sum })
            }
            SNorm::NilpotentMaximum => propagate_nan(a, b, if a + b < T::ONE { max } else { T::ONE }),
            SNorm::NormalizedSum => (a + b) / T::ONE.simd_max(a + b),
            SNorm::UnboundedSum => a + b,
        }
    }
}
