//! Sums and sums of products, in an order that the array alone decides.
//!
//! Every addition is rounded, so that the order is part of the result. It is this one, on every device:
//! 1. The array is cut into chunks of [`CHUNK`] blocks. In a chunk, lane j starts from 0 and takes numbers j, j + 16,
//!    j + 32, … in order: s ← s + a, or s ← a·b + s rounded once. Lanes beyond the last number hold 0.
//! 2. The lanes of a chunk are joined by halves: lane j takes lane j + 8 (as its second operand), then j + 4, j + 2 and
//!    j + 1. Lane 0 is the sum of the chunk.
//! 3. Starting from 0, the sums of the chunks are added in order.

use super::Batch;
use crate::arithmetic::array::LANES;
use crate::arithmetic::expr::Binary;
use crate::device::{Cpu, Simd};
use crate::error::Result;
use crate::progress::Progress;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

/// Blocks whose sums are lane by lane.
pub(in crate::arithmetic) const CHUNK: usize = 256;

/// The sum of all numbers, an array of one.
///
/// # Errors
/// [`Error::Interrupted`](crate::Error::Interrupted).
pub(in crate::arithmetic) fn sum<A: Batch>(a: &A, cpu: &Cpu, progress: Progress) -> Result<A> {
    let (simd, cuts) = (cpu.simd(), a.depth());
    total(cuts, a.count(), cpu, progress, |sums: &mut A, blocks| {
        A::accumulate(simd, sums, a, blocks);
    })
}

/// The sum of all products a·b, an array of one; b is as long as a.
///
/// # Errors
/// [`Error::Interrupted`](crate::Error::Interrupted).
pub(in crate::arithmetic) fn dot<A: Batch>(a: &A, b: &A, cpu: &Cpu, progress: Progress) -> Result<A> {
    let (simd, cuts) = (cpu.simd(), a.depth());
    total(cuts, a.count(), cpu, progress, |sums: &mut A, blocks| {
        A::accumulate_products(simd, sums, [a, b], blocks);
    })
}

fn total<A: Batch>(
    cuts: usize,
    len: usize,
    cpu: &Cpu,
    progress: Progress,
    accumulate: impl Fn(&mut A, Range<usize>) + Sync + Send,
) -> Result<A> {
    let done = AtomicU64::new(0);
    let chunk = |blocks: Range<usize>| {
        let numbers = (blocks.len() * LANES) as u64;
        let mut sums = A::sized(cuts, 1);
        accumulate(&mut sums, blocks);
        for by in [8, 4, 2, 1] {
            sums = add(&sums, &sums.lanes_from(by), cuts, cpu.simd());
        }
        let done = done.fetch_add(numbers, Ordering::Relaxed) + numbers;
        progress.report(done.min(len as u64), len as u64).map(|()| sums)
    };
    let blocks = len.div_ceil(LANES);
    let chunks = match blocks <= CHUNK {
        true => vec![chunk(0..blocks)], // waking the threads would take longer
        false => cpu.map_chunks(blocks, CHUNK, chunk),
    };
    let mut total = A::sized(cuts, 1);
    for sums in chunks {
        total = add(&total, &sums?, cuts, cpu.simd());
    }
    Ok(total.first())
}

/// The sum of two arrays of one block.
fn add<A: Batch>(a: &A, b: &A, cuts: usize, simd: Simd) -> A {
    let mut sums = A::sized(cuts, 1);
    A::binary(simd, cuts, Binary::Add, [a.blocks(0..1), b.blocks(0..1)], sums.blocks_mut());
    sums
}
