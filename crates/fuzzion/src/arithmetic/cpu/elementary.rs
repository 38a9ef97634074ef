//! Vectorized bounds of the exponential function and the natural logarithm, bit-identical to the scalar
//! [`elementary`](crate::arithmetic::rounding::elementary).

use super::cut_vector::{canonical_zero, zero};
use crate::arithmetic::rounding::elementary::{ATANH, EXP, LN2_HIGH, LN2_LOW, OVERFLOW, UNDERFLOW};
use crate::device::ElementaryVector;
use std::f64::consts::{LN_2, SQRT_2};

/// Vectorized `ln2_low_times`.
#[inline(always)]
fn ln2_low_times<V: ElementaryVector>(k: V) -> (V, V) {
    let (a, b) = (V::splat(LN2_LOW), V::splat(LN2_LOW.next_up()));
    let negative = k.less(zero());
    (k.mul_down(b.select(negative, a)), k.mul_up(a.select(negative, b)))
}

/// Vectorized `reduce_argument`.
#[inline(always)]
fn reduce_argument<V: ElementaryVector>(x: V, k: V) -> (V, V) {
    let high = k.mul_near(V::splat(LN2_HIGH));
    let (low_down, low_up) = ln2_low_times(k);
    (x.sub_down(high).sub_down(low_up), x.sub_up(high).sub_up(low_down))
}

/// Lower bound of the scalar `series`.
#[inline(always)]
fn series_down<V: ElementaryVector>(x: V, coefficients: &[f64], exact: usize) -> V {
    let mut sum: V = zero();
    for (n, c) in coefficients.iter().enumerate().rev() {
        let c = if n < exact { *c } else { c.next_down() };
        sum = x.mul_down(sum).add_down(V::splat(c));
    }
    sum
}

/// Upper bound of the scalar `series`.
#[inline(always)]
fn series_up<V: ElementaryVector>(x: V, coefficients: &[f64], exact: usize) -> V {
    let mut sum: V = zero();
    for (n, c) in coefficients.iter().enumerate().rev() {
        let c = if n < exact { *c } else { c.next_up() };
        let c = if n + 1 == coefficients.len() { 1.05 * c } else { c };
        sum = x.mul_up(sum).add_up(V::splat(c));
    }
    sum
}

/// k and bounds of r with eˣ = 2ᵏ·eʳ, for x between [`UNDERFLOW`] and [`OVERFLOW`].
#[inline(always)]
fn exponent<V: ElementaryVector>(x: V) -> (V, V, V) {
    let first = x.div_near(V::splat(LN_2)).floor();
    let negative = reduce_argument(x, first).0.less(zero());
    let k = first.sub_near(V::splat(1.0)).select(negative, first);
    let (down, up) = reduce_argument(x, k);
    (k, down, up)
}

/// x clamped to the range in which eˣ neither overflows nor underflows.
#[inline(always)]
fn within_range<V: ElementaryVector>(x: V) -> V {
    V::splat(UNDERFLOW).greater(V::splat(OVERFLOW).lesser(x))
}

/// Bounds of ln x for finite x > 0.
#[inline(always)]
fn log_bounds<V: ElementaryVector>(x: V) -> (V, V) {
    let one = V::splat(1.0);
    let (m, k) = x.mantissa_exponent();
    let large = V::splat(SQRT_2).less(m);
    let (m, k) = (m.mul_near(V::splat(0.5)).select(large, m), k.add_near(one).select(large, k));
    let distance = m.sub_near(one).abs();
    let (s_down, s_up) = (distance.div_down(m.add_up(one)), distance.div_up(m.add_down(one)));
    let down = series_down(s_down.mul_down(s_down), &ATANH, 1);
    let up = series_up(s_up.mul_up(s_up), &ATANH, 1);
    let two = V::splat(2.0);
    let (down, up) = (two.mul_near(s_down.mul_down(down)), two.mul_near(s_up.mul_up(up)));
    let below = m.less(one);
    let (down, up) = (up.negated().select(below, down), down.negated().select(below, up));
    let high = k.mul_near(V::splat(LN2_HIGH));
    let (low_down, low_up) = ln2_low_times(k);
    (high.add_down(low_down.add_down(down)), high.add_up(low_up.add_up(up)))
}

/// x clamped to the positive finite numbers.
#[inline(always)]
fn positive<V: ElementaryVector>(x: V) -> V {
    V::splat(f64::from_bits(1)).greater(V::splat(f64::MAX).lesser(x))
}

/// Function with certified bounds; a type instead of a closure, to guarantee inlining.
pub(super) trait Elementary {
    /// Lower bound.
    fn down<V: ElementaryVector>(x: V) -> V;
    /// Upper bound.
    fn up<V: ElementaryVector>(x: V) -> V;
}

/// eˣ.
pub(super) struct Exp;

impl Elementary for Exp {
    #[inline(always)]
    fn down<V: ElementaryVector>(x: V) -> V {
        let (k, r, _) = exponent(within_range(x));
        let bound = series_down(r, &EXP, 3).scale_down(k);
        let bound = V::splat(f64::MAX).select(V::splat(OVERFLOW).less(x), bound);
        zero::<V>().select(x.less(V::splat(UNDERFLOW)), bound)
    }

    #[inline(always)]
    fn up<V: ElementaryVector>(x: V) -> V {
        let (k, _, r) = exponent(within_range(x));
        let bound = series_up(r, &EXP, 3).scale_up(k);
        let bound = V::splat(f64::INFINITY).select(V::splat(OVERFLOW).less(x), bound);
        let bound = V::splat(f64::from_bits(1)).select(x.less(V::splat(UNDERFLOW)), bound);
        zero::<V>().select(x.equal(V::splat(f64::NEG_INFINITY)), bound)
    }
}

/// ln x; the bounds are infinite for x ≤ 0.
pub(super) struct Log;

impl Elementary for Log {
    #[inline(always)]
    fn down<V: ElementaryVector>(x: V) -> V {
        let bound = canonical_zero(log_bounds(positive(x)).0);
        bound.select(zero::<V>().less(x), V::splat(f64::NEG_INFINITY))
    }

    #[inline(always)]
    fn up<V: ElementaryVector>(x: V) -> V {
        let bound = canonical_zero(log_bounds(positive(x)).1);
        let known = V::mask_and(zero::<V>().less(x), x.less(V::splat(f64::INFINITY)));
        bound.select(known, V::splat(f64::INFINITY))
    }
}
