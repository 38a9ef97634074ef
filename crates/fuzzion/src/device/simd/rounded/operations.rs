//! Operations of vectors with directed rounding.

/// Number of elements of a [`Plane`]; a multiple of the length of every vector type.
pub(crate) const PLANE: usize = 16;

/// One component, such as a bound, of [`PLANE`] fuzzy numbers.
pub(crate) type Plane<T> = [T; PLANE];

/// Vector with operations rounded to nearest.
pub(crate) trait Nearest: Copy {
    type Number: Copy;
    /// Lane mask.
    type Mask: Copy;
    /// Number of lanes; [`PLANE`] is a multiple of it.
    const LANES: usize;

    fn splat(x: Self::Number) -> Self;
    /// Loads the lanes from index `at` on.
    fn load(from: &Plane<Self::Number>, at: usize) -> Self;
    /// Stores the lanes from index `at` on.
    fn store(self, to: &mut Plane<Self::Number>, at: usize);

    fn add_near(self, b: Self) -> Self;
    fn sub_near(self, b: Self) -> Self;
    fn mul_near(self, b: Self) -> Self;
    fn div_near(self, b: Self) -> Self;
    fn sqrt_near(self) -> Self;
    /// `self`·b + c, rounded once.
    fn mul_add_near(self, b: Self, c: Self) -> Self;

    /// b where it is less, otherwise `self`, also where either is NaN.
    fn lesser(self, b: Self) -> Self;
    /// b where it is greater, otherwise `self`, also where either is NaN.
    fn greater(self, b: Self) -> Self;
    fn abs(self) -> Self;
    /// Flips the sign, also of 0.
    fn negated(self) -> Self;

    /// Where `self` < b.
    fn less(self, b: Self) -> Self::Mask;
    /// Where `self` = b.
    fn equal(self, b: Self) -> Self::Mask;
    /// Where either is NaN.
    fn unordered(self, b: Self) -> Self::Mask;
    /// Union of two masks.
    fn mask_or(a: Self::Mask, b: Self::Mask) -> Self::Mask;
    /// Intersection of two masks.
    fn mask_and(a: Self::Mask, b: Self::Mask) -> Self::Mask;
    /// Whether any lane is set.
    fn any(mask: Self::Mask) -> bool;
    /// `self` where `mask` is set, otherwise b.
    fn select(self, mask: Self::Mask, b: Self) -> Self;
}

/// Vector with directed rounding.
///
/// `…_down` is the greatest number not above the exact result, `…_up` the smallest not below it.
pub(crate) trait Rounded: Nearest {
    fn add_down(self, b: Self) -> Self;
    fn mul_down(self, b: Self) -> Self;
    fn div_down(self, b: Self) -> Self;
    fn sqrt_down(self) -> Self;
    fn sqrt_up(self) -> Self;
    /// `self`·b + c, rounded once.
    fn mul_add_down(self, b: Self, c: Self) -> Self;

    #[inline(always)]
    fn add_up(self, b: Self) -> Self {
        self.negated().add_down(b.negated()).negated()
    }
    #[inline(always)]
    fn sub_down(self, b: Self) -> Self {
        self.add_down(b.negated())
    }
    #[inline(always)]
    fn sub_up(self, b: Self) -> Self {
        self.negated().add_down(b).negated()
    }
    #[inline(always)]
    fn mul_up(self, b: Self) -> Self {
        self.negated().mul_down(b).negated()
    }
    #[inline(always)]
    fn div_up(self, b: Self) -> Self {
        self.negated().div_down(b).negated()
    }
    #[inline(always)]
    fn mul_add_up(self, b: Self, c: Self) -> Self {
        self.negated().mul_add_down(b, c.negated()).negated()
    }
}

/// Vector of `f64` with directed rounding and the operations for exponentials and logarithms.
pub(crate) trait ElementaryVector: Rounded<Number = f64> {
    /// The greatest integer not above `self`.
    fn floor(self) -> Self;
    /// `self` · 2ᵏ for an integer k within ±2000, rounded down.
    fn scale_down(self, k: Self) -> Self;
    /// [`ElementaryVector::scale_down`], rounded up.
    fn scale_up(self, k: Self) -> Self;
    /// m and k with `self` = m·2ᵏ and 1 ≤ m < 2, for finite positive numbers.
    fn mantissa_exponent(self) -> (Self, Self);
}

/// Conversions between the number type of a vector and the narrower type `R`.
pub(crate) trait Narrow<R>: Rounded {
    /// The greatest values of `R` not above `from`.
    fn narrow_down(from: &Plane<Self::Number>, to: &mut Plane<R>);
    /// The smallest values of `R` not below `from`.
    fn narrow_up(from: &Plane<Self::Number>, to: &mut Plane<R>);
    /// The same values in the wider type.
    fn widen(from: &Plane<R>, to: &mut Plane<Self::Number>);
}
