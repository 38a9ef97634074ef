//! Operations on lower-upper numbers, cut by cut.

use super::FuzzyLu;
use crate::arithmetic::number::cut::{AlphaCut, Sign};
use crate::arithmetic::rounding::Real;

impl<T: Real, const N: usize> FuzzyLu<T, N> {
    #[inline]
    fn map(&self, f: impl Fn(AlphaCut<T>) -> AlphaCut<T>) -> Self {
        Self::from_fn(|i| f(self.cut(i)))
    }

    #[inline]
    fn zip_with(&self, other: &Self, f: impl Fn(AlphaCut<T>, AlphaCut<T>) -> AlphaCut<T>) -> Self {
        Self::from_fn(|i| f(self.cut(i), other.cut(i)))
    }

    /// Sign class of each cut. If the support has one sign, all cuts share it, because they are within the support.
    #[inline]
    fn cut_signs(&self) -> impl Fn(AlphaCut<T>) -> Sign + use<T, N> {
        let support = self.support().sign();
        move |cut| if support == Sign::Mixed { cut.sign() } else { support }
    }

    pub(in crate::arithmetic) fn negated(&self) -> Self {
        self.map(AlphaCut::neg)
    }

    pub(in crate::arithmetic) fn sum(&self, other: &Self) -> Self {
        self.zip_with(other, AlphaCut::add)
    }

    pub(in crate::arithmetic) fn difference(&self, other: &Self) -> Self {
        self.zip_with(other, AlphaCut::sub)
    }

    pub(in crate::arithmetic) fn product(&self, other: &Self) -> Self {
        let (sign, other_sign) = (self.cut_signs(), other.cut_signs());
        self.zip_with(other, |a, b| a.mul_signed(b, sign(a), other_sign(b)))
    }

    pub(in crate::arithmetic) fn quotient(&self, other: &Self) -> Self {
        // If the support of the divisor touches 0, an inner cut can be [0, 0], whose quotient is unbounded.
        Self::nested(|i| self.cut(i).div(other.cut(i)))
    }

    /// `self` · `factor` + `addend`, rounded once.
    ///
    /// ```
    /// use fuzzion::arithmetic::FuzzyLu;
    /// let x = FuzzyLu::<f64, 1>::interval(1.0, 2.0)?;
    /// let y = x.mul_add(&(-3.0).into(), &x); // [−6, −3] + [1, 2]
    /// assert_eq!((y.support().lower, y.support().upper), (-5.0, -1.0));
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    pub fn mul_add(&self, factor: &Self, addend: &Self) -> Self {
        let (sign, factor_sign) = (self.cut_signs(), factor.cut_signs());
        Self::from_fn(|i| {
            let (a, b) = (self.cut(i), factor.cut(i));
            a.mul_add_signed(b, addend.cut(i), sign(a), factor_sign(b))
        })
    }

    /// The iteration c ← a·c + b, `steps` times, starting from this number; see [`mul_add`](FuzzyLu::mul_add).
    ///
    /// ```
    /// # use fuzzion::arithmetic::FuzzyLu;
    /// type Number = FuzzyLu<f64, 1>;
    /// let c = Number::crisp(1.0).axpy(&Number::interval(1.0, 2.0)?, &Number::crisp(1.0), 2); // a·(a·1 + 1) + 1
    /// assert_eq!(c, Number::interval(3.0, 7.0)?);
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    pub fn axpy(&self, a: &Self, b: &Self, steps: usize) -> Self {
        (0..steps).fold(*self, |c, _| a.mul_add(&c, b))
    }

    /// 1 / x; a cut that contains 0 becomes unbounded on at least one side.
    ///
    /// ```
    /// # use fuzzion::arithmetic::FuzzyLu;
    /// type Number = FuzzyLu<f64, 1>;
    /// assert_eq!(Number::interval(2.0, 4.0)?.recip(), Number::interval(0.25, 0.5)?);
    /// assert_eq!(Number::interval(-1.0, 1.0)?.recip(), Number::unbounded());
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    pub fn recip(&self) -> Self {
        Self::crisp(T::ONE).quotient(self)
    }

