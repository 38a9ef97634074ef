//! Sums and dot products.

use super::gpu_array::GpuArray;
use super::{size_u32, source};
use crate::arithmetic::array::LANES;
use crate::device::Cuda;
use crate::device::cuda::{Chunked, Grid, Kernel, Launch};
use crate::device::error::Result;
use crate::progress::Progress;

/// Blocks per chunk of a sum; must equal the chunk size on the CPU, because it affects the rounding.
pub const CHUNK: usize = crate::arithmetic::cpu::SUM_CHUNK;

/// Kernels of a sum or dot product.
struct SumKernels {
    add: Kernel,
    add_sums: Kernel,
    cuts: usize,
}

impl SumKernels {
    fn new<A: GpuArray>(cuda: &Cuda, cuts: usize, dot: bool) -> Result<Self> {
        let key = format!("sums {:?} {cuts}", A::TYPES);
        let kernel = |name| cuda.kernel_by_key(key.clone(), name, || source::sums(A::TYPES, cuts, CHUNK));
        let name = if dot { "dot_chunks" } else { "sum_chunks" };
        Ok(SumKernels { add: kernel(name)?, add_sums: kernel("add_chunk_sums")?, cuts })
    }

    /// Enqueues adding `blocks` blocks to the single number `total`. `pass` passes the operands, which have that many
    /// blocks and begin with a chunk.
    fn add<A: GpuArray>(
        &self,
        cuda: &Cuda,
        total: &mut A::Buffers,
        blocks: usize,
        pass: impl FnOnce(Launch<'_>) -> Result<Launch<'_>>,
    ) -> Result<()> {
        const THREADS: usize = 64;
        let (cuts, chunks) = (self.cuts, blocks.div_ceil(CHUNK));
        let mut parts = A::allocate(cuts, chunks, false, cuda)?;
        let mut grid = Grid::new(size_u32((chunks * LANES).div_ceil(THREADS))?, THREADS as u32);
        grid.blocks[1] = size_u32(cuts)?;
        let launch = A::pass_output(pass(self.add.launch())?, &mut parts);
        // SAFETY: the arguments match `sum_chunks` or `dot_chunks`; the inputs have `blocks` blocks, `parts` has `chunks`
        // numbers.
        unsafe { launch.value(chunks as i64).value(blocks as i64).run(cuda.stream(), grid) }?;
        let mut next = A::allocate(cuts, 1, true, cuda)?;
        let launch = A::pass_input(A::pass_input(self.add_sums.launch(), total), &parts);
        let launch = A::pass_output(launch, &mut next).value(chunks as i64);
        // SAFETY: the arguments match `add_chunk_sums`; `total` and `next` have one number, `parts` has `chunks`.
        unsafe { launch.run(cuda.stream(), cuda.grid_for(cuts)) }?;
        *total = next;
        Ok(())
    }
}

/// Sum of all numbers, or dot product with `other`, in the same order as on the CPU.
pub(in crate::arithmetic) fn sum<A: GpuArray>(
    a: &A,
    other: Option<&A>,
    cuda: &Cuda,
    progress: &Progress,
) -> Result<A> {
    let (blocks, cuts) = (a.number_count().div_ceil(LANES), a.cut_count());
    let kernels = SumKernels::new::<A>(cuda, cuts, other.is_some())?;
    let mut total = A::allocate(cuts, 1, true, cuda)?;
    let mut work = a.stream_input(Chunked::new(blocks).whole_groups(CHUNK));
    if let Some(other) = other {
        work = other.stream_input(work);
    }
    cuda.stream_chunks(work, progress, |blocks, inputs, _| {
        kernels.add::<A>(cuda, &mut total, blocks.len(), |launch| {
            let mut index = 0;
            let launch = A::pass_streamed_input(launch, inputs, &mut index)?;
            match other {
                Some(_) => A::pass_streamed_input(launch, inputs, &mut index),
                None => Ok(launch),
            }
        })
    })?;
    let mut sum = A::zeros(cuts, 1).expect("invariant: an array has a valid number of cuts");
    sum.download(&total, cuda, progress)?;
    Ok(sum)
}

/// Enqueues the sum of `len` numbers in GPU memory, or their dot product with `other`.
pub(in crate::arithmetic) fn sum_on_gpu<A: GpuArray>(
    a: &A::Buffers,
    other: Option<&A::Buffers>,
    cuts: usize,
    len: usize,
    cuda: &Cuda,
) -> Result<A::Buffers> {
    let mut total = A::allocate(cuts, 1, true, cuda)?;
    if len > 0 {
        let kernels = SumKernels::new::<A>(cuda, cuts, other.is_some())?;
        kernels.add::<A>(cuda, &mut total, len.div_ceil(LANES), |launch| {
            let launch = A::pass_input(launch, a);
            Ok(other.into_iter().fold(launch, A::pass_input))
        })?;
    }
    Ok(total)
}
