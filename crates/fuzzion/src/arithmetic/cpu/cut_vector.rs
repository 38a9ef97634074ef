//! Vectors of cuts, bit-identical to the scalar [`AlphaCut`].

use crate::arithmetic::number::cut::AlphaCut;
use crate::arithmetic::rounding::Real;
use crate::device::{PLANE, Plane, Rounded};

/// One cut of several numbers.
#[derive(Clone, Copy)]
pub(super) struct CutVector<V> {
    pub(super) lower: V,
    pub(super) upper: V,
}

/// One cut of a block: [`PLANE`] lower bounds, then [`PLANE`] upper bounds.
pub(super) type Bounds<T> = [Plane<T>; 2];

#[inline(always)]
pub(super) fn zero<V: Rounded<Number: Real>>() -> V {
    V::splat(V::Number::ZERO)
}

/// Normalizes −0 to 0.
#[inline(always)]
pub(super) fn canonical_zero<V: Rounded<Number: Real>>(x: V) -> V {
    x.add_near(zero())
}

impl<V: Rounded<Number: Real>> CutVector<V> {
    #[inline(always)]
    pub(super) fn load(from: &Bounds<V::Number>, at: usize) -> Self {
        CutVector { lower: V::load(&from[0], at), upper: V::load(&from[1], at) }
    }

    #[inline(always)]
    pub(super) fn store(self, to: &mut Bounds<V::Number>, at: usize) {
        self.lower.store(&mut to[0], at);
        self.upper.store(&mut to[1], at);
    }

    #[inline(always)]
    pub(super) fn splat(cut: AlphaCut<V::Number>) -> Self {
        CutVector { lower: V::splat(cut.lower), upper: V::splat(cut.upper) }
    }

    #[inline(always)]
    pub(super) fn unbounded() -> Self {
        CutVector::splat(AlphaCut::UNBOUNDED)
    }

    /// `self` where `mask` is set, otherwise `other`.
    #[inline(always)]
    fn select(self, mask: V::Mask, other: Self) -> Self {
        CutVector { lower: self.lower.select(mask, other.lower), upper: self.upper.select(mask, other.upper) }
    }

    /// Scalar fallback for rare cases.
    #[cold]
    #[inline(never)]
    pub(super) fn scalar_fallback(
        numbers: [Self; 3],
        operation: impl Fn([AlphaCut<V::Number>; 3]) -> AlphaCut<V::Number>,
    ) -> Self {
        let zeros = [[V::Number::ZERO; PLANE]; 2];
        let (mut bounds, mut results) = ([zeros; 3], zeros);
        for (bounds, cuts) in bounds.iter_mut().zip(numbers) {
            cuts.store(bounds, 0);
        }
        for i in 0..V::LANES {
            let cut = |bounds: Bounds<V::Number>| AlphaCut { lower: bounds[0][i], upper: bounds[1][i] };
            let result = operation(bounds.map(cut));
            (results[0][i], results[1][i]) = (result.lower, result.upper);
        }
        CutVector::load(&results, 0)
    }

    /// Vectorized [`AlphaCut::intersection`].
    #[inline(always)]
    pub(super) fn intersection(self, other: Self) -> Self {
        let common =
            CutVector { lower: self.lower.greater(other.lower), upper: self.upper.lesser(other.upper) };
        self.select(common.upper.less(common.lower), common)
    }

    #[inline(always)]
    pub(super) fn neg(self) -> Self {
        CutVector { lower: zero::<V>().sub_near(self.upper), upper: zero::<V>().sub_near(self.lower) }
    }

    #[inline(always)]
    pub(super) fn add(self, other: Self) -> Self {
        CutVector {
            lower: canonical_zero(self.lower.add_down(other.lower)),
            upper: canonical_zero(self.upper.add_up(other.upper)),
        }
    }

    #[inline(always)]
    pub(super) fn sub(self, other: Self) -> Self {
        CutVector {
            lower: canonical_zero(self.lower.sub_down(other.upper)),
            upper: canonical_zero(self.upper.sub_up(other.lower)),
        }
    }

    /// Whether no lower bound is negative.
    #[inline(always)]
    pub(super) fn is_nonnegative(self) -> bool {
        !V::any(self.lower.less(zero()))
    }

    /// Equation (3). For fixed x, the smallest product uses the bound of y given by the sign of x. As a function of
    /// x, it is concave, so its minimum is at a bound of x. The largest product is analogous.
    #[inline(always)]
    pub(super) fn mul(self, other: Self) -> Self {
        if !V::any(self.lower.lesser(other.lower).less(zero())) {
            // 0·∞ gives NaN, for which `greater` returns 0.
            let upper = zero::<V>().greater(self.upper.mul_up(other.upper));
            return CutVector { lower: zero::<V>().greater(self.lower.mul_down(other.lower)), upper };
        }
        let (below, above) = (self.lower.less(zero()), self.upper.less(zero()));
        let lower = [
            self.lower.mul_down(other.upper.select(below, other.lower)),
            self.upper.mul_down(other.upper.select(above, other.lower)),
        ];
        let upper = [
            self.lower.mul_up(other.lower.select(below, other.upper)),
            self.upper.mul_up(other.lower.select(above, other.upper)),
        ];
        if V::any(V::mask_or(lower[0].unordered(lower[1]), upper[0].unordered(upper[1]))) {
            return Self::scalar_fallback([self, other, self], |[a, b, _]| a.mul(b));
        }
        CutVector {
            lower: canonical_zero(lower[0].lesser(lower[1])),
            upper: canonical_zero(upper[0].greater(upper[1])),
        }
    }