    /// x², which is never negative, unlike x · x.
    ///
    /// ```
    /// # use fuzzion::arithmetic::FuzzyLu;
    /// type Number = FuzzyLu<f64, 1>;
    /// assert_eq!(Number::interval(-1.0, 2.0)?.sqr(), Number::interval(0.0, 4.0)?);
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    pub fn sqr(&self) -> Self {
        self.map(AlphaCut::sqr)
    }

    /// xⁿ; 1 for n = 0.
    ///
    /// ```
    /// # use fuzzion::arithmetic::FuzzyLu;
    /// type Number = FuzzyLu<f64, 1>;
    /// assert_eq!(Number::interval(-1.0, 2.0)?.powi(3), Number::interval(-1.0, 8.0)?);
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    pub fn powi(&self, n: i32) -> Self {
        Self::nested(|i| self.cut(i).powi(n))
    }

    /// √x over x ≥ 0. A cut without values in the domain gets the bounds of the previous cut; a support without values in
    /// the domain becomes unbounded.
    ///
    /// ```
    /// # use fuzzion::arithmetic::FuzzyLu;
    /// type Number = FuzzyLu<f64, 1>;
    /// assert_eq!(Number::interval(-1.0, 4.0)?.sqrt(), Number::interval(0.0, 2.0)?);
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    pub fn sqrt(&self) -> Self {
        Self::nested(|i| self.cut(i).sqrt())
    }

    /// eˣ, within a few ulps.
    ///
    /// ```
    /// # use fuzzion::arithmetic::FuzzyLu;
    /// type Number = FuzzyLu<f64, 1>;
    /// assert!(Number::interval(0.0, 1.0)?.exp().support().contains(std::f64::consts::E));
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    pub fn exp(&self) -> Self {
        Self::nested(|i| self.cut(i).exp())
    }

    /// Natural logarithm over x > 0, within a few ulps. Cuts without values in the domain are treated as in
    /// [`sqrt`](FuzzyLu::sqrt).
    ///
    /// ```
    /// # use fuzzion::arithmetic::FuzzyLu;
    /// type Number = FuzzyLu<f64, 1>;
    /// assert!(Number::interval(1.0, 3.0)?.log().support().contains(1.0));
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    #[doc(alias = "ln")]
    pub fn log(&self) -> Self {
        Self::nested(|i| self.cut(i).log())
    }

    /// |x|.
    ///
    /// ```
    /// # use fuzzion::arithmetic::FuzzyLu;
    /// type Number = FuzzyLu<f64, 1>;
    /// assert_eq!(Number::interval(-1.0, 2.0)?.abs(), Number::interval(0.0, 2.0)?);
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    pub fn abs(&self) -> Self {
        self.map(AlphaCut::abs)
    }

    /// Minimum of x and y by the extension principle.
    ///
    /// ```
    /// # use fuzzion::arithmetic::FuzzyLu;
    /// type Number = FuzzyLu<f64, 1>;
    /// assert_eq!(Number::interval(0.0, 5.0)?.min(&Number::interval(1.0, 2.0)?), Number::interval(0.0, 2.0)?);
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    pub fn min(&self, other: &Self) -> Self {
        self.zip_with(other, AlphaCut::min)
    }

    /// Maximum of x and y by the extension principle.
    ///
    /// ```
    /// # use fuzzion::arithmetic::FuzzyLu;
    /// type Number = FuzzyLu<f64, 1>;
    /// assert_eq!(Number::interval(0.0, 5.0)?.max(&Number::interval(1.0, 2.0)?), Number::interval(1.0, 5.0)?);
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    pub fn max(&self, other: &Self) -> Self {
        self.zip_with(other, AlphaCut::max)
    }
}
