//! One α-cut: two bounds, and every operation on them.

use super::rounding::Real;

/// All numbers from `lower` to `upper`; an infinite bound means that there is none on that side.
///
/// Never NaN, `lower ≤ upper`, `lower < ∞`, `upper > −∞`; a bound is never −0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cut<T> {
    /// The lower bound.
    #[doc(alias = "inf")]
    pub lower: T,
    /// The upper bound.
    #[doc(alias = "sup")]
    pub upper: T,
}

/// On which side of 0 a cut lies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Sign {
    /// Nothing below 0.
    Positive,
    /// Nothing above 0.
    Negative,
    /// Both.
    Mixed,
}

/// a · b downwards, where 0 · ∞ is 0: a bound of ∞ is never reached, and 0 times any number is 0.
#[inline]
fn product_down<T: Real>(a: T, b: T) -> T {
    if a == T::ZERO || b == T::ZERO { T::ZERO } else { a.mul_down(b) }
}

/// As [`product_down`], upwards.
#[inline]
fn product_up<T: Real>(a: T, b: T) -> T {
    if a == T::ZERO || b == T::ZERO { T::ZERO } else { a.mul_up(b) }
}

/// a · b + c downwards with the same rule.
#[inline]
fn fused_down<T: Real>(a: T, b: T, c: T) -> T {
    if a == T::ZERO || b == T::ZERO { c } else { a.mul_add_down(b, c) }
}

/// a · b + c upwards with the same rule.
#[inline]
pub(super) fn fused_up<T: Real>(a: T, b: T, c: T) -> T {
    if a == T::ZERO || b == T::ZERO { c } else { a.mul_add_up(b, c) }
}

impl<T: Real> Cut<T> {
    /// Everything: what is known of a quotient by 0.
    pub const UNBOUNDED: Self = Cut { lower: T::NEG_INFINITY, upper: T::INFINITY };

    /// Bounds as results keep them: −0 becomes 0.
    #[inline]
    pub(super) fn new(lower: T, upper: T) -> Self {
        Cut { lower: lower.add_near(T::ZERO), upper: upper.add_near(T::ZERO) }
    }

    /// One number. NaN, of which nothing is known, is everything; ∞ is what lies beyond the largest number.
    pub fn exactly(value: T) -> Self {
        if value == T::INFINITY {
            Cut { lower: T::MAX, upper: value }
        } else if value == T::NEG_INFINITY {
            Cut { lower: value, upper: -T::MAX }
        } else if value.is_finite() {
            Cut::new(value, value)
        } else {
            Cut::UNBOUNDED
        }
    }

    /// Whether `value` lies in it.
    pub fn contains(self, value: T) -> bool {
        self.lower <= value && value <= self.upper
    }

    /// Whether all of `other` lies in it.
    pub fn encloses(self, other: Self) -> bool {
        self.lower <= other.lower && other.upper <= self.upper
    }

    /// Whether both bounds are finite.
    pub fn is_bounded(self) -> bool {
        self.lower.is_finite() && self.upper.is_finite()
    }

    /// upper − lower, rounded upwards.
    pub fn width(self) -> T {
        self.upper.sub_up(self.lower)
    }

    /// A number in the middle; 0 where a bound is infinite and the other does not exclude it, else the finite bound.
    pub fn middle(self) -> T {
        if self.is_bounded() {
            let half = T::ONE.div_near(T::ONE.add_near(T::ONE));
            let middle = self.lower.mul_near(half).add_near(self.upper.mul_near(half));
            // Halves of subnormal numbers may be rounded out of the cut.
            middle.greater(self.lower).lesser(self.upper)
        } else {
            T::ZERO.greater(self.lower).lesser(self.upper)
        }
    }

    #[inline]
    pub(super) fn sign(self) -> Sign {
        if self.lower >= T::ZERO {
            Sign::Positive
        } else if self.upper <= T::ZERO {
            Sign::Negative
        } else {
            Sign::Mixed
        }
    }

    /// What lies in both; `self` where nothing does (of two enclosures of an empty set either is one).
    pub(super) fn intersection(self, other: Self) -> Self {
        let (lower, upper) = (self.lower.greater(other.lower), self.upper.lesser(other.upper));
        if lower <= upper { Cut { lower, upper } } else { self }
    }

    /// The least cut that holds both.
    pub(super) fn hull(self, other: Self) -> Self {
        Cut { lower: self.lower.lesser(other.lower), upper: self.upper.greater(other.upper) }
    }

    /// −x.
    #[inline]
    pub(super) fn neg(self) -> Self {
        Cut::new(-self.upper, -self.lower)
    }

    /// x + y, equation (2).
    #[inline]
    pub(super) fn add(self, other: Self) -> Self {
        Cut::new(self.lower.add_down(other.lower), self.upper.add_up(other.upper))
    }

    /// x − y, equation (2).
    #[inline]
    pub(super) fn sub(self, other: Self) -> Self {
        Cut::new(self.lower.sub_down(other.upper), self.upper.sub_up(other.lower))
    }

    /// x · y, equation (3).
    pub(super) fn mul(self, other: Self) -> Self {
        self.mul_signed(other, self.sign(), other.sign())
    }

    /// x · y for operands of known signs. The bounds of a product are products of bounds; signs tell which.
    #[inline]
    pub(super) fn mul_signed(self, other: Self, sign: Sign, other_sign: Sign) -> Self {
        let ((a, b), (c, d)) = corners(self, other, sign, other_sign);
        let (lower, upper) = (product_down(a, b), product_up(c, d));
        if sign != Sign::Mixed || other_sign != Sign::Mixed {
            return Cut::new(lower, upper);
        }
        let ((a, b), (c, d)) = other_corners(self, other);
        Cut::new(lower.lesser(product_down(a, b)), upper.greater(product_up(c, d)))
    }

