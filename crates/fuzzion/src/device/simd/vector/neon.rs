//! The registers of AArch64.

#![allow(unsafe_code)] // a vector instruction is unsafe to call from a function not compiled for it

use super::{Vector, register};
use std::arch::aarch64::*;
use std::ops::{Add, Div, Mul, Sub};

register!(
    NeonF32([f32; 4] in float32x4_t),
    vdupq_n_f32, vld1q_f32, vst1q_f32, vaddq_f32, vsubq_f32, vmulq_f32, vdivq_f32, mul_add_f32, least_f32, most_f32,
    { const ROOMY: bool = true; }
);

register!(
    NeonF64([f64; 2] in float64x2_t),
    vdupq_n_f64, vld1q_f64, vst1q_f64, vaddq_f64, vsubq_f64, vmulq_f64, vdivq_f64, mul_add_f64, least_f64, most_f64,
    { const ROOMY: bool = true; }
);

/// What NEON says otherwise: the summand comes first, and a comparison with NaN is NaN.
macro_rules! otherwise {
    ($register:ty, $mul_add:ident, $least:ident, $most:ident, $fma:ident, $less:ident, $more:ident, $select:ident) => {
        #[inline(always)]
        unsafe fn $mul_add(a: $register, b: $register, c: $register) -> $register {
            // SAFETY: every machine of this architecture has NEON.
            unsafe { $fma(c, a, b) }
        }
        #[inline(always)]
        unsafe fn $least(a: $register, b: $register) -> $register {
            // SAFETY: as above.
            unsafe { $select($less(a, b), a, b) }
        }
        #[inline(always)]
        unsafe fn $most(a: $register, b: $register) -> $register {
            // SAFETY: as above.
            unsafe { $select($more(a, b), a, b) }
        }
    };
}
otherwise!(float32x4_t, mul_add_f32, least_f32, most_f32, vfmaq_f32, vcltq_f32, vcgtq_f32, vbslq_f32);
otherwise!(float64x2_t, mul_add_f64, least_f64, most_f64, vfmaq_f64, vcltq_f64, vcgtq_f64, vbslq_f64);
