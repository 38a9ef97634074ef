//! Interface between array types and the CPU kernels.

use crate::arithmetic::array::FuzzyArray;
use crate::arithmetic::expr::{Binary, Unary};
use crate::device::{Cpu, Simd};
use std::ops::Range;

/// Array that programs run over: its blocks and the kernels of its encoding.
///
/// All operands of a kernel have the same number of blocks and `cuts` cuts per number.
pub trait CpuArray: FuzzyArray {
    /// Consecutive blocks.
    type Blocks<'a>: Copy + Send + Sync;
    /// Consecutive blocks for writing.
    type BlocksMut<'a>: Send;
    /// Array of zeros with `blocks` blocks.
    fn zeroed(cuts: usize, blocks: usize) -> Self;
    fn block_bytes(&self) -> usize;
    /// Blocks of a range.
    fn blocks(&self, range: Range<usize>) -> Self::Blocks<'_>;
    /// All blocks.
    fn blocks_mut(&mut self) -> Self::BlocksMut<'_>;
    /// Splits after the first `count` blocks.
    fn split<'a>(blocks: Self::BlocksMut<'a>, cuts: usize, count: usize) -> [Self::BlocksMut<'a>; 2];
    /// The first number, repeated in every lane of `blocks` blocks.
    fn broadcast(&self, blocks: usize) -> Self;
    /// One block whose lane j is lane j + `by` of the first block of this array; the other lanes are 0.
    fn lanes_from(&self, by: usize) -> Self;
    /// Array of the first number.
    fn first(&self) -> Self;
    /// Array whose element i is element `order[i]` of this array; all indices are valid.
    fn gather(&self, order: &[u32], cpu: &Cpu) -> Self;
    /// Sets the lanes after the last number to 0.
    fn clear_padding(&mut self);

    fn copy(a: Self::Blocks<'_>, out: Self::BlocksMut<'_>);
    /// Applies an operation to each number.
    fn unary(simd: Simd, cuts: usize, operation: Unary, a: Self::Blocks<'_>, out: Self::BlocksMut<'_>);
    /// Applies an operation to each pair of numbers.
    fn binary(
        simd: Simd,
        cuts: usize,
        operation: Binary,
        operands: [Self::Blocks<'_>; 2],
        out: Self::BlocksMut<'_>,
    );
    /// a · b + c, rounded once.
    fn mul_add(simd: Simd, cuts: usize, operands: [Self::Blocks<'_>; 3], out: Self::BlocksMut<'_>);
    /// The iteration c ← a·c + b, `steps` times; `operands` are a and b.
    fn axpy(simd: Simd, cuts: usize, c: Self::BlocksMut<'_>, operands: [Self::Blocks<'_>; 2], steps: usize);
    /// Adds the blocks of `a` to the single block of `sums`, in order.
    fn accumulate(simd: Simd, sums: &mut Self, a: &Self, blocks: Range<usize>) {
        let mut next = Self::zeroed(a.cut_count(), 1);
        for i in blocks {
            let operands = [sums.blocks(0..1), a.blocks(i..i + 1)];
            Self::binary(simd, a.cut_count(), Binary::Add, operands, next.blocks_mut());
            std::mem::swap(sums, &mut next);
        }
    }
    /// Adds the products of a and b to the single block of `sums`, in order, with one rounding per multiply-add.
    fn accumulate_products(simd: Simd, sums: &mut Self, [a, b]: [&Self; 2], blocks: Range<usize>) {
        let mut next = Self::zeroed(a.cut_count(), 1);
        for i in blocks {
            let operands = [a.blocks(i..i + 1), b.blocks(i..i + 1), sums.blocks(0..1)];
            Self::mul_add(simd, a.cut_count(), operands, next.blocks_mut());
            std::mem::swap(sums, &mut next);
        }
    }
}
