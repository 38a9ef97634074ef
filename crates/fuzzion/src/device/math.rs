//! Elementary functions as branch-free arithmetic, so that a plain loop around them becomes vector code.
//!
//! Every function is an `#[inline(always)]` body generic over `FMA`, to be called from a loop that the `simd!`
//! macro compiles. The polynomials are minimax fits made for this file.
//! NaN in is NaN out. The errors below, in units in the last place, are what the tests allow against the
//! system's library, whose own error in `f64` they include.
//!
//! | | `f32` | `f64` | where |
//! |---|---|---|---|
//! | `exp` | 1.1 | 1.5 | everywhere, overflow and denormal results included |
//! | `exp_of_minus` | 1.1 | 1.5 | where the result is a normal number |
//! | `ln` | 1.1 | 1.5 | everywhere; NaN below 0 |
//! | `pow` | 1.1 | 1.5 | bases ≥ 0 (NaN below), any exponent |
//! | `sin_pi` | 2 | 2.5 | 0 … ¼ |

#![allow(dead_code)] // a vocabulary for all rooms, of which each uses a part

use super::{mul_add_f32, mul_add_f64};
use std::ops::{Add, Div, Mul, Neg, Sub};

/// A float that the kernels compute with: `f32` or `f64`.
pub(crate) trait Real:
    Copy
    + PartialOrd
    + Send
    + Sync
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
{
    const ZERO: Self;
    const HALF: Self;
    const ONE: Self;
    const TWO: Self;
    const MAX: Self;
    const NAN: Self;
    const INFINITY: Self;
    /// Below this negated, eˣ is no normal number.
    const EXP_RANGE: Self;
    /// The nearest number of this type.
    fn of(x: f64) -> Self;
    fn to_f64(self) -> f64;
    fn is_nan(self) -> bool;
    /// The whole part of a number that is not negative; 0 of NaN.
    fn whole_part(self) -> u32;
    fn abs(self) -> Self;
    fn sqrt(self) -> Self;
    /// `self·b + c`, fused where the instructions are there.
    fn mul_add<const FMA: bool>(self, b: Self, c: Self) -> Self;
    fn exp<const FMA: bool>(self) -> Self;
    fn ln<const FMA: bool>(self) -> Self;
    /// e^−self for 0 ≤ self ≤ [`Real::EXP_RANGE`], with fewer steps than [`Real::exp`].
    fn exp_of_minus<const FMA: bool>(self) -> Self;
    /// `self` to the power `y`, for bases that are not negative.
    fn pow<const FMA: bool>(self, y: Self) -> Self;
    /// sin(π·self) for 0 ≤ self ≤ ¼.
    fn sin_pi<const FMA: bool>(self) -> Self;

    /// The smaller one; `b` where either is NaN (one instruction, unlike `f32::min`).
    #[inline(always)]
    fn least(self, b: Self) -> Self {
        if self < b { self } else { b }
    }

    /// The larger one; `b` where either is NaN.
    #[inline(always)]
    fn most(self, b: Self) -> Self {
        if self > b { self } else { b }
    }

    /// Cut to 0 … 1; NaN stays NaN.
    #[inline(always)]
    fn clamp01(self) -> Self {
        Self::ONE.least(Self::ZERO.most(self))
    }
}

