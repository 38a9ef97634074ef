//! Fuzzy numbers by the lower and upper bounds of their cuts.

mod operations;

use super::cut::Cut;
use super::rounding::Real;
use crate::error::{Error, Result};
use std::array;

/// A fuzzy number as N nested cuts, each with its own lower and upper bound.
///
/// Cut 0 is the support and cut N − 1 the core; [`alpha`](FuzzyLu::alpha) is the level of each. Every operation works
/// cut by cut and encloses the true result; + − × ÷ and √ give the tightest bounds that `T` can hold.
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
    /// Cut by cut; `make` gives nested cuts.
    #[inline]
    pub(super) fn from_fn(mut make: impl FnMut(usize) -> Cut<T>) -> Self {
        const { assert!(N > 0, "a fuzzy number has at least one cut") };
        let cuts: [Cut<T>; N] = array::from_fn(&mut make);
        FuzzyLu { lower: cuts.map(|cut| cut.lower), upper: cuts.map(|cut| cut.upper) }
    }

    /// Cut by cut, from the support inwards; what sticks out of the cut before is left out.
    ///
    /// The true cuts are nested, so that the part of an enclosure within the enclosure before it is one too.
    pub(super) fn nested(mut make: impl FnMut(usize) -> Cut<T>) -> Self {
        let mut outer = Cut::UNBOUNDED;
        Self::from_fn(|i| {
            outer = outer.intersection(make(i));
            outer
        })
    }

    /// A number from its bounds, support first.
    ///
    /// # Errors
    /// [`Error::FuzzyCut`] where a bound is NaN, a lower bound is above its upper one or ∞, an upper one −∞, or a cut is
    /// not within the one before.
    pub fn from_cuts(lower: [T; N], upper: [T; N]) -> Result<Self> {
        check_cuts(&lower, &upper)?;
        Ok(Self::from_fn(|i| Cut::new(lower[i], upper[i])))
    }

    /// The same interval at every level.
    ///
    /// # Errors
    /// As [`FuzzyLu::from_cuts`].
    pub fn interval(lower: T, upper: T) -> Result<Self> {
        Self::from_cuts([lower; N], [upper; N])
    }

    /// A number of which nothing is known.
    pub fn unbounded() -> Self {
        Self::from_fn(|_| Cut::UNBOUNDED)
    }

    /// Exactly `value`; NaN is the unbounded number, ∞ what lies beyond the largest number.
    pub fn crisp(value: T) -> Self {
        Self::from_fn(|_| Cut::exactly(value))
    }

    /// The level of cut `i`: i / (N − 1), from 0 for the support to 1 for the core. A single cut is the support.
    pub fn alpha(i: usize) -> f64 {
        if N == 1 { 0.0 } else { i as f64 / (N - 1) as f64 }
    }

    /// The lower bounds, support first.
    #[inline]
    pub fn lower(&self) -> &[T; N] {
        &self.lower
    }

    /// The upper bounds, support first.
    #[inline]
    pub fn upper(&self) -> &[T; N] {
        &self.upper
    }

    /// Cut `i`, counted from the support; the core for an i beyond it.
    #[inline]
    pub fn cut(&self, i: usize) -> Cut<T> {
        let i = i.min(N - 1);
        Cut { lower: self.lower[i], upper: self.upper[i] }
    }

    /// The outermost cut.
    #[inline]
    pub fn support(&self) -> Cut<T> {
        self.cut(0)
    }

    /// The innermost cut.
    #[inline]
    pub fn core(&self) -> Cut<T> {
        self.cut(N - 1)
    }

    /// The widths of the cuts, rounded upwards.
    pub fn widths(&self) -> [T; N] {
        array::from_fn(|i| self.cut(i).width())
    }

    /// Whether every cut of `other` lies in the cut of this number at its level.
    pub fn encloses(&self, other: &Self) -> bool {
        (0..N).all(|i| self.cut(i).encloses(other.cut(i)))
    }

    /// Whether all bounds are finite.
    pub fn is_bounded(&self) -> bool {
        self.support().is_bounded()
    }
}

/// Refuses bounds that are no cuts, support first.
pub(super) fn check_cuts<T: Real>(lower: &[T], upper: &[T]) -> Result<()> {
    for (i, (l, u)) in lower.iter().copied().zip(upper.iter().copied()).enumerate() {
        // Comparisons are false for NaN.
        let in_order = l <= u && l < T::INFINITY && u > T::NEG_INFINITY;
        let nested = i == 0 || lower[i - 1] <= l && u <= upper[i - 1];
        let problem = if !in_order {
            "its bounds must be two numbers in order"
        } else if !nested {
            "it must lie within the cut before it"
        } else {
            continue;
        };
        return Err(Error::FuzzyCut { cut: i, lower: l.to_f64(), upper: u.to_f64(), problem });
    }
    Ok(())
}

impl<T: Real, const N: usize> From<T> for FuzzyLu<T, N> {
    fn from(value: T) -> Self {
        Self::crisp(value)
    }
}
