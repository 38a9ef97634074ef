//! Fuzzy numbers in the lower-upper encoding.

mod operations;

use crate::arithmetic::error::{ArithmeticError, Result};
use crate::arithmetic::number::cut::AlphaCut;
use crate::arithmetic::rounding::Real;
use std::array;

/// Fuzzy number in the lower-upper encoding: N nested α-cuts, each with its own lower and upper bound.
///
/// Cut 0 is the support and cut N − 1 the core; [`alpha`](FuzzyLu::alpha) is the level of a cut. Every operation works
/// cut by cut and encloses the exact result; + − × ÷ and √ return the tightest bounds representable in `T`.
///
/// ```
/// use fuzzion::arithmetic::FuzzyLu;
/// let a = FuzzyLu::<f64, 3>::triangular(1.0, 2.0, 3.0)?;
/// let product = a * a;
/// assert_eq!((product.cut(0).lower, product.cut(0).upper), (1.0, 9.0));
/// assert_eq!((product.cut(1).lower, product.cut(1).upper), (2.25, 6.25)); // 1.5² and 2.5²
/// assert_eq!(product.core().lower, 4.0);
/// # Ok::<(), fuzzion::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FuzzyLu<T, const N: usize> {
    lower: [T; N],
    upper: [T; N],
}

impl<T: Real, const N: usize> FuzzyLu<T, N> {
    /// Number with the nested cuts `make(0)`, …, `make(N − 1)`.
    #[inline]
    pub(in crate::arithmetic) fn from_fn(mut make: impl FnMut(usize) -> AlphaCut<T>) -> Self {
        const { assert!(N > 0, "a fuzzy number has at least one cut") };
        let cuts: [AlphaCut<T>; N] = array::from_fn(&mut make);
        FuzzyLu { lower: cuts.map(|cut| cut.lower), upper: cuts.map(|cut| cut.upper) }
    }

    /// Number with the cuts `make(0)`, …, `make(N − 1)`, each intersected with the previous one.
    ///
    /// The exact cuts are nested, so the intersection still encloses them.
    pub(in crate::arithmetic) fn nested(mut make: impl FnMut(usize) -> AlphaCut<T>) -> Self {
        let mut outer = AlphaCut::UNBOUNDED;
        Self::from_fn(|i| {
            outer = outer.intersection(make(i));
            outer
        })
    }

    /// Creates a number from the bounds of its cuts, support first.
    ///
    /// # Errors
    /// [`ArithmeticError::InvalidCut`] if a bound is NaN, a lower bound is ∞ or above its upper bound, an upper bound is −∞, or a
    /// cut is not within the previous one.
    pub fn from_cuts(lower: [T; N], upper: [T; N]) -> Result<Self> {
        check_cuts(&lower, &upper)?;
        Ok(Self::from_fn(|i| AlphaCut::new(lower[i], upper[i])))
    }

    /// The interval [lower, upper] at every level.
    ///
    /// # Errors
    /// Same as [`FuzzyLu::from_cuts`].
    pub fn interval(lower: T, upper: T) -> Result<Self> {
        Self::from_cuts([lower; N], [upper; N])
    }

    /// The whole real line at every level: no information about the value.
    pub fn unbounded() -> Self {
        Self::from_fn(|_| AlphaCut::UNBOUNDED)
    }

    /// The crisp number `value`. NaN gives [`unbounded`](Self::unbounded), ∞ gives [MAX, ∞], −∞ gives [−∞, −MAX].
    pub fn crisp(value: T) -> Self {
        Self::from_fn(|_| AlphaCut::crisp(value))
    }

    /// Level of cut `i`: i / (N − 1), from 0 for the support to 1 for the core. A single cut is the support.
    pub fn alpha(i: usize) -> f64 {
        if N == 1 { 0.0 } else { i as f64 / (N - 1) as f64 }
    }

    /// Lower bounds, support first.
    #[inline]
    pub fn lower(&self) -> &[T; N] {
        &self.lower
    }

    /// Upper bounds, support first.
    #[inline]
    pub fn upper(&self) -> &[T; N] {
        &self.upper
    }

    /// Cut `i`, counted from the support; the core if i ≥ N.
    #[inline]
    pub fn cut(&self, i: usize) -> AlphaCut<T> {
        let i = i.min(N - 1);
        AlphaCut { lower: self.lower[i], upper: self.upper[i] }
    }

    /// Outermost cut, α = 0.
    #[inline]
    pub fn support(&self) -> AlphaCut<T> {
        self.cut(0)
    }

    /// Innermost cut, α = 1.
    #[inline]
    pub fn core(&self) -> AlphaCut<T> {
        self.cut(N - 1)
    }

    /// Widths of the cuts, rounded up.
    pub fn widths(&self) -> [T; N] {
        array::from_fn(|i| self.cut(i).width())
    }

    /// Whether each cut of `other` is within the cut of this number at the same level.
    pub fn encloses(&self, other: &Self) -> bool {
        (0..N).all(|i| self.cut(i).encloses(other.cut(i)))
    }

    /// Whether all bounds are finite.
    pub fn is_bounded(&self) -> bool {
        self.support().is_bounded()
    }
}

/// Checks that the bounds form nested intervals, support first.
pub(in crate::arithmetic) fn check_cuts<T: Real>(lower: &[T], upper: &[T]) -> Result<()> {
    for (i, (l, u)) in lower.iter().copied().zip(upper.iter().copied()).enumerate() {
        // Comparisons are false for NaN.
        let in_order = l <= u && l < T::INFINITY && u > T::NEG_INFINITY;
        let nested = i == 0 || lower[i - 1] <= l && u <= upper[i - 1];
        let problem = if l > u {
            "its lower bound must not exceed its upper bound; swap them"
        } else if !in_order {
            "its bounds must be numbers, not both infinite with the same sign"
        } else if !nested {
            "it must be within the previous alpha-cut"
        } else {
            continue;
        };
        return Err(ArithmeticError::InvalidCut { cut: i, lower: l.to_f64(), upper: u.to_f64(), problem });
    }
    Ok(())
}

impl<T: Real, const N: usize> From<T> for FuzzyLu<T, N> {
    fn from(value: T) -> Self {
        Self::crisp(value)
    }
}