macro_rules! real {
    ($type:ident, $exp_range:literal, $mul_add:ident, $exp:ident, $exp_of_minus:ident, $ln:ident, $pow:ident, $sin_pi:ident) => {
        impl Real for $type {
            const ZERO: Self = 0.0;
            const HALF: Self = 0.5;
            const ONE: Self = 1.0;
            const TWO: Self = 2.0;
            const MAX: Self = $type::MAX;
            const NAN: Self = $type::NAN;
            const INFINITY: Self = $type::INFINITY;
            const EXP_RANGE: Self = $exp_range;
            #[inline(always)]
            fn of(x: f64) -> Self {
                x as $type
            }
            #[inline(always)]
            fn to_f64(self) -> f64 {
                f64::from(self)
            }
            #[inline(always)]
            fn is_nan(self) -> bool {
                $type::is_nan(self)
            }
            #[inline(always)]
            fn whole_part(self) -> u32 {
                self as u32
            }
            #[inline(always)]
            fn abs(self) -> Self {
                $type::abs(self)
            }
            #[inline(always)]
            fn sqrt(self) -> Self {
                $type::sqrt(self)
            }
            #[inline(always)]
            fn mul_add<const FMA: bool>(self, b: Self, c: Self) -> Self {
                $mul_add::<FMA>(self, b, c)
            }
            #[inline(always)]
            fn exp<const FMA: bool>(self) -> Self {
                $exp::<FMA>(self)
            }
            #[inline(always)]
            fn exp_of_minus<const FMA: bool>(self) -> Self {
                $exp_of_minus::<FMA>(self)
            }
            #[inline(always)]
            fn ln<const FMA: bool>(self) -> Self {
                $ln::<FMA>(self)
            }
            #[inline(always)]
            fn pow<const FMA: bool>(self, y: Self) -> Self {
                $pow::<FMA>(self, y)
            }
            #[inline(always)]
            fn sin_pi<const FMA: bool>(self) -> Self {
                $sin_pi::<FMA>(self)
            }
        }
    };
}
real!(f32, 87.33, mul_add_f32, exp_f32, exp_of_minus_f32, ln_f32, pow_f32, sin_pi_f32);
real!(f64, 708.39, mul_add_f64, exp_f64, exp_of_minus_f64, ln_f64, pow_f64, sin_pi_f64);

/// c₀ + c₁x + c₂x² + …, by Horner's rule.
#[inline(always)]
fn polynomial<T: Real, const FMA: bool, const N: usize>(x: T, c: [T; N]) -> T {
    let mut sum = c[N - 1];
    for i in (0..N - 1).rev() {
        sum = sum.mul_add::<FMA>(x, c[i]);
    }
    sum
}

/// eˣ.
#[inline(always)]
pub(crate) fn exp_f32<const FMA: bool>(x: f32) -> f32 {
    // Adding and subtracting 1.5·2²³ rounds to an integer, which the low bits of the sum then hold.
    const ROUND: f32 = 12_582_912.0;
    const LN_2_HIGH: f32 = 0.693_145_75; // 15 bits: its product with the exponent is exact
    const LN_2_LOW: f32 = 1.428_606_8e-6;
    // Beyond these bounds the result is 0 or infinite; NaN passes both comparisons.
    let x = 89.0f32.least((-104.0f32).most(x));
    let n = mul_add_f32::<FMA>(x, std::f32::consts::LOG2_E, ROUND) - ROUND;
    let r = mul_add_f32::<FMA>(n, -LN_2_LOW, mul_add_f32::<FMA>(n, -LN_2_HIGH, x));
    let p = exp_of_rest_f32::<FMA>(r);
    // 2ⁿ as two factors, because n reaches beyond the exponents of normal numbers.
    let half = mul_add_f32::<FMA>(n, 0.5, ROUND);
    let rest = n - (half - ROUND) + ROUND;
    p * power_of_two_f32(half) * power_of_two_f32(rest)
}

/// eʳ for |r| ≤ ½·ln 2.
#[inline(always)]
fn exp_of_rest_f32<const FMA: bool>(r: f32) -> f32 {
    let q = polynomial::<f32, FMA, 5>(
        r,
        [0.499_999_94, 0.166_665_26, 0.041_668_31, 0.008_368_313, 0.001_381_668_3],
    );
    mul_add_f32::<FMA>(r * r, q, r) + 1.0
}

/// e⁻ᵗ for 0 ≤ t ≤ 87.33: the result is a normal number, so that one power of two is enough.
#[inline(always)]
pub(crate) fn exp_of_minus_f32<const FMA: bool>(t: f32) -> f32 {
    const ROUND: f32 = 12_582_912.0;
    const LN_2_HIGH: f32 = 0.693_145_75;
    const LN_2_LOW: f32 = 1.428_606_8e-6;
    let biased = mul_add_f32::<FMA>(t, -std::f32::consts::LOG2_E, ROUND);
    let n = biased - ROUND;
    let r = mul_add_f32::<FMA>(n, -LN_2_LOW, mul_add_f32::<FMA>(n, -LN_2_HIGH, -t));
    exp_of_rest_f32::<FMA>(r) * power_of_two_f32(biased)
}

