//! Vectors of AArch64.

#![allow(unsafe_code)] // SIMD intrinsics are unsafe in functions not compiled for their instruction set

use super::operations::Vector;
use super::register::{operator, register};
use std::arch::aarch64::*;
use std::marker::PhantomData;
use std::ops::{Add, Div, Mul, Sub};

register!(
    NeonF32<P: Copy>([f32; 4] in float32x4_t),
    vdupq_n_f32, vld1q_f32, vst1q_f32, vaddq_f32, vsubq_f32, vmulq_f32, vdivq_f32, mul_add_f32, min_f32, max_f32,
    { const HAS_32_REGISTERS: bool = true; }
);

register!(
    NeonF64<P: Copy>([f64; 2] in float64x2_t),
    vdupq_n_f64, vld1q_f64, vst1q_f64, vaddq_f64, vsubq_f64, vmulq_f64, vdivq_f64, mul_add_f64, min_f64, max_f64,
    { const HAS_32_REGISTERS: bool = true; }
);

/// Functions for which the NEON instructions differ: the addend is the first operand, and min and max return NaN.
macro_rules! adapted {
    ($register:ty, $mul_add:ident, $min:ident, $max:ident, $fma:ident, $less:ident, $greater:ident, $select:ident) => {
        #[inline(always)]
        unsafe fn $mul_add(a: $register, b: $register, c: $register) -> $register {
            // SAFETY: NEON is part of the AArch64 baseline.
            unsafe { $fma(c, a, b) }
        }
        #[inline(always)]
        unsafe fn $min(a: $register, b: $register) -> $register {
            // SAFETY: as above.
            unsafe { $select($less(a, b), a, b) }
        }
        #[inline(always)]
        unsafe fn $max(a: $register, b: $register) -> $register {
            // SAFETY: as above.
            unsafe { $select($greater(a, b), a, b) }
        }
    };
}
adapted!(float32x4_t, mul_add_f32, min_f32, max_f32, vfmaq_f32, vcltq_f32, vcgtq_f32, vbslq_f32);
adapted!(float64x2_t, mul_add_f64, min_f64, max_f64, vfmaq_f64, vcltq_f64, vcgtq_f64, vbslq_f64);
