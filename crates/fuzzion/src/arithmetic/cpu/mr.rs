//! The kernels of midpoint-radius arrays.
//!
//! What is done once per number is done with vectors of midpoints and handed on, rounded upwards, to vectors of radii.
//! A midpoint beyond the largest number is handed on as an infinite error, which makes every radius infinite.

mod axpy;
mod functions;
mod operations;

use self::axpy::axpy_body;
use self::functions::{around_body, join_body, root_body};
use self::operations::{
    add_body, from_bounds_body, mul_add_body, mul_body, over_body, recip_body, to_bounds_body,
};
use super::Batch;
use super::cuts::Bounds;
use super::lanes::Lanes;
use crate::arithmetic::array::{Element, LANES};
use crate::arithmetic::expr::{Binary, Unary};
use crate::arithmetic::rounding::Holds;
use crate::arithmetic::{LuArray, MrArray};
use crate::device::{PLANE, Plane, Simd, rounded};
use std::ops::Range;

/// Blocks of midpoints, and for each as many planes of radii as there are cuts.
#[derive(Clone, Copy)]
pub(in crate::arithmetic) struct Balls<'a, T, R> {
    midpoints: &'a [Plane<T>],
    radii: &'a [Plane<R>],
}

/// As [`Balls`], to be written.
pub(in crate::arithmetic) struct BallsMut<'a, T, R> {
    midpoints: &'a mut [Plane<T>],
    radii: &'a mut [Plane<R>],
}

/// One block: a plane of midpoints, and the planes of radii of its cuts.
#[derive(Clone, Copy)]
struct Ball<'a, T, R> {
    midpoint: &'a Plane<T>,
    radii: &'a [Plane<R>],
}

/// As [`Ball`], to be written.
struct BallMut<'a, T, R> {
    midpoint: &'a mut Plane<T>,
    radii: &'a mut [Plane<R>],
}

impl<'a, T, R> Balls<'a, T, R> {
    #[inline(always)]
    fn block(&self, at: usize) -> Ball<'a, T, R> {
        let cuts = self.radii.len() / self.midpoints.len();
        Ball { midpoint: &self.midpoints[at], radii: &self.radii[at * cuts..(at + 1) * cuts] }
    }
}

impl<T, R> BallsMut<'_, T, R> {
    #[inline(always)]
    fn len(&self) -> usize {
        self.midpoints.len()
    }

    #[inline(always)]
    fn block(&mut self, at: usize) -> BallMut<'_, T, R> {
        let cuts = self.radii.len() / self.midpoints.len();
        BallMut { midpoint: &mut self.midpoints[at], radii: &mut self.radii[at * cuts..(at + 1) * cuts] }
    }
}

/// Kernels for midpoints of one type and radii of another.
pub(in crate::arithmetic) trait MrKernels<R: Element>: Element + Holds<R> {
    fn add(simd: Simd, a: Balls<Self, R>, b: Balls<Self, R>, out: BallsMut<Self, R>, minus: bool);
    fn mul(simd: Simd, a: Balls<Self, R>, b: Balls<Self, R>, out: BallsMut<Self, R>);
    fn mul_add(simd: Simd, a: Balls<Self, R>, b: Balls<Self, R>, c: Balls<Self, R>, out: BallsMut<Self, R>);
    fn over(simd: Simd, a: Balls<Self, R>, b: Balls<Self, R>, out: BallsMut<Self, R>);
    fn recip(simd: Simd, a: Balls<Self, R>, out: BallsMut<Self, R>);
    fn root(simd: Simd, a: Balls<Self, R>, out: BallsMut<Self, R>);
    fn around(simd: Simd, operation: Unary, a: Balls<Self, R>, out: BallsMut<Self, R>);
    fn join(simd: Simd, operation: Binary, a: Balls<Self, R>, b: Balls<Self, R>, out: BallsMut<Self, R>);
    fn axpy(simd: Simd, c: BallsMut<Self, R>, a: Balls<Self, R>, b: Balls<Self, R>, steps: usize);
    fn to_bounds(simd: Simd, a: Balls<Self, R>, out: &mut [Bounds<Self>]);
    fn from_bounds(simd: Simd, a: &[Bounds<Self>], out: BallsMut<Self, R>);
}

