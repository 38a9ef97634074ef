//! Directed rounding of f32 operations via f64.
//!
//! The product of two f32 has at most 48 significant bits and an exponent in −298 … 256, so it is exact in f64. The f64
//! difference of two such numbers has the sign of the exact difference: all are multiples of 2⁻²⁹⁸, so nothing
//! underflows. A sum of two f32, or of such a product and an f32, is not always exact in f64; [`two_sum`] represents it
//! as an unevaluated sum of two f64.

use super::double::two_sum;
use super::elementary;
use super::real::Real;

/// Largest f32 ≤ `sum` + `residual`, where `sum` is that exact value rounded to nearest in f64.
///
/// Every f32 is an f64 and rounding is monotone, so an f32 below `sum` is below the exact value, and one above `sum` is
/// above it. If an f32 equals `sum`, the sign of `residual` decides. The cast rounds to nearest, hence to a neighbor of
/// `sum`; if it overflows to ∞, which is above `sum`, its lower neighbor is the largest finite f32.
#[inline]
fn round_down(sum: f64, residual: f64) -> f32 {
    let near = sum as f32;
    let above = f64::from(near) > sum || f64::from(near) == sum && residual < 0.0;
    if above { near.next_down() } else { near }
}

/// `near`, or its lower neighbor if exact − near is negative. If an operand is infinite, `residual` is NaN and `near`
/// is returned.
#[inline]
fn adjust_down(near: f32, residual: f64) -> f32 {
    if residual < 0.0 { near.next_down() } else { near }
}

impl Real for f32 {
    const ZERO: f32 = 0.0;
    const ONE: f32 = 1.0;
    const INFINITY: f32 = f32::INFINITY;
    const NEG_INFINITY: f32 = f32::NEG_INFINITY;
    const MAX: f32 = f32::MAX;
    const UNIT_ROUNDOFF: f32 = f32::EPSILON / 2.0;
    const MIN_NORMAL: f32 = f32::MIN_POSITIVE;

    fn to_f64(self) -> f64 {
        f64::from(self)
    }
    fn from_f64_down(value: f64) -> f32 {
        round_down(value, 0.0)
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
    /// Round to odd: if the low part from `two_sum` is not 0, the high part moves to the neighbor with an odd last
    /// bit. It is then on the same side of every f32, and of every midpoint between two f32, as the exact value
    /// (these are even in f64), so the cast rounds correctly.
    fn mul_add_near(self, factor: f32, addend: f32) -> f32 {
        let (sum, residual) = two_sum(f64::from(self) * f64::from(factor), f64::from(addend));
        let odd = sum.to_bits() & 1 == 1;
        let sum = match residual {
            _ if odd || !sum.is_finite() => sum,
            residual if residual < 0.0 => sum.next_down(),
            residual if residual > 0.0 => sum.next_up(),
            _ => sum,
        };
        sum as f32
    }

    fn add_down(self, other: f32) -> f32 {
        let (sum, residual) = two_sum(f64::from(self), f64::from(other));
        round_down(sum, residual)
    }
    fn mul_down(self, other: f32) -> f32 {
        round_down(f64::from(self) * f64::from(other), 0.0)
    }
    /// a/b − q has the sign of (a − q·b)/b. If the quotient overflows to ∞ with b ≠ 0, the result must be the lower
    /// neighbor of ∞; then ∞·b is infinite and the difference also has the correct sign.
    fn div_down(self, other: f32) -> f32 {
        let near = self / other;
        let residual = f64::from(self) - f64::from(near) * f64::from(other);
        adjust_down(near, if other < 0.0 { -residual } else { residual })
    }
    fn sqrt_down(self) -> f32 {
        let near = self.sqrt();
        adjust_down(near, f64::from(self) - f64::from(near) * f64::from(near))
    }
    fn sqrt_up(self) -> f32 {
        let near = self.sqrt();
        let residual = f64::from(self) - f64::from(near) * f64::from(near);
        if residual > 0.0 { near.next_up() } else { near }
    }
    fn mul_add_down(self, factor: f32, addend: f32) -> f32 {
        let (sum, residual) = two_sum(f64::from(self) * f64::from(factor), f64::from(addend));
        round_down(sum, residual)
    }

    /// Directed roundings compose: a lower bound in f64, rounded down to f32, is a lower bound.
    fn exp_bounds(self) -> (f32, f32) {
        let (lower, upper) = elementary::exp_bounds(f64::from(self));
        (f32::from_f64_down(lower), f32::from_f64_up(upper))
    }
    fn log_bounds(self) -> (f32, f32) {
        let (lower, upper) = elementary::log_bounds(f64::from(self));
        (f32::from_f64_down(lower), f32::from_f64_up(upper))
    }
}
