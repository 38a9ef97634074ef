//! Distribution of the blocks of an array over threads.

use super::CpuArray;
use crate::arithmetic::array::LANES;
use crate::arithmetic::error::Result;
use crate::device::Cpu;
use crate::progress::Progress;
use rayon::prelude::*;
use std::sync::atomic::{AtomicU64, Ordering};

/// Bytes of the result per task.
const TASK_BYTES: usize = 128 << 10;

/// Number of blocks that take about `bytes` bytes, at least one.
pub(super) fn blocks_of<A: CpuArray>(bytes: usize, array: &A) -> usize {
    (bytes / array.block_bytes()).max(1)
}

/// Splits `count` blocks into pieces of `size` blocks; the last piece may be shorter.
pub(super) fn pieces<'a, A: CpuArray>(
    blocks: A::BlocksMut<'a>,
    cuts: usize,
    count: usize,
    size: usize,
) -> impl Iterator<Item = A::BlocksMut<'a>> {
    let (mut rest, mut left) = (Some(blocks), count);
    std::iter::from_fn(move || {
        let blocks = rest.take()?;
        if left <= size {
            return Some(blocks);
        }
        left -= size;
        let [piece, others] = A::split(blocks, cuts, size);
        rest = Some(others);
        Some(piece)
    })
}

/// Calls `work(scratch, first_block, blocks, piece)` for pieces that cover `out`, then sets the lanes after its last
/// number to 0.
///
/// # Errors
/// [`ArithmeticError::Interrupted`](crate::arithmetic::ArithmeticError::Interrupted), which leaves `out` partially updated.
#[inline]
pub(super) fn tasks<A: CpuArray, S>(
    out: &mut A,
    cpu: &Cpu,
    progress: &Progress,
    scratch: impl Fn() -> S + Sync + Send,
    work: impl Fn(&mut S, usize, usize, A::BlocksMut<'_>) + Sync + Send,
) -> Result<()> {
    tasks_of(out, blocks_of(TASK_BYTES, out), cpu, progress, scratch, work)
}

/// [`tasks`] with pieces of `size` blocks.
///
/// Inlined: for a short array, passing the closures takes a considerable part of the time.
#[inline]
pub(super) fn tasks_of<A: CpuArray, S>(
    out: &mut A,
    size: usize,
    cpu: &Cpu,
    progress: &Progress,
    scratch: impl Fn() -> S + Sync + Send,
    work: impl Fn(&mut S, usize, usize, A::BlocksMut<'_>) + Sync + Send,
) -> Result<()> {
    let len = out.number_count();
    let blocks = len.div_ceil(LANES);
    if blocks == 0 {
        return Ok(());
    }
    if blocks <= size {
        work(&mut scratch(), 0, blocks, out.blocks_mut()); // waking the threads would take longer
        progress.report(len as u64, len as u64)?;
    } else {
        parallel_tasks(out, size, cpu, progress, &scratch, &work)?;
    }
    out.clear_padding();
    Ok(())
}

/// [`tasks_of`] on all threads, without the last step.
#[inline(never)]
fn parallel_tasks<A: CpuArray, S>(
    out: &mut A,
    size: usize,
    cpu: &Cpu,
    progress: &Progress,
    scratch: &(impl Fn() -> S + Sync + Send),
    work: &(impl Fn(&mut S, usize, usize, A::BlocksMut<'_>) + Sync + Send),
) -> Result<()> {
    let (cuts, len) = (out.cut_count(), out.number_count());
    let (blocks, done) = (len.div_ceil(LANES), AtomicU64::new(0));
    let task = |scratch: &mut S, (i, piece): (usize, A::BlocksMut<'_>)| {
        let count = size.min(blocks - i * size);
        work(scratch, i * size, count, piece);
        let numbers = (count * LANES) as u64;
        let done = done.fetch_add(numbers, Ordering::Relaxed) + numbers;
        progress.report(done.min(len as u64), len as u64)
    };
    let pieces: Vec<_> = pieces::<A>(out.blocks_mut(), cuts, blocks, size).collect();
    let pieces = pieces.into_par_iter().enumerate();
    Ok(cpu.run(|| pieces.try_for_each_init(scratch, task))?)
}
