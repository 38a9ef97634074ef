//! Functions of midpoint-radius numbers.

use super::FuzzyMr;
use super::operations::{divide_radius, rounding_error};
use crate::arithmetic::number::lu::FuzzyLu;
use crate::arithmetic::rounding::{Real, WidensFrom};

impl<T: WidensFrom<R>, R: Real, const N: usize> FuzzyMr<T, N, R> {
    /// x² as the product x · x: radius 2·|a|·α + α² around a².
    pub fn sqr(&self) -> Self {
        self.product(self)
    }

    /// xⁿ by repeated multiplication: radius (|a| + α)ⁿ − |a|ⁿ around aⁿ, the smallest possible; 1 for n = 0.
    pub fn powi(&self, n: i32) -> Self {
        let (mut result, mut square, mut remaining) = (Self::crisp(T::ONE), *self, n.unsigned_abs());
        while remaining > 0 {
            if remaining % 2 == 1 {
                result = result.product(&square);
            }
            remaining /= 2;
            if remaining > 0 {
                square = square.sqr();
            }
        }
        if n < 0 { result.recip() } else { result }
    }

    /// √x over x ≥ 0, Equation (13). Cuts without values in the domain are treated as in [`FuzzyLu::sqrt`].
    pub fn sqrt(&self) -> Self {
        let a = self.midpoint;
        if a < T::ZERO {
            return Self::enclosing(T::ZERO, &FuzzyLu::from(*self).sqrt());
        }
        let (m, down) = (a.sqrt_near(), a.sqrt_down());
        let error: R = rounding_error(m, down, a.sqrt_up());
        let radius = |i: usize| {
            let alpha = T::widen(self.radii[i]);
            if alpha == T::ZERO {
                error
            } else if alpha > a {
                // The domain is clipped at 0, at distance m from the midpoint; the upper side may be farther away.
                m.greater(a.add_up(alpha).sqrt_up().sub_up(m)).narrow_up()
            } else {
                let denominator = down.add_down(a.sub_down(alpha).sqrt_down()).narrow_down();
                divide_radius(self.radii[i], Some(denominator)).add_up(error)
            }
        };
        // The two formulas may round differently; exact radii never increase toward the core.
        let mut min_radius = R::INFINITY;
        Self::from_fn(m, |i| {
            min_radius = min_radius.lesser(radius(i));
            min_radius
        })
    }

    /// eˣ with midpoint eᵃ; the radius is the larger distance to the bounds.
    pub fn exp(&self) -> Self {
        Self::enclosing(self.midpoint.exp_bounds().0, &FuzzyLu::from(*self).exp())
    }

    /// Natural logarithm over x > 0 with midpoint ln a; the radius is the larger distance to the bounds. A cut that
    /// contains 0 becomes unbounded.
    #[doc(alias = "ln")]
    pub fn log(&self) -> Self {
        Self::enclosing(self.midpoint.log_bounds().0, &FuzzyLu::from(*self).log())
    }

    /// |x| with midpoint |a|; the radius is the larger distance to the bounds.
    pub fn abs(&self) -> Self {
        Self::enclosing(self.midpoint.abs(), &FuzzyLu::from(*self).abs())
    }

    /// Minimum of x and y around the smaller midpoint; the radius is the larger distance to the bounds.
    pub fn min(&self, other: &Self) -> Self {
        let cuts = FuzzyLu::from(*self).min(&FuzzyLu::from(*other));
        Self::enclosing(self.midpoint.lesser(other.midpoint), &cuts)
    }

    /// Maximum of x and y around the larger midpoint; the radius is the larger distance to the bounds.
    pub fn max(&self, other: &Self) -> Self {
        let cuts = FuzzyLu::from(*self).max(&FuzzyLu::from(*other));
        Self::enclosing(self.midpoint.greater(other.midpoint), &cuts)
    }
}