macro_rules! kernels {
    ($t:ty, $r:ty) => {
        impl MrKernels<$r> for $t {
            rounded! {
                fn add(a: Balls<$t, $r>, b: Balls<$t, $r>, out: BallsMut<$t, $r>, minus: bool)
                    = add_body::<$t, $r>, or Lanes;
            }
            rounded! {
                fn mul(a: Balls<$t, $r>, b: Balls<$t, $r>, out: BallsMut<$t, $r>) = mul_body::<$t, $r>, or Lanes;
            }
            rounded! {
                fn mul_add(a: Balls<$t, $r>, b: Balls<$t, $r>, c: Balls<$t, $r>, out: BallsMut<$t, $r>)
                    = mul_add_body::<$t, $r>, or Lanes;
            }
            rounded! {
                fn over(a: Balls<$t, $r>, b: Balls<$t, $r>, out: BallsMut<$t, $r>) = over_body::<$t, $r>, or Lanes;
            }
            rounded! {
                fn recip(a: Balls<$t, $r>, out: BallsMut<$t, $r>) = recip_body::<$t, $r>, or Lanes;
            }
            rounded! {
                fn root(a: Balls<$t, $r>, out: BallsMut<$t, $r>) = root_body::<$t, $r>, or Lanes;
            }
            rounded! {
                fn around(operation: Unary, a: Balls<$t, $r>, out: BallsMut<$t, $r>)
                    = around_body::<$t, $r, f64>, or Lanes;
            }
            rounded! {
                fn join(operation: Binary, a: Balls<$t, $r>, b: Balls<$t, $r>, out: BallsMut<$t, $r>)
                    = join_body::<$t, $r>, or Lanes;
            }
            rounded! {
                fn axpy(c: BallsMut<$t, $r>, a: Balls<$t, $r>, b: Balls<$t, $r>, steps: usize)
                    = axpy_body::<$t, $r>, or Lanes;
            }
            rounded! {
                fn to_bounds(a: Balls<$t, $r>, out: &mut [Bounds<$t>]) = to_bounds_body::<$t, $r>, or Lanes;
            }
            rounded! {
                fn from_bounds(a: &[Bounds<$t>], out: BallsMut<$t, $r>) = from_bounds_body::<$t, $r>, or Lanes;
            }
        }
    };
}
kernels!(f32, f32);
kernels!(f64, f64);
kernels!(f64, f32);

impl<T: MrKernels<R>, R: Element> Batch for MrArray<T, R> {
    type Blocks<'a> = Balls<'a, T, R>;
    type BlocksMut<'a> = BallsMut<'a, T, R>;

    fn sized(cuts: usize, blocks: usize) -> Self {
        MrArray::sized(cuts, blocks * LANES)
    }
    fn block_bytes(&self) -> usize {
        size_of::<Plane<T>>() + self.cuts() * size_of::<Plane<R>>()
    }
    fn blocks(&self, range: Range<usize>) -> Balls<'_, T, R> {
        let (midpoints, radii) = self.planes();
        let radii = &radii.as_chunks().0[range.start * self.cuts()..range.end * self.cuts()];
        Balls { midpoints: &midpoints.as_chunks().0[range], radii }
    }
    fn blocks_mut(&mut self) -> BallsMut<'_, T, R> {
        let (midpoints, radii) = self.planes_mut();
        BallsMut { midpoints: midpoints.as_chunks_mut().0, radii: radii.as_chunks_mut().0 }
    }
    fn split<'a>(blocks: Self::BlocksMut<'a>, cuts: usize, count: usize) -> [Self::BlocksMut<'a>; 2] {
        let (midpoints, other_midpoints) = blocks.midpoints.split_at_mut(count);
        let (radii, other_radii) = blocks.radii.split_at_mut(count * cuts);
        [BallsMut { midpoints, radii }, BallsMut { midpoints: other_midpoints, radii: other_radii }]
    }
    fn spread(&self, blocks: usize) -> Self {
        let mut spread = MrArray::sized(self.cuts(), blocks * LANES);
        let (first, to) = (self.blocks(0..1), spread.blocks_mut());
        to.midpoints.fill([first.midpoints[0][0]; PLANE]);
        for (to, from) in to.radii.iter_mut().zip(first.radii.iter().cycle()) {
            *to = [from[0]; PLANE];
        }
        spread
    }
    fn lanes_from(&self, by: usize) -> Self {
        let mut shifted = MrArray::sized(self.cuts(), LANES);
        let (from, to) = (self.blocks(0..1), shifted.blocks_mut());
        to.midpoints[0][..LANES - by].copy_from_slice(&from.midpoints[0][by..]);
        for (to, from) in to.radii.iter_mut().zip(from.radii) {
            to[..LANES - by].copy_from_slice(&from[by..]);
        }
        shifted
    }
    fn first(&self) -> Self {
        let mut first = MrArray::sized(self.cuts(), 1);
        let (from, to) = (self.blocks(0..1), first.blocks_mut());
        to.midpoints[0][0] = from.midpoints[0][0];
        to.radii.iter_mut().zip(from.radii).for_each(|(to, from)| to[0] = from[0]);
        first
    }
    fn clear_padding(&mut self) {
        let (cuts, used) = (self.cuts(), self.len() % LANES);
        if used > 0 {
            let all = self.blocks_mut();
            let last = all.len() - 1;
            all.midpoints[last][used..].fill(T::ZERO);
            all.radii[last * cuts..].iter_mut().for_each(|plane| plane[used..].fill(R::ZERO));
        }
    }

    fn copy(a: Balls<'_, T, R>, out: BallsMut<'_, T, R>) {
        out.midpoints.copy_from_slice(a.midpoints);
        out.radii.copy_from_slice(a.radii);
    }
    fn unary(simd: Simd, cuts: usize, operation: Unary, a: Balls<'_, T, R>, out: BallsMut<'_, T, R>) {
        match operation {
            Unary::Neg => negate(a, out),
            Unary::Sqr => T::mul(simd, a, a, out),
            Unary::Recip => T::recip(simd, a, out),
            Unary::Sqrt => T::root(simd, a, out),
            Unary::Exp | Unary::Log | Unary::Abs => T::around(simd, operation, a, out),
            Unary::Powi(n) => power(simd, cuts, n, a, out),
        }
    }
    fn binary(
        simd: Simd,
        _: usize,
        operation: Binary,
        [a, b]: [Balls<'_, T, R>; 2],
        out: BallsMut<'_, T, R>,
    ) {
        match operation {
            Binary::Add => T::add(simd, a, b, out, false),
            Binary::Sub => T::add(simd, a, b, out, true),
            Binary::Mul => T::mul(simd, a, b, out),
            Binary::Div => T::over(simd, a, b, out),
            Binary::Min | Binary::Max => T::join(simd, operation, a, b, out),
        }
    }
    fn mul_add(simd: Simd, _: usize, [a, b, c]: [Balls<'_, T, R>; 3], out: BallsMut<'_, T, R>) {
        <T as MrKernels<R>>::mul_add(simd, a, b, c, out);
    }
    fn axpy(simd: Simd, _: usize, c: BallsMut<'_, T, R>, [a, b]: [Balls<'_, T, R>; 2], steps: usize) {
        <T as MrKernels<R>>::axpy(simd, c, a, b, steps);
    }
}

