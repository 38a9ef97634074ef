//! Vectors of x86-64.

#![allow(unsafe_code)] // SIMD intrinsics are unsafe in functions not compiled for their instruction set

use super::operations::Vector;
use super::register::{operator, register};
use crate::device::simd::level::{Avx2Detected, Avx512Detected};
use std::arch::x86_64::*;
use std::marker::PhantomData;
use std::ops::{Add, Div, Mul, Sub};

register!(
    Avx512F32<P: Avx512Detected>([f32; 16] in __m512),
    _mm512_set1_ps, _mm512_loadu_ps, _mm512_storeu_ps, _mm512_add_ps, _mm512_sub_ps, _mm512_mul_ps, _mm512_div_ps,
    _mm512_fmadd_ps, _mm512_min_ps, _mm512_max_ps,
    {
        const HAS_32_REGISTERS: bool = true;

        #[inline(always)]
        fn any_ge(self, b: Self) -> bool {
            // SAFETY: as in `splat` of `register!`.
            unsafe { _mm512_cmp_ps_mask::<_CMP_GE_OQ>(self.0, b.0) != 0 }
        }

        /// A 14-bit approximation and one Newton step.
        #[inline(always)]
        fn reciprocal(self) -> Self {
            // SAFETY: as in `splat` of `register!`.
            unsafe {
                let y = _mm512_rcp14_ps(self.0);
                let e = _mm512_fnmadd_ps(self.0, y, _mm512_set1_ps(1.0));
                Self(_mm512_fmadd_ps(y, e, y), PhantomData)
            }
        }

        /// Combines rows i, i + 4, i + 8 and i + 12 in a register, then transposes each quarter of the registers.
        #[inline(always)]
        fn load_columns(rows: &[f32], stride: usize, column: usize) -> [Self; 4] {
            assert!(rows.len() >= 15 * stride + column + 4);
            // SAFETY: as in `splat` of `register!`; the assertion covers the last element read.
            unsafe {
                // Four base pointers and four offsets: sixteen addresses would not fit in the registers.
                let base = |row: usize| rows.as_ptr().add(row * stride);
                let (first, second, third, fourth) = (base(0), base(4), base(8), base(12));
                let combined = |row: usize| {
                    let at = row * stride + column;
                    let a = _mm512_castps128_ps512(_mm_loadu_ps(first.add(at)));
                    let a = _mm512_insertf32x4::<1>(a, _mm_loadu_ps(second.add(at)));
                    let a = _mm512_insertf32x4::<2>(a, _mm_loadu_ps(third.add(at)));
                    _mm512_insertf32x4::<3>(a, _mm_loadu_ps(fourth.add(at)))
                };
                let (a, b, c, d) = (combined(0), combined(1), combined(2), combined(3));
                let (low, high) = (_mm512_unpacklo_ps(a, b), _mm512_unpackhi_ps(a, b));
                let (low_next, high_next) = (_mm512_unpacklo_ps(c, d), _mm512_unpackhi_ps(c, d));
                [
                    Self(_mm512_shuffle_ps::<0b01_00_01_00>(low, low_next), PhantomData),
                    Self(_mm512_shuffle_ps::<0b11_10_11_10>(low, low_next), PhantomData),
                    Self(_mm512_shuffle_ps::<0b01_00_01_00>(high, high_next), PhantomData),
                    Self(_mm512_shuffle_ps::<0b11_10_11_10>(high, high_next), PhantomData),
                ]
            }
        }

        #[inline(always)]
        fn prefetch(x: &f32) {
            // SAFETY: as in `splat` of `register!`; a prefetch has no effect on memory.
            unsafe { _mm_prefetch::<_MM_HINT_T1>(std::ptr::from_ref(x).cast()) }
        }
    }
);

register!(
    Avx512F64<P: Avx512Detected>([f64; 8] in __m512d),
    _mm512_set1_pd, _mm512_loadu_pd, _mm512_storeu_pd, _mm512_add_pd, _mm512_sub_pd, _mm512_mul_pd, _mm512_div_pd,
    _mm512_fmadd_pd, _mm512_min_pd, _mm512_max_pd,
    {
        const HAS_32_REGISTERS: bool = true;

        /// With shuffles, where the compiler would emit a gather.
        #[inline(always)]
        fn sum(self) -> f64 {
            // SAFETY: as in `splat` of `register!`.
            unsafe { _mm512_reduce_add_pd(self.0) }
        }

        /// A 14-bit approximation and two Newton steps.
        #[inline(always)]
        fn reciprocal(self) -> Self {
            // SAFETY: as in `splat` of `register!`.
            unsafe {
                let one = _mm512_set1_pd(1.0);
                let y = _mm512_rcp14_pd(self.0);
                let y = _mm512_fmadd_pd(y, _mm512_fnmadd_pd(self.0, y, one), y);
                Self(_mm512_fmadd_pd(y, _mm512_fnmadd_pd(self.0, y, one), y), PhantomData)
            }
        }

        #[inline(always)]
        fn prefetch(x: &f64) {
            // SAFETY: as in `splat` of `register!`; a prefetch has no effect on memory.
            unsafe { _mm_prefetch::<_MM_HINT_T1>(std::ptr::from_ref(x).cast()) }
        }
    }
);

