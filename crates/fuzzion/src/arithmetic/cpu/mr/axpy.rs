//! The series c ← a·c + b of midpoint-radius numbers, with one error for all cuts of a number.
//!
//! Of ⟨a, α⟩, ⟨b, β⟩ and ⟨c, r + e⟩, where e bounds all that rounding the midpoints has lost so far, a·c + b lies within
//! (|a| + α)·(r + e) + α·|c| + β of a·c + b of the midpoints. So does
//!
//! c ← □(a·c + b), r ← (|a| + α)·r + (α·|c| + β) with the c before, e ← (|a| + α₀)·e + (u·|c| + η) with the c after
//!
//! cut by cut but for e, which takes the radius α₀ of the support, the greatest. The radius of a cut is r + e in the
//! end. It takes two operations per cut and step.

use super::operations::{blank, fused_up, is_finite, lanes, narrow_up, put_midpoint};
use super::{Ball, BallMut, Balls, BallsMut};
use crate::arithmetic::rounding::Real;
use crate::device::{Narrow, PLANE, Plane, Rounded};

/// Cuts whose radii run side by side.
const GROUP: usize = 4;

#[inline(always)]
pub(super) fn axpy_body<V: Narrow<W::Number, Number: Real>, W: Rounded<Number: Real>>(
    mut c: BallsMut<V::Number, W::Number>,
    a: Balls<V::Number, W::Number>,
    b: Balls<V::Number, W::Number>,
    steps: usize,
) {
    for block in 0..c.len() {
        let Ball { midpoint: a, radii: alpha } = a.block(block);
        let Ball { midpoint: b, radii: beta } = b.block(block);
        let mut c = c.block(block);
        let series = Series::<V, W> { a, b, start: *c.midpoint, sizes: sizes::<V, _>(a), steps };
        let (end, error) = series.errors(&alpha[0]);
        put_midpoint::<V, _>(&end, &mut c);
        let BallMut { radii, .. } = c;
        let (groups, rest) = radii.as_chunks_mut::<GROUP>();
        let (alpha, alpha_rest) = alpha.as_chunks::<GROUP>();
        let (beta, beta_rest) = beta.as_chunks::<GROUP>();
        for (radii, (alpha, beta)) in groups.iter_mut().zip(alpha.iter().zip(beta)) {
            series.radii(alpha, beta, &error, radii);
        }
        for (radii, (alpha, beta)) in rest.iter_mut().zip(alpha_rest.iter().zip(beta_rest)) {
            series.radii(&[*alpha], &[*beta], &error, std::array::from_mut(radii));
        }
    }
}

/// |x|, rounded upwards to the type of radii.
#[inline(always)]
fn sizes<V: Narrow<R, Number: Real>, R: Real>(x: &Plane<V::Number>) -> Plane<R> {
    let mut sizes = blank();
    lanes!(V, |at| { V::load(x, at).abs().store(&mut sizes, at) });
    narrow_up::<V, R>(&sizes)
}

/// u·|x| + η, with the η of radii, which takes them out of the range of subnormal numbers.
#[inline(always)]
fn losses<V: Narrow<W::Number, Number: Real>, W: Rounded<Number: Real>>(
    x: &Plane<V::Number>,
) -> Plane<W::Number> {
    let unit = W::splat(W::Number::from_f64_up(V::Number::UNIT.to_f64())); // a power of 2, exact
    let mut losses = sizes::<V, W::Number>(x);
    lanes!(W, |at| {
        unit.mul_add_up(W::load(&losses, at), W::splat(W::Number::NORMAL)).store(&mut losses, at);
    });
    losses
}

/// What is common to all cuts of a block.
struct Series<'a, V: Rounded, W: Rounded> {
    a: &'a Plane<V::Number>,
    b: &'a Plane<V::Number>,
    start: Plane<V::Number>,
    /// |a|, upwards.
    sizes: Plane<W::Number>,
    steps: usize,
}

