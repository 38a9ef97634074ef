//! Certified bounds of the exponential function and the natural logarithm.
//!
//! The bounds do not rely on the accuracy of library functions. After argument reduction, a Taylor series with
//! positive terms is summed with directed rounding in every step; the last coefficient is enlarged to cover the
//! truncation error. The two bounds are a few ulps apart.

use super::power_of_two::power_of_two;
use super::real::Real;

/// Leading 42 bits of ln 2, so that its product with an integer below 2¹¹ is exact.
pub(in crate::arithmetic) const LN2_HIGH: f64 = f64::from_bits(0x3fe6_2e42_fefa_3800);
/// ln 2 − [`LN2_HIGH`] is between this number and its upper neighbor.
pub(in crate::arithmetic) const LN2_LOW: f64 = f64::from_bits(0x3d2e_f357_93c7_6730);

/// For larger x, eˣ overflows: ln(2¹⁰²⁴) = 709.78…
pub(in crate::arithmetic) const OVERFLOW: f64 = 709.8;
/// For smaller x, eˣ is below the smallest positive number: ln(2⁻¹⁰⁷⁴) = −744.4…
pub(in crate::arithmetic) const UNDERFLOW: f64 = -745.0;

/// Bounds of k·ln 2 − k·[`LN2_HIGH`].
fn ln2_low_times(k: f64) -> (f64, f64) {
    let (a, b) = (LN2_LOW, LN2_LOW.next_up());
    if k < 0.0 { (k.mul_down(b), k.mul_up(a)) } else { (k.mul_down(a), k.mul_up(b)) }
}

/// Lower and upper bound of eˣ.
///
/// x = k·ln 2 + r with 0 ≤ r < 0.7, eʳ = 1 + r + r²/2! + … (all terms positive), eˣ = 2ᵏ·eʳ.
pub(in crate::arithmetic) fn exp_bounds(x: f64) -> (f64, f64) {
    if x > OVERFLOW {
        return (f64::MAX, f64::INFINITY);
    }
    if x < UNDERFLOW {
        return (0.0, if x == f64::NEG_INFINITY { 0.0 } else { f64::from_bits(1) });
    }
    let mut k = (x / std::f64::consts::LN_2).floor();
    let (mut r_down, mut r_up) = reduce_argument(x, k);
    if r_down < 0.0 {
        k -= 1.0; // the quotient above was rounded up to an integer
        (r_down, r_up) = reduce_argument(x, k);
    }
    let scale = |e: f64, rounded: fn(f64, f64) -> f64| {
        let half = (k / 2.0).trunc();
        // The first product is exact: e is near 1, and half of the exponent is far from overflow and underflow.
        let power = |n: f64| power_of_two(n as i64);
        rounded(e * power(half), power(k - half))
    };
    let (down, up) = series((r_down, r_up), &EXP, 3); // 1, 1 and ½ are exact
    (scale(down, f64::mul_down), scale(up, f64::mul_up))
}

/// Bounds of x − k·ln 2.
fn reduce_argument(x: f64, k: f64) -> (f64, f64) {
    let high = k * LN2_HIGH; // exact: 42 + 11 bits
    let (low_down, low_up) = ln2_low_times(k);
    (x.sub_down(high).sub_down(low_up), x.sub_up(high).sub_up(low_down))
}

/// 1/n! for n = 0, …, 17, rounded to nearest.
pub(in crate::arithmetic) const EXP: [f64; 18] = {
    let mut terms = [1.0; 18];
    let mut factorial = 1.0; // exact: 17! < 2⁵³
    let mut n = 1;
    while n < 18 {
        factorial *= n as f64;
        terms[n] = 1.0 / factorial;
        n += 1;
    }
    terms
};

/// Bounds of Σ cₙ·xⁿ for x ≥ 0 between `x_down` and `x_up`. The coefficients are positive and rounded to nearest; the
/// first `exact` ones are exact.
///
/// Beyond the last coefficient, each term is less than 0.04 times the previous one (0.7/18 for exp, 0.03 for log), so
/// 1.05 times the last term bounds the remainder.
fn series((x_down, x_up): (f64, f64), coefficients: &[f64], exact: usize) -> (f64, f64) {
    let last = coefficients.len() - 1;
    coefficients.iter().enumerate().rev().fold((0.0, 0.0), |(down, up), (n, c)| {
        let (c_down, c_up) = if n < exact { (*c, *c) } else { (c.next_down(), c.next_up()) };
        let c_up = if n == last { 1.05 * c_up } else { c_up };
        (x_down.mul_down(down).add_down(c_down), x_up.mul_up(up).add_up(c_up))
    })
}

/// Lower and upper bound of ln x for x > 0; ln 0 is −∞.
///
/// x = 2ᵏ·m with √½ ≲ m ≲ √2, s = (m − 1)/(m + 1), ln m = 2·(s + s³/3 + s⁵/5 + …) (all terms have the same sign).
pub(in crate::arithmetic) fn log_bounds(x: f64) -> (f64, f64) {
    if x <= 0.0 {
        return (f64::NEG_INFINITY, f64::NEG_INFINITY);
    }
    if x == f64::INFINITY {
        return (f64::MAX.log_bounds().0, f64::INFINITY);
    }
    let (m, k) = split_exponent(x);
    let distance = (m - 1.0).abs(); // exact: ½ ≤ m ≤ 2
    let s_down = distance.div_down(m.add_up(1.0));
    let s_up = distance.div_up(m.add_down(1.0));
    let (down, up) = series((s_down.mul_down(s_down), s_up.mul_up(s_up)), &ATANH, 1);
    let (log_m_down, log_m_up) = (2.0 * s_down.mul_down(down), 2.0 * s_up.mul_up(up));
    let (log_m_down, log_m_up) = if m < 1.0 { (-log_m_up, -log_m_down) } else { (log_m_down, log_m_up) };
    let high = k * LN2_HIGH; // exact
    let (low_down, low_up) = ln2_low_times(k);
    (high.add_down(low_down.add_down(log_m_down)), high.add_up(low_up.add_up(log_m_up)))
}

/// m and k such that x = m·2ᵏ and 0.7 < m < 1.42, for finite x > 0.
fn split_exponent(x: f64) -> (f64, f64) {
    const NORMALIZE: f64 = 18_014_398_509_481_984.0; // 2⁵⁴
    let (x, shift) = if x < f64::MIN_POSITIVE { (x * NORMALIZE, 54.0) } else { (x, 0.0) };
    let bits = x.to_bits();
    let exponent = (bits >> 52) as f64 - 1023.0 - shift;
    let m = f64::from_bits(bits & ((1 << 52) - 1) | (1023 << 52));
    if m > std::f64::consts::SQRT_2 { (m / 2.0, exponent + 1.0) } else { (m, exponent) }
}

/// 1/(2n + 1) for n = 0, …, 12, rounded to nearest: artanh s = s·(1 + s²/3 + s⁴/5 + …).
pub(in crate::arithmetic) const ATANH: [f64; 13] = {
    let mut terms = [1.0; 13];
    let mut n = 1;
    while n < 13 {
        terms[n] = 1.0 / (2 * n + 1) as f64;
        n += 1;
    }
    terms
};