/// 2ⁿ from the number that holds n in its low bits.
#[inline(always)]
fn power_of_two_f32(biased: f32) -> f32 {
    f32::from_bits((biased.to_bits() << 23).wrapping_add(0x3f80_0000))
}

/// eˣ.
#[inline(always)]
pub(crate) fn exp_f64<const FMA: bool>(x: f64) -> f64 {
    exp_sum_f64::<FMA>(x, 0.0)
}

/// e^(x + low), where `low` is what rounding took from x.
#[inline(always)]
fn exp_sum_f64<const FMA: bool>(x: f64, low: f64) -> f64 {
    const ROUND: f64 = 6_755_399_441_055_744.0; // 1.5·2⁵²
    const LN_2_HIGH: f64 = 0.693_147_180_369_123_8; // 32 bits
    const LN_2_LOW: f64 = 1.908_214_929_270_587_7e-10;
    let x = 710.0f64.least((-746.0f64).most(x));
    let n = mul_add_f64::<FMA>(x, std::f64::consts::LOG2_E, ROUND) - ROUND;
    let r = mul_add_f64::<FMA>(n, -LN_2_LOW, mul_add_f64::<FMA>(n, -LN_2_HIGH, x)) + low;
    let p = exp_of_rest_f64::<FMA>(r);
    let half = mul_add_f64::<FMA>(n, 0.5, ROUND);
    let rest = n - (half - ROUND) + ROUND;
    p * power_of_two_f64(half) * power_of_two_f64(rest)
}

/// eʳ for |r| ≤ ½·ln 2.
#[inline(always)]
fn exp_of_rest_f64<const FMA: bool>(r: f64) -> f64 {
    let q = polynomial::<f64, FMA, 10>(
        r,
        [
            0.500_000_000_000_000_7,
            0.166_666_666_666_664_44,
            0.041_666_666_666_559_12,
            0.008_333_333_333_486_213,
            0.001_388_888_893_682_508,
            0.000_198_412_695_079_513_04,
            2.480_149_952_237_562e-5,
            2.755_759_590_288_171_7e-6,
            2.762_813_349_281_902_5e-7,
            2.499_446_070_776_118_3e-8,
        ],
    );
    mul_add_f64::<FMA>(r * r, q, r) + 1.0
}

/// e⁻ᵗ for 0 ≤ t ≤ 708.39: the result is a normal number, so that one power of two is enough.
#[inline(always)]
pub(crate) fn exp_of_minus_f64<const FMA: bool>(t: f64) -> f64 {
    const ROUND: f64 = 6_755_399_441_055_744.0;
    const LN_2_HIGH: f64 = 0.693_147_180_369_123_8;
    const LN_2_LOW: f64 = 1.908_214_929_270_587_7e-10;
    let biased = mul_add_f64::<FMA>(t, -std::f64::consts::LOG2_E, ROUND);
    let n = biased - ROUND;
    let r = mul_add_f64::<FMA>(n, -LN_2_LOW, mul_add_f64::<FMA>(n, -LN_2_HIGH, -t));
    exp_of_rest_f64::<FMA>(r) * power_of_two_f64(biased)
}

/// 2ⁿ from the number that holds n in its low bits.
#[inline(always)]
fn power_of_two_f64(biased: f64) -> f64 {
    f64::from_bits((biased.to_bits() << 52).wrapping_add(0x3ff0_0000_0000_0000))
}

/// ln x; NaN below 0.
#[inline(always)]
pub(crate) fn ln_f32<const FMA: bool>(x: f32) -> f32 {
    const LN_2_HIGH: f32 = 0.693_145_75;
    const LN_2_LOW: f32 = 1.428_606_8e-6;
    const SQRT_HALF_BITS: u32 = 0x3f35_04f3;
    const ONE_BITS: u32 = 0x3f80_0000;
    let tiny = x < f32::MIN_POSITIVE;
    let bits = (if tiny { x * 33_554_432.0 } else { x }).to_bits(); // 2²⁵
    // x = 2ᵉ·m with √½ ≤ m < √2; the biased exponent is turned into a float by planting it in 2²³'s low bits.
    let biased = bits.wrapping_sub(SQRT_HALF_BITS).wrapping_add(ONE_BITS) >> 23;
    let m = f32::from_bits(bits.wrapping_add(ONE_BITS).wrapping_sub(biased << 23));
    let e = f32::from_bits(biased | 0x4b00_0000) - (8_388_608.0 + 127.0) - if tiny { 25.0 } else { 0.0 };
    // ln(1 + f) = f − f²/2 + s(f²/2 + R(s²)) with s = f/(2 + f)
    let f = m - 1.0;
    let s = f / (2.0 + f);
    let z = s * s;
    let r = z * polynomial::<f32, FMA, 4>(z, [0.666_666_7, 0.400_002_87, 0.285_399_73, 0.235_377_65]);
    let h = 0.5 * f * f;
    let y = mul_add_f32::<FMA>(e, LN_2_HIGH, f - (h - mul_add_f32::<FMA>(s, h + r, e * LN_2_LOW)));
    let y = if x > 0.0 { y } else { f32::NAN };
    let y = if x == 0.0 { f32::NEG_INFINITY } else { y };
    if x == f32::INFINITY { x } else { y }
}

