//! Bounds of the exponential and the natural logarithm, certified by construction.
//!
//! No library function is trusted. The argument is reduced and a Taylor series of positive terms is summed, every step
//! with directed rounding; what the series leaves out is added to its last coefficient. The bounds are true because
//! each step is, and lie a few units in the last place apart.

use super::rounding::Real;

/// The first 42 bits of ln 2, so that products with whole numbers below 2¹¹ are exact.
pub(super) const LN2_HIGH: f64 = f64::from_bits(0x3fe6_2e42_fefa_3800);
/// The rest of ln 2 lies between this number and its upper neighbour.
pub(super) const LN2_LOW: f64 = f64::from_bits(0x3d2e_f357_93c7_6730);

/// Above it, eˣ exceeds the largest number: ln(2¹⁰²⁴) = 709.78…
pub(super) const OVERFLOW: f64 = 709.8;
/// Below it, eˣ is less than the smallest number: ln(2⁻¹⁰⁷⁴) = −744.4…
pub(super) const UNDERFLOW: f64 = -745.0;

/// Bounds of k·ln 2 − k·[`LN2_HIGH`].
fn low_part(k: f64) -> (f64, f64) {
    let (a, b) = (LN2_LOW, LN2_LOW.next_up());
    if k < 0.0 { (k.mul_down(b), k.mul_up(a)) } else { (k.mul_down(a), k.mul_up(b)) }
}

/// A lower and an upper bound of eˣ.
///
/// x = k·ln 2 + r with 0 ≤ r < 0.7, eʳ = 1 + r + r²/2! + … (all terms positive), eˣ = 2ᵏ·eʳ.
pub(super) fn exp_bounds(x: f64) -> (f64, f64) {
    if x > OVERFLOW {
        return (f64::MAX, f64::INFINITY);
    }
    if x < UNDERFLOW {
        return (0.0, if x == f64::NEG_INFINITY { 0.0 } else { f64::from_bits(1) });
    }
    let mut k = (x / std::f64::consts::LN_2).floor();
    let (mut r_down, mut r_up) = reduced(x, k);
    if r_down < 0.0 {
        k -= 1.0; // the quotient above was rounded up to a whole number
        (r_down, r_up) = reduced(x, k);
    }
    let scale = |e: f64, rounded: fn(f64, f64) -> f64| {
        let half = (k / 2.0).trunc();
        // The first product is exact: e is near 1 and half of the exponents is far from either end.
        let power = |n: f64| super::rounding::power_of_two(n as i64);
        rounded(e * power(half), power(k - half))
    };
    let (down, up) = series((r_down, r_up), &EXP, 3); // 1, 1 and ½ are exact
    (scale(down, f64::mul_down), scale(up, f64::mul_up))
}

/// Bounds of x − k·ln 2.
fn reduced(x: f64, k: f64) -> (f64, f64) {
    let high = k * LN2_HIGH; // exact: 42 + 11 bits
    let (low_down, low_up) = low_part(k);
    (x.sub_down(high).sub_down(low_up), x.sub_up(high).sub_up(low_down))
}

/// 1/n! for n = 0 … 17, to nearest.
pub(super) const EXP: [f64; 18] = {
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

/// Bounds of Σ cₙ·xⁿ for an x ≥ 0 within bounds, its positive coefficients to nearest, so many of the first exact.
///
/// From the last on the terms shrink by a factor below 0.04 for what is computed here (0.7/18 and 0.03), so that 1.05
/// times the last bounds all that follow.
fn series((x_down, x_up): (f64, f64), coefficients: &[f64], exact: usize) -> (f64, f64) {
    let last = coefficients.len() - 1;
    coefficients.iter().enumerate().rev().fold((0.0, 0.0), |(down, up), (n, c)| {
        let (c_down, c_up) = if n < exact { (*c, *c) } else { (c.next_down(), c.next_up()) };
        let c_up = if n == last { 1.05 * c_up } else { c_up };
        (x_down.mul_down(down).add_down(c_down), x_up.mul_up(up).add_up(c_up))
    })
}

/// A lower and an upper bound of ln x for x > 0; ln 0 is −∞.
///
/// x = 2ᵏ·m with √½ ≤ m < √2 or so, s = (m − 1)/(m + 1), ln m = 2·(s + s³/3 + s⁵/5 + …) (all terms of one sign).
pub(super) fn log_bounds(x: f64) -> (f64, f64) {
    if x <= 0.0 {
        return (f64::NEG_INFINITY, f64::NEG_INFINITY);
    }
    if x == f64::INFINITY {
        return (f64::MAX.log_bounds().0, f64::INFINITY);
    }
    let (m, k) = mantissa(x);
    let size = (m - 1.0).abs(); // exact: ½ ≤ m ≤ 2
    let s_down = size.div_down(m.add_up(1.0));
    let s_up = size.div_up(m.add_down(1.0));
    let (down, up) = series((s_down.mul_down(s_down), s_up.mul_up(s_up)), &ATANH, 1);
    let (near_down, near_up) = (2.0 * s_down.mul_down(down), 2.0 * s_up.mul_up(up));
    let (near_down, near_up) = if m < 1.0 { (-near_up, -near_down) } else { (near_down, near_up) };
    let high = k * LN2_HIGH; // exact
    let (low_down, low_up) = low_part(k);
    (high.add_down(low_down.add_down(near_down)), high.add_up(low_up.add_up(near_up)))
}

/// m and k with x = m·2ᵏ and 0.7 < m < 1.42; for finite x > 0.
fn mantissa(x: f64) -> (f64, f64) {
    const NORMALIZE: f64 = 18_014_398_509_481_984.0; // 2⁵⁴
    let (x, shift) = if x < f64::MIN_POSITIVE { (x * NORMALIZE, 54.0) } else { (x, 0.0) };
    let bits = x.to_bits();
    let exponent = (bits >> 52) as f64 - 1023.0 - shift;
    let m = f64::from_bits(bits & ((1 << 52) - 1) | (1023 << 52));
    if m > std::f64::consts::SQRT_2 { (m / 2.0, exponent + 1.0) } else { (m, exponent) }
}

/// 1/(2n + 1) for n = 0 … 12, to nearest: artanh s = s·(1 + s²/3 + s⁴/5 + …).
pub(super) const ATANH: [f64; 13] = {
    let mut terms = [1.0; 13];
    let mut n = 1;
    while n < 13 {
        terms[n] = 1.0 / (2 * n + 1) as f64;
        n += 1;
    }
    terms
};
