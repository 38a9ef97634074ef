//! α-cuts of products and differences of two curves, which have no closed form.
//!
//! Each shape has one or two peaks. The position of a peak follows from the derivative; bisection from there finds the
//! exact floating-point bounds of the α-cut.

use super::Set;
use crate::sets::{Interval, Shape};

/// Whether the α-cuts of this shape have no closed form.
pub(super) fn needs_search(shape: &Shape) -> bool {
    match shape {
        Shape::SigmoidDifference { .. } | Shape::SigmoidProduct { .. } => true,
        Shape::GaussianProduct { mean_a, mean_b, .. } => mean_a > mean_b,
        Shape::PiShape { top_left, top_right, .. } => top_left > top_right,
        _ => false,
    }
}

/// The α-cuts of such a set for α > 0.
pub(super) fn cuts(set: &Set, alpha: f64) -> Vec<Interval> {
    let reaches_alpha = |x: f64| set.membership(x) >= alpha;
    let everywhere = (f64::NEG_INFINITY, f64::INFINITY);
    let peaks = match *set.shape() {
        Shape::GaussianProduct { mean_a, standard_deviation_a, mean_b, standard_deviation_b } => {
            vec![(
                everywhere,
                gaussian_product_peak(mean_a, standard_deviation_a, mean_b, standard_deviation_b),
            )]
        }
        Shape::PiShape { bottom_left, top_left, top_right, bottom_right } => {
            let (lower, upper) = (top_right.max(bottom_left), top_left.min(bottom_right));
            vec![(everywhere, find_peak(set, lower, upper))]
        }
        Shape::SigmoidProduct { left, rising, falling, right } => {
            vec![(everywhere, sigmoid_product_peak(left, rising, falling, right))]
        }
        Shape::SigmoidDifference { left, rising, falling, right } => {
            sigmoid_difference_peaks(left, rising, falling, right)
        }
        _ => vec![],
    };
    let mut cuts = Vec::new();
    for ((lower, upper), peak) in peaks {
        if reaches_alpha(peak) {
            let bound = |limit: f64| boundary(peak, limit, reaches_alpha);
            cuts.push(Interval { lower: bound(lower), upper: bound(upper) });
        }
    }
    cuts
}

/// Peak of the product of two overlapping Gaussian halves: their precision-weighted mean.
fn gaussian_product_peak(mean_a: f64, sd_a: f64, mean_b: f64, sd_b: f64) -> f64 {
    // The ratio is squared because the square of a standard deviation can overflow or underflow.
    let ratio = sd_b / sd_a;
    let mean = mean_a + (mean_b - mean_a) / (1.0 + ratio * ratio);
    if mean.is_nan() { mean_a } else { mean.clamp(mean_b, mean_a) }
}

/// The single peak between `lower` and `upper`, by ternary search.
fn find_peak(set: &Set, mut lower: f64, mut upper: f64) -> f64 {
    for _ in 0..200 {
        let third = (upper - lower) / 3.0;
        let (a, b) = (lower + third, upper - third);
        if set.membership(a) < set.membership(b) { lower = a } else { upper = b }
    }
    lower + (upper - lower) / 2.0
}

/// Peak of σ(x; left, rising)·σ(x; right, falling): the zero of the derivative of its logarithm. If both curves rise or
/// both fall, the derivative has no zero and the peak is at infinity; otherwise the derivative is decreasing.
fn sigmoid_product_peak(left: f64, rising: f64, falling: f64, right: f64) -> f64 {
    let rest = |inflection: f64, slope: f64, x: f64| 1.0 / (1.0 + (slope * (x - inflection)).exp());
    let rises = |x: f64| rising * rest(left, rising, x) + falling * rest(right, falling, x) > 0.0;
    if rising >= 0.0 && falling >= 0.0 {
        return f64::INFINITY;
    }
    if rising <= 0.0 && falling <= 0.0 {
        return f64::NEG_INFINITY;
    }
    boundary(f64::MIN, f64::INFINITY, rises)
}

/// Peaks of |σ(x; left, rising) − σ(x; right, falling)|, each with the interval that contains it.
///
/// The curves cross where rising·(x − left) = falling·(x − right). If the slopes have the same sign, there is one peak on
/// each side of the crossing, where the curves are equally steep; otherwise the peaks are at −∞ and ∞.
fn sigmoid_difference_peaks(left: f64, rising: f64, falling: f64, right: f64) -> Vec<((f64, f64), f64)> {
    let (lower, upper) = (f64::NEG_INFINITY, f64::INFINITY);
    if rising == falling {
        return vec![((lower, upper), left + (right - left) / 2.0)];
    }
    let crossing = left + (left - right) * (falling / (rising - falling));
    let sides = [(lower, crossing), (crossing, upper)];
    if rising.signum() != falling.signum() || rising == 0.0 || falling == 0.0 {
        return vec![(sides[0], lower), (sides[1], upper)];
    }
    // Logarithm of the steepness |slope|·σ(1 − σ) of a sigmoid, which unlike the steepness does not underflow.
    let log_steepness = |inflection: f64, slope: f64, x: f64| {
        let t = (slope * (x - inflection)).abs();
        slope.abs().ln() - t - 2.0 * (-t).exp().ln_1p()
    };
    // At the crossing the curve with the larger slope is steeper, far from it the other one (or NaN: both are flat).
    let sign = if rising.abs() > falling.abs() { 1.0 } else { -1.0 };
    let before_peak =
        |x: f64| sign * (log_steepness(left, rising, x) - log_steepness(right, falling, x)) > 0.0;
    vec![
        (sides[0], boundary(crossing, f64::MIN, before_peak)),
        (sides[1], boundary(crossing, f64::MAX, before_peak)),
    ]
}

/// The last x from `inside` towards `limit` that satisfies `predicate`.
fn boundary(inside: f64, limit: f64, predicate: impl Fn(f64) -> bool) -> f64 {
    if inside == limit || predicate(limit) {
        return limit;
    }
    // Bisection over the ordered bit patterns ends after at most 64 steps for any limit.
    let (mut inside, mut outside) = (i128::from(to_ordered_bits(inside)), i128::from(to_ordered_bits(limit)));
    while inside.abs_diff(outside) > 1 {
        let middle = (inside + outside) / 2;
        if predicate(from_ordered_bits(middle as i64)) { inside = middle } else { outside = middle }
    }
    from_ordered_bits(inside as i64)
}

/// An integer with the same order as the numbers, including infinities.
fn to_ordered_bits(x: f64) -> i64 {
    let bits = x.to_bits() as i64;
    if bits < 0 { i64::MIN - bits } else { bits }
}

/// Inverse of [`to_ordered_bits`].
fn from_ordered_bits(bits: i64) -> f64 {
    f64::from_bits((if bits < 0 { i64::MIN - bits } else { bits }) as u64)
}
