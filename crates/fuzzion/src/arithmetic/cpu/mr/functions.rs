//! Functions of midpoint-radius arrays, most of them computed via bounds.

use super::balls::{BallMut, Balls, BallsMut};
use super::operations::{
    bounds, divide_radius, for_each_vector, midpoint, narrow_down, narrow_up, radii, rounding_error,
    store_midpoint, widen, zeros,
};
use crate::arithmetic::cpu::cut_vector::{Bounds, CutVector, zero};
use crate::arithmetic::cpu::elementary::{Elementary, Exp, Log};
use crate::arithmetic::cpu::lu::{map_in_f64, nest_cuts};
use crate::arithmetic::expr::{Binary, Unary};
use crate::arithmetic::rounding::Real;
use crate::device::{ElementaryVector, Narrow, PLANE, Plane, Rounded};

/// Smallest radii around `m` that enclose the cuts, each intersected with the previous one.
#[inline(always)]
fn enclosing<V: Narrow<R, Number: Real>, R: Real>(
    m: &Plane<V::Number>,
    mut out: BallMut<V::Number, R>,
    cut: impl Fn(usize) -> Bounds<V::Number>,
) {
    store_midpoint::<V, _>(m, &mut out);
    let mut nested = [[zeros(); 2]; 2];
    for (i, out) in out.radii.iter_mut().enumerate() {
        nested[1] = cut(i);
        if i > 0 {
            nest_cuts::<V>(&mut nested, 2);
        }
        nested[0] = nested[1];
        *out = radii::<V, _>(m, &nested[0]);
    }
}

/// Bounds of an elementary function.
#[inline(always)]
fn elementary_bounds<F: Elementary, D: ElementaryVector + Narrow<T>, T: Real>(x: Bounds<T>) -> Bounds<T> {
    let mut result = [[zeros(); 2]];
    map_in_f64::<F, D, T>(&[x], &mut result);
    result[0]
}

/// eˣ, ln x and |x|.
#[inline(always)]
pub(super) fn via_bounds_body<V, W, D>(
    operation: Unary,
    a: Balls<V::Number, W::Number>,
    mut out: BallsMut<V::Number, W::Number>,
) where
    V: Narrow<W::Number, Number: Real>,
    W: Rounded<Number: Real>,
    D: ElementaryVector + Narrow<V::Number>,
{
    for block in 0..out.len() {
        let (a, out) = (a.block(block), out.block(block));
        let crisp = [*a.midpoint; 2];
        match operation {
            Unary::Exp => enclosing::<V, _>(&elementary_bounds::<Exp, D, _>(crisp)[0], out, |i| {
                elementary_bounds::<Exp, D, _>(bounds::<V, _>(a, i))
            }),
            Unary::Log => enclosing::<V, _>(&elementary_bounds::<Log, D, _>(crisp)[0], out, |i| {
                elementary_bounds::<Log, D, _>(bounds::<V, _>(a, i))
            }),
            Unary::Abs => {
                let abs = |mut cut: Bounds<V::Number>| {
                    for_each_vector!(V, |at| { CutVector::<V>::load(&cut, at).abs().store(&mut cut, at) });
                    cut
                };
                enclosing::<V, _>(&abs(crisp)[0], out, |i| abs(bounds::<V, _>(a, i)));
            }
            _ => unreachable!("invariant: only exp, log and abs are computed via bounds"),
        }
    }
}

/// Minimum or maximum of two numbers.
#[inline(always)]
pub(super) fn min_max_body<V: Narrow<W::Number, Number: Real>, W: Rounded<Number: Real>>(
    operation: Binary,
    a: Balls<V::Number, W::Number>,
    b: Balls<V::Number, W::Number>,
    mut out: BallsMut<V::Number, W::Number>,
) {
    for block in 0..out.len() {
        let (a, b, out) = (a.block(block), b.block(block), out.block(block));
        let min_max = |mut x: Bounds<V::Number>, y: Bounds<V::Number>| {
            for_each_vector!(V, |at| {
                let (left, right) = (CutVector::<V>::load(&x, at), CutVector::load(&y, at));
                let result = if operation == Binary::Min { left.min(right) } else { left.max(right) };
                result.store(&mut x, at);
            });
            x
        };
        enclosing::<V, _>(&min_max([*a.midpoint; 2], [*b.midpoint; 2])[0], out, |i| {
            min_max(bounds::<V, _>(a, i), bounds::<V, _>(b, i))
        });
    }
}

/// √x, Equation (13). For a negative midpoint, the result encloses √ of the cut's nonnegative part and has midpoint 0.
#[inline(always)]
pub(super) fn sqrt_body<V: Narrow<W::Number, Number: Real>, W: Rounded<Number: Real>>(
    a: Balls<V::Number, W::Number>,
    mut out: BallsMut<V::Number, W::Number>,
) {
    let infinity = V::splat(V::Number::INFINITY);
    for block in 0..out.len() {
        let (a, out) = (a.block(block), out.block(block));
        let mut errors = zeros();
        for_each_vector!(V, |at| {
            let x = zero::<V>().greater(V::load(a.midpoint, at));
            let m = x.sqrt_near();
            rounding_error(m, x.sqrt_down(), x.sqrt_up()).store(&mut errors, at);
            midpoint(m).store(out.midpoint, at);
        });
        let errors = narrow_up::<V, _>(&errors);
        let mut min_radii = [W::Number::INFINITY; PLANE];
        for (i, out_radii) in out.radii.iter_mut().enumerate() {
            // Lanes with a clipped domain have their own radius and are marked by the denominator −1.
            let (mut clipped, mut denominators) = (widen::<V, _>(&a.radii[i]), zeros());
            for_each_vector!(V, |at| {
                let (x, alpha) = (V::load(a.midpoint, at), V::load(&clipped, at));
                let m = V::load(out.midpoint, at);
                let end = x.add_up(alpha);
                let upper = infinity.select(end.less(zero()), zero::<V>().greater(end).sqrt_up());
                m.greater(upper.sub_up(m)).store(&mut clipped, at);
                let denominator = x.sqrt_down().add_down(x.sub_down(alpha).sqrt_down());
                let is_clipped = V::mask_or(x.less(alpha), x.less(zero()));
                V::splat(V::Number::from_f64_down(-1.0))
                    .select(is_clipped, denominator)
                    .store(&mut denominators, at);
            });
            let clipped: Plane<W::Number> = narrow_up::<V, _>(&clipped);
            let denominators: Plane<W::Number> = narrow_down::<V, _>(&denominators);
            for_each_vector!(W, |at| {
                let denominator = W::load(&denominators, at);
                let inside =
                    divide_radius(W::load(&a.radii[i], at), denominator).add_up(W::load(&errors, at));
                let radius = W::load(&clipped, at).select(denominator.less(zero()), inside);
                let radius = W::load(&min_radii, at).lesser(radius);
                radius.store(&mut min_radii, at);
                radius.store(out_radii, at);
            });
        }
    }
}
