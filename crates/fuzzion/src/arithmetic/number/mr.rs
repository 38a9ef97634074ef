//! Fuzzy numbers in the midpoint-radius encoding.

mod functions;
mod operations;

use crate::arithmetic::error::{ArithmeticError, Result};
use crate::arithmetic::number::cut::AlphaCut;
use crate::arithmetic::number::lu::FuzzyLu;
use crate::arithmetic::rounding::{Real, WidensFrom};
use std::array;

/// Fuzzy number in the midpoint-radius encoding: one midpoint of type `T` and N radii of type `R`, largest first.
///
/// It stores 1 + N values instead of the 2N of [`FuzzyLu`] and represents symmetric numbers without loss. Every
/// operation encloses the exact result, but products and quotients overestimate its width; see the
/// [module documentation](crate::arithmetic). `FuzzyMr<f64, N, f32>` has an f64 midpoint and f32 radii.
///
/// ```
/// use fuzzion::arithmetic::{FuzzyLu, FuzzyMr};
/// let a = FuzzyMr::<f64, 2>::new(2.0, [1.0, 0.0])?; // [1, 3] around 2
/// let product = a * a;
/// assert_eq!((product.midpoint(), product.radii()), (4.0, &[5.0, 0.0])); // [−1, 9]; the exact product is [1, 9]
/// let lu = FuzzyLu::from(a);
/// assert_eq!(product.overestimation(&(lu * lu))[0], 1.25); // width 10 instead of 8
/// # Ok::<(), fuzzion::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FuzzyMr<T, const N: usize, R = T> {
    midpoint: T,
    radii: [R; N],
}

impl<T: WidensFrom<R>, R: Real, const N: usize> FuzzyMr<T, N, R> {
    /// Creates a number from its midpoint and radii, support first.
    ///
    /// # Errors
    /// [`ArithmeticError::InvalidRadius`] if the midpoint is not finite, or a radius is NaN, negative or above the previous one.
    pub fn new(midpoint: T, radii: [R; N]) -> Result<Self> {
        check_radii(midpoint, &radii)?;
        Ok(Self::from_fn(midpoint, |i| radii[i]))
    }

    /// Number with nested radii `radius(i)` without NaN; −0 becomes 0. An infinite midpoint gives the unbounded number.
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

    /// Smallest radii around `midpoint` that enclose `cuts`, Equation (11).
    fn enclosing(midpoint: T, cuts: &FuzzyLu<T, N>) -> Self {
        Self::from_fn(midpoint, |i| {
            let cut = cuts.cut(i);
            cut.upper.sub_up(midpoint).greater(midpoint.sub_up(cut.lower)).narrow_up()
        })
    }

    /// The whole real line at every level: no information about the value.
    pub fn unbounded() -> Self {
        FuzzyMr { midpoint: T::ZERO, radii: [R::INFINITY; N] }
    }

    /// The crisp number `value`; NaN and ±∞ give the unbounded number.
    pub fn crisp(value: T) -> Self {
        Self::from_fn(value, |_| R::ZERO)
    }

    /// Level of cut `i`; see [`FuzzyLu::alpha`].
    pub fn alpha(i: usize) -> f64 {
        FuzzyLu::<T, N>::alpha(i)
    }

    /// Common midpoint of all cuts.
    #[inline]
    pub fn midpoint(&self) -> T {
        self.midpoint
    }

    /// Radii, support first; an infinite radius is an unbounded cut.
    #[inline]
    pub fn radii(&self) -> &[R; N] {
        &self.radii
    }

    /// Bounds of cut `i`, rounded outward; the core if i ≥ N.
    pub fn cut(&self, i: usize) -> AlphaCut<T> {
        let radius = T::widen(self.radii[i.min(N - 1)]);
        AlphaCut::new(self.midpoint.sub_down(radius), self.midpoint.add_up(radius))
    }

    /// Outermost cut, α = 0.
    pub fn support(&self) -> AlphaCut<T> {
        self.cut(0)
    }

    /// Innermost cut, α = 1.
    pub fn core(&self) -> AlphaCut<T> {
        self.cut(N - 1)
    }

    /// Whether all cuts are bounded.
    pub fn is_bounded(&self) -> bool {
        self.support().is_bounded()
    }

    /// Width of each cut relative to `reference`, usually the same computation with [`FuzzyLu`].
    ///
    /// 1 if the widths are equal, including 0 and ∞; ∞ if only this cut is unbounded or only the reference has width 0.
    pub fn overestimation(&self, reference: &FuzzyLu<T, N>) -> [f64; N] {
        array::from_fn(|i| {
            let width = |cut: AlphaCut<T>| cut.upper.to_f64() - cut.lower.to_f64();
            let (width_mr, width_reference) = (width(self.cut(i)), width(reference.cut(i)));
            if width_mr == width_reference { 1.0 } else { width_mr / width_reference }
        })
    }
}

/// Checks that the midpoint and the radii form a number, support first.
pub(in crate::arithmetic) fn check_radii<T: WidensFrom<R>, R: Real>(midpoint: T, radii: &[R]) -> Result<()> {
    let error = |cut: usize, problem| {
        let radius = radii[cut].to_f64();
        Err(ArithmeticError::InvalidRadius { midpoint: midpoint.to_f64(), cut, radius, problem })
    };
    if !midpoint.is_finite() {
        return error(0, "the midpoint must be finite");
    }
    for (i, radius) in radii.iter().enumerate() {
        if radius.partial_cmp(&R::ZERO).is_none_or(std::cmp::Ordering::is_lt) {
            return error(i, "the radius must be at least 0");
        }
        if i > 0 && *radius > radii[i - 1] {
            return error(i, "the radius must not exceed the previous one");
        }
    }
    Ok(())
}

/// The midpoint is the midpoint of the core, Equation (11).
impl<T: WidensFrom<R>, R: Real, const N: usize> From<FuzzyLu<T, N>> for FuzzyMr<T, N, R> {
    fn from(cuts: FuzzyLu<T, N>) -> Self {
        if cuts.core().is_bounded() {
            Self::enclosing(cuts.core().midpoint(), &cuts)
        } else {
            Self::unbounded()
        }
    }
}

/// Bounds rounded outward, Equation (12).
impl<T: WidensFrom<R>, R: Real, const N: usize> From<FuzzyMr<T, N, R>> for FuzzyLu<T, N> {
    fn from(number: FuzzyMr<T, N, R>) -> Self {
        Self::from_fn(|i| number.cut(i))
    }
}

impl<T: WidensFrom<R>, R: Real, const N: usize> From<T> for FuzzyMr<T, N, R> {
    fn from(value: T) -> Self {
        Self::crisp(value)
    }
}
