//! Functions, most of them by way of bounds: the larger side around a midpoint.

use super::operations::{
    blank, bounds, lanes, midpoint, narrow_down, narrow_up, over, put_midpoint, radii, rounding_error, widen,
};
use super::{BallMut, Balls, BallsMut};
use crate::arithmetic::cpu::cuts::{Bounds, Cuts, zero};
use crate::arithmetic::cpu::elementary::{Elementary, Exp, Log};
use crate::arithmetic::cpu::lu::{each_double, nest};
use crate::arithmetic::expr::{Binary, Unary};
use crate::arithmetic::rounding::Real;
use crate::device::{Double, Narrow, PLANE, Plane, Rounded};

/// The radii around `m` of one cut after the other, each clipped to the one before.
#[inline(always)]
fn around<V: Narrow<R, Number: Real>, R: Real>(
    m: &Plane<V::Number>,
    mut out: BallMut<V::Number, R>,
    cut: impl Fn(usize) -> Bounds<V::Number>,
) {
    put_midpoint::<V, _>(m, &mut out);
    let mut nested = [[blank(); 2]; 2];
    for (i, out) in out.radii.iter_mut().enumerate() {
        nested[1] = cut(i);
        if i > 0 {
            nest::<V>(&mut nested, 2);
        }
        nested[0] = nested[1];
        *out = radii::<V, _>(m, &nested[0]);
    }
}

/// Bounds of a function of plain numbers.
#[inline(always)]
fn function<F: Elementary, D: Double + Narrow<T>, T: Real>(x: Bounds<T>) -> Bounds<T> {
    let mut result = [[blank(); 2]];
    each_double::<F, D, T>(&[x], &mut result);
    result[0]
}

/// eˣ, ln x and |x|.
#[inline(always)]
pub(super) fn around_body<V, W, D>(
    operation: Unary,
    a: Balls<V::Number, W::Number>,
    mut out: BallsMut<V::Number, W::Number>,
) where
    V: Narrow<W::Number, Number: Real>,
    W: Rounded<Number: Real>,
    D: Double + Narrow<V::Number>,
{
    for block in 0..out.len() {
        let (a, out) = (a.block(block), out.block(block));
        let crisp = [*a.midpoint; 2];
        match operation {
            Unary::Exp => around::<V, _>(&function::<Exp, D, _>(crisp)[0], out, |i| {
                function::<Exp, D, _>(bounds::<V, _>(a, i))
            }),
            Unary::Log => around::<V, _>(&function::<Log, D, _>(crisp)[0], out, |i| {
                function::<Log, D, _>(bounds::<V, _>(a, i))
            }),
            _ => {
                let abs = |mut cut: Bounds<V::Number>| {
                    lanes!(V, |at| { Cuts::<V>::load(&cut, at).abs().store(&mut cut, at) });
                    cut
                };
                around::<V, _>(&abs(crisp)[0], out, |i| abs(bounds::<V, _>(a, i)));
            }
        }
    }
}

/// The lesser or the greater of two numbers.
#[inline(always)]
pub(super) fn join_body<V: Narrow<W::Number, Number: Real>, W: Rounded<Number: Real>>(
    operation: Binary,
    a: Balls<V::Number, W::Number>,
    b: Balls<V::Number, W::Number>,
    mut out: BallsMut<V::Number, W::Number>,
) {
    for block in 0..out.len() {
        let (a, b, out) = (a.block(block), b.block(block), out.block(block));
        let join = |mut x: Bounds<V::Number>, y: Bounds<V::Number>| {
            lanes!(V, |at| {
                let (left, right) = (Cuts::<V>::load(&x, at), Cuts::load(&y, at));
                let joined = if operation == Binary::Min { left.min(right) } else { left.max(right) };
                joined.store(&mut x, at);
            });
            x
        };
        around::<V, _>(&join([*a.midpoint; 2], [*b.midpoint; 2])[0], out, |i| {
            join(bounds::<V, _>(a, i), bounds::<V, _>(b, i))
        });
    }
}

/// √x, equation (13); of a negative midpoint, what is left of the cut around 0.
#[inline(always)]
pub(super) fn root_body<V: Narrow<W::Number, Number: Real>, W: Rounded<Number: Real>>(
    a: Balls<V::Number, W::Number>,
    mut out: BallsMut<V::Number, W::Number>,
) {
    let infinity = V::splat(V::Number::INFINITY);
    for block in 0..out.len() {
        let (a, out) = (a.block(block), out.block(block));
        let mut errors = blank();
        lanes!(V, |at| {
            let x = zero::<V>().greater(V::load(a.midpoint, at));
            let m = x.sqrt_near();
            rounding_error(m, x.sqrt_down(), x.sqrt_up()).store(&mut errors, at);
            midpoint(m).store(out.midpoint, at);
        });
        let errors = narrow_up::<V, _>(&errors);
        let mut least = [W::Number::INFINITY; PLANE];
        for (i, out_radii) in out.radii.iter_mut().enumerate() {
            // Around a clipped domain a radius of its own; else a denominator, and −1 says that there is none.
            let (mut clipped, mut denominators) = (widen::<V, _>(&a.radii[i]), blank());
            lanes!(V, |at| {
                let (x, alpha) = (V::load(a.midpoint, at), V::load(&clipped, at));
                let m = V::load(out.midpoint, at);
                let end = x.add_up(alpha);
                let upper = infinity.or_else(end.less(zero()), zero::<V>().greater(end).sqrt_up());
                m.greater(upper.sub_up(m)).store(&mut clipped, at);
                let denominator = x.sqrt_down().add_down(x.sub_down(alpha).sqrt_down());
                let is_clipped = V::either(x.less(alpha), x.less(zero()));
                V::splat(V::Number::from_f64_down(-1.0))
                    .or_else(is_clipped, denominator)
                    .store(&mut denominators, at);
            });
            let clipped: Plane<W::Number> = narrow_up::<V, _>(&clipped);
            let denominators: Plane<W::Number> = narrow_down::<V, _>(&denominators);
            lanes!(W, |at| {
                let denominator = W::load(&denominators, at);
                let inside = over(W::load(&a.radii[i], at), denominator).add_up(W::load(&errors, at));
                let radius = W::load(&clipped, at).or_else(denominator.less(zero()), inside);
                let radius = W::load(&least, at).lesser(radius);
                radius.store(&mut least, at);
                radius.store(out_radii, at);
            });
        }
    }
}
