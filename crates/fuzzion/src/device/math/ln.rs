//! Natural logarithms.

use super::real::polynomial;
use crate::device::{mul_add_f32, mul_add_f64};

/// ln x; NaN below 0.
#[inline(always)]
pub(crate) fn ln_f32<const FMA: bool>(x: f32) -> f32 {
    const LN_2_HIGH: f32 = 0.693_145_75;
    const LN_2_LOW: f32 = 1.428_606_8e-6;
    const SQRT_HALF_BITS: u32 = 0x3f35_04f3;
    const ONE_BITS: u32 = 0x3f80_0000;
    let tiny = x < f32::MIN_POSITIVE;
    let bits = (if tiny { x * 33_554_432.0 } else { x }).to_bits(); // 2²⁵
    // x = 2ᵉ·m with √½ ≤ m < √2; the biased exponent is converted to a float by inserting it into the low bits of 2²³.
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
pub(super) fn exponent_and_fraction(x: f64) -> (f64, f64) {
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
