//! Fuzzy numbers by one midpoint and the radii of their cuts.

mod functions;
mod operations;

use super::cut::Cut;
use super::lu::FuzzyLu;
use super::rounding::{Holds, Real};
use crate::error::{Error, Result};
use std::array;

/// A fuzzy number as one midpoint of type `T` and N radii of type `R`, greatest first.
///
/// It takes 1 + N numbers where [`FuzzyLu`] takes 2N, and holds symmetric numbers without loss. Every operation
/// encloses the true result, but a product or quotient is wider than it must be; see the
/// [room's door](super). `FuzzyMr<f64, N, f32>` has a double midpoint and single radii.
///
/// ```
/// use fuzzion::arithmetic::{FuzzyLu, FuzzyMr};
/// let a = FuzzyMr::<f64, 2>::new(2.0, [1.0, 0.0])?; // [1, 3] around 2
/// let product = a * a;
/// assert_eq!((product.midpoint(), product.radii()), (4.0, &[5.0, 0.0])); // [−1, 9] where the truth is [1, 9]
/// let lu = FuzzyLu::from(a);
/// assert_eq!(product.overestimation(&(lu * lu))[0], 1.25); // 10 against 8
/// # Ok::<(), fuzzion::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FuzzyMr<T, const N: usize, R = T> {
    midpoint: T,
    radii: [R; N],
}

impl<T: Holds<R>, R: Real, const N: usize> FuzzyMr<T, N, R> {
    /// A number from its midpoint and its radii, that of the support first.
    ///
    /// # Errors
    /// [`Error::FuzzyRadius`] where the midpoint is not finite, or a radius is NaN, negative or above the one before.
    pub fn new(midpoint: T, radii: [R; N]) -> Result<Self> {
        check_radii(midpoint, &radii)?;
        Ok(Self::from_fn(midpoint, |i| radii[i]))
    }

    /// `radius` gives nested radii without NaN. A midpoint beyond the largest number leaves nothing known; −0 becomes 0.
    #[inline]
    fn from_fn(midpoint: T, mut radius: impl FnMut(usize) -> R) -> Self {
        const { assert!(N > 0, "a fuzzy number has at least one cut") };
        if midpoint.is_finite() {
            FuzzyMr {
                midpoint: midpoint.add_near(T::ZERO),
                radii: array::from_fn(|i| radius(i).add_near(R::ZERO)),
            }
        } else {
            Self::unbounded()
        }
    }

    /// The least radii around `midpoint` that hold `cuts`, equation (11).
    fn around(midpoint: T, cuts: &FuzzyLu<T, N>) -> Self {
        Self::from_fn(midpoint, |i| {
            let cut = cuts.cut(i);
            cut.upper.sub_up(midpoint).greater(midpoint.sub_up(cut.lower)).narrow_up()
        })
    }

    /// A number of which nothing is known.
    pub fn unbounded() -> Self {
        FuzzyMr { midpoint: T::ZERO, radii: [R::INFINITY; N] }
    }

    /// Exactly `value`; the unbounded number for NaN and ±∞.
    pub fn crisp(value: T) -> Self {
        Self::from_fn(value, |_| R::ZERO)
    }

    /// The level of cut `i`, as [`FuzzyLu::alpha`].
    pub fn alpha(i: usize) -> f64 {
        FuzzyLu::<T, N>::alpha(i)
    }

    /// The middle of every cut.
    #[inline]
    pub fn midpoint(&self) -> T {
        self.midpoint
    }

    /// The radii, that of the support first; an infinite one is an unbounded cut.
    #[inline]
    pub fn radii(&self) -> &[R; N] {
        &self.radii
    }

    /// The bounds of cut `i`, rounded outwards; the core for an i beyond it.
    pub fn cut(&self, i: usize) -> Cut<T> {
        let radius = T::widen(self.radii[i.min(N - 1)]);
        Cut::new(self.midpoint.sub_down(radius), self.midpoint.add_up(radius))
    }

    /// The outermost cut.
    pub fn support(&self) -> Cut<T> {
        self.cut(0)
    }

    /// The innermost cut.
    pub fn core(&self) -> Cut<T> {
        self.cut(N - 1)
    }

    /// Whether all cuts are.
    pub fn is_bounded(&self) -> bool {
        self.support().is_bounded()
    }

    /// How many times as wide the cuts are as those of `reference`, usually the same calculation with [`FuzzyLu`].
    ///
    /// 1 where both have no width or no bound, ∞ where only this one has.
    pub fn overestimation(&self, reference: &FuzzyLu<T, N>) -> [f64; N] {
        array::from_fn(|i| {
            let width = |cut: Cut<T>| cut.upper.to_f64() - cut.lower.to_f64();
            let (mine, other) = (width(self.cut(i)), width(reference.cut(i)));
            if mine == other { 1.0 } else { mine / other }
        })
    }
}

/// Refuses a midpoint and radii that are no number, the support first.
pub(super) fn check_radii<T: Holds<R>, R: Real>(midpoint: T, radii: &[R]) -> Result<()> {
    let error = |cut: usize, problem| {
        let radius = radii[cut].to_f64();
        Err(Error::FuzzyRadius { midpoint: midpoint.to_f64(), cut, radius, problem })
    };
    if !midpoint.is_finite() {
        return error(0, "the midpoint must be finite");
    }
    for (i, radius) in radii.iter().enumerate() {
        if radius.partial_cmp(&R::ZERO).is_none_or(std::cmp::Ordering::is_lt) {
            return error(i, "a radius must be 0 or more");
        }
        if i > 0 && *radius > radii[i - 1] {
            return error(i, "a radius must not exceed the one before it");
        }
    }
    Ok(())
}

/// The midpoint is that of the core, equation (11).
impl<T: Holds<R>, R: Real, const N: usize> From<FuzzyLu<T, N>> for FuzzyMr<T, N, R> {
    fn from(cuts: FuzzyLu<T, N>) -> Self {
        if cuts.core().is_bounded() { Self::around(cuts.core().middle(), &cuts) } else { Self::unbounded() }
    }
}

/// Bounds rounded outwards, equation (12).
impl<T: Holds<R>, R: Real, const N: usize> From<FuzzyMr<T, N, R>> for FuzzyLu<T, N> {
    fn from(number: FuzzyMr<T, N, R>) -> Self {
        Self::from_fn(|i| number.cut(i))
    }
}

impl<T: Holds<R>, R: Real, const N: usize> From<T> for FuzzyMr<T, N, R> {
    fn from(value: T) -> Self {
        Self::crisp(value)
    }
}
