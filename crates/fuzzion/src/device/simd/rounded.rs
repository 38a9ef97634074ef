//! Vectors whose operations are rounded as their names say.
//!
//! AVX-512 has the rounding in the instruction, so that no rounding mode of the processor is touched. AVX2 rounds to
//! nearest, from which the caller derives the rest; elsewhere it brings vectors of its own. Directed results are
//! determined to the bit (but for the sign of an exact zero), so that all give the same.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;

#[cfg(target_arch = "x86_64")]
pub(crate) use avx2::{NearestF32, NearestF64};

/// Numbers that lie side by side: a whole number of vectors of every kind.
pub(crate) const PLANE: usize = 16;

/// One bound, or the like, of [`PLANE`] numbers.
pub(crate) type Plane<T> = [T; PLANE];

/// Numbers that are computed with at once, each result the nearest number.
pub(crate) trait Nearest: Copy {
    type Number: Copy;
    /// Which of the numbers.
    type Mask: Copy;
    /// How many numbers; [`PLANE`] is a multiple of it.
    const LANES: usize;

    fn splat(x: Self::Number) -> Self;
    /// The numbers from the `at`th on.
    fn load(from: &Plane<Self::Number>, at: usize) -> Self;
    /// As [`Nearest::load`].
    fn store(self, to: &mut Plane<Self::Number>, at: usize);

    fn add_near(self, b: Self) -> Self;
    fn sub_near(self, b: Self) -> Self;
    fn mul_near(self, b: Self) -> Self;
    fn div_near(self, b: Self) -> Self;
    fn sqrt_near(self) -> Self;
    /// `self`·b + c, rounded once.
    fn mul_add_near(self, b: Self, c: Self) -> Self;

    /// b where it is less, else `self`: also where either is NaN.
    fn lesser(self, b: Self) -> Self;
    /// b where it is greater, else `self`: also where either is NaN.
    fn greater(self, b: Self) -> Self;
    fn abs(self) -> Self;
    /// With the other sign, 0 too.
    fn negated(self) -> Self;

    /// Where `self` < b.
    fn less(self, b: Self) -> Self::Mask;
    /// Where `self` = b.
    fn equal(self, b: Self) -> Self::Mask;
    /// Where either is NaN.
    fn unordered(self, b: Self) -> Self::Mask;
    /// Where one of both is.
    fn either(a: Self::Mask, b: Self::Mask) -> Self::Mask;
    /// Where both are.
    fn both(a: Self::Mask, b: Self::Mask) -> Self::Mask;
    /// Whether there is one.
    fn any(mask: Self::Mask) -> bool;
    /// `self` where `mask` is, else b.
    fn or_else(self, mask: Self::Mask, b: Self) -> Self;
}

/// Numbers that are computed with at once, rounded as the name says.
///
/// `…_down` is the greatest number not above the exact result, `…_up` the least not below it.
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

/// What exponentials and logarithms need besides.
pub(crate) trait Double: Rounded<Number = f64> {
    /// The greatest whole number not above.
    fn floor(self) -> Self;
    /// `self` · 2ᵏ for a whole k within ±2000, rounded once.
    fn scale_down(self, k: Self) -> Self;
    /// As [`Double::scale_down`], upwards.
    fn scale_up(self, k: Self) -> Self;
    /// m and k with `self` = m·2ᵏ and 1 ≤ m < 2; for finite numbers above 0.
    fn parts(self) -> (Self, Self);
}

/// Vectors whose numbers hold those of `R`.
pub(crate) trait Narrow<R>: Rounded {
    /// The greatest numbers of `R` not above.
    fn narrow_down(from: &Plane<Self::Number>, to: &mut Plane<R>);
    /// The least numbers of `R` not below.
    fn narrow_up(from: &Plane<Self::Number>, to: &mut Plane<R>);
    /// The same numbers.
    fn widen(from: &Plane<R>, to: &mut Plane<Self::Number>);
}

/// The vectors of a number on the levels that have some.
#[cfg(target_arch = "x86_64")]
pub(crate) trait RoundedVectors {
    type Avx512;
    type Avx2;
}

#[cfg(target_arch = "x86_64")]
impl RoundedVectors for f32 {
    type Avx512 = avx512::RoundedF32;
    type Avx2 = NearestF32;
}

#[cfg(target_arch = "x86_64")]
impl RoundedVectors for f64 {
    type Avx512 = avx512::RoundedF64;
    type Avx2 = NearestF64;
}

/// Compiles a body once per [`SimdLevel`](super::SimdLevel) with vectors that round, and picks one at run time.
///
/// `rounded! { fn add(x: &mut [f32]) = add_body::<f32>, or Lanes; }` makes `fn add(simd: Simd, x)`, which calls
/// `add_body::<V>` with the vectors `V` of AVX-512 or AVX2, or else with `Lanes<f32>`; more types give more vectors. The
/// body and all it calls must be `#[inline(always)]`.
macro_rules! rounded {
    ($(#[$meta:meta])* $vis:vis fn $name:ident($($arg:ident: $type:ty),* $(,)?) = $body:ident::<$($real:ty),+>, or $lanes:ident;) => {
        $(#[$meta])*
        #[allow(unsafe_code, clippy::too_many_arguments)]
        $vis fn $name(simd: $crate::device::Simd, $($arg: $type),*) {
            #[cfg(target_arch = "x86_64")]
            {
                #[target_feature(enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl,avx2,fma")]
                fn avx512($($arg: $type),*) {
                    $body::<$(<$real as $crate::device::RoundedVectors>::Avx512),+>($($arg),*)
                }
                #[target_feature(enable = "avx2,fma")]
                fn avx2($($arg: $type),*) {
                    $body::<$(<$real as $crate::device::RoundedVectors>::Avx2),+>($($arg),*)
                }
                // SAFETY: a `Simd` exists only where `Simd::detect` found every feature of its level.
                match simd.level() {
                    $crate::device::SimdLevel::Avx512 => return unsafe { avx512($($arg),*) },
                    $crate::device::SimdLevel::Avx2 => return unsafe { avx2($($arg),*) },
                    $crate::device::SimdLevel::Baseline => {}
                }
            }
            let _ = simd;
            $body::<$($lanes<$real>),+>($($arg),*)
        }
    };
}
pub(crate) use rounded;
