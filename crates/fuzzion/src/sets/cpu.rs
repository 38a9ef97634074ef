//! Memberships of many x: one dispatch per slice, then a plain loop that becomes vector code.

use super::expression::Expression;
use super::{Set, Shape, formulas};
use crate::device::math::Real;
use crate::device::{Cpu, Simd, simd};

/// How many x a thread takes at once: small enough to share, large enough to hide the sharing.
const CHUNK: usize = 1 << 14;
/// How many x a Discrete and a Function hold in registers and first-level cache.
const BLOCK: usize = 64;
/// Up to here trying every segment with vector instructions beats searching for the right one.
const SEARCH_ABOVE: usize = 48;

simd! { fn narrow(set: &Set, x: &[f32], out: &mut [f32]) = memberships_f32_body; }
simd! { pub(super) fn memberships_f64(set: &Set, x: &[f64], out: &mut [f64]) = memberships_f64_body; }

/// In single precision where it holds the set, else block by block through double.
pub(super) fn memberships_f32(simd: Simd, set: &Set, x: &[f32], out: &mut [f32]) {
    if set.fits_f32() {
        return narrow(simd, set, x, out);
    }
    let (mut inputs, mut outputs) = ([0.0; BLOCK], [0.0; BLOCK]);
    for (out, x) in out.chunks_mut(BLOCK).zip(x.chunks(BLOCK)) {
        for (input, x) in inputs.iter_mut().zip(x) {
            *input = f64::from(*x);
        }
        memberships_f64(simd, set, &inputs[..x.len()], &mut outputs[..x.len()]);
        for (out, y) in out.iter_mut().zip(&outputs) {
            *out = *y as f32;
        }
    }
}

/// Runs `kernel` over chunks of `x` on the threads of `cpu`.
pub(super) fn fill<T: Real>(
    x: &[T],
    out: &mut [T],
    cpu: &Cpu,
    kernel: impl Fn(Simd, &[T], &mut [T]) + Send + Sync,
) {
    cpu.fill_chunks(out, 1, CHUNK, |first, out| kernel(cpu.simd(), &x[first..first + out.len()], out));
}

#[inline(always)]
fn memberships_f32_body<const FMA: bool>(set: &Set, x: &[f32], out: &mut [f32]) {
    memberships_body::<f32, FMA>(set, x, out);
}

#[inline(always)]
fn memberships_f64_body<const FMA: bool>(set: &Set, x: &[f64], out: &mut [f64]) {
    memberships_body::<f64, FMA>(set, x, out);
}

#[inline(always)]
fn memberships_body<T: Real, const FMA: bool>(set: &Set, x: &[T], out: &mut [T]) {
    use Shape::*;
    let height = T::of(set.height());
    // A macro, because a formula passed as a value is not sure to be inlined, and only inlined it becomes vector code.
    macro_rules! each {
        ($formula:ident, $($p:ident),+) => {{
            let parameters = [$($p),+].map(T::of);
            for (out, x) in out.iter_mut().zip(x) {
                *out = height * formulas::$formula::<T, FMA>(*x, parameters);
            }
        }};
    }
    match *set.shape() {
        Triangle { left, top, right } => each!(triangle, left, top, right),
        Trapezoid { bottom_left: a, top_left: b, top_right: c, bottom_right: d } => {
            each!(trapezoid, a, b, c, d)
        }
        Rectangle { start, end } => each!(rectangle, start, end),
        Discrete { ref points } => discrete::<T, FMA>(points, set.height(), x, out),
        SemiEllipse { start, end } => each!(semi_ellipse, start, end),
        Bell { center, width, slope } => match whole_power(slope) {
            Some(power) => {
                let parameters = [center, width].map(T::of);
                for (out, x) in out.iter_mut().zip(x) {
                    *out = height * formulas::bell_of_whole_power(*x, parameters, power);
                }
            }
            None => each!(bell, center, width, slope),
        },
        Cosine { center, width } => each!(cosine, center, width),
        Gaussian { mean, standard_deviation: 0.0 } => {
            let standard_deviation = 0.0;
            each!(gaussian, mean, standard_deviation)
        }
        Gaussian { mean, standard_deviation } => each!(gaussian_of_width, mean, standard_deviation),
        GaussianProduct { mean_a, standard_deviation_a: sd_a, mean_b, standard_deviation_b: sd_b } => {
            each!(gaussian_product, mean_a, sd_a, mean_b, sd_b)
        }
        PiShape { bottom_left: a, top_left: b, top_right: c, bottom_right: d } => each!(pi_shape, a, b, c, d),
        SigmoidDifference { left, rising, falling, right } => {
            each!(sigmoid_difference, left, rising, falling, right)
        }
        SigmoidProduct { left, rising, falling, right } => {
            each!(sigmoid_product, left, rising, falling, right)
        }
        Spike { center, width } => each!(spike, center, width),
        Arc { start, end } => each!(arc, start, end),
        Binary { start, direction } => each!(binary, start, direction),
        Concave { inflection, end } => each!(concave, inflection, end),
        Ramp { start, end } => each!(ramp, start, end),
        Sigmoid { inflection, slope } => each!(sigmoid, inflection, slope),
        SShape { start, end } => each!(s_shape, start, end),
        ZShape { start, end } => each!(z_shape, start, end),
        Constant { value } => out.fill(T::of(value)),
        Linear { ref coefficients, constant } => linear(coefficients, constant, x, out),
        Function { ref expression } => function(expression, x, out),
    }
}

