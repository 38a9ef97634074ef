//! The four operations, and conversions from and to bounds.

use super::{Ball, BallMut, Balls, BallsMut};
use crate::arithmetic::cpu::cuts::{Bounds, Cuts, plain, zero};
use crate::arithmetic::rounding::Real;
use crate::device::{Narrow, PLANE, Plane, Rounded};

/// A radius over a denominator that says: there is none.
const NONE: f64 = -1.0;

/// A bound of what `near` misses of an exact value with these roundings, equation (6); ∞ where near is no number.
#[inline(always)]
pub(super) fn rounding_error<V: Rounded<Number: Real>>(near: V, down: V, up: V) -> V {
    let bound = V::splat(V::Number::UNIT).mul_add_up(near.abs(), V::splat(V::Number::NORMAL));
    let error = zero::<V>().or_else(down.equal(up), bound);
    error.or_else(is_finite(near), V::splat(V::Number::INFINITY))
}

#[inline(always)]
pub(super) fn is_finite<V: Rounded<Number: Real>>(x: V) -> V::Mask {
    x.abs().less(V::splat(V::Number::INFINITY))
}

/// a · b + c upwards for numbers that are not negative, where 0·∞ is 0: NaN gives way to c.
#[inline(always)]
pub(super) fn fused_up<V: Rounded>(a: V, b: V, c: V) -> V {
    c.greater(a.mul_add_up(b, c))
}

/// A midpoint as numbers keep it: no −0, and 0 where nothing is known.
#[inline(always)]
pub(super) fn midpoint<V: Rounded<Number: Real>>(m: V) -> V {
    plain(m).or_else(is_finite(m), zero())
}

/// Vector by vector of a plane.
macro_rules! lanes {
    ($vector:ident, |$at:ident| $body:block) => {
        for $at in (0..PLANE).step_by($vector::LANES) $body
    };
}
pub(super) use lanes;

/// A plane of zeros.
#[inline(always)]
pub(super) fn blank<T: Real>() -> Plane<T> {
    [T::ZERO; PLANE]
}

/// Rounded upwards to the type of radii.
#[inline(always)]
pub(super) fn narrow_up<V: Narrow<R, Number: Real>, R: Real>(from: &Plane<V::Number>) -> Plane<R> {
    let mut narrow = blank();
    V::narrow_up(from, &mut narrow);
    narrow
}

/// Rounded downwards to the type of radii.
#[inline(always)]
pub(super) fn narrow_down<V: Narrow<R, Number: Real>, R: Real>(from: &Plane<V::Number>) -> Plane<R> {
    let mut narrow = blank();
    V::narrow_down(from, &mut narrow);
    narrow
}

/// In the type of midpoints.
#[inline(always)]
pub(super) fn widen<V: Narrow<R, Number: Real>, R: Real>(from: &Plane<R>) -> Plane<V::Number> {
    let mut wide = blank();
    V::widen(from, &mut wide);
    wide
}

/// The sizes of midpoints, rounded upwards.
#[inline(always)]
fn sizes_up<V: Narrow<R, Number: Real>, R: Real>(midpoint: &Plane<V::Number>) -> Plane<R> {
    let mut sizes = blank();
    lanes!(V, |at| { V::load(midpoint, at).abs().store(&mut sizes, at) });
    narrow_up::<V, R>(&sizes)
}

