//! Portable vectors, for architectures without explicit SIMD support.

use super::operations::Vector;
use crate::device::math::Real;
use std::array::from_fn;
use std::ops::{Add, Div, Mul, Sub};

#[derive(Clone, Copy)]
pub(crate) struct Portable<T, const L: usize>([T; L]);

macro_rules! operators {
    ($($trait:ident, $method:ident);*) => {
        $(
            impl<T: Real, const L: usize> $trait for Portable<T, L> {
                type Output = Self;
                #[inline(always)]
                fn $method(self, b: Self) -> Self {
                    Portable(from_fn(|i| self.0[i].$method(b.0[i])))
                }
            }
        )*
    };
}
operators!(Add, add; Sub, sub; Mul, mul; Div, div);

impl<T: Real, const L: usize> Vector<T, L> for Portable<T, L> {
    const HAS_32_REGISTERS: bool = false;

    #[inline(always)]
    fn splat(x: T) -> Self {
        Portable([x; L])
    }
    #[inline(always)]
    fn load(from: &[T; L]) -> Self {
        Portable(*from)
    }
    #[inline(always)]
    fn store(self, to: &mut [T; L]) {
        *to = self.0;
    }
    #[inline(always)]
    fn mul_add(self, b: Self, c: Self) -> Self {
        Portable(from_fn(|i| self.0[i].mul_add::<false>(b.0[i], c.0[i])))
    }
    #[inline(always)]
    fn simd_min(self, b: Self) -> Self {
        Portable(from_fn(|i| self.0[i].simd_min(b.0[i])))
    }
    #[inline(always)]
    fn simd_max(self, b: Self) -> Self {
        Portable(from_fn(|i| self.0[i].simd_max(b.0[i])))
    }
}
