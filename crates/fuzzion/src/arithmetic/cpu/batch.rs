//! What the engine asks of an array.

use crate::arithmetic::array::Array;
use crate::arithmetic::expr::{Binary, Unary};
use crate::device::Simd;
use std::ops::Range;

/// An array that programs run over: its blocks, and the kernels of its encoding.
///
/// Kernels take as many blocks of every operand and work number by number, all of them with `cuts` cuts.
pub(in crate::arithmetic) trait Batch: Array {
    /// Consecutive blocks.
    type Blocks<'a>: Copy + Send + Sync;
    /// Consecutive blocks to be written.
    type BlocksMut<'a>: Send;
    /// So many blocks, all 0.
    fn sized(cuts: usize, blocks: usize) -> Self;
    /// How many bytes a block takes.
    fn block_bytes(&self) -> usize;
    /// Some of the blocks.
    fn blocks(&self, range: Range<usize>) -> Self::Blocks<'_>;
    /// All of the blocks.
    fn blocks_mut(&mut self) -> Self::BlocksMut<'_>;
    /// The first `count` blocks and the others.
    fn split<'a>(blocks: Self::BlocksMut<'a>, cuts: usize, count: usize) -> [Self::BlocksMut<'a>; 2];
    /// The first number, in every lane of so many blocks.
    fn spread(&self, blocks: usize) -> Self;
    /// Of an array of one block: lane j is lane j + `by` of this one, the others 0.
    fn lanes_from(&self, by: usize) -> Self;
    /// The first number alone.
    fn first(&self) -> Self;
    /// Makes the lanes beyond the last number 0 again.
    fn clear_padding(&mut self);

    /// The same numbers.
    fn copy(a: Self::Blocks<'_>, out: Self::BlocksMut<'_>);
    /// A function of one number.
    fn unary(simd: Simd, cuts: usize, operation: Unary, a: Self::Blocks<'_>, out: Self::BlocksMut<'_>);
    /// A function of two numbers.
    fn binary(
        simd: Simd,
        cuts: usize,
        operation: Binary,
        operands: [Self::Blocks<'_>; 2],
        out: Self::BlocksMut<'_>,
    );
    /// a · b + c, rounded once.
    fn mul_add(simd: Simd, cuts: usize, operands: [Self::Blocks<'_>; 3], out: Self::BlocksMut<'_>);
    /// c ← a·c + b, `steps` times; `operands` are a and b.
    fn axpy(simd: Simd, cuts: usize, c: Self::BlocksMut<'_>, operands: [Self::Blocks<'_>; 2], steps: usize);
    /// Adds all blocks of `a` to the one of `sums`, in order.
    fn accumulate(simd: Simd, sums: &mut Self, a: &Self, blocks: Range<usize>) {
        let mut next = Self::sized(a.depth(), 1);
        for i in blocks {
            let operands = [sums.blocks(0..1), a.blocks(i..i + 1)];
            Self::binary(simd, a.depth(), Binary::Add, operands, next.blocks_mut());
            std::mem::swap(sums, &mut next);
        }
    }
    /// Adds all products of a and b to the block of `sums`, in order, each rounded once together with its addition.
    fn accumulate_products(simd: Simd, sums: &mut Self, [a, b]: [&Self; 2], blocks: Range<usize>) {
        let mut next = Self::sized(a.depth(), 1);
        for i in blocks {
            let operands = [a.blocks(i..i + 1), b.blocks(i..i + 1), sums.blocks(0..1)];
            Self::mul_add(simd, a.depth(), operands, next.blocks_mut());
            std::mem::swap(sums, &mut next);
        }
    }
}
