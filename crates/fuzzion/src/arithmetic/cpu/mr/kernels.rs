//! Kernels over blocks of midpoints and radii.

use super::axpy::axpy_body;
use super::balls::{Balls, BallsMut};
use super::functions::{min_max_body, sqrt_body, via_bounds_body};
use super::operations::{
    add_body, div_body, from_bounds_body, mul_add_body, mul_body, recip_body, to_bounds_body,
};
use crate::arithmetic::cpu::cut_vector::Bounds;
use crate::arithmetic::cpu::soft_vector::SoftVector;
use crate::arithmetic::expr::{Binary, Unary};
use crate::arithmetic::rounding::{Real, WidensFrom};
use crate::device::{Simd, rounded};

/// Kernels for midpoints of type `Self` and radii of type `R`.
pub(in crate::arithmetic) trait MrKernels<R: Real>: Real + WidensFrom<R> {
    fn add(simd: Simd, a: Balls<Self, R>, b: Balls<Self, R>, out: BallsMut<Self, R>, subtract: bool);
    fn mul(simd: Simd, a: Balls<Self, R>, b: Balls<Self, R>, out: BallsMut<Self, R>);
    fn mul_add(simd: Simd, a: Balls<Self, R>, b: Balls<Self, R>, c: Balls<Self, R>, out: BallsMut<Self, R>);
    fn div(simd: Simd, a: Balls<Self, R>, b: Balls<Self, R>, out: BallsMut<Self, R>);
    fn recip(simd: Simd, a: Balls<Self, R>, out: BallsMut<Self, R>);
    fn sqrt(simd: Simd, a: Balls<Self, R>, out: BallsMut<Self, R>);
    fn via_bounds(simd: Simd, operation: Unary, a: Balls<Self, R>, out: BallsMut<Self, R>);
    fn min_max(simd: Simd, operation: Binary, a: Balls<Self, R>, b: Balls<Self, R>, out: BallsMut<Self, R>);
    fn axpy(simd: Simd, c: BallsMut<Self, R>, a: Balls<Self, R>, b: Balls<Self, R>, steps: usize);
    fn to_bounds(simd: Simd, a: Balls<Self, R>, out: &mut [Bounds<Self>]);
    fn from_bounds(simd: Simd, a: &[Bounds<Self>], out: BallsMut<Self, R>);
}

macro_rules! kernels {
    ($t:ty, $r:ty) => {
        impl MrKernels<$r> for $t {
            rounded! {
                fn add(a: Balls<$t, $r>, b: Balls<$t, $r>, out: BallsMut<$t, $r>, subtract: bool)
                    = add_body::<$t, $r>, or SoftVector;
            }
            rounded! {
                fn mul(a: Balls<$t, $r>, b: Balls<$t, $r>, out: BallsMut<$t, $r>) = mul_body::<$t, $r>, or SoftVector;
            }
            rounded! {
                fn mul_add(a: Balls<$t, $r>, b: Balls<$t, $r>, c: Balls<$t, $r>, out: BallsMut<$t, $r>)
                    = mul_add_body::<$t, $r>, or SoftVector;
            }
            rounded! {
                fn div(a: Balls<$t, $r>, b: Balls<$t, $r>, out: BallsMut<$t, $r>) = div_body::<$t, $r>, or SoftVector;
            }
            rounded! {
                fn recip(a: Balls<$t, $r>, out: BallsMut<$t, $r>) = recip_body::<$t, $r>, or SoftVector;
            }
            rounded! {
                fn sqrt(a: Balls<$t, $r>, out: BallsMut<$t, $r>) = sqrt_body::<$t, $r>, or SoftVector;
            }
            rounded! {
                fn via_bounds(operation: Unary, a: Balls<$t, $r>, out: BallsMut<$t, $r>)
                    = via_bounds_body::<$t, $r, f64>, or SoftVector;
            }
            rounded! {
                fn min_max(operation: Binary, a: Balls<$t, $r>, b: Balls<$t, $r>, out: BallsMut<$t, $r>)
                    = min_max_body::<$t, $r>, or SoftVector;
            }
            rounded! {
                fn axpy(c: BallsMut<$t, $r>, a: Balls<$t, $r>, b: Balls<$t, $r>, steps: usize)
                    = axpy_body::<$t, $r>, or SoftVector;
            }
            rounded! {
                fn to_bounds(a: Balls<$t, $r>, out: &mut [Bounds<$t>]) = to_bounds_body::<$t, $r>, or SoftVector;
            }
            rounded! {
                fn from_bounds(a: &[Bounds<$t>], out: BallsMut<$t, $r>) = from_bounds_body::<$t, $r>, or SoftVector;
            }
        }
    };
}
kernels!(f32, f32);
kernels!(f64, f64);
kernels!(f64, f32);