/// x = 2ᵉ·m with √½ ≤ m < √2, for x > 0.
#[inline(always)]
fn exponent_and_fraction(x: f64) -> (f64, f64) {
    const SQRT_HALF_BITS: u64 = 0x3fe6_a09e_667f_3bcd;
    const ONE_BITS: u64 = 0x3ff0_0000_0000_0000;
    let tiny = x < f64::MIN_POSITIVE;
    let bits = (if tiny { x * 18_014_398_509_481_984.0 } else { x }).to_bits(); // 2⁵⁴
    let biased = bits.wrapping_sub(SQRT_HALF_BITS).wrapping_add(ONE_BITS) >> 52;
    let m = f64::from_bits(bits.wrapping_add(ONE_BITS).wrapping_sub(biased << 52));
    let e = f64::from_bits(biased | 0x4330_0000_0000_0000) - (4_503_599_627_370_496.0 + 1023.0);
    (e - if tiny { 54.0 } else { 0.0 }, m)
}

/// ln x; NaN below 0.
#[inline(always)]
pub(crate) fn ln_f64<const FMA: bool>(x: f64) -> f64 {
    const LN_2_HIGH: f64 = 0.693_147_180_369_123_8;
    const LN_2_LOW: f64 = 1.908_214_929_270_587_7e-10;
    let (e, m) = exponent_and_fraction(x);
    let f = m - 1.0;
    let s = f / (2.0 + f);
    let z = s * s;
    let r = z * polynomial::<f64, FMA, 7>(
        z,
        [
            0.666_666_666_666_669_1,
            0.399_999_999_996_664_6,
            0.285_714_286_921_720_74,
            0.222_222_032_952_717_59,
            0.181_833_361_624_523_07,
            0.153_195_343_010_923_66,
            0.147_440_021_781_816_1,
        ],
    );
    let h = 0.5 * f * f;
    let y = mul_add_f64::<FMA>(e, LN_2_HIGH, f - (h - mul_add_f64::<FMA>(s, h + r, e * LN_2_LOW)));
    let y = if x > 0.0 { y } else { f64::NAN };
    let y = if x == 0.0 { f64::NEG_INFINITY } else { y };
    if x == f64::INFINITY { x } else { y }
}

/// The exact product as a rounded part and what rounding took.
#[inline(always)]
fn exact_product<const FMA: bool>(a: f64, b: f64) -> (f64, f64) {
    let p = a * b;
    if FMA || cfg!(target_arch = "aarch64") {
        return (p, a.mul_add(b, -p));
    }
    let ((ah, al), (bh, bl)) = (halves(a), halves(b));
    (p, al * bl - (((p - ah * bh) - al * bh) - ah * bl))
}

/// Two numbers of half the digits whose sum is x (Dekker, 1971).
#[inline(always)]
fn halves(x: f64) -> (f64, f64) {
    let t = 134_217_729.0 * x; // 2²⁷ + 1
    let high = t - (t - x);
    (high, x - high)
}

/// The exact sum as a rounded part and what rounding took (Knuth).
#[inline(always)]
fn exact_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    let shadow = sum - a;
    (sum, (a - (sum - shadow)) + (b - shadow))
}

