//! Vectors of AVX-512, whose instructions encode the rounding mode.

#![allow(unsafe_code)] // SIMD intrinsics are unsafe in functions not compiled for their instruction set

use super::operations::{ElementaryVector, Narrow, Nearest, PLANE, Plane, Rounded};
use crate::device::simd::level::Avx512Detected;
use std::arch::x86_64::*;
use std::marker::PhantomData;

const DOWN: i32 = _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC;
const UP: i32 = _MM_FROUND_TO_POS_INF | _MM_FROUND_NO_EXC;

/// Rounds down to an integer.
const FLOOR: i32 = _MM_FROUND_TO_NEG_INF;

macro_rules! register {
    ($name:ident<P>([$real:ty; $lanes:literal] in $register:ty, masked by $mask:ty),
     $splat:ident, $load:ident, $store:ident,
     $add:ident $add_round:ident, $sub:ident $sub_round:ident, $mul:ident $mul_round:ident, $div:ident $div_round:ident,
     $sqrt:ident $sqrt_round:ident, $fma:ident $fma_round:ident, $min:ident, $max:ident, $abs:ident, $xor:ident,
     $compare:ident, $blend:ident) => {
        /// Vector of one register. `P` proves that the CPU has AVX-512.
        #[derive(Clone, Copy)]
        pub(crate) struct $name<P>($register, PhantomData<P>);

        impl<P: Avx512Detected> Nearest for $name<P> {
            type Number = $real;
            type Mask = $mask;
            const LANES: usize = $lanes;

            #[inline(always)]
            fn splat(x: $real) -> Self {
                // SAFETY: `P` proves that the CPU has AVX-512.
                unsafe { $name($splat(x), PhantomData) }
            }
            #[inline(always)]
            fn load(from: &Plane<$real>, at: usize) -> Self {
                // SAFETY: as in `splat`; the slice has one element per lane.
                unsafe { $name($load(from[at..at + $lanes].as_ptr()), PhantomData) }
            }
            #[inline(always)]
            fn store(self, to: &mut Plane<$real>, at: usize) {
                // SAFETY: as in `splat`; the slice has one element per lane.
                unsafe { $store(to[at..at + $lanes].as_mut_ptr(), self.0) }
            }

            methods! {
                add_near(b) = $add; sub_near(b) = $sub; mul_near(b) = $mul; div_near(b) = $div;
                sqrt_near() = $sqrt; mul_add_near(b, c) = $fma; abs() = $abs;
            }

            // The instructions return their second operand if the operands are equal or one is NaN.
            #[inline(always)]
            fn lesser(self, b: Self) -> Self {
                // SAFETY: as in `splat`.
                unsafe { $name($min(b.0, self.0), PhantomData) }
            }
            #[inline(always)]
            fn greater(self, b: Self) -> Self {
                // SAFETY: as in `splat`.
                unsafe { $name($max(b.0, self.0), PhantomData) }
            }
            #[inline(always)]
            fn negated(self) -> Self {
                // SAFETY: as in `splat`.
                unsafe { $name($xor(self.0, $splat(-0.0)), PhantomData) }
            }

            #[inline(always)]
            fn less(self, b: Self) -> $mask {
                // SAFETY: as in `splat`.
                unsafe { $compare::<_CMP_LT_OQ>(self.0, b.0) }
            }
            #[inline(always)]
            fn equal(self, b: Self) -> $mask {
                // SAFETY: as in `splat`.
                unsafe { $compare::<_CMP_EQ_OQ>(self.0, b.0) }
            }
            #[inline(always)]
            fn unordered(self, b: Self) -> $mask {
                // SAFETY: as in `splat`.
                unsafe { $compare::<_CMP_UNORD_Q>(self.0, b.0) }
            }
            #[inline(always)]
            fn mask_or(a: $mask, b: $mask) -> $mask {
                a | b
            }
            #[inline(always)]
            fn mask_and(a: $mask, b: $mask) -> $mask {
                a & b
            }
            #[inline(always)]
            fn any(mask: $mask) -> bool {
                mask != 0
            }
            #[inline(always)]
            fn select(self, mask: $mask, b: Self) -> Self {
                // SAFETY: as in `splat`.
                unsafe { $name($blend(mask, b.0, self.0), PhantomData) }
            }
        }

        impl<P: Avx512Detected> Rounded for $name<P> {
            methods! {
                add_down(b) = $add_round::<DOWN>; add_up(b) = $add_round::<UP>;
                sub_down(b) = $sub_round::<DOWN>; sub_up(b) = $sub_round::<UP>;
                mul_down(b) = $mul_round::<DOWN>; mul_up(b) = $mul_round::<UP>;
                div_down(b) = $div_round::<DOWN>; div_up(b) = $div_round::<UP>;
                sqrt_down() = $sqrt_round::<DOWN>; sqrt_up() = $sqrt_round::<UP>;
                mul_add_down(b, c) = $fma_round::<DOWN>; mul_add_up(b, c) = $fma_round::<UP>;
            }
        }

        impl<P: Avx512Detected> Narrow<$real> for $name<P> {
            #[inline(always)]
            fn narrow_down(from: &Plane<$real>, to: &mut Plane<$real>) {
                *to = *from;
            }
            #[inline(always)]
            fn narrow_up(from: &Plane<$real>, to: &mut Plane<$real>) {
                *to = *from;
            }
            #[inline(always)]
            fn widen(from: &Plane<$real>, to: &mut Plane<$real>) {
                *to = *from;
            }
        }
    };
}

