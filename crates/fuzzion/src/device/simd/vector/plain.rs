//! An array as a vector, for architectures whose registers nobody has written down here.

use super::Vector;
use crate::device::math::Real;
use std::array::from_fn;
use std::ops::{Add, Div, Mul, Sub};

#[derive(Clone, Copy)]
pub(crate) struct Plain<T, const L: usize>([T; L]);

macro_rules! operators {
    ($($trait:ident, $method:ident);*) => {
        $(
            impl<T: Real, const L: usize> $trait for Plain<T, L> {
                type Output = Self;
                #[inline(always)]
                fn $method(self, b: Self) -> Self {
                    Plain(from_fn(|i| self.0[i].$method(b.0[i])))
                }
            }
        )*
    };
}
operators!(Add, add; Sub, sub; Mul, mul; Div, div);

impl<T: Real, const L: usize> Vector<T, L> for Plain<T, L> {
    const ROOMY: bool = false;

    #[inline(always)]
    fn splat(x: T) -> Self {
        Plain([x; L])
    }
    #[inline(always)]
    fn load(from: &[T; L]) -> Self {
        Plain(*from)
    }
    #[inline(always)]
    fn store(self, to: &mut [T; L]) {
        *to = self.0;
    }
    #[inline(always)]
    fn mul_add(self, b: Self, c: Self) -> Self {
        Plain(from_fn(|i| self.0[i].mul_add::<false>(b.0[i], c.0[i])))
    }
    #[inline(always)]
    fn least(self, b: Self) -> Self {
        Plain(from_fn(|i| self.0[i].least(b.0[i])))
    }
    #[inline(always)]
    fn most(self, b: Self) -> Self {
        Plain(from_fn(|i| self.0[i].most(b.0[i])))
    }
}
