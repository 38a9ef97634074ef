//! Branch-free membership formulas of the shapes, generic over the precision.
//!
//! Every function takes x and the parameters in fuzzylite's order and returns the membership for height 1.
//! `functions.cuh` has the CUDA counterparts under the same names. Reciprocals of parameters are written as such so
//! that the compiler moves them out of the loop.

use crate::device::math::Real;

/// `y`, or NaN if `x` is NaN.
#[inline(always)]
fn propagate_nan<T: Real>(x: T, y: T) -> T {
    if x.is_nan() { x } else { y }
}

/// Linear from 0 at `foot` to 1 at `head` ≥ `foot`. A vertical edge is 1 at `head`; with an infinite foot, all x give 1.
#[inline(always)]
fn rising_edge<T: Real>(x: T, foot: T, head: T) -> T {
    let shoulder = foot == -T::INFINITY;
    let scale = if shoulder { T::ZERO } else { T::ONE / (head - foot) };
    let foot = if shoulder { T::ZERO } else { foot };
    let head = if shoulder { -T::INFINITY } else { head };
    // Below `head` the rounded product is at most 1, and NaN is propagated.
    let slope = T::ZERO.simd_max((x - foot) * scale);
    if x >= head { T::ONE } else { slope }
}

/// Two parabolas that rise from 0 at t = 0 to 1 at t = 1.
#[inline(always)]
fn s_curve<T: Real>(t: T) -> T {
    let rest = T::ONE - t;
    if t < T::HALF { T::TWO * t * t } else { T::ONE - T::TWO * rest * rest }
}

/// 1 at `center`, 0 elsewhere.
#[inline(always)]
fn singleton<T: Real>(x: T, center: T) -> T {
    propagate_nan(x, if x == center { T::ONE } else { T::ZERO })
}

/// |x − center| / |width|; 0 at the center for every width, and infinite elsewhere for width 0.
#[inline(always)]
fn scaled_distance<T: Real>(x: T, center: T, width: T) -> T {
    let t = (x - center).abs() * (T::ONE / width.abs());
    if x == center { T::ZERO } else { t }
}

#[inline(always)]
pub(super) fn triangle<T: Real, const FMA: bool>(x: T, [left, top, right]: [T; 3]) -> T {
    trapezoid::<T, FMA>(x, [left, top, top, right])
}

#[inline(always)]
pub(super) fn trapezoid<T: Real, const FMA: bool>(x: T, [a, b, c, d]: [T; 4]) -> T {
    rising_edge(x, a, b).simd_min(rising_edge(-x, -d, -c))
}

#[inline(always)]
pub(super) fn rectangle<T: Real, const FMA: bool>(x: T, [start, end]: [T; 2]) -> T {
    let inside = (x >= start.simd_min(end)) & (x <= start.simd_max(end));
    propagate_nan(x, if inside { T::ONE } else { T::ZERO })
}

#[inline(always)]
pub(super) fn semi_ellipse<T: Real, const FMA: bool>(x: T, [start, end]: [T; 2]) -> T {
    let (lower, upper) = (start.simd_min(end), start.simd_max(end));
    // Both factors are scaled first because the square of the width could overflow.
    let scale = T::TWO / (upper - lower);
    let y = T::ONE.simd_min(T::ZERO.simd_max((x - lower) * scale * ((upper - x) * scale))).sqrt();
    let y = if lower == upper { T::ONE } else { y };
    let inside = (x >= lower) & (x <= upper);
    propagate_nan(x, if inside { y } else { T::ZERO })
}

#[inline(always)]
pub(super) fn bell<T: Real, const FMA: bool>(x: T, [center, width, slope]: [T; 3]) -> T {
    let t = scaled_distance(x, center, width);
    let y = T::ONE / (T::ONE + t.pow::<FMA>(T::TWO * slope));
    if width == T::ZERO { singleton(x, center) } else { y }
}

/// Maximum number of bits of the exponent of [`bell_integer_power`].
pub(super) const MAX_EXPONENT_BITS: u32 = 5;

/// [`bell`] with 2·slope = `power`, by repeated squaring.
#[inline(always)]
pub(super) fn bell_integer_power<T: Real>(x: T, [center, width]: [T; 2], power: u32) -> T {
    let mut squared = scaled_distance(x, center, width);
    let mut product = T::ONE;
    for bit in 0..MAX_EXPONENT_BITS {
        product = if power >> bit & 1 == 1 { product * squared } else { product };
        squared = squared * squared;
    }
    let y = T::ONE / (T::ONE + product);
    if width == T::ZERO { singleton(x, center) } else { y }
}

#[inline(always)]
pub(super) fn cosine<T: Real, const FMA: bool>(x: T, [center, width]: [T; 2]) -> T {
    // (1 + cos 2πt)/2 = 1 − sin² πt = sin² π(½ − t): the form without cancellation
    let t = scaled_distance(x, center, width);
    let near = t <= T::cast(0.25);
    let s = (if near { t } else { T::ZERO.simd_max(T::HALF - t) }).sin_pi::<FMA>();
    let y = if near { T::ONE - s * s } else { s * s };
    propagate_nan(x, y)
}

/// e^−t for t ≥ 0, or 0 where it would be subnormal: many CPUs are slow with subnormal numbers.
#[inline(always)]
fn exp_neg_or_zero<T: Real, const FMA: bool>(t: T) -> T {
    let y = T::MAX_EXP_NEG.simd_min(t).exp_neg::<FMA>();
    if t > T::MAX_EXP_NEG { T::ZERO } else { y }
}