    /// x · y + z for operands of known signs, rounded once.
    #[inline]
    pub(super) fn mul_add_signed(self, factor: Self, addend: Self, sign: Sign, factor_sign: Sign) -> Self {
        let ((a, b), (c, d)) = corners(self, factor, sign, factor_sign);
        let (lower, upper) = (fused_down(a, b, addend.lower), fused_up(c, d, addend.upper));
        if sign != Sign::Mixed || factor_sign != Sign::Mixed {
            return Cut::new(lower, upper);
        }
        let ((a, b), (c, d)) = other_corners(self, factor);
        let (other_lower, other_upper) = (fused_down(a, b, addend.lower), fused_up(c, d, addend.upper));
        Cut::new(lower.lesser(other_lower), upper.greater(other_upper))
    }

    /// x · y + z, rounded once.
    pub(super) fn mul_add(&self, factor: &Self, addend: &Self) -> Self {
        self.mul_add_signed(*factor, *addend, self.sign(), factor.sign())
    }

    /// x / y for y ≠ 0, equation (4).
    pub(super) fn div(self, other: Self) -> Self {
        let numerator_is_zero = self.lower == T::ZERO && self.upper == T::ZERO;
        let straddles = other.lower < T::ZERO && other.upper > T::ZERO;
        if straddles || other == Cut::exactly(T::ZERO) || numerator_is_zero && other.contains(T::ZERO) {
            return Cut::UNBOUNDED; // 0 inside, or 0/0
        }
        if other.lower < T::ZERO {
            return self.neg().div(other.neg());
        }
        // By a positive y, which may come near to 0: a negative bound is least over the least y, a positive one over the
        // greatest. Lower bounds are below ∞, so that ∞/∞ does not occur.
        let quotient = |a: T, b: T, rounded: fn(T, T) -> T| match b {
            _ if a == T::ZERO => T::ZERO, // the limit of 0/y too
            b if b > T::ZERO => rounded(a, b),
            _ if a < T::ZERO => T::NEG_INFINITY,
            _ => T::INFINITY,
        };
        let below = if self.lower < T::ZERO { other.lower } else { other.upper };
        let above = if self.upper > T::ZERO { other.lower } else { other.upper };
        Cut::new(quotient(self.lower, below, T::div_down), quotient(self.upper, above, T::div_up))
    }

    /// 1 / x.
    pub(super) fn recip(self) -> Self {
        Cut::exactly(T::ONE).div(self)
    }

    /// x².
    pub(super) fn sqr(self) -> Self {
        let size = self.abs();
        Cut::new(product_down(size.lower, size.lower), product_up(size.upper, size.upper))
    }

    /// xⁿ; 1 for n = 0.
    pub(super) fn powi(self, n: i32) -> Self {
        if n == 0 {
            return Cut::exactly(T::ONE);
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
        Cut::new(power_down(base.lower), power_up(base.upper))
    }

    /// √x of what is not negative; everything where nothing is.
    pub(super) fn sqrt(self) -> Self {
        if self.upper < T::ZERO {
            return Cut::UNBOUNDED;
        }
        Cut::new(self.lower.greater(T::ZERO).sqrt_down(), self.upper.sqrt_up())
    }

    /// eˣ.
    pub(super) fn exp(self) -> Self {
        Cut::new(self.lower.exp_bounds().0, self.upper.exp_bounds().1)
    }

    /// The natural logarithm of what is positive; everything where nothing is.
    pub(super) fn log(self) -> Self {
        if self.upper <= T::ZERO {
            return Cut::UNBOUNDED;
        }
        Cut::new(self.lower.greater(T::ZERO).log_bounds().0, self.upper.log_bounds().1)
    }

    /// |x|.
    pub(super) fn abs(self) -> Self {
        match self.sign() {
            Sign::Positive => self,
            Sign::Negative => self.neg(),
            Sign::Mixed => Cut { lower: T::ZERO, upper: self.upper.greater(-self.lower) },
        }
    }

    /// The lesser of x and y.
    pub(super) fn min(self, other: Self) -> Self {
        Cut { lower: self.lower.lesser(other.lower), upper: self.upper.lesser(other.upper) }
    }

    /// The greater of x and y.
    pub(super) fn max(self, other: Self) -> Self {
        Cut { lower: self.lower.greater(other.lower), upper: self.upper.greater(other.upper) }
    }
}

/// Bounds whose product is the least, and bounds whose product is the greatest.
type Corners<T> = ((T, T), (T, T));

/// Where the least and the greatest product are met; of two candidates the first, where both operands straddle 0.
#[inline]
fn corners<T: Real>(x: Cut<T>, y: Cut<T>, x_sign: Sign, y_sign: Sign) -> Corners<T> {
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

/// The second candidates where both operands straddle 0.
#[inline]
fn other_corners<T: Real>(x: Cut<T>, y: Cut<T>) -> Corners<T> {
    ((x.upper, y.lower), (x.lower, y.lower))
}

/// xⁿ for x ≥ 0 and n ≥ 1 by repeated squaring, every product rounded as `product` does.
fn power<T: Real>(x: T, n: u32, product: fn(T, T) -> T) -> T {
    let (mut result, mut square, mut left) = (T::ONE, x, n);
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
