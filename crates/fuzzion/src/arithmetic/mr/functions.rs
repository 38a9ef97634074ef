//! Functions of midpoint-radius numbers.

use super::FuzzyMr;
use super::operations::{over, rounding_error};
use crate::arithmetic::lu::FuzzyLu;
use crate::arithmetic::rounding::{Holds, Real};

impl<T: Holds<R>, R: Real, const N: usize> FuzzyMr<T, N, R> {
    /// x², the product with itself: a radius of 2·|a|·α + α² around a².
    pub fn sqr(&self) -> Self {
        self.product(self)
    }

    /// xⁿ by repeated products: a radius of (|a| + α)ⁿ − |a|ⁿ around aⁿ, the least there is; 1 for n = 0.
    pub fn powi(&self, n: i32) -> Self {
        let (mut result, mut square, mut left) = (Self::crisp(T::ONE), *self, n.unsigned_abs());
        while left > 0 {
            if left % 2 == 1 {
                result = result.product(&square);
            }
            left /= 2;
            if left > 0 {
                square = square.sqr();
            }
        }
        if n < 0 { result.recip() } else { result }
    }

    /// √x of what is not negative, equation (13); elsewhere as [`FuzzyLu::sqrt`].
    pub fn sqrt(&self) -> Self {
        let a = self.midpoint;
        if a < T::ZERO {
            return Self::around(T::ZERO, &FuzzyLu::from(*self).sqrt());
        }
        let (m, down) = (a.sqrt_near(), a.sqrt_down());
        let error: R = rounding_error(m, down, a.sqrt_up());
        let radius = |i: usize| {
            let alpha = T::widen(self.radii[i]);
            if alpha == T::ZERO {
                error
            } else if alpha > a {
                // The domain is clipped at 0, from which m is |m| away; or the upper side is farther.
                m.greater(a.add_up(alpha).sqrt_up().sub_up(m)).narrow_up()
            } else {
                let denominator = down.add_down(a.sub_down(alpha).sqrt_down()).narrow_down();
                over(self.radii[i], Some(denominator)).add_up(error)
            }
        };
        // Two formulas meet here; a true radius is not above the one before it.
        let mut least = R::INFINITY;
        Self::from_fn(m, |i| {
            least = least.lesser(radius(i));
            least
        })
    }

    /// eˣ: the larger side of the bounds around eᵃ.
    pub fn exp(&self) -> Self {
        Self::around(self.midpoint.exp_bounds().0, &FuzzyLu::from(*self).exp())
    }

    /// The natural logarithm of what is positive: the larger side of the bounds around ln a, unbounded where a cut
    /// reaches 0.
    #[doc(alias = "ln")]
    pub fn log(&self) -> Self {
        Self::around(self.midpoint.log_bounds().0, &FuzzyLu::from(*self).log())
    }

    /// |x|: the larger side of the bounds around |a|.
    pub fn abs(&self) -> Self {
        Self::around(self.midpoint.abs(), &FuzzyLu::from(*self).abs())
    }

    /// The lesser of x and y: the larger side of the bounds around the lesser midpoint.
    pub fn min(&self, other: &Self) -> Self {
        let cuts = FuzzyLu::from(*self).min(&FuzzyLu::from(*other));
        Self::around(self.midpoint.lesser(other.midpoint), &cuts)
    }

    /// The greater of x and y: the larger side of the bounds around the greater midpoint.
    pub fn max(&self, other: &Self) -> Self {
        let cuts = FuzzyLu::from(*self).max(&FuzzyLu::from(*other));
        Self::around(self.midpoint.greater(other.midpoint), &cuts)
    }
}
