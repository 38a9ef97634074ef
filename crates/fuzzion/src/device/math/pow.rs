//! Powers, with a logarithm in double-double arithmetic.

use super::exp::{exp_f64, exp_sum_f64};
use super::ln::{exponent_and_fraction, ln_f64};
use super::real::{Real, polynomial};
use crate::device::mul_add_f64;

/// Error-free product: the rounded product and its rounding error (two-product).
#[inline(always)]
fn two_product<const FMA: bool>(a: f64, b: f64) -> (f64, f64) {
    let p = a * b;
    if FMA || cfg!(target_arch = "aarch64") {
        return (p, a.mul_add(b, -p));
    }
    let ((ah, al), (bh, bl)) = (split(a), split(b));
    (p, al * bl - (((p - ah * bh) - al * bh) - ah * bl))
}

/// Veltkamp's splitting of x into a sum of two numbers with half the digits (Dekker, 1971).
#[inline(always)]
fn split(x: f64) -> (f64, f64) {
    let t = 134_217_729.0 * x; // 2²⁷ + 1
    let high = t - (t - x);
    (high, x - high)
}

/// Error-free sum: the rounded sum and its rounding error (Knuth's two-sum).
#[inline(always)]
fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    let b_part = sum - a;
    (sum, (a - (sum - b_part)) + (b - b_part))
}

/// ln x to about 65 bits as an unevaluated sum of two numbers, for finite x > 0.
#[inline(always)]
fn ln_pair<const FMA: bool>(x: f64) -> (f64, f64) {
    const LN_2_HIGH: f64 = 0.693_147_180_559_890_3; // 42 bits
    const LN_2_LOW: f64 = 5.497_923_018_708_371e-14;
    const TWO_THIRDS: (f64, f64) = (0.666_666_666_666_666_6, 3.700_743_415_417_188e-17);
    let (e, m) = exponent_and_fraction(x);
    // ln m = 2s + ⅔s³ + s⁵P(s²) with s = (m − 1)/(m + 1); all terms but the last in double-double arithmetic.
    let f = m - 1.0;
    let (d, d_low) = two_sum(m, 1.0);
    let s = f / d;
    let (sd, sd_low) = two_product::<FMA>(s, d);
    let s_low = ((f - sd) - sd_low - s * d_low) / d;
    let (z, z_low) = two_product::<FMA>(s, s);
    let z_low = z_low + 2.0 * s * s_low;
    let (t, t_low) = two_product::<FMA>(TWO_THIRDS.0, z);
    let t_low = t_low + (TWO_THIRDS.0 * z_low + TWO_THIRDS.1 * z);
    let (u, u_low) = two_product::<FMA>(t, s);
    let u_low = u_low + (t * s_low + t_low * s);
    let p = polynomial::<f64, FMA, 7>(
        z,
        [
            0.400_000_000_000_002_2,
            0.285_714_285_710_360_17,
            0.222_222_223_606_221_2,
            0.181_817_976_327_836_67,
            0.153_861_752_971_510_58,
            0.132_697_481_599_578_6,
            0.130_816_062_094_151_95,
        ],
    );
    let (high, low) = two_sum(2.0 * s, u);
    let low = low + (2.0 * s_low + u_low + s * z * z * p);
    let (sum, sum_low) = two_sum(e * LN_2_HIGH, high);
    two_sum(sum, sum_low + mul_add_f64::<FMA>(e, LN_2_LOW, low))
}

/// xʸ for x ≥ 0; NaN if x < 0 or either is NaN.
#[inline(always)]
pub(crate) fn pow_f64<const FMA: bool>(x: f64, y: f64) -> f64 {
    const HUGE: f64 = 1.0e21; // beyond it xʸ is 0, 1 or infinite; below it the two-product stays finite
    let exponent = HUGE.simd_min((-HUGE).simd_max(y));
    let (ln, ln_low) = ln_pair::<FMA>(x);
    let (t, t_low) = two_product::<FMA>(exponent, ln);
    let t_low = if t.abs() < 800.0 { t_low + exponent * ln_low } else { 0.0 };
    pow_special_cases(x, y, exp_sum_f64::<FMA>(t, t_low))
}

/// xʸ for x ≥ 0; NaN if x < 0 or either is NaN. Computed in double precision.
#[inline(always)]
pub(crate) fn pow_f32<const FMA: bool>(x: f32, y: f32) -> f32 {
    let (x, y) = (f64::from(x), f64::from(y));
    let exponent = 1.0e38f64.simd_min((-1.0e38f64).simd_max(y));
    pow_special_cases(x, y, exp_f64::<FMA>(exponent * ln_f64::<FMA>(x))) as f32
}

/// Special cases of xʸ that the logarithm does not cover; `regular` is the value elsewhere.
#[inline(always)]
fn pow_special_cases(x: f64, y: f64, regular: f64) -> f64 {
    let rising = if y > 0.0 { f64::INFINITY } else { 0.0 };
    let falling = if y > 0.0 { 0.0 } else { f64::INFINITY };
    let p = if x == 0.0 { falling } else { regular };
    let p = if x == f64::INFINITY { rising } else { p };
    let p = if y == 0.0 { 1.0 } else { p };
    if (x >= 0.0) & !y.is_nan() { p } else { f64::NAN }
}
