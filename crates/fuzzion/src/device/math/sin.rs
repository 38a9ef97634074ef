//! sin(πx).

use super::real::polynomial;

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
