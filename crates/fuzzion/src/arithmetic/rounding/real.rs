//! Floating-point types with directed rounding.

use std::fmt::{Debug, Display, LowerExp};
use std::ops::Neg;
use std::str::FromStr;

/// Prevents implementations of public traits outside of this crate, because its module is private.
pub trait Sealed {}
impl Sealed for f32 {}
impl Sealed for f64 {}

/// Floating-point type with directed rounding: `f32` or `f64`. The trait is sealed.
///
/// `…_down` is the largest number ≤ the exact result, `…_up` the smallest number ≥ it, `…_near` the nearest number.
/// A positive result that overflows is `MAX` when rounded down and ∞ when rounded up; negative results are symmetric.
///
/// ```
/// use fuzzion::arithmetic::{FuzzyLu, Real};
///
/// fn mean<T: Real, const N: usize>(x: FuzzyLu<T, N>, y: FuzzyLu<T, N>) -> FuzzyLu<T, N> {
///     (x + y) / T::ONE.add_near(T::ONE)
/// }
///
/// let mean = mean("tri(1, 2, 3)".parse::<FuzzyLu<f32, 2>>()?, FuzzyLu::crisp(6.0));
/// assert_eq!(mean.to_string(), "cuts([3.5, 4.5], [4, 4])");
/// assert_eq!((1f64.div_down(3.0), 1f64.div_up(3.0)), (1.0 / 3.0, (1.0f64 / 3.0).next_up()));
/// # Ok::<(), fuzzion::Error>(())
/// ```
pub trait Real:
    Sealed + Copy + PartialOrd + Debug + Display + LowerExp + FromStr + Neg<Output = Self> + Send + Sync + 'static
{
    /// 0.
    const ZERO: Self;
    /// 1.
    const ONE: Self;
    /// +∞.
    const INFINITY: Self;
    /// −∞.
    const NEG_INFINITY: Self;
    /// Largest finite number.
    const MAX: Self;
    /// u, the unit roundoff: half the distance from 1 to the next number.
    const UNIT_ROUNDOFF: Self;
    /// η, the smallest positive normal number: a bound on the underflow error of a result rounded to nearest.
    ///
    /// The smallest subnormal number would also be a bound, but operations on subnormal numbers are slow.
    const MIN_NORMAL: Self;

    /// The same value in double precision.
    fn to_f64(self) -> f64;
    /// Largest number ≤ `value`.
    fn from_f64_down(value: f64) -> Self;
    /// |a|.
    fn abs(self) -> Self;

    /// a + b rounded to nearest.
    fn add_near(self, other: Self) -> Self;
    /// a · b rounded to nearest.
    fn mul_near(self, other: Self) -> Self;
    /// a / b rounded to nearest.
    fn div_near(self, other: Self) -> Self;
    /// √a rounded to nearest.
    fn sqrt_near(self) -> Self;
    /// a · b + c rounded to nearest once.
    fn mul_add_near(self, factor: Self, addend: Self) -> Self;

    /// a + b rounded down.
    fn add_down(self, other: Self) -> Self;
    /// a · b rounded down.
    fn mul_down(self, other: Self) -> Self;
    /// a / b rounded down.
    fn div_down(self, other: Self) -> Self;
    /// √a rounded down.
    fn sqrt_down(self) -> Self;
    /// √a rounded up.
    fn sqrt_up(self) -> Self;
    /// a · b + c rounded down once.
    fn mul_add_down(self, factor: Self, addend: Self) -> Self;

    /// Lower and upper bound of eᵃ, a few ulps apart.
    fn exp_bounds(self) -> (Self, Self);
    /// Lower and upper bound of ln a for a > 0, a few ulps apart.
    fn log_bounds(self) -> (Self, Self);

    /// Smallest number ≥ `value`.
    fn from_f64_up(value: f64) -> Self {
        -Self::from_f64_down(-value)
    }
    /// a + b rounded up.
    fn add_up(self, other: Self) -> Self {
        -(-self).add_down(-other)
    }
    /// a − b rounded to nearest.
    fn sub_near(self, other: Self) -> Self {
        self.add_near(-other)
    }
    /// a − b rounded down.
    fn sub_down(self, other: Self) -> Self {
        self.add_down(-other)
    }
    /// a − b rounded up.
    fn sub_up(self, other: Self) -> Self {
        self.add_up(-other)
    }
    /// a · b rounded up.
    fn mul_up(self, other: Self) -> Self {
        -(-self).mul_down(other)
    }
    /// a / b rounded up.
    fn div_up(self, other: Self) -> Self {
        -(-self).div_down(other)
    }
    /// a · b + c rounded up once.
    fn mul_add_up(self, factor: Self, addend: Self) -> Self {
        -(-self).mul_add_down(factor, -addend)
    }

    /// Neither infinite nor NaN.
    fn is_finite(self) -> bool {
        self.abs() < Self::INFINITY
    }
    /// Smaller of two numbers.
    fn lesser(self, other: Self) -> Self {
        if other < self { other } else { self }
    }
    /// Larger of two numbers.
    fn greater(self, other: Self) -> Self {
        if other > self { other } else { self }
    }
}

/// Type that represents every value of `R` exactly: `f64` for `f32`, and every type for itself. The trait is sealed.
///
/// ```
/// use fuzzion::arithmetic::{FuzzyMr, Real, WidensFrom};
///
/// fn radius<T: WidensFrom<R>, R: Real, const N: usize>(x: &FuzzyMr<T, N, R>) -> T {
///     T::widen(x.radii()[0])
/// }
///
/// assert_eq!(radius(&FuzzyMr::<f64, 1, f32>::new(2.0, [0.5])?), 0.5f64);
/// # Ok::<(), fuzzion::Error>(())
/// ```
pub trait WidensFrom<R: Real>: Real {
    /// The same value in this type.
    fn widen(narrow: R) -> Self;
    /// Largest `R` ≤ this number.
    fn narrow_down(self) -> R;
    /// Smallest `R` ≥ this number.
    fn narrow_up(self) -> R;
}

impl<T: Real> WidensFrom<T> for T {
    fn widen(narrow: T) -> T {
        narrow
    }
    fn narrow_down(self) -> T {
        self
    }
    fn narrow_up(self) -> T {
        self
    }
}

impl WidensFrom<f32> for f64 {
    fn widen(narrow: f32) -> f64 {
        f64::from(narrow)
    }
    fn narrow_down(self) -> f32 {
        f32::from_f64_down(self)
    }
    fn narrow_up(self) -> f32 {
        f32::from_f64_up(self)
    }
}
