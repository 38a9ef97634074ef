//! Directed rounding of f64 operations by error-free transformations.
//!
//! Every f64 is a multiple of 2⁻¹⁰⁷⁴ below 2¹⁰²⁴. Sums and differences never underflow. A product equals p + e
//! exactly ([`two_product`]) for about 2⁻⁹⁶⁰ ≤ |p| < 2⁹⁹⁰; closer to underflow or overflow, the operands are first
//! scaled by powers of 2, which is exact.
//!
//! Sources: T. J. Dekker, *A floating-point technique for extending the available precision*, 1971; D. E. Knuth, *The
//! Art of Computer Programming* 2, 4.2.2; J. R. Shewchuk, *Adaptive precision floating-point arithmetic*, 1997.

use super::elementary;
use super::power_of_two::power_of_two;
use super::real::Real;

/// Below this magnitude, the error of a product, which extends 106 bits below it, may not be a multiple of 2⁻¹⁰⁷⁴.
const SMALL: f64 = power_of_two(-940);
/// [`SMALL`] for a dividend or radicand, whose remainder extends another 53 bits lower.
const SMALL_DIVIDEND: f64 = power_of_two(-900);
/// Above this magnitude, intermediate results can overflow even if the result does not (splitting multiplies by 2²⁷).
const LARGE: f64 = power_of_two(990);
/// Factor that scales small numbers to the middle of the exponent range.
const SCALE_UP: f64 = power_of_two(600);

/// s and e with s + e = a + b exactly and s the nearest number, if the sum does not overflow and a ≠ ±MAX (Knuth).
#[inline]
pub(super) fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    let b_part = sum - a;
    let a_part = sum - b_part;
    (sum, (a - a_part) + (b - b_part))
}

/// p and e with p + e = a · b exactly and p the nearest number, for 2⁻⁹⁶⁰ ≤ |p| < ∞.
///
/// Dekker's product splits both factors into halves of 26 bits, whose products are exact: they are multiples of
/// ulp(a)·ulp(b) ≥ |p|·2⁻¹⁰⁶. If a split or a partial product could overflow, the fused multiply-add of the standard
/// library (a function call, slow on some systems) computes the same error.
#[inline]
fn two_product(a: f64, b: f64) -> (f64, f64) {
    let p = a * b;
    if a.abs() > LARGE || b.abs() > LARGE || p.abs() > LARGE {
        return (p, a.mul_add(b, -p));
    }
    let split = |x: f64| {
        let shifted = 134_217_729.0 * x; // 2²⁷ + 1
        let high = shifted - (shifted - x);
        (high, x - high)
    };
    let ((a_high, a_low), (b_high, b_low)) = (split(a), split(b));
    (p, a_low * b_low - (((p - a_high * b_high) - a_low * b_high) - a_high * b_low))
}

/// The factor of smaller magnitude multiplied by `scale`, and the other factor.
#[inline]
fn scale_smaller(a: f64, b: f64, scale: f64) -> (f64, f64) {
    if a.abs() < b.abs() { (a * scale, b) } else { (a, b * scale) }
}

/// A number with the sign of a·b − near, where near = RN(a·b) is finite.
#[inline]
fn product_residual(a: f64, b: f64, near: f64) -> f64 {
    if near.abs() >= SMALL {
        return two_product(a, b).1;
    }
    if near == 0.0 {
        return sign(a) * sign(b); // the product underflowed, or is 0
    }
    // 2⁻¹⁰⁷⁵ ≤ |a·b| < 2⁻⁹³⁹: the smaller factor is below 2⁻⁴⁶⁹. near is p rounded to fewer bits, within a factor of
    // 2 of p, so their difference is exact (Sterbenz), and the rounded sum of two numbers has the sign of the exact
    // sum.
    let (a, b) = scale_smaller(a, b, SCALE_UP);
    let (p, e) = two_product(a, b);
    (p - near * SCALE_UP) + e
}

