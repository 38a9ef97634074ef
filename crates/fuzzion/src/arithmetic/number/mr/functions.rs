//! Functions of midpoint-radius numbers.

use super::FuzzyMr;
use super::operations::{divide_radius, rounding_error};
use crate::arithmetic::number::lu::FuzzyLu;
use crate::arithmetic::rounding::{Real, WidensFrom};

impl<T: WidensFrom<R>, R: Real, const N: usize> FuzzyMr<T, N, R> {
    /// x² as the product x · x: radius 2·|a|·α + α² around a².
    ///
    /// ```
    /// # use fuzzion::arithmetic::FuzzyMr;
    /// type Number = FuzzyMr<f64, 1>;
    /// assert_eq!(Number::new(2.0, [1.0])?.sqr(), Number::new(4.0, [5.0])?);
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    pub fn sqr(&self) -> Self {
        self.product(self)
    }

    /// xⁿ by repeated multiplication: radius (|a| + α)ⁿ − |a|ⁿ around aⁿ, the smallest possible; 1 for n = 0.
    ///
    /// ```
    /// # use fuzzion::arithmetic::FuzzyMr;
    /// type Number = FuzzyMr<f64, 1>;
    /// assert_eq!(Number::new(1.0, [1.0])?.powi(3), Number::new(1.0, [7.0])?);
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
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
    ///
    /// ```
    /// # use fuzzion::arithmetic::FuzzyMr;
    /// type Number = FuzzyMr<f64, 1>;
    /// let root = Number::new(4.0, [4.0])?.sqrt(); // of [0, 8]
    /// assert!(root.support().contains(0.0) && root.support().contains(2.8));
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
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
    ///
    /// ```
    /// # use fuzzion::arithmetic::FuzzyMr;
    /// type Number = FuzzyMr<f64, 1>;
    /// assert!(Number::new(0.0, [1.0])?.exp().support().contains(1.0));
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    pub fn exp(&self) -> Self {
        Self::enclosing(self.midpoint.exp_bounds().0, &FuzzyLu::from(*self).exp())
    }

    /// Natural logarithm over x > 0 with midpoint ln a; the radius is the larger distance to the bounds. A cut that
    /// contains 0 becomes unbounded.
    ///
    /// ```
    /// # use fuzzion::arithmetic::FuzzyMr;
    /// type Number = FuzzyMr<f64, 1>;
    /// assert!(Number::new(2.0, [1.0])?.log().support().contains(0.0));
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    #[doc(alias = "ln")]
    pub fn log(&self) -> Self {
        Self::enclosing(self.midpoint.log_bounds().0, &FuzzyLu::from(*self).log())
    }

    /// |x| with midpoint |a|; the radius is the larger distance to the bounds.
    ///
    /// ```
    /// # use fuzzion::arithmetic::FuzzyMr;
    /// type Number = FuzzyMr<f64, 1>;
    /// assert!(Number::new(-2.0, [1.0])?.abs().support().contains(3.0));
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    pub fn abs(&self) -> Self {
        Self::enclosing(self.midpoint.abs(), &FuzzyLu::from(*self).abs())
    }

    /// Minimum of x and y around the smaller midpoint; the radius is the larger distance to the bounds.
    ///
    /// ```
    /// # use fuzzion::arithmetic::FuzzyMr;
    /// type Number = FuzzyMr<f64, 1>;
    /// assert!(Number::new(2.0, [1.0])?.min(&Number::crisp(3.0)).support().contains(1.0));
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    pub fn min(&self, other: &Self) -> Self {
        let cuts = FuzzyLu::from(*self).min(&FuzzyLu::from(*other));
        Self::enclosing(self.midpoint.lesser(other.midpoint), &cuts)
    }

    /// Maximum of x and y around the larger midpoint; the radius is the larger distance to the bounds.
    ///
    /// ```
    /// # use fuzzion::arithmetic::FuzzyMr;
    /// type Number = FuzzyMr<f64, 1>;
    /// assert!(Number::new(2.0, [1.0])?.max(&Number::crisp(3.0)).support().contains(3.0));
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    pub fn max(&self, other: &Self) -> Self {
        let cuts = FuzzyLu::from(*self).max(&FuzzyLu::from(*other));
        Self::enclosing(self.midpoint.greater(other.midpoint), &cuts)
    }
}