    /// x · y + z rounded once, and a mask of the lanes with 0·∞ or ∞ − ∞, whose results are invalid.
    #[inline(always)]
    pub(super) fn try_mul_add(self, factor: Self, addend: Self) -> (Self, V::Mask) {
        let (below, above) = (self.lower.less(zero()), self.upper.less(zero()));
        let lower = [
            self.lower.mul_add_down(factor.upper.select(below, factor.lower), addend.lower),
            self.upper.mul_add_down(factor.upper.select(above, factor.lower), addend.lower),
        ];
        let upper = [
            self.lower.mul_add_up(factor.lower.select(below, factor.upper), addend.upper),
            self.upper.mul_add_up(factor.lower.select(above, factor.upper), addend.upper),
        ];
        let invalid = V::mask_or(lower[0].unordered(lower[1]), upper[0].unordered(upper[1]));
        let cuts = CutVector {
            lower: canonical_zero(lower[0].lesser(lower[1])),
            upper: canonical_zero(upper[0].greater(upper[1])),
        };
        (cuts, invalid)
    }

    #[inline(always)]
    pub(super) fn mul_add(self, factor: Self, addend: Self) -> Self {
        let (cuts, invalid) = self.try_mul_add(factor, addend);
        if V::any(invalid) {
            return Self::scalar_fallback([self, factor, addend], |[a, b, c]| a.mul_add(&b, &c));
        }
        cuts
    }

    /// Equation (4).
    #[inline(always)]
    pub(super) fn div(self, other: Self) -> Self {
        let negative = other.lower.less(zero());
        let straddles = V::mask_and(negative, zero::<V>().less(other.upper));
        let touches = V::mask_or(other.lower.equal(zero()), other.upper.equal(zero()));
        let is_zero = |x: Self| V::mask_and(x.lower.equal(zero()), x.upper.equal(zero()));
        let invalid = V::mask_or(straddles, V::mask_and(touches, V::mask_or(is_zero(self), is_zero(other))));
        let (x, y) = (self.neg().select(negative, self), other.neg().select(negative, other));
        let below = y.lower.select(x.lower.less(zero()), y.upper);
        let above = y.lower.select(zero::<V>().less(x.upper), y.upper);
        // Division by 0 gives the correctly signed infinity by IEEE 754; only 0/0 must be replaced by 0.
        let zero_or = |x: V, quotient: V| zero::<V>().select(x.equal(zero()), canonical_zero(quotient));
        let lower = zero_or(x.lower, x.lower.div_down(below));
        let upper = zero_or(x.upper, x.upper.div_up(above));
        Self::unbounded().select(invalid, CutVector { lower, upper })
    }

    #[inline(always)]
    pub(super) fn recip(self) -> Self {
        Self::splat(AlphaCut::crisp(V::Number::ONE)).div(self)
    }

    #[inline(always)]
    pub(super) fn sqr(self) -> Self {
        let magnitude = self.abs();
        CutVector {
            lower: magnitude.lower.mul_down(magnitude.lower),
            upper: magnitude.upper.mul_up(magnitude.upper),
        }
    }

    #[inline(always)]
    pub(super) fn powi(self, n: i32) -> Self {
        if n == 0 {
            return Self::splat(AlphaCut::crisp(V::Number::ONE));
        }
        let power = self.powu(n.unsigned_abs());
        if n < 0 { power.recip() } else { power }
    }

    /// Powers of magnitudes with the sign applied afterward; a negative result reverses the rounding direction.
    #[inline(always)]
    fn powu(self, n: u32) -> Self {
        let base = if n % 2 == 1 { self } else { self.abs() };
        let signed = |x: V, outer: V, inner: V| canonical_zero(outer.negated().select(x.less(zero()), inner));
        let (lower, upper) = (base.lower.abs(), base.upper.abs());
        CutVector {
            lower: signed(base.lower, power(lower, n, V::mul_up), power(lower, n, V::mul_down)),
            upper: signed(base.upper, power(upper, n, V::mul_down), power(upper, n, V::mul_up)),
        }
    }

    #[inline(always)]
    pub(super) fn sqrt(self) -> Self {
        // The square root of a negative upper bound is NaN and is replaced by the unbounded cut.
        let root =
            CutVector { lower: zero::<V>().greater(self.lower).sqrt_down(), upper: self.upper.sqrt_up() };
        Self::unbounded().select(self.upper.less(zero()), root)
    }

    #[inline(always)]
    pub(super) fn abs(self) -> Self {
        let lower = self.lower.greater(self.upper.negated());
        CutVector { lower: zero::<V>().greater(lower), upper: self.upper.greater(self.lower.negated()) }
    }

    #[inline(always)]
    pub(super) fn min(self, other: Self) -> Self {
        CutVector { lower: self.lower.lesser(other.lower), upper: self.upper.lesser(other.upper) }
    }

    #[inline(always)]
    pub(super) fn max(self, other: Self) -> Self {
        CutVector { lower: self.lower.greater(other.lower), upper: self.upper.greater(other.upper) }
    }
}

/// xⁿ for x ≥ 0 and n ≥ 1 by repeated squaring. 0·∞ does not occur, because both factors are powers of the same number.
#[inline(always)]
fn power<V: Rounded<Number: Real>>(x: V, n: u32, product: impl Fn(V, V) -> V) -> V {
    let (mut result, mut square, mut remaining) = (V::splat(V::Number::ONE), x, n);
    loop {
        if remaining % 2 == 1 {
            result = product(result, square);
        }
        remaining /= 2;
        if remaining == 0 {
            return result;
        }
        square = product(square, square);
    }
}
