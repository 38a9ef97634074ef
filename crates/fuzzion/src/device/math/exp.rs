//! Exponential functions.

use super::real::{Real, polynomial};
use crate::device::{mul_add_f32, mul_add_f64};

/// eˣ.
#[inline(always)]
pub fn exp_f32<const FMA: bool>(x: f32) -> f32 {
    // Adding and subtracting 1.5·2²³ rounds to an integer, which is in the low bits of the sum.
    const ROUND: f32 = 12_582_912.0;
    const LN_2_HIGH: f32 = 0.693_145_75; // 15 bits: its product with the exponent is exact
    const LN_2_LOW: f32 = 1.428_606_8e-6;
    // Outside these bounds the result is 0 or infinite; NaN passes both comparisons.
    let x = 89.0f32.simd_min((-104.0f32).simd_max(x));
    let n = mul_add_f32::<FMA>(x, std::f32::consts::LOG2_E, ROUND) - ROUND;
    let r = mul_add_f32::<FMA>(n, -LN_2_LOW, mul_add_f32::<FMA>(n, -LN_2_HIGH, x));
    let p = exp_reduced_f32::<FMA>(r);
    // 2ⁿ as two factors, because n exceeds the exponent range of normal numbers.
    let half = mul_add_f32::<FMA>(n, 0.5, ROUND);
    let rest = n - (half - ROUND) + ROUND;
    p * power_of_two_f32(half) * power_of_two_f32(rest)
}

/// eʳ for |r| ≤ ½·ln 2.
#[inline(always)]
fn exp_reduced_f32<const FMA: bool>(r: f32) -> f32 {
    let q = polynomial::<f32, FMA, 5>(
        r,
        [0.499_999_94, 0.166_665_26, 0.041_668_31, 0.008_368_313, 0.001_381_668_3],
    );
    mul_add_f32::<FMA>(r * r, q, r) + 1.0
}

/// e⁻ᵗ for 0 ≤ t ≤ 87.33: the result is a normal number, so a single power of two suffices.
#[inline(always)]
pub(crate) fn exp_neg_f32<const FMA: bool>(t: f32) -> f32 {
    const ROUND: f32 = 12_582_912.0;
    const LN_2_HIGH: f32 = 0.693_145_75;
    const LN_2_LOW: f32 = 1.428_606_8e-6;
    let biased = mul_add_f32::<FMA>(t, -std::f32::consts::LOG2_E, ROUND);
    let n = biased - ROUND;
    let r = mul_add_f32::<FMA>(n, -LN_2_LOW, mul_add_f32::<FMA>(n, -LN_2_HIGH, -t));
    exp_reduced_f32::<FMA>(r) * power_of_two_f32(biased)
}

/// 2ⁿ, where n is in the low bits of `biased`.
#[inline(always)]
fn power_of_two_f32(biased: f32) -> f32 {
    f32::from_bits((biased.to_bits() << 23).wrapping_add(0x3f80_0000))
}

/// eˣ.
#[inline(always)]
pub(crate) fn exp_f64<const FMA: bool>(x: f64) -> f64 {
    exp_sum_f64::<FMA>(x, 0.0)
}

/// e^(x + low), where `low` is the rounding error of x.
#[inline(always)]
pub(super) fn exp_sum_f64<const FMA: bool>(x: f64, low: f64) -> f64 {
    const ROUND: f64 = 6_755_399_441_055_744.0; // 1.5·2⁵²
    const LN_2_HIGH: f64 = 0.693_147_180_369_123_8; // 32 bits
    const LN_2_LOW: f64 = 1.908_214_929_270_587_7e-10;
    let x = 710.0f64.simd_min((-746.0f64).simd_max(x));
    let n = mul_add_f64::<FMA>(x, std::f64::consts::LOG2_E, ROUND) - ROUND;
    let r = mul_add_f64::<FMA>(n, -LN_2_LOW, mul_add_f64::<FMA>(n, -LN_2_HIGH, x)) + low;
    let p = exp_reduced_f64::<FMA>(r);
    let half = mul_add_f64::<FMA>(n, 0.5, ROUND);
    let rest = n - (half - ROUND) + ROUND;
    p * power_of_two_f64(half) * power_of_two_f64(rest)
}

/// eʳ for |r| ≤ ½·ln 2.
#[inline(always)]
fn exp_reduced_f64<const FMA: bool>(r: f64) -> f64 {
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

/// e⁻ᵗ for 0 ≤ t ≤ 708.39: the result is a normal number, so a single power of two suffices.
#[inline(always)]
pub(crate) fn exp_neg_f64<const FMA: bool>(t: f64) -> f64 {
    const ROUND: f64 = 6_755_399_441_055_744.0;
    const LN_2_HIGH: f64 = 0.693_147_180_369_123_8;
    const LN_2_LOW: f64 = 1.908_214_929_270_587_7e-10;
    let biased = mul_add_f64::<FMA>(t, -std::f64::consts::LOG2_E, ROUND);
    let n = biased - ROUND;
    let r = mul_add_f64::<FMA>(n, -LN_2_LOW, mul_add_f64::<FMA>(n, -LN_2_HIGH, -t));
    exp_reduced_f64::<FMA>(r) * power_of_two_f64(biased)
}

/// 2ⁿ, where n is in the low bits of `biased`.
#[inline(always)]
fn power_of_two_f64(biased: f64) -> f64 {
    f64::from_bits((biased.to_bits() << 52).wrapping_add(0x3ff0_0000_0000_0000))
}
