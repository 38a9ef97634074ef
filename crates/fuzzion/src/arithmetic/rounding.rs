//! Sums, products, quotients and roots rounded downwards and upwards, exact to the last bit.
//!
//! No rounding mode of the processor is touched (a compiler may move ordinary operations across such a switch).
//! Every operation is computed to nearest, and the sign of what is missing, exact − nearest, says whether the number
//! next to it is the directed result. That sign comes from error-free transformations; [`double`] and [`single`] prove
//! it for their ranges.
//!
//! The sign of an exact zero is not specified; no caller depends on it.

mod double;
mod single;

pub(in crate::arithmetic) use double::power_of_two;

use std::fmt::{Debug, Display, LowerExp};
use std::ops::Neg;
use std::str::FromStr;

/// A floating-point type with directed rounding: `f32` or `f64`.
///
/// `…_down` is the greatest number not above the exact result, `…_up` the least not below it, `…_near` the nearest.
/// A result beyond the largest number is that number on the inner side and infinite on the outer one.
/// The trait is sealed by living in a private module.
pub trait Real:
    Copy + PartialOrd + Debug + Display + LowerExp + FromStr + Neg<Output = Self> + Send + Sync + 'static
{
    /// 0.
    const ZERO: Self;
    /// 1.
    const ONE: Self;
    /// Beyond every number.
    const INFINITY: Self;
    /// Below every number.
    const NEG_INFINITY: Self;
    /// The largest finite number.
    const MAX: Self;
    /// u, the largest relative error of a nearest result: half the distance from 1 to the next number.
    const UNIT: Self;
    /// η, the smallest normal number: a bound for what a nearest result can lose by underflow.
    ///
    /// The smallest number of all would bound it too, but operations on subnormal numbers are slow.
    const NORMAL: Self;

    /// The same number in double precision.
    fn to_f64(self) -> f64;
    /// The greatest number not above `value`.
    fn from_f64_down(value: f64) -> Self;
    /// Its size.
    fn abs(self) -> Self;

    /// a + b to nearest.
    fn add_near(self, other: Self) -> Self;
    /// a · b to nearest.
    fn mul_near(self, other: Self) -> Self;
    /// a / b to nearest.
    fn div_near(self, other: Self) -> Self;
    /// √a to nearest.
    fn sqrt_near(self) -> Self;
    /// a · b + c to nearest, rounded once.
    fn mul_add_near(self, factor: Self, addend: Self) -> Self;

    /// a + b downwards.
    fn add_down(self, other: Self) -> Self;
    /// a · b downwards.
    fn mul_down(self, other: Self) -> Self;
    /// a / b downwards.
    fn div_down(self, other: Self) -> Self;
    /// √a downwards.
    fn sqrt_down(self) -> Self;
    /// √a upwards.
    fn sqrt_up(self) -> Self;
    /// a · b + c downwards, rounded once.
    fn mul_add_down(self, factor: Self, addend: Self) -> Self;

    /// A lower and an upper bound of eᵃ, a few units in the last place apart.
    fn exp_bounds(self) -> (Self, Self);
    /// A lower and an upper bound of the natural logarithm of a > 0, a few units in the last place apart.
    fn log_bounds(self) -> (Self, Self);

    /// The least number not below `value`.
    fn from_f64_up(value: f64) -> Self {
        -Self::from_f64_down(-value)
    }
    /// a + b upwards.
    fn add_up(self, other: Self) -> Self {
        -(-self).add_down(-other)
    }
    /// a − b to nearest.
    fn sub_near(self, other: Self) -> Self {
        self.add_near(-other)
    }
    /// a − b downwards.
    fn sub_down(self, other: Self) -> Self {
        self.add_down(-other)
    }
    /// a − b upwards.
    fn sub_up(self, other: Self) -> Self {
        self.add_up(-other)
    }
    /// a · b upwards.
    fn mul_up(self, other: Self) -> Self {
        -(-self).mul_down(other)
    }
    /// a / b upwards.
    fn div_up(self, other: Self) -> Self {
        -(-self).div_down(other)
    }
    /// a · b + c upwards, rounded once.
    fn mul_add_up(self, factor: Self, addend: Self) -> Self {
        -(-self).mul_add_down(factor, -addend)
    }

    /// Neither infinite nor NaN.
    fn is_finite(self) -> bool {
        self.abs() < Self::INFINITY
    }
    /// The lesser of two numbers.
    fn lesser(self, other: Self) -> Self {
        if other < self { other } else { self }
    }
    /// The greater of two numbers.
    fn greater(self, other: Self) -> Self {
        if other > self { other } else { self }
    }
}

/// A type that holds every number of `R` exactly: f64 holds f32, and each type holds itself.
pub trait Holds<R: Real>: Real {
    /// The same number in this type.
    fn widen(narrow: R) -> Self;
    /// The greatest `R` not above.
    fn narrow_down(self) -> R;
    /// The least `R` not below.
    fn narrow_up(self) -> R;
}

impl<T: Real> Holds<T> for T {
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

impl Holds<f32> for f64 {
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