#[inline(always)]
pub(super) fn gaussian<T: Real, const FMA: bool>(x: T, [mean, standard_deviation]: [T; 2]) -> T {
    exp_neg_or_zero::<T, FMA>(gaussian_exponent(x, mean, standard_deviation))
}

/// [`gaussian`] for a nonzero standard deviation, with fewer comparisons.
#[inline(always)]
pub(super) fn gaussian_nonzero_width<T: Real, const FMA: bool>(
    x: T,
    [mean, standard_deviation]: [T; 2],
) -> T {
    let t = (x - mean) * (T::ONE / (standard_deviation * T::cast(std::f64::consts::SQRT_2)));
    exp_neg_or_zero::<T, FMA>(t * t)
}

/// (x − mean)² / 2σ².
#[inline(always)]
fn gaussian_exponent<T: Real>(x: T, mean: T, standard_deviation: T) -> T {
    let t = scaled_distance(x, mean, standard_deviation * T::cast(std::f64::consts::SQRT_2));
    t * t
}

#[inline(always)]
pub(super) fn gaussian_product<T: Real, const FMA: bool>(x: T, [mean_a, sd_a, mean_b, sd_b]: [T; 4]) -> T {
    let a = if x < mean_a { gaussian_exponent(x, mean_a, sd_a) } else { T::ZERO };
    let b = if x > mean_b { gaussian_exponent(x, mean_b, sd_b) } else { T::ZERO };
    propagate_nan(x, exp_neg_or_zero::<T, FMA>(a + b))
}

#[inline(always)]
pub(super) fn pi_shape<T: Real, const FMA: bool>(x: T, [a, b, c, d]: [T; 4]) -> T {
    s_shape::<T, FMA>(x, [a, b]) * z_shape::<T, FMA>(x, [c, d])
}

#[inline(always)]
pub(super) fn sigmoid_difference<T: Real, const FMA: bool>(x: T, p: [T; 4]) -> T {
    let [left, rising, falling, right] = p;
    let (a, b) = (sigmoid_exponent(x, left, rising), sigmoid_exponent(x, right, falling));
    // Where both curves are close to 1, the difference of their complements σ(−t) = 1 − σ(t) avoids cancellation.
    let both_high = (a < T::ZERO) & (b < T::ZERO);
    let (a, b) = if both_high { (-a, -b) } else { (a, b) };
    (T::ONE / (T::ONE + a.exp::<FMA>()) - T::ONE / (T::ONE + b.exp::<FMA>())).abs()
}

#[inline(always)]
pub(super) fn sigmoid_product<T: Real, const FMA: bool>(x: T, p: [T; 4]) -> T {
    let [left, rising, falling, right] = p;
    sigmoid::<T, FMA>(x, [left, rising]) * sigmoid::<T, FMA>(x, [right, falling])
}

#[inline(always)]
pub(super) fn spike<T: Real, const FMA: bool>(x: T, [center, width]: [T; 2]) -> T {
    exp_neg_or_zero::<T, FMA>(T::cast(10.0) * scaled_distance(x, center, width))
}

#[inline(always)]
pub(super) fn arc<T: Real, const FMA: bool>(x: T, [start, end]: [T; 2]) -> T {
    let t = T::ONE.simd_min(((x - start) * (T::ONE / (end - start))).simd_max(T::ZERO)); // never −0
    let t = if x == end { T::ONE } else { t };
    let y = (t * (T::TWO - t)).sqrt();
    propagate_nan(x, if start == end { T::ZERO } else { y })
}

#[inline(always)]
pub(super) fn binary<T: Real, const FMA: bool>(x: T, [start, direction]: [T; 2]) -> T {
    let inside = if direction > start { x >= start } else { x <= start };
    propagate_nan(x, if inside { T::ONE } else { T::ZERO })
}

#[inline(always)]
pub(super) fn concave<T: Real, const FMA: bool>(x: T, [inflection, end]: [T; 2]) -> T {
    let d = (end - inflection).abs();
    let before = if inflection > end { x - end } else { end - x };
    let before = if inflection == end { before.abs() } else { before };
    let y = d / (d + before);
    if before <= T::ZERO { T::ONE } else { y }
}

#[inline(always)]
pub(super) fn ramp<T: Real, const FMA: bool>(x: T, [start, end]: [T; 2]) -> T {
    let t = T::ONE.simd_min(((x - start) * (T::ONE / (end - start))).simd_max(T::ZERO)); // never −0
    let t = if x == end { T::ONE } else { t };
    let step = if x >= end { T::ONE } else { T::ZERO };
    propagate_nan(x, if start == end { step } else { t })
}

#[inline(always)]
pub(super) fn sigmoid<T: Real, const FMA: bool>(x: T, [inflection, slope]: [T; 2]) -> T {
    T::ONE / (T::ONE + sigmoid_exponent(x, inflection, slope).exp::<FMA>())
}

/// −slope·(x − inflection); 0 for slope 0, also at ±∞.
#[inline(always)]
fn sigmoid_exponent<T: Real>(x: T, inflection: T, slope: T) -> T {
    let flat = propagate_nan(x, T::ZERO);
    if slope == T::ZERO { flat } else { slope * (inflection - x) }
}

#[inline(always)]
pub(super) fn s_shape<T: Real, const FMA: bool>(x: T, [start, end]: [T; 2]) -> T {
    let t = ((x - start) * (T::ONE / (end - start))).clamp01();
    if x <= start { T::ZERO } else { s_curve(t) }
}

#[inline(always)]
pub(super) fn z_shape<T: Real, const FMA: bool>(x: T, [start, end]: [T; 2]) -> T {
    let t = ((end - x) * (T::ONE / (end - start))).clamp01();
    if x <= start { T::ONE } else { s_curve(t) }
}