register!(
    RoundedF64<P>([f64; 8] in __m512d, masked by __mmask8),
    _mm512_set1_pd, _mm512_loadu_pd, _mm512_storeu_pd,
    _mm512_add_pd _mm512_add_round_pd, _mm512_sub_pd _mm512_sub_round_pd, _mm512_mul_pd _mm512_mul_round_pd,
    _mm512_div_pd _mm512_div_round_pd, _mm512_sqrt_pd _mm512_sqrt_round_pd, _mm512_fmadd_pd _mm512_fmadd_round_pd,
    _mm512_min_pd, _mm512_max_pd, _mm512_abs_pd, _mm512_xor_pd,
    _mm512_cmp_pd_mask, _mm512_mask_blend_pd
);

register!(
    RoundedF32<P>([f32; 16] in __m512, masked by __mmask16),
    _mm512_set1_ps, _mm512_loadu_ps, _mm512_storeu_ps,
    _mm512_add_ps _mm512_add_round_ps, _mm512_sub_ps _mm512_sub_round_ps, _mm512_mul_ps _mm512_mul_round_ps,
    _mm512_div_ps _mm512_div_round_ps, _mm512_sqrt_ps _mm512_sqrt_round_ps, _mm512_fmadd_ps _mm512_fmadd_round_ps,
    _mm512_min_ps, _mm512_max_ps, _mm512_abs_ps, _mm512_xor_ps,
    _mm512_cmp_ps_mask, _mm512_mask_blend_ps
);

impl<P: Avx512Detected> ElementaryVector for RoundedF64<P> {
    methods! {
        floor() = _mm512_roundscale_pd::<FLOOR>;
        scale_down(k) = _mm512_scalef_round_pd::<DOWN>; scale_up(k) = _mm512_scalef_round_pd::<UP>;
    }
    #[inline(always)]
    fn mantissa_exponent(self) -> (Self, Self) {
        // SAFETY: as in `splat`.
        unsafe {
            let m = _mm512_getmant_pd::<_MM_MANT_NORM_1_2, _MM_MANT_SIGN_ZERO>(self.0);
            (Self(m, PhantomData), Self(_mm512_getexp_pd(self.0), PhantomData))
        }
    }
}

impl<P: Avx512Detected> Narrow<f32> for RoundedF64<P> {
    #[inline(always)]
    fn narrow_down(from: &Plane<f64>, to: &mut Plane<f32>) {
        for at in (0..PLANE).step_by(8) {
            let half = Self::load(from, at);
            // SAFETY: as in `splat`; the slice has 8 elements.
            unsafe { _mm256_storeu_ps(to[at..at + 8].as_mut_ptr(), _mm512_cvt_roundpd_ps::<DOWN>(half.0)) }
        }
    }
    #[inline(always)]
    fn narrow_up(from: &Plane<f64>, to: &mut Plane<f32>) {
        for at in (0..PLANE).step_by(8) {
            let half = Self::load(from, at);
            // SAFETY: as in `splat`; the slice has 8 elements.
            unsafe { _mm256_storeu_ps(to[at..at + 8].as_mut_ptr(), _mm512_cvt_roundpd_ps::<UP>(half.0)) }
        }
    }
    #[inline(always)]
    fn widen(from: &Plane<f32>, to: &mut Plane<f64>) {
        for at in (0..PLANE).step_by(8) {
            // SAFETY: as in `splat`; the slice has 8 elements.
            let half = unsafe { _mm512_cvtps_pd(_mm256_loadu_ps(from[at..at + 8].as_ptr())) };
            Self(half, PhantomData).store(to, at);
        }
    }
}
