//! Arithmetic on midpoint-radius arrays, and conversions from and to bounds.

use super::balls::{Ball, BallMut, Balls, BallsMut};
use crate::arithmetic::cpu::cut_vector::{Bounds, CutVector, canonical_zero, zero};
use crate::arithmetic::rounding::Real;
use crate::device::{Narrow, PLANE, Plane, Rounded};

/// Marks the absence of a denominator: the cut contains 0.
const NO_DENOMINATOR: f64 = -1.0;

/// Bound on |exact − near|, given the exact value rounded down and up, Equation (6); ∞ if `near` is not finite.
#[inline(always)]
pub(super) fn rounding_error<V: Rounded<Number: Real>>(near: V, down: V, up: V) -> V {
    let bound = V::splat(V::Number::UNIT_ROUNDOFF).mul_add_up(near.abs(), V::splat(V::Number::MIN_NORMAL));
    let error = zero::<V>().select(down.equal(up), bound);
    error.select(is_finite(near), V::splat(V::Number::INFINITY))
}

#[inline(always)]
pub(super) fn is_finite<V: Rounded<Number: Real>>(x: V) -> V::Mask {
    x.abs().less(V::splat(V::Number::INFINITY))
}

/// a · b + c rounded up for nonnegative operands, with 0·∞ = 0: c replaces NaN.
#[inline(always)]
pub(super) fn fused_up<V: Rounded>(a: V, b: V, c: V) -> V {
    c.greater(a.mul_add_up(b, c))
}

/// Normalizes a midpoint: −0 becomes 0, and 0 replaces a value that is not finite.
#[inline(always)]
pub(super) fn midpoint<V: Rounded<Number: Real>>(m: V) -> V {
    canonical_zero(m).select(is_finite(m), zero())
}

/// Loops over the vectors of a plane.
macro_rules! for_each_vector {
    ($vector:ident, |$at:ident| $body:block) => {
        for $at in (0..PLANE).step_by($vector::LANES) $body
    };
}
pub(super) use for_each_vector;

#[inline(always)]
pub(super) fn zeros<T: Real>() -> Plane<T> {
    [T::ZERO; PLANE]
}

/// Rounds a plane up to the type of the radii.
#[inline(always)]
pub(super) fn narrow_up<V: Narrow<R, Number: Real>, R: Real>(from: &Plane<V::Number>) -> Plane<R> {
    let mut narrow = zeros();
    V::narrow_up(from, &mut narrow);
    narrow
}

/// Rounds a plane down to the type of the radii.
#[inline(always)]
pub(super) fn narrow_down<V: Narrow<R, Number: Real>, R: Real>(from: &Plane<V::Number>) -> Plane<R> {
    let mut narrow = zeros();
    V::narrow_down(from, &mut narrow);
    narrow
}

/// Converts a plane to the type of the midpoints.
#[inline(always)]
pub(super) fn widen<V: Narrow<R, Number: Real>, R: Real>(from: &Plane<R>) -> Plane<V::Number> {
    let mut wide = zeros();
    V::widen(from, &mut wide);
    wide
}

/// |midpoint| rounded up to the type of the radii.
#[inline(always)]
fn magnitudes_up<V: Narrow<R, Number: Real>, R: Real>(midpoint: &Plane<V::Number>) -> Plane<R> {
    let mut magnitudes = zeros();
    for_each_vector!(V, |at| { V::load(midpoint, at).abs().store(&mut magnitudes, at) });
    narrow_up::<V, R>(&magnitudes)
}