register!(
    Avx2F32<P: Avx2Detected>([f32; 8] in __m256),
    _mm256_set1_ps, _mm256_loadu_ps, _mm256_storeu_ps, _mm256_add_ps, _mm256_sub_ps, _mm256_mul_ps, _mm256_div_ps,
    _mm256_fmadd_ps, _mm256_min_ps, _mm256_max_ps,
    {
        const HAS_32_REGISTERS: bool = false;

        #[inline(always)]
        fn any_ge(self, b: Self) -> bool {
            // SAFETY: as in `splat` of `register!`.
            unsafe { _mm256_movemask_ps(_mm256_cmp_ps::<_CMP_GE_OQ>(self.0, b.0)) != 0 }
        }

        /// Combines rows i and i + 4 in a register, then transposes each half of the registers.
        #[inline(always)]
        fn load_columns(rows: &[f32], stride: usize, column: usize) -> [Self; 4] {
            assert!(rows.len() >= 7 * stride + column + 4);
            // SAFETY: as in `splat` of `register!`; the assertion covers the last element read.
            unsafe {
                let four = |row: usize| _mm_loadu_ps(rows.as_ptr().add(row * stride + column));
                let combined = |row: usize| {
                    _mm256_insertf128_ps::<1>(_mm256_castps128_ps256(four(row)), four(row + 4))
                };
                let (a, b, c, d) = (combined(0), combined(1), combined(2), combined(3));
                let (low, high) = (_mm256_unpacklo_ps(a, b), _mm256_unpackhi_ps(a, b));
                let (low_next, high_next) = (_mm256_unpacklo_ps(c, d), _mm256_unpackhi_ps(c, d));
                [
                    Self(_mm256_shuffle_ps::<0b01_00_01_00>(low, low_next), PhantomData),
                    Self(_mm256_shuffle_ps::<0b11_10_11_10>(low, low_next), PhantomData),
                    Self(_mm256_shuffle_ps::<0b01_00_01_00>(high, high_next), PhantomData),
                    Self(_mm256_shuffle_ps::<0b11_10_11_10>(high, high_next), PhantomData),
                ]
            }
        }

        #[inline(always)]
        fn prefetch(x: &f32) {
            // SAFETY: as in `splat` of `register!`; a prefetch has no effect on memory.
            unsafe { _mm_prefetch::<_MM_HINT_T1>(std::ptr::from_ref(x).cast()) }
        }
    }
);

register!(
    Avx2F64<P: Avx2Detected>([f64; 4] in __m256d),
    _mm256_set1_pd, _mm256_loadu_pd, _mm256_storeu_pd, _mm256_add_pd, _mm256_sub_pd, _mm256_mul_pd, _mm256_div_pd,
    _mm256_fmadd_pd, _mm256_min_pd, _mm256_max_pd,
    {
        const HAS_32_REGISTERS: bool = false;

        #[inline(always)]
        fn prefetch(x: &f64) {
            // SAFETY: as in `splat` of `register!`; a prefetch has no effect on memory.
            unsafe { _mm_prefetch::<_MM_HINT_T1>(std::ptr::from_ref(x).cast()) }
        }
    }
);

register!(
    Sse2F32<P: Copy>([f32; 4] in __m128),
    _mm_set1_ps, _mm_loadu_ps, _mm_storeu_ps, _mm_add_ps, _mm_sub_ps, _mm_mul_ps, _mm_div_ps,
    mul_add_f32, _mm_min_ps, _mm_max_ps,
    {
        const HAS_32_REGISTERS: bool = false;

        #[inline(always)]
        fn any_ge(self, b: Self) -> bool {
            // SAFETY: as in `splat` of `register!`.
            unsafe { _mm_movemask_ps(_mm_cmpge_ps(self.0, b.0)) != 0 }
        }
    }
);

register!(
    Sse2F64<P: Copy>([f64; 2] in __m128d),
    _mm_set1_pd, _mm_loadu_pd, _mm_storeu_pd, _mm_add_pd, _mm_sub_pd, _mm_mul_pd, _mm_div_pd,
    mul_add_f64, _mm_min_pd, _mm_max_pd,
    { const HAS_32_REGISTERS: bool = false; }
);

#[inline(always)]
unsafe fn mul_add_f32(a: __m128, b: __m128, c: __m128) -> __m128 {
    // SAFETY: SSE2 is part of the x86-64 baseline.
    unsafe { _mm_add_ps(_mm_mul_ps(a, b), c) }
}

#[inline(always)]
unsafe fn mul_add_f64(a: __m128d, b: __m128d, c: __m128d) -> __m128d {
    // SAFETY: SSE2 is part of the x86-64 baseline.
    unsafe { _mm_add_pd(_mm_mul_pd(a, b), c) }
}
