//! Vectors of AVX2 with fused multiply-add, rounded to nearest.

#![allow(unsafe_code)] // SIMD intrinsics are unsafe in functions not compiled for their instruction set

use super::operations::{Nearest, Plane};
use crate::device::simd::level::Avx2Detected;
use std::arch::x86_64::*;
use std::marker::PhantomData;

macro_rules! register {
    ($name:ident<P>([$real:ty; $lanes:literal] in $register:ty),
     $splat:ident, $load:ident, $store:ident, $add:ident, $sub:ident, $mul:ident, $div:ident, $sqrt:ident, $fma:ident,
     $min:ident, $max:ident, $and:ident, $or:ident, $and_not:ident, $xor:ident, $compare:ident, $blend:ident,
     $bits:ident, $from_bits:ident, $splat_bits:ident, $more_bits:ident, $sub_bits:ident, $signs:ident) => {
        /// Vector of one register; a mask has all bits of a lane set, or none. `P` proves that the CPU has AVX2.
        #[derive(Clone, Copy)]
        pub(crate) struct $name<P>($register, PhantomData<P>);

        impl<P: Avx2Detected> Nearest for $name<P> {
            type Number = $real;
            type Mask = Self;
            const LANES: usize = $lanes;

            #[inline(always)]
            fn splat(x: $real) -> Self {
                // SAFETY: `P` proves that the CPU has AVX2 and FMA.
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
                sqrt_near() = $sqrt; mul_add_near(b, c) = $fma;
                less(b) = $compare::<_CMP_LT_OQ>; equal(b) = $compare::<_CMP_EQ_OQ>;
                unordered(b) = $compare::<_CMP_UNORD_Q>;
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
            fn abs(self) -> Self {
                // SAFETY: as in `splat`.
                unsafe { $name($and_not($splat(-0.0), self.0), PhantomData) }
            }
            #[inline(always)]
            fn negated(self) -> Self {
                // SAFETY: as in `splat`.
                unsafe { $name($xor(self.0, $splat(-0.0)), PhantomData) }
            }

            #[inline(always)]
            fn mask_or(a: Self, b: Self) -> Self {
                // SAFETY: as in `splat`.
                unsafe { $name($or(a.0, b.0), PhantomData) }
            }
            #[inline(always)]
            fn mask_and(a: Self, b: Self) -> Self {
                // SAFETY: as in `splat`.
                unsafe { $name($and(a.0, b.0), PhantomData) }
            }
            #[inline(always)]
            fn any(mask: Self) -> bool {
                // SAFETY: as in `splat`.
                unsafe { $signs(mask.0) != 0 }
            }
            #[inline(always)]
            fn select(self, mask: Self, b: Self) -> Self {
                // SAFETY: as in `splat`.
                unsafe { $name($blend(b.0, self.0, mask.0), PhantomData) }
            }
        }

        impl<P: Avx2Detected> $name<P> {
            /// The next smaller number where `mask` is set, for nonzero numbers and −0.
            ///
            /// On the bit patterns: one less for a positive number, one more for a negative one.
            #[inline(always)]
            pub(crate) fn next_down(self, mask: Self) -> Self {
                // SAFETY: as in `splat`.
                unsafe {
                    let (bits, mask) = ($bits(self.0), $bits(mask.0));
                    let sign = $more_bits($splat_bits(0), bits);
                    let step = _mm256_or_si256(sign, $splat_bits(1));
                    $name($from_bits($sub_bits(bits, _mm256_and_si256(step, mask))), PhantomData)
                }
            }
        }
    };
}

register!(
    NearestF64<P>([f64; 4] in __m256d),
    _mm256_set1_pd, _mm256_loadu_pd, _mm256_storeu_pd, _mm256_add_pd, _mm256_sub_pd, _mm256_mul_pd, _mm256_div_pd,
    _mm256_sqrt_pd, _mm256_fmadd_pd, _mm256_min_pd, _mm256_max_pd, _mm256_and_pd, _mm256_or_pd, _mm256_andnot_pd,
    _mm256_xor_pd, _mm256_cmp_pd, _mm256_blendv_pd, _mm256_castpd_si256, _mm256_castsi256_pd, _mm256_set1_epi64x,
    _mm256_cmpgt_epi64, _mm256_sub_epi64, _mm256_movemask_pd
);

register!(
    NearestF32<P>([f32; 8] in __m256),
    _mm256_set1_ps, _mm256_loadu_ps, _mm256_storeu_ps, _mm256_add_ps, _mm256_sub_ps, _mm256_mul_ps, _mm256_div_ps,
    _mm256_sqrt_ps, _mm256_fmadd_ps, _mm256_min_ps, _mm256_max_ps, _mm256_and_ps, _mm256_or_ps, _mm256_andnot_ps,
    _mm256_xor_ps, _mm256_cmp_ps, _mm256_blendv_ps, _mm256_castps_si256, _mm256_castsi256_ps, _mm256_set1_epi32,
    _mm256_cmpgt_epi32, _mm256_sub_epi32, _mm256_movemask_ps
);

impl<P: Avx2Detected> NearestF64<P> {
    /// Whether all lanes are set.
    #[inline(always)]
    pub(crate) fn all(mask: Self) -> bool {
        // SAFETY: as in `splat`.
        unsafe { _mm256_movemask_pd(mask.0) == 0b1111 }
    }
}

impl<P: Avx2Detected> NearestF32<P> {
    /// The same values in double precision.
    #[inline(always)]
    pub(crate) fn to_f64_pair(self) -> [NearestF64<P>; 2] {
        // SAFETY: as in `splat`.
        unsafe {
            let (first, last) = (_mm256_castps256_ps128(self.0), _mm256_extractf128_ps::<1>(self.0));
            [NearestF64(_mm256_cvtps_pd(first), PhantomData), NearestF64(_mm256_cvtps_pd(last), PhantomData)]
        }
    }

    /// The nearest values in single precision.
    #[inline(always)]
    pub(crate) fn from_f64_pair([first, last]: [NearestF64<P>; 2]) -> Self {
        // SAFETY: as in `splat`.
        unsafe { NearestF32(_mm256_set_m128(_mm256_cvtpd_ps(last.0), _mm256_cvtpd_ps(first.0)), PhantomData) }
    }

    /// The masks of both halves as one mask.
    #[inline(always)]
    pub(crate) fn join_masks(masks: [NearestF64<P>; 2]) -> Self {
        // SAFETY: as in `splat`.
        unsafe {
            // The first four of the eight bytes of each lane.
            let quarter = |mask: NearestF64<P>| {
                let bits = _mm256_castpd_ps(mask.0);
                _mm_shuffle_ps::<0b10_00_10_00>(
                    _mm256_castps256_ps128(bits),
                    _mm256_extractf128_ps::<1>(bits),
                )
            };
            NearestF32(_mm256_set_m128(quarter(masks[1]), quarter(masks[0])), PhantomData)
        }
    }
}
