//! The iteration c ← a·c + b of midpoint-radius numbers with one shared error radius, Equation (14).
//!
//! For ⟨a, α⟩, ⟨b, β⟩ and ⟨c, r + e⟩, where e bounds the accumulated rounding errors of the midpoint, the exact a·c + b
//! differs from its value at the midpoints by at most (|a| + α)·(r + e) + α·|c| + β. Hence
//!
//! c ← □(a·c + b), r ← (|a| + α)·r + (α·|c| + β) with the old c, e ← (|a| + α₀)·e + (u·|c| + η) with the new c
//!
//! encloses it. The error e is shared by all cuts and uses the largest radius α₀, that of the support. The final
//! radius of a cut is r + e. A step takes two operations per cut.

use super::balls::{Ball, BallMut, Balls, BallsMut};
use super::operations::{for_each_vector, fused_up, is_finite, narrow_up, store_midpoint, zeros};
use crate::arithmetic::rounding::Real;
use crate::device::{Narrow, PLANE, Plane, Rounded};

/// Cuts iterated in parallel.
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
        let iteration =
            AxpyBlock::<V, W> { a, b, start: *c.midpoint, magnitudes: magnitudes::<V, _>(a), steps };
        let (end, error) = iteration.errors(&alpha[0]);
        store_midpoint::<V, _>(&end, &mut c);
        let BallMut { radii, .. } = c;
        let (groups, rest) = radii.as_chunks_mut::<GROUP>();
        let (alpha, alpha_rest) = alpha.as_chunks::<GROUP>();
        let (beta, beta_rest) = beta.as_chunks::<GROUP>();
        for (radii, (alpha, beta)) in groups.iter_mut().zip(alpha.iter().zip(beta)) {
            iteration.radii(alpha, beta, &error, radii);
        }
        for (radii, (alpha, beta)) in rest.iter_mut().zip(alpha_rest.iter().zip(beta_rest)) {
            iteration.radii(&[*alpha], &[*beta], &error, std::array::from_mut(radii));
        }
    }
}

/// |x| rounded up to the type of the radii.
#[inline(always)]
fn magnitudes<V: Narrow<R, Number: Real>, R: Real>(x: &Plane<V::Number>) -> Plane<R> {
    let mut magnitudes = zeros();
    for_each_vector!(V, |at| { V::load(x, at).abs().store(&mut magnitudes, at) });
    narrow_up::<V, R>(&magnitudes)
}

/// u·|x| + η, with the η of the radius type, which avoids subnormal radii.
#[inline(always)]
fn midpoint_errors<V: Narrow<W::Number, Number: Real>, W: Rounded<Number: Real>>(
    x: &Plane<V::Number>,
) -> Plane<W::Number> {
    let unit = W::splat(W::Number::from_f64_up(V::Number::UNIT_ROUNDOFF.to_f64())); // a power of 2, exact
    let mut midpoint_errors = magnitudes::<V, W::Number>(x);
    for_each_vector!(W, |at| {
        unit.mul_add_up(W::load(&midpoint_errors, at), W::splat(W::Number::MIN_NORMAL))
            .store(&mut midpoint_errors, at);
    });
    midpoint_errors
}

/// Values shared by all cuts of a block.
struct AxpyBlock<'a, V: Rounded, W: Rounded> {
    a: &'a Plane<V::Number>,
    b: &'a Plane<V::Number>,
    start: Plane<V::Number>,
    /// |a| rounded up.
    magnitudes: Plane<W::Number>,
    steps: usize,
}