/// A number with the sign of a − q·b, where q = RN(a/b) is finite and b is finite and not 0; or a = x, q = b = RN(√x).
#[inline]
fn remainder(a: f64, q: f64, b: f64) -> f64 {
    if q == 0.0 {
        return sign(a);
    }
    let (a, q, b) = if a.abs() < SMALL_DIVIDEND {
        (a * SCALE_UP, q, b * SCALE_UP) // |b| ≤ |a/q|·2 < 2⁻⁹⁰⁰⁺¹⁰⁷⁵
    } else if a.abs() > LARGE {
        let (q, b) = if q.abs() > b.abs() { (q / 16.0, b) } else { (q, b / 16.0) }; // the larger is above 2⁴⁹⁴
        (a / 16.0, q, b)
    } else {
        (a, q, b)
    };
    // q·b is within a factor of 2 of a, so a − p is exact. ulp(q)·ulp(b) is at least 2⁻¹⁰⁰⁶ here: |q·b| ≥ 2⁻⁹⁰¹, and
    // if one factor is subnormal, the other is above 2¹²⁰.
    let (p, e) = two_product(q, b);
    (a - p) - e
}

/// A number with the sign of a·b + c − near, where near = RN(a·b + c) is finite.
fn fused_residual(a: f64, b: f64, c: f64, near: f64) -> f64 {
    if a == 0.0 || b == 0.0 {
        return 0.0;
    }
    if c == 0.0 {
        return product_residual(a, b, near);
    }
    let product = a * b;
    let (a, b, c, near) = if product.abs() < SMALL {
        // If the product is far below ulp(c)/2, or below the smallest number, near is c and the sign of the product
        // decides.
        const SMALL_ADDEND: f64 = power_of_two(-800);
        const SCALE: f64 = power_of_two(900);
        let (scaled_a, scaled_b) = scale_smaller(a, b, SCALE); // the smaller factor is below 2⁻⁴⁶⁹
        if c.abs() >= SMALL_ADDEND || (scaled_a * scaled_b).abs() < power_of_two(-300) {
            return sign(a) * sign(b);
        }
        (scaled_a, scaled_b, c * SCALE, near * SCALE)
    } else if product.abs() > LARGE || c.abs() > LARGE {
        // a·b + c and c are below 2¹⁰²⁴, hence a·b is below 2¹⁰²⁵; dividing by 16 keeps every sum finite. The larger
        // factor is above 2⁻⁴⁷⁰, so its division is exact. If the addend is too small to divide exactly, only its
        // sign matters.
        let (a, b) = if a.abs() > b.abs() { (a / 16.0, b) } else { (a, b / 16.0) };
        let c = if c.abs() < SMALL { c } else { c / 16.0 };
        (a, b, c, near / 16.0)
    } else {
        (a, b, c, near)
    };
    let (p, e) = two_product(a, b);
    sign_of_sum(e, p, c, -near)
}

/// A number with the sign of e + p + c + d, where |e| ≤ ulp(p)/2.
///
/// Shewchuk's Grow-Expansion: adding a number to a nonoverlapping expansion yields a nonoverlapping expansion, whose
/// largest nonzero component has the sign of the sum.
fn sign_of_sum(e: f64, p: f64, c: f64, d: f64) -> f64 {
    let (q, x) = two_sum(c, e);
    let (z, y) = two_sum(q, p);
    let (q, x) = two_sum(d, x);
    let (q, y) = two_sum(q, y);
    let (top, z) = two_sum(q, z);
    [top, z, y, x].into_iter().find(|part| *part != 0.0).unwrap_or(0.0)
}

/// Sign of x: −1, 0 or 1.
fn sign(x: f64) -> f64 {
    if x == 0.0 { 0.0 } else { x.signum() }
}

/// `near`, or its lower neighbor if exact − near is negative.
#[inline]
fn adjust_down(near: f64, residual: f64) -> f64 {
    if residual < 0.0 { near.next_down() } else { near }
}