impl<V: Narrow<W::Number, Number: Real>, W: Rounded<Number: Real>> Series<'_, V, W> {
    /// □(a·c + b).
    #[inline(always)]
    fn step(&self, c: &mut Plane<V::Number>) {
        lanes!(V, |at| {
            V::load(self.a, at).mul_add_near(V::load(c, at), V::load(self.b, at)).store(c, at);
        });
    }

    /// |a| + α.
    #[inline(always)]
    fn factor(&self, alpha: &Plane<W::Number>) -> Plane<W::Number> {
        let mut factor = blank();
        lanes!(W, |at| { W::load(&self.sizes, at).add_up(W::load(alpha, at)).store(&mut factor, at) });
        factor
    }

    /// The midpoints in the end, and the error of all cuts: ∞ where a midpoint is no number.
    #[inline(always)]
    fn errors(&self, support: &Plane<W::Number>) -> (Plane<V::Number>, Plane<W::Number>) {
        let (mut end, mut errors) = self.try_errors::<false>(support);
        if has_nan::<W>(&errors) {
            (end, errors) = self.try_errors::<true>(support);
        }
        let mut unknown = blank();
        lanes!(V, |at| {
            let infinity = V::splat(V::Number::INFINITY);
            V::splat(V::Number::ZERO).or_else(is_finite(V::load(&end, at)), infinity).store(&mut unknown, at);
        });
        let unknown: Plane<W::Number> = narrow_up::<V, _>(&unknown);
        lanes!(W, |at| {
            // NaN only where the midpoint is no number.
            W::load(&unknown, at).greater(W::load(&errors, at)).store(&mut errors, at);
        });
        (end, errors)
    }

    #[inline(always)]
    fn try_errors<const CAREFUL: bool>(
        &self,
        support: &Plane<W::Number>,
    ) -> (Plane<V::Number>, Plane<W::Number>) {
        let (factor, mut c, mut errors) = (self.factor(support), self.start, blank());
        for _ in 0..self.steps {
            self.step(&mut c);
            let losses = losses::<V, W>(&c);
            lanes!(W, |at| {
                let (factor, loss) = (W::load(&factor, at), W::load(&losses, at));
                fused::<W, CAREFUL>(factor, W::load(&errors, at), loss).store(&mut errors, at);
            });
        }
        (c, errors)
    }

    /// The radii of `G` cuts in the end. 0·∞, which no step looks for, leaves NaN; then it is done again with care.
    #[inline(always)]
    fn radii<const G: usize>(
        &self,
        alpha: &[Plane<W::Number>; G],
        beta: &[Plane<W::Number>; G],
        errors: &Plane<W::Number>,
        radii: &mut [Plane<W::Number>; G],
    ) {
        let mut end = self.try_radii::<G, false>(alpha, beta, radii);
        if end.iter().any(has_nan::<W>) {
            end = self.try_radii::<G, true>(alpha, beta, radii);
        }
        for (radii, end) in radii.iter_mut().zip(&end) {
            lanes!(W, |at| {
                let (radius, error) = (W::load(end, at), W::load(errors, at));
                let unknown = error.equal(W::splat(W::Number::INFINITY));
                error.or_else(unknown, radius.add_up(error)).store(radii, at);
            });
        }
    }

    #[inline(always)]
    fn try_radii<const G: usize, const CAREFUL: bool>(
        &self,
        alpha: &[Plane<W::Number>; G],
        beta: &[Plane<W::Number>; G],
        radii: &[Plane<W::Number>; G],
    ) -> [Plane<W::Number>; G] {
        let (mut factors, mut radii, mut c) = ([blank(); G], *radii, self.start);
        for g in 0..G {
            factors[g] = self.factor(&alpha[g]);
        }
        for _ in 0..self.steps {
            let sizes = sizes::<V, W::Number>(&c);
            for g in 0..G {
                lanes!(W, |at| {
                    let (alpha, size) = (W::load(&alpha[g], at), W::load(&sizes, at));
                    let inner = fused::<W, CAREFUL>(alpha, size, W::load(&beta[g], at));
                    let factor = W::load(&factors[g], at);
                    fused::<W, CAREFUL>(factor, W::load(&radii[g], at), inner).store(&mut radii[g], at);
                });
            }
            self.step(&mut c);
        }
        radii
    }
}

/// a · b + c upwards; with care 0·∞ is 0.
#[inline(always)]
fn fused<W: Rounded, const CAREFUL: bool>(a: W, b: W, c: W) -> W {
    if CAREFUL { fused_up(a, b, c) } else { a.mul_add_up(b, c) }
}

#[inline(always)]
fn has_nan<W: Rounded>(x: &Plane<W::Number>) -> bool {
    let mut found = false;
    lanes!(W, |at| { found |= W::any(W::load(x, at).unordered(W::load(x, at))) });
    found
}