/// Equation (7).
#[inline(always)]
pub(super) fn add_body<V: Narrow<W::Number, Number: Real>, W: Rounded<Number: Real>>(
    a: Balls<V::Number, W::Number>,
    b: Balls<V::Number, W::Number>,
    mut out: BallsMut<V::Number, W::Number>,
    subtract: bool,
) {
    for block in 0..out.len() {
        let (a, b, out) = (a.block(block), b.block(block), out.block(block));
        let mut errors = zeros();
        for_each_vector!(V, |at| {
            let (x, y) = (V::load(a.midpoint, at), V::load(b.midpoint, at));
            let y = if subtract { y.negated() } else { y };
            let m = x.add_near(y);
            rounding_error(m, x.add_down(y), x.add_up(y)).store(&mut errors, at);
            midpoint(m).store(out.midpoint, at);
        });
        let errors = narrow_up::<V, _>(&errors);
        for ((alpha, beta), out) in a.radii.iter().zip(b.radii).zip(out.radii) {
            for_each_vector!(W, |at| {
                let error = W::load(&errors, at);
                error.add_up(W::load(alpha, at)).add_up(W::load(beta, at)).store(out, at);
            });
        }
    }
}

/// Equation (8).
#[inline(always)]
pub(super) fn mul_body<V: Narrow<W::Number, Number: Real>, W: Rounded<Number: Real>>(
    a: Balls<V::Number, W::Number>,
    b: Balls<V::Number, W::Number>,
    mut out: BallsMut<V::Number, W::Number>,
) {
    for block in 0..out.len() {
        let (a, b, out) = (a.block(block), b.block(block), out.block(block));
        let mut errors = zeros();
        for_each_vector!(V, |at| {
            let (x, y) = (V::load(a.midpoint, at), V::load(b.midpoint, at));
            let m = x.mul_near(y);
            rounding_error(m, x.mul_down(y), x.mul_up(y)).store(&mut errors, at);
            midpoint(m).store(out.midpoint, at);
        });
        product_radii::<V, W>(a, b, &narrow_up::<V, _>(&errors), None, out.radii);
    }
}

/// Equation (9).
#[inline(always)]
pub(super) fn mul_add_body<V: Narrow<W::Number, Number: Real>, W: Rounded<Number: Real>>(
    a: Balls<V::Number, W::Number>,
    b: Balls<V::Number, W::Number>,
    c: Balls<V::Number, W::Number>,
    mut out: BallsMut<V::Number, W::Number>,
) {
    for block in 0..out.len() {
        let (a, b, c, out) = (a.block(block), b.block(block), c.block(block), out.block(block));
        let mut errors = zeros();
        for_each_vector!(V, |at| {
            let (x, y, z) = (V::load(a.midpoint, at), V::load(b.midpoint, at), V::load(c.midpoint, at));
            let m = x.mul_add_near(y, z);
            rounding_error(m, x.mul_add_down(y, z), x.mul_add_up(y, z)).store(&mut errors, at);
            midpoint(m).store(out.midpoint, at);
        });
        product_radii::<V, W>(a, b, &narrow_up::<V, _>(&errors), Some(c.radii), out.radii);
    }
}

/// (|a| + α)·β + α·|b| + (γ + error).
#[inline(always)]
fn product_radii<V: Narrow<W::Number, Number: Real>, W: Rounded<Number: Real>>(
    a: Ball<V::Number, W::Number>,
    b: Ball<V::Number, W::Number>,
    errors: &Plane<W::Number>,
    addend: Option<&[Plane<W::Number>]>,
    out: &mut [Plane<W::Number>],
) {
    let (magnitudes_a, magnitudes_b) = (magnitudes_up::<V, _>(a.midpoint), magnitudes_up::<V, _>(b.midpoint));
    for (i, out) in out.iter_mut().enumerate() {
        for_each_vector!(W, |at| {
            let (alpha, beta) = (W::load(&a.radii[i], at), W::load(&b.radii[i], at));
            let (abs_a, abs_b) = (W::load(&magnitudes_a, at), W::load(&magnitudes_b, at));
            let error = W::load(errors, at);
            let error = match addend {
                Some(gamma) => W::load(&gamma[i], at).add_up(error),
                None => error,
            };
            fused_up(abs_a.add_up(alpha), beta, fused_up(alpha, abs_b, error)).store(out, at);
        });
    }
}

