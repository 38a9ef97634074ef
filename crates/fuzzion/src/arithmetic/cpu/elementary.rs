//! Bounds of exponentials and logarithms of several numbers: the twins of those in
//! [`elementary`](crate::arithmetic::elementary), step by step, with the same results to the bit.

use super::cuts::{plain, zero};
use crate::arithmetic::elementary::{ATANH, EXP, LN2_HIGH, LN2_LOW, OVERFLOW, UNDERFLOW};
use crate::device::Double;
use std::f64::consts::{LN_2, SQRT_2};

/// As the function of this name there.
#[inline(always)]
fn low_part<V: Double>(k: V) -> (V, V) {
    let (a, b) = (V::splat(LN2_LOW), V::splat(LN2_LOW.next_up()));
    let negative = k.less(zero());
    (k.mul_down(b.or_else(negative, a)), k.mul_up(a.or_else(negative, b)))
}

/// As the function of this name there.
#[inline(always)]
fn reduced<V: Double>(x: V, k: V) -> (V, V) {
    let high = k.mul_near(V::splat(LN2_HIGH));
    let (low_down, low_up) = low_part(k);
    (x.sub_down(high).sub_down(low_up), x.sub_up(high).sub_up(low_down))
}

/// The lower sum of `series` there.
#[inline(always)]
fn series_down<V: Double>(x: V, coefficients: &[f64], exact: usize) -> V {
    let mut sum: V = zero();
    for (n, c) in coefficients.iter().enumerate().rev() {
        let c = if n < exact { *c } else { c.next_down() };
        sum = x.mul_down(sum).add_down(V::splat(c));
    }
    sum
}

/// Its upper sum.
#[inline(always)]
fn series_up<V: Double>(x: V, coefficients: &[f64], exact: usize) -> V {
    let mut sum: V = zero();
    for (n, c) in coefficients.iter().enumerate().rev() {
        let c = if n < exact { *c } else { c.next_up() };
        let c = if n + 1 == coefficients.len() { 1.05 * c } else { c };
        sum = x.mul_up(sum).add_up(V::splat(c));
    }
    sum
}

/// k and bounds of r of eˣ = 2ᵏ·eʳ, for an x within the range where eˣ is a number.
#[inline(always)]
fn exponent<V: Double>(x: V) -> (V, V, V) {
    let first = x.div_near(V::splat(LN_2)).floor();
    let negative = reduced(x, first).0.less(zero());
    let k = first.sub_near(V::splat(1.0)).or_else(negative, first);
    let (down, up) = reduced(x, k);
    (k, down, up)
}

/// x where eˣ is a number, else an end of that range.
#[inline(always)]
fn within_range<V: Double>(x: V) -> V {
    V::splat(UNDERFLOW).greater(V::splat(OVERFLOW).lesser(x))
}

/// Bounds of ln x for finite x > 0.
#[inline(always)]
fn log_bounds<V: Double>(x: V) -> (V, V) {
    let one = V::splat(1.0);
    let (m, k) = x.parts();
    let large = V::splat(SQRT_2).less(m);
    let (m, k) = (m.mul_near(V::splat(0.5)).or_else(large, m), k.add_near(one).or_else(large, k));
    let size = m.sub_near(one).abs();
    let (s_down, s_up) = (size.div_down(m.add_up(one)), size.div_up(m.add_down(one)));
    let down = series_down(s_down.mul_down(s_down), &ATANH, 1);
    let up = series_up(s_up.mul_up(s_up), &ATANH, 1);
    let two = V::splat(2.0);
    let (down, up) = (two.mul_near(s_down.mul_down(down)), two.mul_near(s_up.mul_up(up)));
    let below = m.less(one);
    let (down, up) = (up.negated().or_else(below, down), down.negated().or_else(below, up));
    let high = k.mul_near(V::splat(LN2_HIGH));
    let (low_down, low_up) = low_part(k);
    (high.add_down(low_down.add_down(down)), high.add_up(low_up.add_up(up)))
}

/// x where ln x is a number, else an end of that range.
#[inline(always)]
fn positive<V: Double>(x: V) -> V {
    V::splat(f64::from_bits(1)).greater(V::splat(f64::MAX).lesser(x))
}

/// A function with bounds: a type rather than a closure, because that is certain to be compiled into its caller.
pub(super) trait Elementary {
    /// A lower bound.
    fn down<V: Double>(x: V) -> V;
    /// An upper bound.
    fn up<V: Double>(x: V) -> V;
}

/// eˣ.
pub(super) struct Exp;

impl Elementary for Exp {
    #[inline(always)]
    fn down<V: Double>(x: V) -> V {
        let (k, r, _) = exponent(within_range(x));
        let bound = series_down(r, &EXP, 3).scale_down(k);
        let bound = V::splat(f64::MAX).or_else(V::splat(OVERFLOW).less(x), bound);
        zero::<V>().or_else(x.less(V::splat(UNDERFLOW)), bound)
    }

    #[inline(always)]
    fn up<V: Double>(x: V) -> V {
        let (k, _, r) = exponent(within_range(x));
        let bound = series_up(r, &EXP, 3).scale_up(k);
        let bound = V::splat(f64::INFINITY).or_else(V::splat(OVERFLOW).less(x), bound);
        let bound = V::splat(f64::from_bits(1)).or_else(x.less(V::splat(UNDERFLOW)), bound);
        zero::<V>().or_else(x.equal(V::splat(f64::NEG_INFINITY)), bound)
    }
}

/// ln x. From 0 on downwards there is none, and its bounds are infinite.
pub(super) struct Log;

impl Elementary for Log {
    #[inline(always)]
    fn down<V: Double>(x: V) -> V {
        let bound = plain(log_bounds(positive(x)).0);
        bound.or_else(zero::<V>().less(x), V::splat(f64::NEG_INFINITY))
    }

    #[inline(always)]
    fn up<V: Double>(x: V) -> V {
        let bound = plain(log_bounds(positive(x)).1);
        let known = V::both(zero::<V>().less(x), x.less(V::splat(f64::INFINITY)));
        bound.or_else(known, V::splat(f64::INFINITY))
    }
}
