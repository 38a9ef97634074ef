//! Single precision, through double.
//!
//! A product of two f32 has at most 48 significant bits and an exponent within −298 … 256: it is exact in f64, and the
//! f64 difference of two such numbers has the sign of the exact difference (no underflow: all are multiples of 2⁻²⁹⁸).
//! A sum of f32, or of such a product and an f32, need not be exact in f64; [`two_sum`] gives it as a pair.

use super::Real;
use super::double::two_sum;
use crate::arithmetic::elementary;

/// The greatest f32 not above `sum` + `rest`, where `sum` is that exact value rounded to nearest in f64.
///
/// An f32 is an f64, and rounding is monotone: an f32 below `sum` is below the exact value, one above `sum` above it.
/// Only where an f32 equals `sum` does `rest` decide. The cast rounds to nearest, hence to a neighbour of `sum`; what
/// overflows there to ∞ is above `sum`, and the number below ∞ is the largest.
#[inline]
fn down(sum: f64, rest: f64) -> f32 {
    let near = sum as f32;
    let above = f64::from(near) > sum || f64::from(near) == sum && rest < 0.0;
    if above { near.next_down() } else { near }
}

/// `near`, or its lower neighbour where exact − near is negative. A NaN (an infinity among the operands) leaves it.
#[inline]
fn settle(near: f32, rest: f64) -> f32 {
    if rest < 0.0 { near.next_down() } else { near }
}

impl Real for f32 {
    const ZERO: f32 = 0.0;
    const ONE: f32 = 1.0;
    const INFINITY: f32 = f32::INFINITY;
    const NEG_INFINITY: f32 = f32::NEG_INFINITY;
    const MAX: f32 = f32::MAX;
    const UNIT: f32 = f32::EPSILON / 2.0;
    const NORMAL: f32 = f32::MIN_POSITIVE;

    fn to_f64(self) -> f64 {
        f64::from(self)
    }
    fn from_f64_down(value: f64) -> f32 {
        down(value, 0.0)
    }
    fn abs(self) -> f32 {
        f32::abs(self)
    }

    fn add_near(self, other: f32) -> f32 {
        self + other
    }
    fn mul_near(self, other: f32) -> f32 {
        self * other
    }
    fn div_near(self, other: f32) -> f32 {
        self / other
    }
    fn sqrt_near(self) -> f32 {
        self.sqrt()
    }
    /// The pair of [`two_sum`], its first number moved to the neighbour with an odd last bit where the second is not 0:
    /// it then lies on the right side of every f32 and of every midpoint of two, which are even in f64, and the cast
    /// rounds as it would the exact value.
    fn mul_add_near(self, factor: f32, addend: f32) -> f32 {
        let (sum, rest) = two_sum(f64::from(self) * f64::from(factor), f64::from(addend));
        let odd = sum.to_bits() & 1 == 1;
        let sum = match rest {
            _ if odd || !sum.is_finite() => sum,
            rest if rest < 0.0 => sum.next_down(),
            rest if rest > 0.0 => sum.next_up(),
            _ => sum,
        };
        sum as f32
    }

    fn add_down(self, other: f32) -> f32 {
        let (sum, rest) = two_sum(f64::from(self), f64::from(other));
        down(sum, rest)
    }
    fn mul_down(self, other: f32) -> f32 {
        down(f64::from(self) * f64::from(other), 0.0)
    }
    /// a/b − q has the sign of (a − q·b)/b. Of ∞, its lower neighbour is wanted where b is not 0: then ∞·b is infinite,
    /// and the difference has the right sign too.
    fn div_down(self, other: f32) -> f32 {
        let near = self / other;
        let rest = f64::from(self) - f64::from(near) * f64::from(other);
        settle(near, if other < 0.0 { -rest } else { rest })
    }
    fn sqrt_down(self) -> f32 {
        let near = self.sqrt();
        settle(near, f64::from(self) - f64::from(near) * f64::from(near))
    }
    fn sqrt_up(self) -> f32 {
        let near = self.sqrt();
        let rest = f64::from(self) - f64::from(near) * f64::from(near);
        if rest > 0.0 { near.next_up() } else { near }
    }
    fn mul_add_down(self, factor: f32, addend: f32) -> f32 {
        let (sum, rest) = two_sum(f64::from(self) * f64::from(factor), f64::from(addend));
        down(sum, rest)
    }

    /// Directed roundings compose: what is below in f64 is below when rounded down once more.
    fn exp_bounds(self) -> (f32, f32) {
        let (lower, upper) = elementary::exp_bounds(f64::from(self));
        (f32::from_f64_down(lower), f32::from_f64_up(upper))
    }
    fn log_bounds(self) -> (f32, f32) {
        let (lower, upper) = elementary::log_bounds(f64::from(self));
        (f32::from_f64_down(lower), f32::from_f64_up(upper))
    }
}
