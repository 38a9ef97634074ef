//! The formulas of the shapes, each written once for both precisions and without branches.
//!
//! Every function takes x and its parameters in fuzzylite's order and gives the membership before the height;
//! `functions.cuh` holds the twins under the same names. Reciprocals of parameters are spelled out so that the
//! compiler moves them out of the loop.

use crate::device::math::Real;

/// `y`, or NaN where x is.
#[inline(always)]
fn unless_nan<T: Real>(x: T, y: T) -> T {
    if x.is_nan() { x } else { y }
}

/// Straight from 0 at `foot` up to 1 at `head` ≥ `foot`; closed where vertical, 1 where the foot is infinite.
#[inline(always)]
fn rise<T: Real>(x: T, foot: T, head: T) -> T {
    let shoulder = foot == -T::INFINITY;
    let scale = if shoulder { T::ZERO } else { T::ONE / (head - foot) };
    let foot = if shoulder { T::ZERO } else { foot };
    let head = if shoulder { -T::INFINITY } else { head };
    // Below the head the product never rounds to more than 1, and NaN stays NaN.
    let slope = T::ZERO.most((x - foot) * scale);
    if x >= head { T::ONE } else { slope }
}

/// Two parabolas from 0 up to 1 for t from 0 to 1.
#[inline(always)]
fn smooth<T: Real>(t: T) -> T {
    let rest = T::ONE - t;
    if t < T::HALF { T::TWO * t * t } else { T::ONE - T::TWO * rest * rest }
}

/// The set of one number.
#[inline(always)]
fn point<T: Real>(x: T, center: T) -> T {
    unless_nan(x, if x == center { T::ONE } else { T::ZERO })
}

/// |x − center| / |width|: at the center 0, whatever the width; without width infinite elsewhere.
#[inline(always)]
fn distance<T: Real>(x: T, center: T, width: T) -> T {
    let t = (x - center).abs() * (T::ONE / width.abs());
    if x == center { T::ZERO } else { t }
}

#[inline(always)]
pub(super) fn triangle<T: Real, const FMA: bool>(x: T, [left, top, right]: [T; 3]) -> T {
    trapezoid::<T, FMA>(x, [left, top, top, right])
}

#[inline(always)]
pub(super) fn trapezoid<T: Real, const FMA: bool>(x: T, [a, b, c, d]: [T; 4]) -> T {
    rise(x, a, b).least(rise(-x, -d, -c))
}

#[inline(always)]
pub(super) fn rectangle<T: Real, const FMA: bool>(x: T, [start, end]: [T; 2]) -> T {
    let inside = (x >= start.least(end)) & (x <= start.most(end));
    unless_nan(x, if inside { T::ONE } else { T::ZERO })
}

#[inline(always)]
pub(super) fn semi_ellipse<T: Real, const FMA: bool>(x: T, [start, end]: [T; 2]) -> T {
    let (lower, upper) = (start.least(end), start.most(end));
    // Divided first: a square of the width overflows long before the width does.
    let scale = T::TWO / (upper - lower);
    let y = T::ONE.least(T::ZERO.most((x - lower) * scale * ((upper - x) * scale))).sqrt();
    let y = if lower == upper { T::ONE } else { y };
    let inside = (x >= lower) & (x <= upper);
    unless_nan(x, if inside { y } else { T::ZERO })
}

#[inline(always)]
pub(super) fn bell<T: Real, const FMA: bool>(x: T, [center, width, slope]: [T; 3]) -> T {
    let t = distance(x, center, width);
    let y = T::ONE / (T::ONE + t.pow::<FMA>(T::TWO * slope));
    if width == T::ZERO { point(x, center) } else { y }
}

/// How many binary digits the exponent of [`bell_of_whole_power`] may have.
pub(super) const BELL_BITS: u32 = 5;

/// [`bell`] with 2·slope = `power`, by repeated squaring.
#[inline(always)]
pub(super) fn bell_of_whole_power<T: Real>(x: T, [center, width]: [T; 2], power: u32) -> T {
    let mut square = distance(x, center, width);
    let mut product = T::ONE;
    for bit in 0..BELL_BITS {
        product = if power >> bit & 1 == 1 { product * square } else { product };
        square = square * square;
    }
    let y = T::ONE / (T::ONE + product);
    if width == T::ZERO { point(x, center) } else { y }
}

#[inline(always)]
pub(super) fn cosine<T: Real, const FMA: bool>(x: T, [center, width]: [T; 2]) -> T {
    // (1 + cos 2πt)/2 = 1 − sin² πt = sin² π(½ − t): whichever keeps its digits
    let t = distance(x, center, width);
    let near = t <= T::of(0.25);
    let s = (if near { t } else { T::ZERO.most(T::HALF - t) }).sin_pi::<FMA>();
    let y = if near { T::ONE - s * s } else { s * s };
    unless_nan(x, y)
}

