//! Sums and dot products in a fixed order.
//!
//! Every addition is rounded, so the order of the additions is part of the definition. It is the same on every device:
//! 1. The array is divided into chunks of [`CHUNK`] blocks. In a chunk, lane j starts from 0 and processes numbers j,
//!    j + 16, j + 32, … in order: s ← s + a, or s ← a·b + s rounded once. Lanes after the last number are 0.
//! 2. The lanes of a chunk are added pairwise by halving: lane j + 8 is added to lane j (as the second operand), then
//!    lanes j + 4, j + 2 and j + 1. Lane 0 is the sum of the chunk.
//! 3. The sums of the chunks are added in order, starting from 0.

use super::CpuArray;
use crate::arithmetic::array::LANES;
use crate::arithmetic::error::Result;
use crate::arithmetic::expr::Binary;
use crate::device::{Cpu, Simd};
use crate::progress::Progress;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

/// Blocks per chunk.
pub(in crate::arithmetic) const CHUNK: usize = 256;

/// Sum of all numbers as an array of length 1.
///
/// # Errors
/// [`ArithmeticError::Interrupted`](crate::arithmetic::ArithmeticError::Interrupted).
pub(in crate::arithmetic) fn sum<A: CpuArray>(a: &A, cpu: &Cpu, progress: &Progress) -> Result<A> {
    let (simd, cuts) = (cpu.simd(), a.cut_count());
    total(cuts, a.number_count(), cpu, progress, |sums: &mut A, blocks| {
        A::accumulate(simd, sums, a, blocks);
    })
}

/// Dot product as an array of length 1; a and b have the same length.
///
/// # Errors
/// [`ArithmeticError::Interrupted`](crate::arithmetic::ArithmeticError::Interrupted).
pub(in crate::arithmetic) fn dot<A: CpuArray>(a: &A, b: &A, cpu: &Cpu, progress: &Progress) -> Result<A> {
    let (simd, cuts) = (cpu.simd(), a.cut_count());
    total(cuts, a.number_count(), cpu, progress, |sums: &mut A, blocks| {
        A::accumulate_products(simd, sums, [a, b], blocks);
    })
}

fn total<A: CpuArray>(
    cuts: usize,
    len: usize,
    cpu: &Cpu,
    progress: &Progress,
    accumulate: impl Fn(&mut A, Range<usize>) + Sync + Send,
) -> Result<A> {
    let done = AtomicU64::new(0);
    let chunk = |blocks: Range<usize>| {
        let numbers = (blocks.len() * LANES) as u64;
        let mut sums = A::zeroed(cuts, 1);
        accumulate(&mut sums, blocks);
        for by in [8, 4, 2, 1] {
            sums = add(&sums, &sums.lanes_from(by), cuts, cpu.simd());
        }
        let done = done.fetch_add(numbers, Ordering::Relaxed) + numbers;
        progress.report(done.min(len as u64), len as u64).map(|()| sums)
    };
    let blocks = len.div_ceil(LANES);
    let chunks = match blocks <= CHUNK {
        true => vec![chunk(0..blocks)], // waking the threads would take longer than the sum
        false => cpu.map_chunks(blocks, CHUNK, chunk),
    };
    let mut total = A::zeroed(cuts, 1);
    for sums in chunks {
        total = add(&total, &sums?, cuts, cpu.simd());
    }
    Ok(total.first())
}

/// Sum of two arrays of one block.
fn add<A: CpuArray>(a: &A, b: &A, cuts: usize, simd: Simd) -> A {
    let mut sums = A::zeroed(cuts, 1);
    A::binary(simd, cuts, Binary::Add, [a.blocks(0..1), b.blocks(0..1)], sums.blocks_mut());
    sums
}
