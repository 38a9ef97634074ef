//! Cuts of products and differences of two curves, which have no closed form.
//!
//! Each is a hill, or two of them apart: where the top is follows from the derivative, and from there the end of
//! the cut is found by bisection, to the last bit.

use super::cuts::Cut;
use super::{Set, Shape};

/// Whether the cuts of this shape must be searched for.
pub(super) fn needs_search(shape: &Shape) -> bool {
    match shape {
        Shape::SigmoidDifference { .. } | Shape::SigmoidProduct { .. } => true,
        Shape::GaussianProduct { mean_a, mean_b, .. } => mean_a > mean_b,
        Shape::PiShape { top_left, top_right, .. } => top_left > top_right,
        _ => false,
    }
}

/// The cuts of such a set at α > 0.
pub(super) fn cuts(set: &Set, alpha: f64) -> Vec<Cut> {
    let high = |x: f64| set.membership(x) >= alpha;
    let everywhere = (f64::NEG_INFINITY, f64::INFINITY);
    let hills = match *set.shape() {
        Shape::GaussianProduct { mean_a, standard_deviation_a, mean_b, standard_deviation_b } => {
            vec![(everywhere, between(mean_a, standard_deviation_a, mean_b, standard_deviation_b))]
        }
        Shape::PiShape { bottom_left, top_left, top_right, bottom_right } => {
            let (lower, upper) = (top_right.max(bottom_left), top_left.min(bottom_right));
            vec![(everywhere, highest(set, lower, upper))]
        }
        Shape::SigmoidProduct { left, rising, falling, right } => {
            vec![(everywhere, product_top(left, rising, falling, right))]
        }
        Shape::SigmoidDifference { left, rising, falling, right } => {
            difference_tops(left, rising, falling, right)
        }
        _ => vec![],
    };
    let mut cuts = Vec::new();
    for ((lower, upper), top) in hills {
        if high(top) {
            cuts.push(Cut { lower: boundary(top, lower, high), upper: boundary(top, upper, high) });
        }
    }
    cuts
}

/// Where the product of two overlapping halves of Gaussians is highest: their precision-weighted mean.
fn between(mean_a: f64, sd_a: f64, mean_b: f64, sd_b: f64) -> f64 {
    // Squared as a ratio: a square alone may overflow or vanish.
    let ratio = sd_b / sd_a;
    let mean = mean_a + (mean_b - mean_a) / (1.0 + ratio * ratio);
    if mean.is_nan() { mean_a } else { mean.clamp(mean_b, mean_a) }
}

/// The top of the single hill between `lower` and `upper`, by ternary search.
fn highest(set: &Set, mut lower: f64, mut upper: f64) -> f64 {
    for _ in 0..200 {
        let third = (upper - lower) / 3.0;
        let (a, b) = (lower + third, upper - third);
        if set.membership(a) < set.membership(b) { lower = a } else { upper = b }
    }
    lower + (upper - lower) / 2.0
}

/// The top of σ(x; left, rising)·σ(x; right, falling): a zero of the derivative of its logarithm, which has one sign
/// (two curves that rise together, or fall) or falls all the way (a bump).
fn product_top(left: f64, rising: f64, falling: f64, right: f64) -> f64 {
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

/// The hills of |σ(x; left, rising) − σ(x; right, falling)|, each with the interval it stands in.
///
/// The curves cross where rising·(x − left) = falling·(x − right). Slopes of one sign make a hill on either side of
/// the crossing, whose top is where the curves are equally steep; others make a slope up to each infinity.
fn difference_tops(left: f64, rising: f64, falling: f64, right: f64) -> Vec<((f64, f64), f64)> {
    let (lowest, highest) = (f64::NEG_INFINITY, f64::INFINITY);
    if rising == falling {
        return vec![((lowest, highest), left + (right - left) / 2.0)];
    }
    let crossing = left + (left - right) * (falling / (rising - falling));
    let sides = [(lowest, crossing), (crossing, highest)];
    if rising.signum() != falling.signum() || rising == 0.0 || falling == 0.0 {
        return vec![(sides[0], lowest), (sides[1], highest)];
    }
    // The logarithm of a sigmoid's steepness, slope·σ(1 − σ); it never underflows.
    let steepness = |inflection: f64, slope: f64, x: f64| {
        let t = (slope * (x - inflection)).abs();
        slope.abs().ln() - t - 2.0 * (-t).exp().ln_1p()
    };
    // At the crossing the curve of the larger slope is the steeper one, far away the other (or NaN: both are level).
    let lead = if rising.abs() > falling.abs() { 1.0 } else { -1.0 };
    let as_at_crossing = |x: f64| lead * (steepness(left, rising, x) - steepness(right, falling, x)) > 0.0;
    vec![
        (sides[0], boundary(crossing, f64::MIN, as_at_crossing)),
        (sides[1], boundary(crossing, f64::MAX, as_at_crossing)),
    ]
}

/// The last x on the way from `inside` to `limit` for which `high` holds.
fn boundary(inside: f64, limit: f64, high: impl Fn(f64) -> bool) -> f64 {
    if inside == limit || high(limit) {
        return limit;
    }
    // Bisection over the ordered bit patterns reaches neighbours in at most 64 steps, wherever the limit is.
    let (mut inside, mut outside) = (i128::from(order(inside)), i128::from(order(limit)));
    while inside.abs_diff(outside) > 1 {
        let middle = (inside + outside) / 2;
        if high(unorder(middle as i64)) { inside = middle } else { outside = middle }
    }
    unorder(inside as i64)
}

/// An integer that orders as the number does, infinities included.
fn order(x: f64) -> i64 {
    let bits = x.to_bits() as i64;
    if bits < 0 { i64::MIN - bits } else { bits }
}

fn unorder(order: i64) -> f64 {
    f64::from_bits((if order < 0 { i64::MIN - order } else { order }) as u64)
}