/// |b| − β rounded down for cut `i`; [`NO_DENOMINATOR`] if the cut contains 0.
#[inline(always)]
fn distances_from_zero<V: Narrow<W::Number, Number: Real>, W: Rounded<Number: Real>>(
    b: Ball<V::Number, W::Number>,
    i: usize,
) -> Plane<W::Number> {
    let mut distances_from_zero = widen::<V, _>(&b.radii[i]);
    for_each_vector!(V, |at| {
        let (magnitude, radius) = (V::load(b.midpoint, at).abs(), V::load(&distances_from_zero, at));
        let no_denominator = V::splat(V::Number::from_f64_down(NO_DENOMINATOR));
        magnitude
            .sub_down(radius)
            .select(radius.less(magnitude), no_denominator)
            .store(&mut distances_from_zero, at);
    });
    narrow_down::<V, _>(&distances_from_zero)
}

/// Vectorized version of the scalar `divide_radius`.
#[inline(always)]
pub(super) fn divide_radius<W: Rounded<Number: Real>>(radius: W, denominator: W) -> W {
    let quotient = radius.div_up(denominator);
    let bound = quotient.select(zero::<W>().less(denominator), W::splat(W::Number::INFINITY));
    let zero_radius = W::mask_and(
        radius.equal(zero()),
        W::mask_or(denominator.equal(zero()), zero::<W>().less(denominator)),
    );
    zero::<W>().select(zero_radius, bound)
}

/// Equation (10).
#[inline(always)]
pub(super) fn div_body<V: Narrow<W::Number, Number: Real>, W: Rounded<Number: Real>>(
    a: Balls<V::Number, W::Number>,
    b: Balls<V::Number, W::Number>,
    mut out: BallsMut<V::Number, W::Number>,
) {
    for block in 0..out.len() {
        let (a, b, out) = (a.block(block), b.block(block), out.block(block));
        let (mut errors, mut quotients) = (zeros(), zeros());
        for_each_vector!(V, |at| {
            let (x, y) = (V::load(a.midpoint, at), V::load(b.midpoint, at));
            let m = x.div_near(y);
            rounding_error(m, x.div_down(y), x.div_up(y)).store(&mut errors, at);
            x.abs().div_up(y.abs()).store(&mut quotients, at);
            midpoint(m).store(out.midpoint, at);
        });
        let (errors, quotients) = (narrow_up::<V, _>(&errors), narrow_up::<V, _>(&quotients));
        for (i, out) in out.radii.iter_mut().enumerate() {
            let distances_from_zero = distances_from_zero::<V, W>(b, i);
            for_each_vector!(W, |at| {
                let (alpha, beta) = (W::load(&a.radii[i], at), W::load(&b.radii[i], at));
                let radius = fused_up(W::load(&quotients, at), beta, alpha);
                divide_radius(radius, W::load(&distances_from_zero, at))
                    .add_up(W::load(&errors, at))
                    .store(out, at);
            });
        }
    }
}

#[inline(always)]
pub(super) fn recip_body<V: Narrow<W::Number, Number: Real>, W: Rounded<Number: Real>>(
    b: Balls<V::Number, W::Number>,
    mut out: BallsMut<V::Number, W::Number>,
) {
    for block in 0..out.len() {
        let (b, out) = (b.block(block), out.block(block));
        let (mut errors, mut magnitudes) = (zeros(), zeros());
        for_each_vector!(V, |at| {
            let (one, y) = (V::splat(V::Number::ONE), V::load(b.midpoint, at));
            let m = one.div_near(y);
            rounding_error(m, one.div_down(y), one.div_up(y)).store(&mut errors, at);
            y.abs().store(&mut magnitudes, at);
            midpoint(m).store(out.midpoint, at);
        });
        let (errors, magnitudes) = (narrow_up::<V, _>(&errors), narrow_down::<V, _>(&magnitudes));
        for (i, out) in out.radii.iter_mut().enumerate() {
            let distances_from_zero = distances_from_zero::<V, W>(b, i);
            for_each_vector!(W, |at| {
                let distance = W::load(&distances_from_zero, at);
                let product = W::load(&magnitudes, at).mul_down(distance);
                let denominator = distance.select(distance.less(zero()), product);
                let radius = divide_radius(W::load(&b.radii[i], at), denominator);
                radius.add_up(W::load(&errors, at)).store(out, at);
            });
        }
    }
}

