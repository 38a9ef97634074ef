//! A single α-cut: a closed interval with certified operations.

use crate::arithmetic::rounding::Real;

/// Closed interval from `lower` to `upper`; an infinite bound leaves that side unbounded.
///
/// Invariants: no bound is NaN or −0, `lower ≤ upper`, `lower < ∞` and `upper > −∞`.
///
/// ```
/// use fuzzion::arithmetic::AlphaCut;
/// let cut = AlphaCut { lower: 1.0, upper: 4.0 };
/// assert!(cut.contains(2.0) && cut.encloses(AlphaCut::crisp(4.0)) && AlphaCut::UNBOUNDED.encloses(cut));
/// assert_eq!((cut.width(), cut.midpoint(), cut.is_bounded()), (3.0, 2.5, true));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AlphaCut<T> {
    /// Lower bound.
    #[doc(alias = "inf")]
    pub lower: T,
    /// Upper bound.
    #[doc(alias = "sup")]
    pub upper: T,
}

/// Sign class of a cut.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::arithmetic) enum Sign {
    /// All values ≥ 0.
    Positive,
    /// All values ≤ 0.
    Negative,
    /// Values on both sides of 0.
    Mixed,
}

/// a · b rounded down, with 0 · ∞ = 0: an infinite bound is never attained, and 0 times any finite number is 0.
#[inline]
fn product_down<T: Real>(a: T, b: T) -> T {
    if a == T::ZERO || b == T::ZERO { T::ZERO } else { a.mul_down(b) }
}

/// a · b rounded up, with 0 · ∞ = 0.
#[inline]
fn product_up<T: Real>(a: T, b: T) -> T {
    if a == T::ZERO || b == T::ZERO { T::ZERO } else { a.mul_up(b) }
}

/// a · b + c rounded down once, with 0 · ∞ = 0.
#[inline]
fn fused_down<T: Real>(a: T, b: T, c: T) -> T {
    if a == T::ZERO || b == T::ZERO { c } else { a.mul_add_down(b, c) }
}

/// a · b + c rounded up once, with 0 · ∞ = 0.
#[inline]
pub(in crate::arithmetic) fn fused_up<T: Real>(a: T, b: T, c: T) -> T {
    if a == T::ZERO || b == T::ZERO { c } else { a.mul_add_up(b, c) }
}

impl<T: Real> AlphaCut<T> {
    /// The whole real line.
    pub const UNBOUNDED: Self = AlphaCut { lower: T::NEG_INFINITY, upper: T::INFINITY };

    /// Interval with normalized bounds: −0 becomes 0.
    #[inline]
    pub(in crate::arithmetic) fn new(lower: T, upper: T) -> Self {
        AlphaCut { lower: lower.add_near(T::ZERO), upper: upper.add_near(T::ZERO) }
    }

    /// The interval [value, value]. NaN gives [`UNBOUNDED`](Self::UNBOUNDED), ∞ gives [MAX, ∞], −∞ gives [−∞, −MAX].
    pub fn crisp(value: T) -> Self {
        if value == T::INFINITY {
            AlphaCut { lower: T::MAX, upper: value }
        } else if value == T::NEG_INFINITY {
            AlphaCut { lower: value, upper: -T::MAX }
        } else if value.is_finite() {
            AlphaCut::new(value, value)
        } else {
            AlphaCut::UNBOUNDED
        }
    }

    /// Whether `value` is in the interval.
    pub fn contains(self, value: T) -> bool {
        self.lower <= value && value <= self.upper
    }

    /// Whether `other` is a subset of the interval.
    pub fn encloses(self, other: Self) -> bool {
        self.lower <= other.lower && other.upper <= self.upper
    }

    /// Whether both bounds are finite.
    pub fn is_bounded(self) -> bool {
        self.lower.is_finite() && self.upper.is_finite()
    }

    /// upper − lower, rounded up.
    pub fn width(self) -> T {
        self.upper.sub_up(self.lower)
    }

    /// Midpoint of a bounded interval; otherwise the value in the interval that is closest to 0.
    pub fn midpoint(self) -> T {
        if self.is_bounded() {
            let half = T::ONE.div_near(T::ONE.add_near(T::ONE));
            let midpoint = self.lower.mul_near(half).add_near(self.upper.mul_near(half));
            // Halving subnormal numbers may round the midpoint out of the interval.
            midpoint.greater(self.lower).lesser(self.upper)
        } else {
            T::ZERO.greater(self.lower).lesser(self.upper)
        }
    }

    #[inline]
    pub(in crate::arithmetic) fn sign(self) -> Sign {
        if self.lower >= T::ZERO {
            Sign::Positive
        } else if self.upper <= T::ZERO {
            Sign::Negative
        } else {
            Sign::Mixed
        }
    }

