//! One cut of several numbers at once: the twin of [`Cut`], with the same results to the bit.

use crate::arithmetic::cut::Cut;
use crate::arithmetic::rounding::Real;
use crate::device::{PLANE, Plane, Rounded};

/// The lower and upper bounds of one cut of several numbers.
#[derive(Clone, Copy)]
pub(super) struct Cuts<V> {
    pub(super) lower: V,
    pub(super) upper: V,
}

/// The bounds of one cut of a block: [`PLANE`] lower, then as many upper ones.
pub(super) type Bounds<T> = [Plane<T>; 2];

#[inline(always)]
pub(super) fn zero<V: Rounded<Number: Real>>() -> V {
    V::splat(V::Number::ZERO)
}

/// −0 becomes 0.
#[inline(always)]
pub(super) fn plain<V: Rounded<Number: Real>>(x: V) -> V {
    x.add_near(zero())
}

impl<V: Rounded<Number: Real>> Cuts<V> {
    #[inline(always)]
    pub(super) fn load(from: &Bounds<V::Number>, at: usize) -> Self {
        Cuts { lower: V::load(&from[0], at), upper: V::load(&from[1], at) }
    }

    #[inline(always)]
    pub(super) fn store(self, to: &mut Bounds<V::Number>, at: usize) {
        self.lower.store(&mut to[0], at);
        self.upper.store(&mut to[1], at);
    }

    #[inline(always)]
    pub(super) fn splat(cut: Cut<V::Number>) -> Self {
        Cuts { lower: V::splat(cut.lower), upper: V::splat(cut.upper) }
    }

    #[inline(always)]
    pub(super) fn unbounded() -> Self {
        Cuts::splat(Cut::UNBOUNDED)
    }

    /// `self` where `mask` is, else `other`.
    #[inline(always)]
    fn or_else(self, mask: V::Mask, other: Self) -> Self {
        Cuts { lower: self.lower.or_else(mask, other.lower), upper: self.upper.or_else(mask, other.upper) }
    }

    /// What is so rare that it is done number by number.
    #[cold]
    #[inline(never)]
    pub(super) fn one_by_one(
        numbers: [Self; 3],
        operation: impl Fn([Cut<V::Number>; 3]) -> Cut<V::Number>,
    ) -> Self {
        let nothing = [[V::Number::ZERO; PLANE]; 2];
        let (mut bounds, mut results) = ([nothing; 3], nothing);
        for (bounds, cuts) in bounds.iter_mut().zip(numbers) {
            cuts.store(bounds, 0);
        }
        for i in 0..V::LANES {
            let cut = |bounds: Bounds<V::Number>| Cut { lower: bounds[0][i], upper: bounds[1][i] };
            let result = operation(bounds.map(cut));
            (results[0][i], results[1][i]) = (result.lower, result.upper);
        }
        Cuts::load(&results, 0)
    }

    /// As [`Cut::intersection`].
    #[inline(always)]
    pub(super) fn intersection(self, other: Self) -> Self {
        let common = Cuts { lower: self.lower.greater(other.lower), upper: self.upper.lesser(other.upper) };
        self.or_else(common.upper.less(common.lower), common)
    }

    #[inline(always)]
    pub(super) fn neg(self) -> Self {
        Cuts { lower: zero::<V>().sub_near(self.upper), upper: zero::<V>().sub_near(self.lower) }
    }

    #[inline(always)]
    pub(super) fn add(self, other: Self) -> Self {
        Cuts { lower: plain(self.lower.add_down(other.lower)), upper: plain(self.upper.add_up(other.upper)) }
    }

    #[inline(always)]
    pub(super) fn sub(self, other: Self) -> Self {
        Cuts { lower: plain(self.lower.sub_down(other.upper)), upper: plain(self.upper.sub_up(other.lower)) }
    }

    /// Whether no bound of any number is below 0.
    #[inline(always)]
    pub(super) fn is_positive(self) -> bool {
        !V::any(self.lower.less(zero()))
    }

    /// Equation (3). For each x the least product is that with one bound of y, told by the sign of x; the least of all x
    /// is found at a bound of x, being concave in x. So is the greatest.
    #[inline(always)]
    pub(super) fn mul(self, other: Self) -> Self {
        if !V::any(self.lower.lesser(other.lower).less(zero())) {
            // NaN is 0·∞, and `greater` leaves 0 there.
            let upper = zero::<V>().greater(self.upper.mul_up(other.upper));
            return Cuts { lower: zero::<V>().greater(self.lower.mul_down(other.lower)), upper };
        }
        let (below, above) = (self.lower.less(zero()), self.upper.less(zero()));
        let lower = [
            self.lower.mul_down(other.upper.or_else(below, other.lower)),
            self.upper.mul_down(other.upper.or_else(above, other.lower)),
        ];
        let upper = [
            self.lower.mul_up(other.lower.or_else(below, other.upper)),
            self.upper.mul_up(other.lower.or_else(above, other.upper)),
        ];
        if V::any(V::either(lower[0].unordered(lower[1]), upper[0].unordered(upper[1]))) {
            return Self::one_by_one([self, other, self], |[a, b, _]| a.mul(b));
        }
        Cuts { lower: plain(lower[0].lesser(lower[1])), upper: plain(upper[0].greater(upper[1])) }
    }