/// e^−t for t ≥ 0; 0 where that is below the normal numbers, which many CPUs are slow with.
#[inline(always)]
fn decay<T: Real, const FMA: bool>(t: T) -> T {
    let y = T::EXP_RANGE.least(t).exp_of_minus::<FMA>();
    if t > T::EXP_RANGE { T::ZERO } else { y }
}

#[inline(always)]
pub(super) fn gaussian<T: Real, const FMA: bool>(x: T, [mean, standard_deviation]: [T; 2]) -> T {
    decay::<T, FMA>(half_square(x, mean, standard_deviation))
}

/// [`gaussian`] of a width that is not 0, with fewer questions.
#[inline(always)]
pub(super) fn gaussian_of_width<T: Real, const FMA: bool>(x: T, [mean, standard_deviation]: [T; 2]) -> T {
    let t = (x - mean) * (T::ONE / (standard_deviation * T::of(std::f64::consts::SQRT_2)));
    decay::<T, FMA>(t * t)
}

/// (x − mean)² / 2σ².
#[inline(always)]
fn half_square<T: Real>(x: T, mean: T, standard_deviation: T) -> T {
    let t = distance(x, mean, standard_deviation * T::of(std::f64::consts::SQRT_2));
    t * t
}

#[inline(always)]
pub(super) fn gaussian_product<T: Real, const FMA: bool>(x: T, [mean_a, sd_a, mean_b, sd_b]: [T; 4]) -> T {
    let a = if x < mean_a { half_square(x, mean_a, sd_a) } else { T::ZERO };
    let b = if x > mean_b { half_square(x, mean_b, sd_b) } else { T::ZERO };
    unless_nan(x, decay::<T, FMA>(a + b))
}

#[inline(always)]
pub(super) fn pi_shape<T: Real, const FMA: bool>(x: T, [a, b, c, d]: [T; 4]) -> T {
    s_shape::<T, FMA>(x, [a, b]) * z_shape::<T, FMA>(x, [c, d])
}

#[inline(always)]
pub(super) fn sigmoid_difference<T: Real, const FMA: bool>(x: T, p: [T; 4]) -> T {
    let [left, rising, falling, right] = p;
    let (a, b) = (sigmoid_exponent(x, left, rising), sigmoid_exponent(x, right, falling));
    // Where both curves near 1, what they lack of it keeps the digits that they lose: σ(−t) = 1 − σ(t).
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
    decay::<T, FMA>(T::of(10.0) * distance(x, center, width))
}

#[inline(always)]
pub(super) fn arc<T: Real, const FMA: bool>(x: T, [start, end]: [T; 2]) -> T {
    let t = T::ONE.least(((x - start) * (T::ONE / (end - start))).most(T::ZERO)); // not −0
    let t = if x == end { T::ONE } else { t };
    let y = (t * (T::TWO - t)).sqrt();
    unless_nan(x, if start == end { T::ZERO } else { y })
}

#[inline(always)]
pub(super) fn binary<T: Real, const FMA: bool>(x: T, [start, direction]: [T; 2]) -> T {
    let inside = if direction > start { x >= start } else { x <= start };
    unless_nan(x, if inside { T::ONE } else { T::ZERO })
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
    let t = T::ONE.least(((x - start) * (T::ONE / (end - start))).most(T::ZERO)); // not −0
    let t = if x == end { T::ONE } else { t };
    let step = if x >= end { T::ONE } else { T::ZERO };
    unless_nan(x, if start == end { step } else { t })
}

#[inline(always)]
pub(super) fn sigmoid<T: Real, const FMA: bool>(x: T, [inflection, slope]: [T; 2]) -> T {
    T::ONE / (T::ONE + sigmoid_exponent(x, inflection, slope).exp::<FMA>())
}

/// −slope·(x − inflection); 0 without slope, at the infinities too.
#[inline(always)]
fn sigmoid_exponent<T: Real>(x: T, inflection: T, slope: T) -> T {
    let level = unless_nan(x, T::ZERO);
    if slope == T::ZERO { level } else { slope * (inflection - x) }
}

#[inline(always)]
pub(super) fn s_shape<T: Real, const FMA: bool>(x: T, [start, end]: [T; 2]) -> T {
    let t = ((x - start) * (T::ONE / (end - start))).clamp01();
    if x <= start { T::ZERO } else { smooth(t) }
}

#[inline(always)]
pub(super) fn z_shape<T: Real, const FMA: bool>(x: T, [start, end]: [T; 2]) -> T {
    let t = ((end - x) * (T::ONE / (end - start))).clamp01();
    if x <= start { T::ONE } else { smooth(t) }
}
