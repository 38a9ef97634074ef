//! Blocks of lower-upper arrays.

use super::kernels::LuKernels;
use crate::arithmetic::array::{Element, LANES, LuArray};
use crate::arithmetic::cpu::cpu_array::CpuArray;
use crate::arithmetic::cpu::cut_vector::Bounds;
use crate::arithmetic::expr::{Binary, Unary};
use crate::arithmetic::sort::cpu::gather;
use crate::device::{Cpu, PLANE, Simd};
use std::ops::Range;

impl<T: Element> CpuArray for LuArray<T> {
    type Blocks<'a> = &'a [Bounds<T>];
    type BlocksMut<'a> = &'a mut [Bounds<T>];

    fn zeroed(cuts: usize, blocks: usize) -> Self {
        LuArray::zeroed(cuts, blocks * LANES)
    }
    #[inline]
    fn block_bytes(&self) -> usize {
        self.cuts() * size_of::<Bounds<T>>()
    }
    #[inline]
    fn blocks(&self, range: Range<usize>) -> &[Bounds<T>] {
        let all = self.bounds().as_chunks().0.as_chunks().0;
        &all[range.start * self.cuts()..range.end * self.cuts()]
    }
    #[inline]
    fn blocks_mut(&mut self) -> &mut [Bounds<T>] {
        self.bounds_mut().as_chunks_mut().0.as_chunks_mut().0
    }
    fn split<'a>(blocks: Self::BlocksMut<'a>, cuts: usize, count: usize) -> [Self::BlocksMut<'a>; 2] {
        blocks.split_at_mut(count * cuts).into()
    }
    fn broadcast(&self, blocks: usize) -> Self {
        let mut broadcast = LuArray::zeroed(self.cuts(), blocks * LANES);
        let first = self.blocks(0..1).iter().map(|cut| cut.map(|plane| [plane[0]; PLANE]));
        for (to, from) in broadcast.blocks_mut().iter_mut().zip(first.cycle()) {
            *to = from;
        }
        broadcast
    }
    fn lanes_from(&self, by: usize) -> Self {
        let mut shifted = LuArray::zeroed(self.cuts(), LANES);
        let planes = shifted.blocks_mut().as_flattened_mut().iter_mut().zip(self.blocks(0..1).as_flattened());
        planes.for_each(|(to, from)| to[..LANES - by].copy_from_slice(&from[by..]));
        shifted
    }
    fn first(&self) -> Self {
        let mut first = LuArray::zeroed(self.cuts(), 1);
        let planes = first.blocks_mut().as_flattened_mut().iter_mut().zip(self.blocks(0..1).as_flattened());
        planes.for_each(|(to, from)| to[0] = from[0]);
        first
    }
    fn gather(&self, order: &[u32], cpu: &Cpu) -> Self {
        let mut gathered = LuArray::zeroed(self.cuts(), order.len());
        gather(cpu, self.bounds(), 2 * self.cuts(), order, gathered.bounds_mut());
        gathered
    }
    fn clear_padding(&mut self) {
        let (cuts, used) = (self.cuts(), self.len() % LANES);
        if used > 0 {
            let all = self.blocks_mut();
            let last = all.len() - cuts;
            all[last..].as_flattened_mut().iter_mut().for_each(|plane| plane[used..].fill(T::ZERO));
        }
    }

    fn copy(a: &[Bounds<T>], out: &mut [Bounds<T>]) {
        out.copy_from_slice(a);
    }
    fn unary(simd: Simd, cuts: usize, operation: Unary, a: &[Bounds<T>], out: &mut [Bounds<T>]) {
        <T as LuKernels>::unary(simd, operation, a, out, cuts);
    }
    #[inline]
    fn binary(simd: Simd, cuts: usize, operation: Binary, [a, b]: [&[Bounds<T>]; 2], out: &mut [Bounds<T>]) {
        <T as LuKernels>::binary(simd, operation, a, b, out, cuts);
    }
    fn mul_add(simd: Simd, _: usize, [a, b, c]: [&[Bounds<T>]; 3], out: &mut [Bounds<T>]) {
        <T as LuKernels>::mul_add(simd, a, b, c, out);
    }
    fn axpy(simd: Simd, _: usize, c: &mut [Bounds<T>], [a, b]: [&[Bounds<T>]; 2], steps: usize) {
        <T as LuKernels>::axpy(simd, c, a, b, steps);
    }
    fn accumulate(simd: Simd, sums: &mut Self, a: &Self, blocks: Range<usize>) {
        <T as LuKernels>::accumulate(simd, sums.blocks_mut(), a.blocks(blocks));
    }
    fn accumulate_products(simd: Simd, sums: &mut Self, [a, b]: [&Self; 2], blocks: Range<usize>) {
        <T as LuKernels>::accumulate_products(
            simd,
            sums.blocks_mut(),
            a.blocks(blocks.clone()),
            b.blocks(blocks),
        );
    }
}