    /// x · y + z rounded once, by the same reasoning, and where 0·∞ or ∞ − ∞ turned up: nothing is told of it there.
    #[inline(always)]
    pub(super) fn try_mul_add(self, factor: Self, addend: Self) -> (Self, V::Mask) {
        let (below, above) = (self.lower.less(zero()), self.upper.less(zero()));
        let lower = [
            self.lower.mul_add_down(factor.upper.or_else(below, factor.lower), addend.lower),
            self.upper.mul_add_down(factor.upper.or_else(above, factor.lower), addend.lower),
        ];
        let upper = [
            self.lower.mul_add_up(factor.lower.or_else(below, factor.upper), addend.upper),
            self.upper.mul_add_up(factor.lower.or_else(above, factor.upper), addend.upper),
        ];
        let unknown = V::either(lower[0].unordered(lower[1]), upper[0].unordered(upper[1]));
        let cuts = Cuts { lower: plain(lower[0].lesser(lower[1])), upper: plain(upper[0].greater(upper[1])) };
        (cuts, unknown)
    }

    #[inline(always)]
    pub(super) fn mul_add(self, factor: Self, addend: Self) -> Self {
        let (cuts, unknown) = self.try_mul_add(factor, addend);
        if V::any(unknown) {
            return Self::one_by_one([self, factor, addend], |[a, b, c]| a.mul_add(&b, &c));
        }
        cuts
    }

    /// Equation (4).
    #[inline(always)]
    pub(super) fn div(self, other: Self) -> Self {
        let negative = other.lower.less(zero());
        let straddles = V::both(negative, zero::<V>().less(other.upper));
        let touches = V::either(other.lower.equal(zero()), other.upper.equal(zero()));
        let is_zero = |x: Self| V::both(x.lower.equal(zero()), x.upper.equal(zero()));
        let unknown = V::either(straddles, V::both(touches, V::either(is_zero(self), is_zero(other))));
        let (x, y) = (self.neg().or_else(negative, self), other.neg().or_else(negative, other));
        let below = y.lower.or_else(x.lower.less(zero()), y.upper);
        let above = y.lower.or_else(zero::<V>().less(x.upper), y.upper);
        // Over 0 a bound is infinite on its side, as it is by IEEE 754; only 0/0 is not 0 there.
        let zero_or = |x: V, quotient: V| zero::<V>().or_else(x.equal(zero()), plain(quotient));
        let lower = zero_or(x.lower, x.lower.div_down(below));
        let upper = zero_or(x.upper, x.upper.div_up(above));
        Self::unbounded().or_else(unknown, Cuts { lower, upper })
    }

    #[inline(always)]
    pub(super) fn recip(self) -> Self {
        Self::splat(Cut::exactly(V::Number::ONE)).div(self)
    }

    #[inline(always)]
    pub(super) fn sqr(self) -> Self {
        let size = self.abs();
        Cuts { lower: size.lower.mul_down(size.lower), upper: size.upper.mul_up(size.upper) }
    }

    #[inline(always)]
    pub(super) fn powi(self, n: i32) -> Self {
        if n == 0 {
            return Self::splat(Cut::exactly(V::Number::ONE));
        }
        let power = self.powu(n.unsigned_abs());
        if n < 0 { power.recip() } else { power }
    }

    /// Of sizes, whose sign is set afterwards: what is rounded down there is rounded up for a negative number.
    #[inline(always)]
    fn powu(self, n: u32) -> Self {
        let base = if n % 2 == 1 { self } else { self.abs() };
        let signed = |x: V, outer: V, inner: V| plain(outer.negated().or_else(x.less(zero()), inner));
        let (lower, upper) = (base.lower.abs(), base.upper.abs());
        Cuts {
            lower: signed(base.lower, power(lower, n, V::mul_up), power(lower, n, V::mul_down)),
            upper: signed(base.upper, power(upper, n, V::mul_down), power(upper, n, V::mul_up)),
        }
    }

    #[inline(always)]
    pub(super) fn sqrt(self) -> Self {
        // NaN, the root of a negative upper bound, is replaced with all of its cut.
        let root = Cuts { lower: zero::<V>().greater(self.lower).sqrt_down(), upper: self.upper.sqrt_up() };
        Self::unbounded().or_else(self.upper.less(zero()), root)
    }

    #[inline(always)]
    pub(super) fn abs(self) -> Self {
        let lower = self.lower.greater(self.upper.negated());
        Cuts { lower: zero::<V>().greater(lower), upper: self.upper.greater(self.lower.negated()) }
    }

    #[inline(always)]
    pub(super) fn min(self, other: Self) -> Self {
        Cuts { lower: self.lower.lesser(other.lower), upper: self.upper.lesser(other.upper) }
    }

    #[inline(always)]
    pub(super) fn max(self, other: Self) -> Self {
        Cuts { lower: self.lower.greater(other.lower), upper: self.upper.greater(other.upper) }
    }
}

/// xⁿ for x ≥ 0 and n ≥ 1 by repeated squaring. 0·∞ does not occur: both factors are powers of one number.
#[inline(always)]
fn power<V: Rounded<Number: Real>>(x: V, n: u32, product: impl Fn(V, V) -> V) -> V {
    let (mut result, mut square, mut left) = (V::splat(V::Number::ONE), x, n);
    loop {
        if left % 2 == 1 {
            result = product(result, square);
        }
        left /= 2;
        if left == 0 {
            return result;
        }
        square = product(square, square);
    }
}