/// A Bell's exponent 2·slope, where it is a small whole number: multiplying is faster than a power, and as exact.
pub(crate) fn whole_power(slope: f64) -> Option<u32> {
    let power = 2.0 * slope;
    let small = power.fract() == 0.0 && power > 0.0 && power < f64::from(1 << formulas::BELL_BITS);
    small.then_some(power as u32)
}

/// One straight piece of a Discrete, from its x on: y + slope·(x − from).
#[derive(Clone, Copy)]
struct Piece<T> {
    from: T,
    y: T,
    slope: T,
}

/// The piece that starts at point `i`, through the points as this precision rounds them; the last one is level.
#[inline(always)]
fn piece<T: Real>(points: &[(f64, f64)], height: f64, i: usize) -> Piece<T> {
    let rounded = |x: f64| T::of(x).to_f64();
    let (from, y) = points[i];
    let slope = points.get(i + 1).map_or(0.0, |n| height * (n.1 - y) / (rounded(n.0) - rounded(from)));
    Piece { from: T::of(from), y: T::of(height * y), slope: T::of(slope) }
}

#[inline(always)]
fn discrete<T: Real, const FMA: bool>(points: &[(f64, f64)], height: f64, x: &[T], out: &mut [T]) {
    let last = points.len() - 1; // a checked Discrete has a point
    let level = |i: usize| Piece { slope: T::ZERO, ..piece::<T>(points, height, i) };
    let at = |x: T, p: Piece<T>| (x - p.from).mul_add::<FMA>(p.slope, p.y);
    if points.len() > SEARCH_ABOVE {
        for (out, x) in out.iter_mut().zip(x) {
            let after = points.partition_point(|p| T::of(p.0) <= *x);
            *out = match after {
                _ if x.is_nan() => *x,
                0 => level(0).y,
                i if i > last => level(last).y,
                i => at(*x, piece(points, height, i - 1)),
            };
        }
        return;
    }
    for (out, x) in out.chunks_mut(BLOCK).zip(x.chunks(BLOCK)) {
        for (out, x) in out.iter_mut().zip(x) {
            *out = if x.is_nan() { *x } else { level(0).y };
        }
        for i in 0..last {
            let p = piece(points, height, i);
            for (out, x) in out.iter_mut().zip(x) {
                *out = if *x >= p.from { at(*x, p) } else { *out };
            }
        }
        let p = level(last);
        for (out, x) in out.iter_mut().zip(x) {
            *out = if *x >= p.from { p.y } else { *out };
        }
    }
}

#[inline(always)]
fn linear<T: Real>(coefficients: &[f64], constant: f64, x: &[T], out: &mut [T]) {
    let slope = match coefficients {
        [] => T::ZERO,
        [slope] => T::of(*slope),
        _ => T::NAN, // the other inputs are not known
    };
    for (out, x) in out.iter_mut().zip(x) {
        *out = if coefficients.is_empty() { T::of(constant) } else { slope * *x + T::of(constant) };
    }
}

/// In double precision throughout: its functions are the system's.
#[inline(always)]
fn function<T: Real>(expression: &Expression, x: &[T], out: &mut [T]) {
    let missing = [f64::NAN; BLOCK];
    let (mut inputs, mut outputs) = ([0.0; BLOCK], [0.0; BLOCK]);
    for (out, x) in out.chunks_mut(BLOCK).zip(x.chunks(BLOCK)) {
        for (input, x) in inputs.iter_mut().zip(x) {
            *input = x.to_f64();
        }
        let n = x.len();
        let column = |name: &String| if name == "x" { &inputs[..n] } else { &missing[..n] };
        let columns: Vec<&[f64]> = expression.variables().iter().map(column).collect();
        expression.evaluate_block(&columns, &mut outputs[..n]);
        for (out, y) in out.iter_mut().zip(&outputs) {
            *out = T::of(*y);
        }
    }
}