    /// Intersection; `self` if it is empty, because either operand then encloses the empty set.
    pub(in crate::arithmetic) fn intersection(self, other: Self) -> Self {
        let (lower, upper) = (self.lower.greater(other.lower), self.upper.lesser(other.upper));
        if lower <= upper { AlphaCut { lower, upper } } else { self }
    }

    /// Smallest interval that encloses both.
    pub(in crate::arithmetic) fn hull(self, other: Self) -> Self {
        AlphaCut { lower: self.lower.lesser(other.lower), upper: self.upper.greater(other.upper) }
    }

    /// −x.
    #[inline]
    pub(in crate::arithmetic) fn neg(self) -> Self {
        AlphaCut::new(-self.upper, -self.lower)
    }

    /// x + y, Equation (2).
    #[inline]
    pub(in crate::arithmetic) fn add(self, other: Self) -> Self {
        AlphaCut::new(self.lower.add_down(other.lower), self.upper.add_up(other.upper))
    }

    /// x − y, Equation (2).
    #[inline]
    pub(in crate::arithmetic) fn sub(self, other: Self) -> Self {
        AlphaCut::new(self.lower.sub_down(other.upper), self.upper.sub_up(other.lower))
    }

    /// x · y, Equation (3).
    pub(in crate::arithmetic) fn mul(self, other: Self) -> Self {
        self.mul_signed(other, self.sign(), other.sign())
    }

    /// x · y for operands of known sign class, which determines the bounds to multiply.
    #[inline]
    pub(in crate::arithmetic) fn mul_signed(self, other: Self, sign: Sign, other_sign: Sign) -> Self {
        let ((a, b), (c, d)) = extreme_corners(self, other, sign, other_sign);
        let (lower, upper) = (product_down(a, b), product_up(c, d));
        if sign != Sign::Mixed || other_sign != Sign::Mixed {
            return AlphaCut::new(lower, upper);
        }
        let ((a, b), (c, d)) = second_corners(self, other);
        AlphaCut::new(lower.lesser(product_down(a, b)), upper.greater(product_up(c, d)))
    }

    /// x · y + z for operands of known sign class, rounded once.
    #[inline]
    pub(in crate::arithmetic) fn mul_add_signed(
        self,
        factor: Self,
        addend: Self,
        sign: Sign,
        factor_sign: Sign,
    ) -> Self {
        let ((a, b), (c, d)) = extreme_corners(self, factor, sign, factor_sign);
        let (lower, upper) = (fused_down(a, b, addend.lower), fused_up(c, d, addend.upper));
        if sign != Sign::Mixed || factor_sign != Sign::Mixed {
            return AlphaCut::new(lower, upper);
        }
        let ((a, b), (c, d)) = second_corners(self, factor);
        let (other_lower, other_upper) = (fused_down(a, b, addend.lower), fused_up(c, d, addend.upper));
        AlphaCut::new(lower.lesser(other_lower), upper.greater(other_upper))
    }

    /// x · y + z, rounded once.
    pub(in crate::arithmetic) fn mul_add(&self, factor: &Self, addend: &Self) -> Self {
        self.mul_add_signed(*factor, *addend, self.sign(), factor.sign())
    }

    /// x / y for y ≠ 0, Equation (4).
    pub(in crate::arithmetic) fn div(self, other: Self) -> Self {
        let numerator_is_zero = self.lower == T::ZERO && self.upper == T::ZERO;
        let straddles = other.lower < T::ZERO && other.upper > T::ZERO;
        if straddles || other == AlphaCut::crisp(T::ZERO) || numerator_is_zero && other.contains(T::ZERO) {
            return AlphaCut::UNBOUNDED; // 0 in the interior of the divisor, or 0/0
        }
        if other.lower < T::ZERO {
            return self.neg().div(other.neg());
        }
        // Positive divisor: a negative dividend is smallest over the smallest divisor, a positive one over the largest.
        // A lower bound is below ∞, so ∞/∞ does not occur.
        let quotient = |a: T, b: T, rounded: fn(T, T) -> T| match b {
            _ if a == T::ZERO => T::ZERO, // also the limit of 0/y for y → 0
            b if b > T::ZERO => rounded(a, b),
            _ if a < T::ZERO => T::NEG_INFINITY,
            _ => T::INFINITY,
        };
        let below = if self.lower < T::ZERO { other.lower } else { other.upper };
        let above = if self.upper > T::ZERO { other.lower } else { other.upper };
        AlphaCut::new(quotient(self.lower, below, T::div_down), quotient(self.upper, above, T::div_up))
    }

