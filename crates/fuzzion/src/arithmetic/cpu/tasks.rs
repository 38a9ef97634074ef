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
pub(super) fn tasks_of<A: CpuArray, S>(
    out: &mut A,
    size: usize,
    cpu: &Cpu,
    progress: &Progress,
    scratch: impl Fn() -> S + Sync + Send,
    work: impl Fn(&mut S, usize, usize, A::BlocksMut<'_>) + Sync + Send,
) -> Result<()> {
    let (cuts, len) = (out.cut_count(), out.number_count());
    let (blocks, done) = (len.div_ceil(LANES), AtomicU64::new(0));
    if blocks == 0 {
        return Ok(());
    }
    let task = |scratch: &mut S, i: usize, piece: A::BlocksMut<'_>| {
        let count = size.min(blocks - i * size);
        work(scratch, i * size, count, piece);
        let numbers = (count * LANES) as u64;
        let done = done.fetch_add(numbers, Ordering::Relaxed) + numbers;
        progress.report(done.min(len as u64), len as u64)
    };
    if blocks <= size {
        task(&mut scratch(), 0, out.blocks_mut())?; // waking the threads would take longer than the task
    } else {
        let pieces: Vec<_> = pieces::<A>(out.blocks_mut(), cuts, blocks, size).collect();
        let pieces = pieces.into_par_iter().enumerate();
        cpu.run(|| pieces.try_for_each_init(&scratch, |scratch, (i, piece)| task(scratch, i, piece)))?;
    }
    out.clear_padding();
    Ok(())
}
