//! What is done with lower-upper numbers, cut by cut.

use super::FuzzyLu;
use crate::arithmetic::cut::{Cut, Sign};
use crate::arithmetic::rounding::Real;

impl<T: Real, const N: usize> FuzzyLu<T, N> {
    #[inline]
    fn map(&self, f: impl Fn(Cut<T>) -> Cut<T>) -> Self {
        Self::from_fn(|i| f(self.cut(i)))
    }

    #[inline]
    fn join(&self, other: &Self, f: impl Fn(Cut<T>, Cut<T>) -> Cut<T>) -> Self {
        Self::from_fn(|i| f(self.cut(i), other.cut(i)))
    }

    /// The sign of every cut, decided once where the support has one: inner cuts lie within it.
    #[inline]
    fn signs(&self) -> impl Fn(Cut<T>) -> Sign + use<T, N> {
        let support = self.support().sign();
        move |cut| if support == Sign::Mixed { cut.sign() } else { support }
    }

    pub(in crate::arithmetic) fn negated(&self) -> Self {
        self.map(Cut::neg)
    }

    pub(in crate::arithmetic) fn sum(&self, other: &Self) -> Self {
        self.join(other, Cut::add)
    }

    pub(in crate::arithmetic) fn difference(&self, other: &Self) -> Self {
        self.join(other, Cut::sub)
    }

    pub(in crate::arithmetic) fn product(&self, other: &Self) -> Self {
        let (sign, other_sign) = (self.signs(), other.signs());
        self.join(other, |a, b| a.mul_signed(b, sign(a), other_sign(b)))
    }

    pub(in crate::arithmetic) fn quotient(&self, other: &Self) -> Self {
        // Within a divisor that touches 0 an inner one may be 0 alone, of whose quotient nothing is known.
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
        let (sign, factor_sign) = (self.signs(), factor.signs());
        Self::from_fn(|i| {
            let (a, b) = (self.cut(i), factor.cut(i));
            a.mul_add_signed(b, addend.cut(i), sign(a), factor_sign(b))
        })
    }

    /// The series c ← a·c + b from this number on, `steps` times [`mul_add`](FuzzyLu::mul_add).
    pub fn axpy(&self, a: &Self, b: &Self, steps: usize) -> Self {
        (0..steps).fold(*self, |c, _| a.mul_add(&c, b))
    }

    /// 1 / x; unbounded where a cut contains 0.
    pub fn recip(&self) -> Self {
        Self::crisp(T::ONE).quotient(self)
    }

    /// x², never below 0.
    pub fn sqr(&self) -> Self {
        self.map(Cut::sqr)
    }

    /// xⁿ; 1 for n = 0.
    pub fn powi(&self, n: i32) -> Self {
        Self::nested(|i| self.cut(i).powi(n))
    }

    /// √x of what is not negative. A cut with nothing of it says no more than the cut before it, the support
    /// nothing at all.
    pub fn sqrt(&self) -> Self {
        Self::nested(|i| self.cut(i).sqrt())
    }

    /// eˣ, within a few units in the last place.
    pub fn exp(&self) -> Self {
        Self::nested(|i| self.cut(i).exp())
    }

    /// The natural logarithm of what is positive, within a few units in the last place; elsewhere as
    /// [`sqrt`](FuzzyLu::sqrt).
    #[doc(alias = "ln")]
    pub fn log(&self) -> Self {
        Self::nested(|i| self.cut(i).log())
    }

    /// |x|.
    pub fn abs(&self) -> Self {
        self.map(Cut::abs)
    }

    /// The lesser of x and y, by the extension principle.
    pub fn min(&self, other: &Self) -> Self {
        self.join(other, Cut::min)
    }

    /// The greater of x and y, by the extension principle.
    pub fn max(&self, other: &Self) -> Self {
        self.join(other, Cut::max)
    }
}