fn negate<T: Element, R: Element>(a: Balls<'_, T, R>, out: BallsMut<'_, T, R>) {
    for (out, a) in out.midpoints.iter_mut().zip(a.midpoints) {
        *out = a.map(|a| (-a).add_near(T::ZERO));
    }
    out.radii.copy_from_slice(a.radii);
}

/// xⁿ by the same products in the same order as a single number's.
fn power<T: MrKernels<R>, R: Element>(
    simd: Simd,
    cuts: usize,
    n: i32,
    a: Balls<'_, T, R>,
    out: BallsMut<'_, T, R>,
) {
    let blocks = out.len();
    let sized = || <MrArray<T, R> as Batch>::sized(cuts, blocks);
    let (mut result, mut square, mut next) = (sized(), sized(), sized());
    result.blocks_mut().midpoints.fill([T::ONE; PLANE]);
    <MrArray<T, R> as Batch>::copy(a, square.blocks_mut());
    let mut left = n.unsigned_abs();
    while left > 0 {
        if left % 2 == 1 {
            T::mul(simd, result.blocks(0..blocks), square.blocks(0..blocks), next.blocks_mut());
            std::mem::swap(&mut result, &mut next);
        }
        left /= 2;
        if left > 0 {
            T::mul(simd, square.blocks(0..blocks), square.blocks(0..blocks), next.blocks_mut());
            std::mem::swap(&mut square, &mut next);
        }
    }
    match n < 0 {
        true => T::recip(simd, result.blocks(0..blocks), out),
        false => <MrArray<T, R> as Batch>::copy(result.blocks(0..blocks), out),
    }
}

/// Bounds rounded outwards, equation (12).
pub(in crate::arithmetic) fn to_bounds<T: MrKernels<R>, R: Element>(
    simd: Simd,
    a: &MrArray<T, R>,
    out: &mut LuArray<T>,
) {
    T::to_bounds(simd, a.blocks(0..a.len().div_ceil(LANES)), out.blocks_mut());
}

/// The least radii around the middle of the core, equation (11).
pub(in crate::arithmetic) fn from_bounds<T: MrKernels<R>, R: Element>(
    simd: Simd,
    a: &LuArray<T>,
    out: &mut MrArray<T, R>,
) {
    T::from_bounds(simd, a.blocks(0..a.len().div_ceil(LANES)), out.blocks_mut());
}