impl<V: Narrow<W::Number, Number: Real>, W: Rounded<Number: Real>> AxpyBlock<'_, V, W> {
    /// □(a·c + b).
    #[inline(always)]
    fn step(&self, c: &mut Plane<V::Number>) {
        for_each_vector!(V, |at| {
            V::load(self.a, at).mul_add_near(V::load(c, at), V::load(self.b, at)).store(c, at);
        });
    }

    /// |a| + α.
    #[inline(always)]
    fn factor(&self, alpha: &Plane<W::Number>) -> Plane<W::Number> {
        let mut factor = zeros();
        for_each_vector!(W, |at| {
            W::load(&self.magnitudes, at).add_up(W::load(alpha, at)).store(&mut factor, at)
        });
        factor
    }

    /// Final midpoints and shared errors; the error is ∞ if the midpoint is not finite.
    #[inline(always)]
    fn errors(&self, support: &Plane<W::Number>) -> (Plane<V::Number>, Plane<W::Number>) {
        let (mut end, mut errors) = self.try_errors::<false>(support);
        if has_nan::<W>(&errors) {
            (end, errors) = self.try_errors::<true>(support);
        }
        let mut infinite = zeros();
        for_each_vector!(V, |at| {
            let infinity = V::splat(V::Number::INFINITY);
            V::splat(V::Number::ZERO).select(is_finite(V::load(&end, at)), infinity).store(&mut infinite, at);
        });
        let infinite: Plane<W::Number> = narrow_up::<V, _>(&infinite);
        for_each_vector!(W, |at| {
            // NaN occurs only if the midpoint is not finite.
            W::load(&infinite, at).greater(W::load(&errors, at)).store(&mut errors, at);
        });
        (end, errors)
    }

    #[inline(always)]
    fn try_errors<const GUARDED: bool>(
        &self,
        support: &Plane<W::Number>,
    ) -> (Plane<V::Number>, Plane<W::Number>) {
        let (factor, mut c, mut errors) = (self.factor(support), self.start, zeros());
        for _ in 0..self.steps {
            self.step(&mut c);
            let midpoint_errors = midpoint_errors::<V, W>(&c);
            for_each_vector!(W, |at| {
                let (factor, midpoint_error) = (W::load(&factor, at), W::load(&midpoint_errors, at));
                multiply_add_up::<W, GUARDED>(factor, W::load(&errors, at), midpoint_error)
                    .store(&mut errors, at);
            });
        }
        (c, errors)
    }

    /// Final radii of `G` cuts. The fast path does not check for 0·∞, which gives NaN; if NaN occurs, the guarded
    /// path runs.
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
            for_each_vector!(W, |at| {
                let (radius, error) = (W::load(end, at), W::load(errors, at));
                let infinite = error.equal(W::splat(W::Number::INFINITY));
                error.select(infinite, radius.add_up(error)).store(radii, at);
            });
        }
    }

    #[inline(always)]
    fn try_radii<const G: usize, const GUARDED: bool>(
        &self,
        alpha: &[Plane<W::Number>; G],
        beta: &[Plane<W::Number>; G],
        radii: &[Plane<W::Number>; G],
    ) -> [Plane<W::Number>; G] {
        let (mut factors, mut radii, mut c) = ([zeros(); G], *radii, self.start);
        for g in 0..G {
            factors[g] = self.factor(&alpha[g]);
        }
        for _ in 0..self.steps {
            let magnitudes = magnitudes::<V, W::Number>(&c);
            for g in 0..G {
                for_each_vector!(W, |at| {
                    let (alpha, magnitude) = (W::load(&alpha[g], at), W::load(&magnitudes, at));
                    let inner = multiply_add_up::<W, GUARDED>(alpha, magnitude, W::load(&beta[g], at));
                    let factor = W::load(&factors[g], at);
                    multiply_add_up::<W, GUARDED>(factor, W::load(&radii[g], at), inner)
                        .store(&mut radii[g], at);
                });
            }
            self.step(&mut c);
        }
        radii
    }
}

/// a · b + c rounded up; if `GUARDED`, 0·∞ is 0.
#[inline(always)]
fn multiply_add_up<W: Rounded, const GUARDED: bool>(a: W, b: W, c: W) -> W {
    if GUARDED { fused_up(a, b, c) } else { a.mul_add_up(b, c) }
}

#[inline(always)]
fn has_nan<W: Rounded>(x: &Plane<W::Number>) -> bool {
    let mut found = false;
    for_each_vector!(W, |at| { found |= W::any(W::load(x, at).unordered(W::load(x, at))) });
    found
}