/// Equation (7).
#[inline(always)]
pub(super) fn add_body<V: Narrow<W::Number, Number: Real>, W: Rounded<Number: Real>>(
    a: Balls<V::Number, W::Number>,
    b: Balls<V::Number, W::Number>,
    mut out: BallsMut<V::Number, W::Number>,
    minus: bool,
) {
    for block in 0..out.len() {
        let (a, b, out) = (a.block(block), b.block(block), out.block(block));
        let mut errors = blank();
        lanes!(V, |at| {
            let (x, y) = (V::load(a.midpoint, at), V::load(b.midpoint, at));
            let y = if minus { y.negated() } else { y };
            let m = x.add_near(y);
            rounding_error(m, x.add_down(y), x.add_up(y)).store(&mut errors, at);
            midpoint(m).store(out.midpoint, at);
        });
        let errors = narrow_up::<V, _>(&errors);
        for ((alpha, beta), out) in a.radii.iter().zip(b.radii).zip(out.radii) {
            lanes!(W, |at| {
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
        let mut errors = blank();
        lanes!(V, |at| {
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
        let mut errors = blank();
        lanes!(V, |at| {
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
    let (sizes_a, sizes_b) = (sizes_up::<V, _>(a.midpoint), sizes_up::<V, _>(b.midpoint));
    for (i, out) in out.iter_mut().enumerate() {
        lanes!(W, |at| {
            let (alpha, beta) = (W::load(&a.radii[i], at), W::load(&b.radii[i], at));
            let (size_a, size_b) = (W::load(&sizes_a, at), W::load(&sizes_b, at));
            let error = W::load(errors, at);
            let error = match addend {
                Some(gamma) => W::load(&gamma[i], at).add_up(error),
                None => error,
            };
            fused_up(size_a.add_up(alpha), beta, fused_up(alpha, size_b, error)).store(out, at);
        });
    }
}

/// |b| − β rounded downwards for cut `i`; [`NONE`] where it contains 0.
#[inline(always)]
fn distances<V: Narrow<W::Number, Number: Real>, W: Rounded<Number: Real>>(
    b: Ball<V::Number, W::Number>,
    i: usize,
) -> Plane<W::Number> {
    let mut distances = widen::<V, _>(&b.radii[i]);
    lanes!(V, |at| {
        let (size, radius) = (V::load(b.midpoint, at).abs(), V::load(&distances, at));
        let none = V::splat(V::Number::from_f64_down(NONE));
        size.sub_down(radius).or_else(radius.less(size), none).store(&mut distances, at);
    });
    narrow_down::<V, _>(&distances)
}

/// As the function of this name for single numbers.
#[inline(always)]
pub(super) fn over<W: Rounded<Number: Real>>(radius: W, denominator: W) -> W {
    let quotient = radius.div_up(denominator);
    let bound = quotient.or_else(zero::<W>().less(denominator), W::splat(W::Number::INFINITY));
    let no_radius =
        W::both(radius.equal(zero()), W::either(denominator.equal(zero()), zero::<W>().less(denominator)));
    zero::<W>().or_else(no_radius, bound)
}

/// Equation (10).
#[inline(always)]
pub(super) fn over_body<V: Narrow<W::Number, Number: Real>, W: Rounded<Number: Real>>(
    a: Balls<V::Number, W::Number>,
    b: Balls<V::Number, W::Number>,
    mut out: BallsMut<V::Number, W::Number>,
) {
    for block in 0..out.len() {
        let (a, b, out) = (a.block(block), b.block(block), out.block(block));
        let (mut errors, mut quotients) = (blank(), blank());
        lanes!(V, |at| {
            let (x, y) = (V::load(a.midpoint, at), V::load(b.midpoint, at));
            let m = x.div_near(y);
            rounding_error(m, x.div_down(y), x.div_up(y)).store(&mut errors, at);
            x.abs().div_up(y.abs()).store(&mut quotients, at);
            midpoint(m).store(out.midpoint, at);
        });
        let (errors, quotients) = (narrow_up::<V, _>(&errors), narrow_up::<V, _>(&quotients));
        for (i, out) in out.radii.iter_mut().enumerate() {
            let distances = distances::<V, W>(b, i);
            lanes!(W, |at| {
                let (alpha, beta) = (W::load(&a.radii[i], at), W::load(&b.radii[i], at));
                let radius = fused_up(W::load(&quotients, at), beta, alpha);
                over(radius, W::load(&distances, at)).add_up(W::load(&errors, at)).store(out, at);
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
        let (mut errors, mut sizes) = (blank(), blank());
        lanes!(V, |at| {
            let (one, y) = (V::splat(V::Number::ONE), V::load(b.midpoint, at));
            let m = one.div_near(y);
            rounding_error(m, one.div_down(y), one.div_up(y)).store(&mut errors, at);
            y.abs().store(&mut sizes, at);
            midpoint(m).store(out.midpoint, at);
        });
        let (errors, sizes) = (narrow_up::<V, _>(&errors), narrow_down::<V, _>(&sizes));
        for (i, out) in out.radii.iter_mut().enumerate() {
            let distances = distances::<V, W>(b, i);
            lanes!(W, |at| {
                let distance = W::load(&distances, at);
                let product = W::load(&sizes, at).mul_down(distance);
                let denominator = distance.or_else(distance.less(zero()), product);
                let radius = over(W::load(&b.radii[i], at), denominator);
                radius.add_up(W::load(&errors, at)).store(out, at);
            });
        }
    }
}

/// The bounds of cut `i`, rounded outwards: equation (12).
#[inline(always)]
pub(super) fn bounds<V: Narrow<R, Number: Real>, R: Real>(
    a: Ball<V::Number, R>,
    i: usize,
) -> Bounds<V::Number> {
    let (radii, mut bounds) = (widen::<V, R>(&a.radii[i]), [blank(); 2]);
    lanes!(V, |at| {
        let (m, radius) = (V::load(a.midpoint, at), V::load(&radii, at));
        let cuts = Cuts { lower: plain(m.sub_down(radius)), upper: plain(m.add_up(radius)) };
        cuts.store(&mut bounds, at);
    });
    bounds
}

/// The least radii of this cut around `midpoint`, equation (11); ∞ around what is no number.
#[inline(always)]
pub(super) fn radii<V: Narrow<R, Number: Real>, R: Real>(
    midpoint: &Plane<V::Number>,
    cut: &Bounds<V::Number>,
) -> Plane<R> {
    let mut radii = blank();
    lanes!(V, |at| {
        let (m, cut) = (V::load(midpoint, at), Cuts::<V>::load(cut, at));
        let radius = plain(cut.upper.sub_up(m).greater(m.sub_up(cut.lower)));
        radius.or_else(is_finite(m), V::splat(V::Number::INFINITY)).store(&mut radii, at);
    });
    narrow_up::<V, R>(&radii)
}

/// Writes a midpoint that may be no number.
#[inline(always)]
pub(super) fn put_midpoint<V: Rounded<Number: Real>, R>(
    m: &Plane<V::Number>,
    out: &mut BallMut<V::Number, R>,
) {
    lanes!(V, |at| { midpoint(V::load(m, at)).store(out.midpoint, at) });
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
        let mut middle = blank();
        lanes!(V, |at| {
            let half = V::splat(V::Number::ONE)
                .div_near(V::splat(V::Number::ONE).add_near(V::splat(V::Number::ONE)));
            let Cuts { lower, upper } = Cuts::<V>::load(&cuts[cuts.len() - 1], at);
            let m = lower.mul_near(half).add_near(upper.mul_near(half)).greater(lower).lesser(upper);
            let bounded = V::both(is_finite(lower), is_finite(upper));
            m.or_else(bounded, V::splat(V::Number::INFINITY)).store(&mut middle, at);
        });
        put_midpoint::<V, _>(&middle, &mut out);
        for (cut, out) in cuts.iter().zip(out.radii) {
            *out = radii::<V, _>(&middle, cut);
        }
    }
}
