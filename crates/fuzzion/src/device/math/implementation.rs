//! `Real` for `f32` and `f64`.

use super::exp::{exp_f32, exp_f64, exp_neg_f32, exp_neg_f64};
use super::ln::{ln_f32, ln_f64};
use super::pow::{pow_f32, pow_f64};
use super::real::Real;
use super::sin::{sin_pi_f32, sin_pi_f64};
use crate::device::{mul_add_f32, mul_add_f64};

macro_rules! real {
    ($type:ident, $max_exp_neg:literal, $mul_add:ident, $exp:ident, $exp_neg:ident, $ln:ident, $pow:ident, $sin_pi:ident) => {
        impl Real for $type {
            const ZERO: Self = 0.0;
            const HALF: Self = 0.5;
            const ONE: Self = 1.0;
            const TWO: Self = 2.0;
            const MAX: Self = $type::MAX;
            const NAN: Self = $type::NAN;
            const INFINITY: Self = $type::INFINITY;
            const MAX_EXP_NEG: Self = $max_exp_neg;
            #[inline(always)]
            fn cast(x: f64) -> Self {
                x as $type
            }
            #[inline(always)]
            fn to_f64(self) -> f64 {
                f64::from(self)
            }
            #[inline(always)]
            fn is_nan(self) -> bool {
                $type::is_nan(self)
            }
            #[inline(always)]
            fn trunc_to_u32(self) -> u32 {
                self as u32
            }
            #[inline(always)]
            fn abs(self) -> Self {
                $type::abs(self)
            }
            #[inline(always)]
            fn sqrt(self) -> Self {
                $type::sqrt(self)
            }
            #[inline(always)]
            fn mul_add<const FMA: bool>(self, b: Self, c: Self) -> Self {
                $mul_add::<FMA>(self, b, c)
            }
            #[inline(always)]
            fn exp<const FMA: bool>(self) -> Self {
                $exp::<FMA>(self)
            }
            #[inline(always)]
            fn exp_neg<const FMA: bool>(self) -> Self {
                $exp_neg::<FMA>(self)
            }
            #[inline(always)]
            fn ln<const FMA: bool>(self) -> Self {
                $ln::<FMA>(self)
            }
            #[inline(always)]
            fn pow<const FMA: bool>(self, y: Self) -> Self {
                $pow::<FMA>(self, y)
            }
            #[inline(always)]
            fn sin_pi<const FMA: bool>(self) -> Self {
                $sin_pi::<FMA>(self)
            }
        }
    };
}
real!(f32, 87.33, mul_add_f32, exp_f32, exp_neg_f32, ln_f32, pow_f32, sin_pi_f32);
real!(f64, 708.39, mul_add_f64, exp_f64, exp_neg_f64, ln_f64, pow_f64, sin_pi_f64);