/// ln x to about 65 bits, as a sum of two numbers, for finite x > 0.
#[inline(always)]
fn ln_pair<const FMA: bool>(x: f64) -> (f64, f64) {
    const LN_2_HIGH: f64 = 0.693_147_180_559_890_3; // 42 bits
    const LN_2_LOW: f64 = 5.497_923_018_708_371e-14;
    const TWO_THIRDS: (f64, f64) = (0.666_666_666_666_666_6, 3.700_743_415_417_188e-17);
    let (e, m) = exponent_and_fraction(x);
    // ln m = 2s + ⅔s³ + s⁵P(s²) with s = (m − 1)/(m + 1); all but the last term in pairs.
    let f = m - 1.0;
    let (d, d_low) = exact_sum(m, 1.0);
    let s = f / d;
    let (sd, sd_low) = exact_product::<FMA>(s, d);
    let s_low = ((f - sd) - sd_low - s * d_low) / d;
    let (z, z_low) = exact_product::<FMA>(s, s);
    let z_low = z_low + 2.0 * s * s_low;
    let (t, t_low) = exact_product::<FMA>(TWO_THIRDS.0, z);
    let t_low = t_low + (TWO_THIRDS.0 * z_low + TWO_THIRDS.1 * z);
    let (u, u_low) = exact_product::<FMA>(t, s);
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
    let (high, low) = exact_sum(2.0 * s, u);
    let low = low + (2.0 * s_low + u_low + s * z * z * p);
    let (sum, sum_low) = exact_sum(e * LN_2_HIGH, high);
    exact_sum(sum, sum_low + mul_add_f64::<FMA>(e, LN_2_LOW, low))
}

/// xʸ for x ≥ 0; NaN for x < 0 and where either is NaN.
#[inline(always)]
pub(crate) fn pow_f64<const FMA: bool>(x: f64, y: f64) -> f64 {
    const HUGE: f64 = 1.0e21; // beyond it xʸ is 0, 1 or infinite, and the exact product stays finite below it
    let exponent = HUGE.least((-HUGE).most(y));
    let (ln, ln_low) = ln_pair::<FMA>(x);
    let (t, t_low) = exact_product::<FMA>(exponent, ln);
    let t_low = if t.abs() < 800.0 { t_low + exponent * ln_low } else { 0.0 };
    power_edges(x, y, exp_sum_f64::<FMA>(t, t_low))
}

/// xʸ for x ≥ 0; NaN for x < 0 and where either is NaN. Computed in double precision.
#[inline(always)]
pub(crate) fn pow_f32<const FMA: bool>(x: f32, y: f32) -> f32 {
    let (x, y) = (f64::from(x), f64::from(y));
    let exponent = 1.0e38f64.least((-1.0e38f64).most(y));
    power_edges(x, y, exp_f64::<FMA>(exponent * ln_f64::<FMA>(x))) as f32
}

/// The values of xʸ that the logarithm cannot give; `inside` is the value elsewhere.
#[inline(always)]
fn power_edges(x: f64, y: f64, inside: f64) -> f64 {
    let rising = if y > 0.0 { f64::INFINITY } else { 0.0 };
    let falling = if y > 0.0 { 0.0 } else { f64::INFINITY };
    let p = if x == 0.0 { falling } else { inside };
    let p = if x == f64::INFINITY { rising } else { p };
    let p = if y == 0.0 { 1.0 } else { p };
    if (x >= 0.0) & !y.is_nan() { p } else { f64::NAN }
}

/// sin(πx) for 0 ≤ x ≤ ¼.
#[inline(always)]
pub(crate) fn sin_pi_f32<const FMA: bool>(x: f32) -> f32 {
    x * polynomial::<f32, FMA, 4>(x * x, [std::f32::consts::PI, -5.167_708, 2.549_767_3, -0.589_078_66])
}

/// sin(πx) for 0 ≤ x ≤ ¼.
#[inline(always)]
pub(crate) fn sin_pi_f64<const FMA: bool>(x: f64) -> f64 {
    let c = [
        std::f64::consts::PI,
        -5.167_712_780_049_954,
        2.550_164_039_873_378_5,
        -0.599_264_528_939_812,
        0.082_145_869_185_132_28,
        -0.007_370_021_659_568_085,
        0.000_461_532_241_491_025_76,
    ];
    x * polynomial::<f64, FMA, 7>(x * x, c)
}

#[cfg(test)]
mod tests;
