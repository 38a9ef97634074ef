//! Blocks of midpoint-radius arrays.

use super::balls::{Balls, BallsMut};
use super::kernels::MrKernels;
use crate::arithmetic::array::{Element, LANES, LuArray, Midpoint, MrArray};
use crate::arithmetic::cpu::cpu_array::CpuArray;
use crate::arithmetic::expr::{Binary, Unary};
use crate::arithmetic::sort::cpu::gather;
use crate::device::{Cpu, PLANE, Plane, Simd};
use std::ops::Range;

impl<T: Midpoint<R>, R: Element> CpuArray for MrArray<T, R> {
    type Blocks<'a> = Balls<'a, T, R>;
    type BlocksMut<'a> = BallsMut<'a, T, R>;

    fn zeroed(cuts: usize, blocks: usize) -> Self {
        MrArray::zeroed(cuts, blocks * LANES)
    }
    #[inline]
    fn block_bytes(&self) -> usize {
        size_of::<Plane<T>>() + self.cuts() * size_of::<Plane<R>>()
    }
    #[inline]
    fn blocks(&self, range: Range<usize>) -> Balls<'_, T, R> {
        let (midpoints, radii) = self.planes();
        let radii = &radii.as_chunks().0[range.start * self.cuts()..range.end * self.cuts()];
        Balls { midpoints: &midpoints.as_chunks().0[range], radii }
    }
    #[inline]
    fn blocks_mut(&mut self) -> BallsMut<'_, T, R> {
        let (midpoints, radii) = self.planes_mut();
        BallsMut { midpoints: midpoints.as_chunks_mut().0, radii: radii.as_chunks_mut().0 }
    }
    fn split<'a>(blocks: Self::BlocksMut<'a>, cuts: usize, count: usize) -> [Self::BlocksMut<'a>; 2] {
        let (midpoints, other_midpoints) = blocks.midpoints.split_at_mut(count);
        let (radii, other_radii) = blocks.radii.split_at_mut(count * cuts);
        [BallsMut { midpoints, radii }, BallsMut { midpoints: other_midpoints, radii: other_radii }]
    }
    fn broadcast(&self, blocks: usize) -> Self {
        let mut broadcast = MrArray::zeroed(self.cuts(), blocks * LANES);
        let (first, to) = (self.blocks(0..1), broadcast.blocks_mut());
        to.midpoints.fill([first.midpoints[0][0]; PLANE]);
        for (to, from) in to.radii.iter_mut().zip(first.radii.iter().cycle()) {
            *to = [from[0]; PLANE];
        }
        broadcast
    }
    fn lanes_from(&self, by: usize) -> Self {
        let mut shifted = MrArray::zeroed(self.cuts(), LANES);
        let (from, to) = (self.blocks(0..1), shifted.blocks_mut());
        to.midpoints[0][..LANES - by].copy_from_slice(&from.midpoints[0][by..]);
        for (to, from) in to.radii.iter_mut().zip(from.radii) {
            to[..LANES - by].copy_from_slice(&from[by..]);
        }
        shifted
    }
    fn first(&self) -> Self {
        let mut first = MrArray::zeroed(self.cuts(), 1);
        let (from, to) = (self.blocks(0..1), first.blocks_mut());
        to.midpoints[0][0] = from.midpoints[0][0];
        to.radii.iter_mut().zip(from.radii).for_each(|(to, from)| to[0] = from[0]);
        first
    }
    fn gather(&self, order: &[u32], cpu: &Cpu) -> Self {
        let mut gathered = MrArray::zeroed(self.cuts(), order.len());
        let (midpoints, radii) = self.planes();
        let (to_midpoints, to_radii) = gathered.planes_mut();
        gather(cpu, midpoints, 1, order, to_midpoints);
        gather(cpu, radii, self.cuts(), order, to_radii);
        gathered
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
            Unary::Sqrt => T::sqrt(simd, a, out),
            Unary::Exp | Unary::Log | Unary::Abs => T::via_bounds(simd, operation, a, out),
            Unary::Powi(n) => power(simd, cuts, n, a, out),
        }
    }
    #[inline]
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
            Binary::Div => T::div(simd, a, b, out),
            Binary::Min | Binary::Max => T::min_max(simd, operation, a, b, out),
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

/// xⁿ by the same multiplications in the same order as [`FuzzyMr::powi`](crate::arithmetic::FuzzyMr::powi).
fn power<T: Midpoint<R>, R: Element>(
    simd: Simd,
    cuts: usize,
    n: i32,
    a: Balls<'_, T, R>,
    out: BallsMut<'_, T, R>,
) {
    let blocks = out.len();
    let zeroed = || <MrArray<T, R> as CpuArray>::zeroed(cuts, blocks);
    let (mut result, mut square, mut next) = (zeroed(), zeroed(), zeroed());
    result.blocks_mut().midpoints.fill([T::ONE; PLANE]);
    <MrArray<T, R> as CpuArray>::copy(a, square.blocks_mut());
    let mut remaining = n.unsigned_abs();
    while remaining > 0 {
        if remaining % 2 == 1 {
            T::mul(simd, result.blocks(0..blocks), square.blocks(0..blocks), next.blocks_mut());
            std::mem::swap(&mut result, &mut next);
        }
        remaining /= 2;
        if remaining > 0 {
            T::mul(simd, square.blocks(0..blocks), square.blocks(0..blocks), next.blocks_mut());
            std::mem::swap(&mut square, &mut next);
        }
    }
    match n < 0 {
        true => T::recip(simd, result.blocks(0..blocks), out),
        false => <MrArray<T, R> as CpuArray>::copy(result.blocks(0..blocks), out),
    }
}

/// Bounds rounded outward, Equation (12).
pub(in crate::arithmetic) fn to_bounds<T: Midpoint<R>, R: Element>(
    simd: Simd,
    a: &MrArray<T, R>,
    out: &mut LuArray<T>,
) {
    T::to_bounds(simd, a.blocks(0..a.len().div_ceil(LANES)), out.blocks_mut());
}

/// Smallest radii around the midpoint of the core, Equation (11).
pub(in crate::arithmetic) fn from_bounds<T: Midpoint<R>, R: Element>(
    simd: Simd,
    a: &LuArray<T>,
    out: &mut MrArray<T, R>,
) {
    T::from_bounds(simd, a.blocks(0..a.len().div_ceil(LANES)), out.blocks_mut());
}
