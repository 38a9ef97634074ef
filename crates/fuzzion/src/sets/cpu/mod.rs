//! Memberships on the CPU: one dispatch per slice, then a plain loop that the compiler vectorizes.

mod formulas;

use super::expression::Expression;
use super::{Set, Shape};
use crate::device::math::Real;
use crate::device::{Cpu, Simd, simd};

/// Number of x per task: small enough for load balancing, large enough to amortize the scheduling.
const CHUNK: usize = 1 << 14;
/// Number of x per block of a Discrete or a Function, whose buffers fit into registers and the L1 cache.
const BLOCK: usize = 64;
/// Number of points above which binary search is faster than testing every segment with vector instructions.
const MAX_POINTS_WITHOUT_SEARCH: usize = 48;

simd! { fn memberships<T: Real>(set: &Set, x: &[T], out: &mut [T]) = memberships_body; }

/// Memberships in one precision.
pub(super) trait Memberships: Real {
    /// Writes μ(x) of every x to `out`.
    fn memberships(simd: Simd, set: &Set, x: &[Self], out: &mut [Self]);
}

impl Memberships for f64 {
    fn memberships(simd: Simd, set: &Set, x: &[f64], out: &mut [f64]) {
        memberships(simd, set, x, out);
    }
}

/// In single precision if the set allows it, otherwise block by block in double precision.
impl Memberships for f32 {
    fn memberships(simd: Simd, set: &Set, x: &[f32], out: &mut [f32]) {
        if set.fits_f32() {
            return memberships(simd, set, x, out);
        }
        let (mut inputs, mut outputs) = ([0.0; BLOCK], [0.0; BLOCK]);
        for (out, x) in out.chunks_mut(BLOCK).zip(x.chunks(BLOCK)) {
            for (input, x) in inputs.iter_mut().zip(x) {
                *input = f64::from(*x);
            }
            memberships(simd, set, &inputs[..x.len()], &mut outputs[..x.len()]);
            for (out, y) in out.iter_mut().zip(&outputs) {
                *out = *y as f32;
            }
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
fn memberships_body<T: Real, const FMA: bool>(set: &Set, x: &[T], out: &mut [T]) {
    use Shape::*;
    let height = T::cast(set.height());
    // A macro because a function argument may not be inlined, and only inlined formulas are vectorized.
    macro_rules! each {
        ($formula:ident, $($p:ident),+) => {{
            let parameters = [$($p),+].map(T::cast);
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
        Bell { center, width, slope } => match integer_exponent(slope) {
            Some(power) => {
                let parameters = [center, width].map(T::cast);
                for (out, x) in out.iter_mut().zip(x) {
                    *out = height * formulas::bell_integer_power(*x, parameters, power);
                }
            }
            None => each!(bell, center, width, slope),
        },
        Cosine { center, width } => each!(cosine, center, width),
        Gaussian { mean, standard_deviation: 0.0 } => {
            let standard_deviation = 0.0;
            each!(gaussian, mean, standard_deviation)
        }
        Gaussian { mean, standard_deviation } => each!(gaussian_nonzero_width, mean, standard_deviation),
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
        Constant { value } => out.fill(T::cast(value)),
        Linear { ref coefficients, constant } => linear(coefficients, constant, x, out),
        Function { ref expression } => function(expression, x, out),
    }
}

/// The exponent 2·slope of a Bell if it is a small positive integer: repeated squaring is faster than `pow` and as
/// accurate.
pub(crate) fn integer_exponent(slope: f64) -> Option<u32> {
    let power = 2.0 * slope;
    let small = power.fract() == 0.0 && power > 0.0 && power < f64::from(1 << formulas::MAX_EXPONENT_BITS);
    small.then_some(power as u32)
}

/// The linear piece y + slope·(x − from) of a Discrete.
#[derive(Clone, Copy)]
struct Piece<T> {
    from: T,
    y: T,
    slope: T,
}

/// The piece that starts at point `i`, with x rounded to the precision `T`; the last piece is constant.
#[inline(always)]
fn piece<T: Real>(points: &[(f64, f64)], height: f64, i: usize) -> Piece<T> {
    let rounded = |x: f64| T::cast(x).to_f64();
    let (from, y) = points[i];
    let slope = points.get(i + 1).map_or(0.0, |n| height * (n.1 - y) / (rounded(n.0) - rounded(from)));
    Piece { from: T::cast(from), y: T::cast(height * y), slope: T::cast(slope) }
}

#[inline(always)]
fn discrete<T: Real, const FMA: bool>(points: &[(f64, f64)], height: f64, x: &[T], out: &mut [T]) {
    let last = points.len() - 1; // a validated Discrete is not empty
    let constant = |i: usize| Piece { slope: T::ZERO, ..piece::<T>(points, height, i) };
    let at = |x: T, p: Piece<T>| (x - p.from).mul_add::<FMA>(p.slope, p.y);
    if points.len() > MAX_POINTS_WITHOUT_SEARCH {
        for (out, x) in out.iter_mut().zip(x) {
            let after = points.partition_point(|p| T::cast(p.0) <= *x);
            *out = match after {
                _ if x.is_nan() => *x,
                0 => constant(0).y,
                i if i > last => constant(last).y,
                i => at(*x, piece(points, height, i - 1)),
            };
        }
        return;
    }
    for (out, x) in out.chunks_mut(BLOCK).zip(x.chunks(BLOCK)) {
        for (out, x) in out.iter_mut().zip(x) {
            *out = if x.is_nan() { *x } else { constant(0).y };
        }
        for i in 0..last {
            let p = piece(points, height, i);
            for (out, x) in out.iter_mut().zip(x) {
                *out = if *x >= p.from { at(*x, p) } else { *out };
            }
        }
        let p = constant(last);
        for (out, x) in out.iter_mut().zip(x) {
            *out = if *x >= p.from { p.y } else { *out };
        }
    }
}

#[inline(always)]
fn linear<T: Real>(coefficients: &[f64], constant: f64, x: &[T], out: &mut [T]) {
    let slope = match coefficients {
        [] => T::ZERO,
        [slope] => T::cast(*slope),
        _ => T::NAN, // the other inputs are missing
    };
    for (out, x) in out.iter_mut().zip(x) {
        *out = if coefficients.is_empty() { T::cast(constant) } else { slope * *x + T::cast(constant) };
    }
}

/// Always in double precision, with the standard math functions.
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
            *out = T::cast(*y);
        }
    }
}