/// Rounds down a result that is not finite: ∞ from finite operands is an overflow and becomes MAX.
#[cold]
fn overflow_down(near: f64, finite_operands: bool) -> f64 {
    if finite_operands && near == f64::INFINITY { f64::MAX } else { near }
}

impl Real for f64 {
    const ZERO: f64 = 0.0;
    const ONE: f64 = 1.0;
    const INFINITY: f64 = f64::INFINITY;
    const NEG_INFINITY: f64 = f64::NEG_INFINITY;
    const MAX: f64 = f64::MAX;
    const UNIT_ROUNDOFF: f64 = f64::EPSILON / 2.0;
    const MIN_NORMAL: f64 = f64::MIN_POSITIVE;

    fn to_f64(self) -> f64 {
        self
    }
    fn from_f64_down(value: f64) -> f64 {
        value
    }
    fn abs(self) -> f64 {
        f64::abs(self)
    }

    fn add_near(self, other: f64) -> f64 {
        self + other
    }
    fn mul_near(self, other: f64) -> f64 {
        self * other
    }
    fn div_near(self, other: f64) -> f64 {
        self / other
    }
    fn sqrt_near(self) -> f64 {
        self.sqrt()
    }
    fn mul_add_near(self, factor: f64, addend: f64) -> f64 {
        self.mul_add(factor, addend)
    }

    /// Dekker's sum with the larger operand first; its intermediate results overflow only if the sum does.
    #[inline]
    fn add_down(self, other: f64) -> f64 {
        let sum = self + other;
        if !sum.is_finite() {
            return overflow_down(sum, self.is_finite() && other.is_finite());
        }
        let (large, small) = if self.abs() >= other.abs() { (self, other) } else { (other, self) };
        adjust_down(sum, small - (sum - large))
    }
    #[inline]
    fn mul_down(self, other: f64) -> f64 {
        let product = self * other;
        if !product.is_finite() {
            return overflow_down(product, self.is_finite() && other.is_finite());
        }
        adjust_down(product, product_residual(self, other, product))
    }
    #[inline]
    fn div_down(self, other: f64) -> f64 {
        let quotient = self / other;
        if !quotient.is_finite() {
            return overflow_down(quotient, self.is_finite() && other != 0.0);
        }
        if other.is_infinite() {
            return quotient; // 0, which is exact
        }
        let residual = remainder(self, quotient, other);
        adjust_down(quotient, if other < 0.0 { -residual } else { residual })
    }
    fn sqrt_down(self) -> f64 {
        let root = self.sqrt();
        if root.is_finite() { adjust_down(root, sqrt_residual(self, root)) } else { root }
    }
    fn sqrt_up(self) -> f64 {
        let root = self.sqrt();
        if root.is_finite() { -adjust_down(-root, -sqrt_residual(self, root)) } else { root }
    }
    fn mul_add_down(self, factor: f64, addend: f64) -> f64 {
        let near = self.mul_add(factor, addend);
        if !near.is_finite() {
            return overflow_down(near, self.is_finite() && factor.is_finite() && addend.is_finite());
        }
        adjust_down(near, fused_residual(self, factor, addend, near))
    }

    fn exp_bounds(self) -> (f64, f64) {
        elementary::exp_bounds(self)
    }
    fn log_bounds(self) -> (f64, f64) {
        elementary::log_bounds(self)
    }
}

/// A number with the sign of x − r², where r = RN(√x).
fn sqrt_residual(x: f64, root: f64) -> f64 {
    if x == 0.0 {
        0.0
    } else if x < SMALL_DIVIDEND {
        // Scales both sides of the equation; exact, because square roots of numbers this small are above 2⁻⁵³⁸.
        const SQRT_SCALE_UP: f64 = power_of_two(300);
        remainder(x * SCALE_UP, root * SQRT_SCALE_UP, root * SQRT_SCALE_UP)
    } else if x > LARGE {
        remainder(x / 256.0, root / 16.0, root / 16.0)
    } else {
        remainder(x, root, root)
    }
}
