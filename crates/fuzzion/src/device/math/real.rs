//! The floating-point trait of the kernels.

use std::ops::{Add, Div, Mul, Neg, Sub};

/// Floating-point type of the kernels: `f32` or `f64`.
pub(crate) trait Real:
    Copy
    + PartialOrd
    + Send
    + Sync
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
{
    const ZERO: Self;
    const HALF: Self;
    const ONE: Self;
    const TWO: Self;
    const MAX: Self;
    const NAN: Self;
    const INFINITY: Self;
    /// Largest t for which e⁻ᵗ is a normal number.
    const MAX_EXP_NEG: Self;
    /// The nearest value of this type.
    fn cast(x: f64) -> Self;
    fn to_f64(self) -> f64;
    fn is_nan(self) -> bool;
    /// Integer part of a nonnegative number; 0 for NaN.
    fn trunc_to_u32(self) -> u32;
    fn abs(self) -> Self;
    fn sqrt(self) -> Self;
    /// `self·b + c`, fused if `FMA` instructions are available.
    fn mul_add<const FMA: bool>(self, b: Self, c: Self) -> Self;
    fn exp<const FMA: bool>(self) -> Self;
    fn ln<const FMA: bool>(self) -> Self;
    /// e^−self for 0 ≤ self ≤ [`Real::MAX_EXP_NEG`], in fewer steps than [`Real::exp`].
    fn exp_neg<const FMA: bool>(self) -> Self;
    /// `self` to the power `y`, for nonnegative bases.
    fn pow<const FMA: bool>(self, y: Self) -> Self;
    /// sin(π·self) for 0 ≤ self ≤ ¼.
    fn sin_pi<const FMA: bool>(self) -> Self;

    /// The smaller value; `b` if either is NaN (one instruction, unlike `f32::min`).
    #[inline(always)]
    fn simd_min(self, b: Self) -> Self {
        if self < b { self } else { b }
    }

    /// The larger value; `b` if either is NaN.
    #[inline(always)]
    fn simd_max(self, b: Self) -> Self {
        if self > b { self } else { b }
    }

    /// Clamped to [0, 1]; NaN stays NaN.
    #[inline(always)]
    fn clamp01(self) -> Self {
        Self::ONE.simd_min(Self::ZERO.simd_max(self))
    }
}

/// c₀ + c₁x + c₂x² + …, by Horner's rule.
#[inline(always)]
pub(super) fn polynomial<T: Real, const FMA: bool, const N: usize>(x: T, c: [T; N]) -> T {
    let mut sum = c[N - 1];
    for i in (0..N - 1).rev() {
        sum = sum.mul_add::<FMA>(x, c[i]);
    }
    sum
}