/// Bounds of cut `i` rounded outward, Equation (12).
#[inline(always)]
pub(super) fn bounds<V: Narrow<R, Number: Real>, R: Real>(
    a: Ball<V::Number, R>,
    i: usize,
) -> Bounds<V::Number> {
    let (radii, mut bounds) = (widen::<V, R>(&a.radii[i]), [zeros(); 2]);
    for_each_vector!(V, |at| {
        let (m, radius) = (V::load(a.midpoint, at), V::load(&radii, at));
        let cuts =
            CutVector { lower: canonical_zero(m.sub_down(radius)), upper: canonical_zero(m.add_up(radius)) };
        cuts.store(&mut bounds, at);
    });
    bounds
}

/// Smallest radii around `midpoint` that enclose the cut, Equation (11); ∞ if the midpoint is not finite.
#[inline(always)]
pub(super) fn radii<V: Narrow<R, Number: Real>, R: Real>(
    midpoint: &Plane<V::Number>,
    cut: &Bounds<V::Number>,
) -> Plane<R> {
    let mut radii = zeros();
    for_each_vector!(V, |at| {
        let (m, cut) = (V::load(midpoint, at), CutVector::<V>::load(cut, at));
        let radius = canonical_zero(cut.upper.sub_up(m).greater(m.sub_up(cut.lower)));
        radius.select(is_finite(m), V::splat(V::Number::INFINITY)).store(&mut radii, at);
    });
    narrow_up::<V, R>(&radii)
}

/// Writes a normalized midpoint.
#[inline(always)]
pub(super) fn store_midpoint<V: Rounded<Number: Real>, R>(
    m: &Plane<V::Number>,
    out: &mut BallMut<V::Number, R>,
) {
    for_each_vector!(V, |at| { midpoint(V::load(m, at)).store(out.midpoint, at) });
}

#[inline(always)]
pub(super) fn to_bounds_body<V: Narrow<W::Number, Number: Real>, W: Rounded<Number: Real>>(
    a: Balls<V::Number, W::Number>,
    out: &mut [Bounds<V::Number>],
) {
    let cuts = out.len() / a.midpoints.len().max(1);
    for (k, out) in out.iter_mut().enumerate() {
        *out = bounds::<V, _>(a.block(k / cuts), k % cuts);
    }
}

#[inline(always)]
pub(super) fn from_bounds_body<V: Narrow<W::Number, Number: Real>, W: Rounded<Number: Real>>(
    a: &[Bounds<V::Number>],
    mut out: BallsMut<V::Number, W::Number>,
) {
    let cuts = a.len() / out.len().max(1);
    for block in 0..out.len() {
        let (cuts, mut out) = (&a[block * cuts..(block + 1) * cuts], out.block(block));
        let mut core_midpoint = zeros();
        for_each_vector!(V, |at| {
            let half = V::splat(V::Number::ONE)
                .div_near(V::splat(V::Number::ONE).add_near(V::splat(V::Number::ONE)));
            let CutVector { lower, upper } = CutVector::<V>::load(&cuts[cuts.len() - 1], at);
            let m = lower.mul_near(half).add_near(upper.mul_near(half)).greater(lower).lesser(upper);
            let bounded = V::mask_and(is_finite(lower), is_finite(upper));
            m.select(bounded, V::splat(V::Number::INFINITY)).store(&mut core_midpoint, at);
        });
        store_midpoint::<V, _>(&core_midpoint, &mut out);
        for (cut, out) in cuts.iter().zip(out.radii) {
            *out = radii::<V, _>(&core_midpoint, cut);
        }
    }
}
