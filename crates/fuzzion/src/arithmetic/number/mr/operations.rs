//! Arithmetic on midpoint-radius numbers. Radii are rounded up, denominators down.

use super::FuzzyMr;
use crate::arithmetic::number::cut::fused_up;
use crate::arithmetic::rounding::{Real, WidensFrom};

/// Bound on |exact − near|, given the exact value rounded down and up: u·|near| + η, Equation (6), or 0 if `near` is
/// exact.
#[inline]
pub(super) fn rounding_error<T: WidensFrom<R>, R: Real>(near: T, down: T, up: T) -> R {
    if down == up { R::ZERO } else { T::UNIT_ROUNDOFF.mul_add_up(near.abs(), T::MIN_NORMAL).narrow_up() }
}

impl<T: WidensFrom<R>, R: Real, const N: usize> FuzzyMr<T, N, R> {
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

    /// `self` · `factor` + `addend`, the midpoint rounded once, Equation (9).
    ///
    /// ```
    /// # use fuzzion::arithmetic::FuzzyMr;
    /// type Number = FuzzyMr<f64, 1>;
    /// let sum = Number::new(2.0, [0.5])?.mul_add(&Number::crisp(3.0), &Number::crisp(1.0));
    /// assert_eq!(sum, Number::new(7.0, [1.5])?);
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
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

    /// The iteration c ← a·c + b, `steps` times, starting from this number, Equation (14). The rounding errors of the
    /// midpoint accumulate in one shared radius that is added at the end, so a step costs two operations per cut.
    ///
    /// ```
    /// # use fuzzion::arithmetic::FuzzyMr;
    /// type Number = FuzzyMr<f64, 1>;
    /// let c = Number::crisp(1.0).axpy(&Number::new(2.0, [0.5])?, &Number::crisp(1.0), 1); // 2·1 + 1, radius 0.5·1
    /// assert!(c.support().contains(2.5) && c.support().contains(3.5));
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    pub fn axpy(&self, a: &Self, b: &Self, steps: usize) -> Self {
        let abs_up = |midpoint: T| -> R { midpoint.abs().narrow_up() };
        let magnitude = a.radii.map(|alpha| abs_up(a.midpoint).add_up(alpha));
        let unit: R = T::UNIT_ROUNDOFF.narrow_up();
        let (mut m, mut radii, mut error) = (self.midpoint, self.radii, R::ZERO);
        for _ in 0..steps {
            let abs_m = abs_up(m);
            for i in 0..N {
                radii[i] = fused_up(magnitude[i], radii[i], fused_up(a.radii[i], abs_m, b.radii[i]));
            }
            m = a.midpoint.mul_add_near(m, b.midpoint);
            error = fused_up(magnitude[0], error, unit.mul_add_up(abs_up(m), R::MIN_NORMAL));
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
            divide_radius(fused_up(quotient, beta, alpha), other.distance_from_zero(i)).add_up(error)
        })
    }

    /// 1 / x; a cut that contains 0 becomes unbounded.
    ///
    /// ```
    /// # use fuzzion::arithmetic::FuzzyMr;
    /// type Number = FuzzyMr<f64, 1>;
    /// assert!(Number::new(2.0, [1.0])?.recip().support().contains(0.5));
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    pub fn recip(&self) -> Self {
        let b = self.midpoint;
        let m = T::ONE.div_near(b);
        let error: R = rounding_error(m, T::ONE.div_down(b), T::ONE.div_up(b));
        let abs_b: R = b.abs().narrow_down();
        Self::from_fn(m, |i| {
            let product = self.distance_from_zero(i).map(|distance| abs_b.mul_down(distance));
            divide_radius(self.radii[i], product).add_up(error)
        })
    }

    /// |b| − β rounded down; `None` if cut `i` contains 0.
    #[inline]
    fn distance_from_zero(&self, i: usize) -> Option<R> {
        let (abs_midpoint, radius) = (self.midpoint.abs(), T::widen(self.radii[i]));
        (abs_midpoint > radius).then(|| abs_midpoint.sub_down(radius).narrow_down())
    }
}

/// Radius divided by a lower bound of the denominator; ∞ if there is no denominator or it underflowed to 0.
#[inline]
pub(super) fn divide_radius<R: Real>(radius: R, denominator: Option<R>) -> R {
    match denominator {
        Some(_) if radius == R::ZERO => R::ZERO,
        Some(denominator) if denominator > R::ZERO => radius.div_up(denominator),
        _ => R::INFINITY,
    }
}
