//! Sums and dot products.

use super::gpu_array::GpuArray;
use super::{size_u32, source};
use crate::arithmetic::array::LANES;
use crate::device::Cuda;
use crate::device::cuda::{Chunked, Grid};
use crate::device::error::Result;
use crate::progress::Progress;

/// Blocks per chunk of a sum; must equal the chunk size on the CPU, because it affects the rounding.
pub const CHUNK: usize = crate::arithmetic::cpu::SUM_CHUNK;

/// Sum of all numbers, or dot product with `other`, in the same order as on the CPU.
pub(in crate::arithmetic) fn sum<A: GpuArray>(
    a: &A,
    other: Option<&A>,
    cuda: &Cuda,
    progress: &Progress,
) -> Result<A> {
    let (blocks, cuts) = (a.number_count().div_ceil(LANES), a.cut_count());
    let source = source::sums(A::TYPES, cuts, CHUNK);
    let name = if other.is_some() { "dot_chunks" } else { "sum_chunks" };
    let (add, add_sums) = (cuda.kernel(&source, name)?, cuda.kernel(&source, "add_chunk_sums")?);
    let zeros = |count| A::zeros(cuts, count).expect("invariant: an array has a valid number of cuts");
    let mut total = zeros(1).upload(cuda, progress)?;
    let mut next = zeros(1).upload(cuda, progress)?;
    let mut parts: Option<(usize, A::Buffers)> = None;
    let mut work = a.stream_input_chunks(Chunked::new(blocks.div_ceil(CHUNK)), CHUNK);
    if let Some(other) = other {
        work = other.stream_input_chunks(work, CHUNK);
    }
    cuda.stream_chunks(work, progress, |chunks, inputs, _| {
        let count = chunks.len();
        let parts = match &mut parts {
            Some((capacity, parts)) if *capacity >= count => parts,
            place => &mut place.insert((count, zeros(count).upload(cuda, progress)?)).1,
        };
        let mut index = 0;
        let mut launch = A::pass_streamed_input(add.launch(), inputs, &mut index)?;
        if other.is_some() {
            launch = A::pass_streamed_input(launch, inputs, &mut index)?;
        }
        const THREADS: usize = 64;
        let mut grid = Grid::new(size_u32((count * LANES).div_ceil(THREADS))?, THREADS as u32);
        grid.blocks[1] = size_u32(cuts)?;
        // SAFETY: the arguments match `sum_chunks` and `dot_chunks`; the inputs have `count` chunks, `parts` `count`
        // numbers.
        unsafe { A::pass_output(launch, parts).value(count as i64).run(cuda.stream(), grid) }?;
        let launch = A::pass_input(A::pass_input(add_sums.launch(), &total), parts);
        // SAFETY: the arguments match `add_chunk_sums`; `total` and `next` have one number, `parts` has `count`.
        unsafe {
            A::pass_output(launch, &mut next).value(count as i64).run(cuda.stream(), cuda.grid_for(cuts))
        }?;
        std::mem::swap(&mut total, &mut next);
        Ok(())
    })?;
    let mut sum = zeros(1);
    sum.download(&total, cuda, progress)?;
    Ok(sum)
}
