//! The four operations on midpoint-radius numbers. Radii are rounded upwards, denominators downwards.

use super::FuzzyMr;
use crate::arithmetic::cut::fused_up;
use crate::arithmetic::rounding::{Holds, Real};

/// A bound of |exact − near|, where `down` and `up` are the exact value's roundings: u·|near| + η, equation (6), or
/// nothing where near is exact.
#[inline]
pub(super) fn rounding_error<T: Holds<R>, R: Real>(near: T, down: T, up: T) -> R {
    if down == up { R::ZERO } else { T::UNIT.mul_add_up(near.abs(), T::NORMAL).narrow_up() }
}

impl<T: Holds<R>, R: Real, const N: usize> FuzzyMr<T, N, R> {
    pub(in crate::arithmetic) fn negated(&self) -> Self {
        FuzzyMr { midpoint: (-self.midpoint).add_near(T::ZERO), radii: self.radii }
    }

    /// Equation (7).
    pub(in crate::arithmetic) fn sum(&self, other: &Self) -> Self {
        let (a, b) = (self.midpoint, other.midpoint);
        let m = a.add_near(b);
        let error: R = rounding_error(m, a.add_down(b), a.add_up(b));
        Self::from_fn(m, |i| error.add_up(self.radii[i]).add_up(other.radii[i]))
    }

    pub(in crate::arithmetic) fn difference(&self, other: &Self) -> Self {
        self.sum(&other.negated())
    }

    /// Equation (8).
    pub(in crate::arithmetic) fn product(&self, other: &Self) -> Self {
        let (a, b) = (self.midpoint, other.midpoint);
        let m = a.mul_near(b);
        let error: R = rounding_error(m, a.mul_down(b), a.mul_up(b));
        let (a, b): (R, R) = (a.abs().narrow_up(), b.abs().narrow_up());
        Self::from_fn(m, |i| {
            let (alpha, beta) = (self.radii[i], other.radii[i]);
            fused_up(a.add_up(alpha), beta, fused_up(alpha, b, error))
        })
    }

    /// `self` · `factor` + `addend`, the midpoint rounded once, equation (9).
    pub fn mul_add(&self, factor: &Self, addend: &Self) -> Self {
        let (a, b, c) = (self.midpoint, factor.midpoint, addend.midpoint);
        let m = a.mul_add_near(b, c);
        let error: R = rounding_error(m, a.mul_add_down(b, c), a.mul_add_up(b, c));
        let (a, b): (R, R) = (a.abs().narrow_up(), b.abs().narrow_up());
        Self::from_fn(m, |i| {
            let (alpha, beta) = (self.radii[i], factor.radii[i]);
            fused_up(a.add_up(alpha), beta, fused_up(alpha, b, addend.radii[i].add_up(error)))
        })
    }

    /// The series c ← a·c + b from this number on, `steps` times, equation (19): rounding errors of the midpoint are
    /// collected in one radius and added at the end, so that a step costs two operations per cut.
    pub fn axpy(&self, a: &Self, b: &Self, steps: usize) -> Self {
        let sized = |midpoint: T| -> R { midpoint.abs().narrow_up() };
        let reach = a.radii.map(|alpha| sized(a.midpoint).add_up(alpha));
        let unit: R = T::UNIT.narrow_up();
        let (mut m, mut radii, mut error) = (self.midpoint, self.radii, R::ZERO);
        for _ in 0..steps {
            let size = sized(m);
            for i in 0..N {
                radii[i] = fused_up(reach[i], radii[i], fused_up(a.radii[i], size, b.radii[i]));
            }
            m = a.midpoint.mul_add_near(m, b.midpoint);
            error = fused_up(reach[0], error, unit.mul_add_up(sized(m), R::NORMAL));
        }
        Self::from_fn(m, |i| radii[i].add_up(error))
    }

    /// Equation (10).
    pub(in crate::arithmetic) fn quotient(&self, other: &Self) -> Self {
        let (a, b) = (self.midpoint, other.midpoint);
        let m = a.div_near(b);
        let error: R = rounding_error(m, a.div_down(b), a.div_up(b));
        let quotient: R = a.abs().div_up(b.abs()).narrow_up();
        Self::from_fn(m, |i| {
            let (alpha, beta) = (self.radii[i], other.radii[i]);
            over(fused_up(quotient, beta, alpha), other.distance_from_zero(i)).add_up(error)
        })
    }

    /// 1 / x; unbounded where a cut contains 0.
    pub fn recip(&self) -> Self {
        let b = self.midpoint;
        let m = T::ONE.div_near(b);
        let error: R = rounding_error(m, T::ONE.div_down(b), T::ONE.div_up(b));
        let size: R = b.abs().narrow_down();
        Self::from_fn(m, |i| {
            let product = self.distance_from_zero(i).map(|distance| size.mul_down(distance));
            over(self.radii[i], product).add_up(error)
        })
    }

    /// |b| − β rounded downwards; `None` where cut `i` contains 0.
    #[inline]
    fn distance_from_zero(&self, i: usize) -> Option<R> {
        let (size, radius) = (self.midpoint.abs(), T::widen(self.radii[i]));
        (size > radius).then(|| size.sub_down(radius).narrow_down())
    }
}

/// A radius over a lower bound of its denominator: ∞ where there is none, or where it was too small for its type.
#[inline]
pub(super) fn over<R: Real>(radius: R, denominator: Option<R>) -> R {
    match denominator {
        Some(_) if radius == R::ZERO => R::ZERO,
        Some(denominator) if denominator > R::ZERO => radius.div_up(denominator),
        _ => R::INFINITY,
    }
}