    /// 1 / x.
    pub(in crate::arithmetic) fn recip(self) -> Self {
        AlphaCut::crisp(T::ONE).div(self)
    }

    /// x².
    pub(in crate::arithmetic) fn sqr(self) -> Self {
        let magnitude = self.abs();
        AlphaCut::new(
            product_down(magnitude.lower, magnitude.lower),
            product_up(magnitude.upper, magnitude.upper),
        )
    }

    /// xⁿ; 1 for n = 0.
    pub(in crate::arithmetic) fn powi(self, n: i32) -> Self {
        if n == 0 {
            return AlphaCut::crisp(T::ONE);
        }
        if n < 0 {
            return self.powu(n.unsigned_abs()).recip();
        }
        self.powu(n.unsigned_abs())
    }

    fn powu(self, n: u32) -> Self {
        let odd = n % 2 == 1;
        let base = if odd { self } else { self.abs() };
        let power_down =
            |x: T| if x < T::ZERO { -power(-x, n, product_up) } else { power(x, n, product_down) };
        let power_up = |x: T| if x < T::ZERO { -power(-x, n, product_down) } else { power(x, n, product_up) };
        AlphaCut::new(power_down(base.lower), power_up(base.upper))
    }

    /// √x over x ≥ 0; unbounded if no x is in the domain.
    pub(in crate::arithmetic) fn sqrt(self) -> Self {
        if self.upper < T::ZERO {
            return AlphaCut::UNBOUNDED;
        }
        AlphaCut::new(self.lower.greater(T::ZERO).sqrt_down(), self.upper.sqrt_up())
    }

    /// eˣ.
    pub(in crate::arithmetic) fn exp(self) -> Self {
        AlphaCut::new(self.lower.exp_bounds().0, self.upper.exp_bounds().1)
    }

    /// Natural logarithm over x > 0; unbounded if no x is in the domain.
    pub(in crate::arithmetic) fn log(self) -> Self {
        if self.upper <= T::ZERO {
            return AlphaCut::UNBOUNDED;
        }
        AlphaCut::new(self.lower.greater(T::ZERO).log_bounds().0, self.upper.log_bounds().1)
    }

    /// |x|.
    pub(in crate::arithmetic) fn abs(self) -> Self {
        match self.sign() {
            Sign::Positive => self,
            Sign::Negative => self.neg(),
            Sign::Mixed => AlphaCut { lower: T::ZERO, upper: self.upper.greater(-self.lower) },
        }
    }

    /// Minimum of x and y.
    pub(in crate::arithmetic) fn min(self, other: Self) -> Self {
        AlphaCut { lower: self.lower.lesser(other.lower), upper: self.upper.lesser(other.upper) }
    }

    /// Maximum of x and y.
    pub(in crate::arithmetic) fn max(self, other: Self) -> Self {
        AlphaCut { lower: self.lower.greater(other.lower), upper: self.upper.greater(other.upper) }
    }
}

/// Pair of bounds with the smallest product, and pair with the largest.
type Corners<T> = ((T, T), (T, T));

/// Pairs of bounds with the smallest and the largest product; if both operands straddle 0, the first of two candidates.
#[inline]
fn extreme_corners<T: Real>(x: AlphaCut<T>, y: AlphaCut<T>, x_sign: Sign, y_sign: Sign) -> Corners<T> {
    use Sign::{Mixed, Negative, Positive};
    match (x_sign, y_sign) {
        (Positive, Positive) => ((x.lower, y.lower), (x.upper, y.upper)),
        (Positive, Negative) => ((x.upper, y.lower), (x.lower, y.upper)),
        (Negative, Positive) => ((x.lower, y.upper), (x.upper, y.lower)),
        (Negative, Negative) => ((x.upper, y.upper), (x.lower, y.lower)),
        (Positive, Mixed) => ((x.upper, y.lower), (x.upper, y.upper)),
        (Negative, Mixed) => ((x.lower, y.upper), (x.lower, y.lower)),
        (Mixed, Positive | Mixed) => ((x.lower, y.upper), (x.upper, y.upper)),
        (Mixed, Negative) => ((x.upper, y.lower), (x.lower, y.lower)),
    }
}

/// Second candidates if both operands straddle 0.
#[inline]
fn second_corners<T: Real>(x: AlphaCut<T>, y: AlphaCut<T>) -> Corners<T> {
    ((x.upper, y.lower), (x.lower, y.lower))
}

/// xⁿ for x ≥ 0 and n ≥ 1 by repeated squaring, with every product computed by `product`.
fn power<T: Real>(x: T, n: u32, product: fn(T, T) -> T) -> T {
    let (mut result, mut square, mut remaining) = (T::ONE, x, n);
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
