//! The iteration c ← a·c + b.

use super::gpu_array::GpuArray;
use super::source;
use crate::arithmetic::array::LANES;
use crate::device::Cuda;
use crate::device::cuda::{Chunked, Grid, Kernel};
use crate::device::error::Result;
use crate::progress::Progress;

/// Maximum number of iteration steps per launch.
const MAX_STEPS_PER_LAUNCH: usize = 1 << 20;

/// Kernel of the iteration c ← a·c + b.
pub struct AxpyKernel {
    kernel: Kernel,
    load: source::ThreadLoad,
    cuts: usize,
}

impl AxpyKernel {
    /// Compiles the kernel for numbers with `cuts` cuts; `broadcast` if a and b are both broadcast.
    pub fn new<A: GpuArray>(cuda: &Cuda, cuts: usize, broadcast: bool) -> Result<Self> {
        let kernel = cuda.kernel(&source::axpy(A::TYPES, cuts, broadcast), "iterate_axpy")?;
        Ok(AxpyKernel { kernel, load: source::thread_load(A::TYPES, cuts, broadcast), cuts })
    }

    /// Register use per thread, as text.
    pub fn resources(&self) -> Result<String> {
        let (registers, spilled) = self.kernel.resources()?;
        Ok(format!("{registers} registers, {spilled} bytes spilled"))
    }

    /// Grid with one thread per [`ThreadLoad`](source::ThreadLoad).
    pub(crate) fn grid(&self, cuda: &Cuda, numbers: usize) -> Grid {
        let blocks = numbers.div_ceil(LANES);
        cuda.grid_for(blocks * (LANES / self.load.numbers) * self.cuts.div_ceil(self.load.cuts))
    }

    /// Runs `steps` steps for `numbers` numbers in GPU memory.
    pub fn launch<A: GpuArray>(
        &self,
        cuda: &Cuda,
        [a, b, c]: [&A::Buffers; 3],
        out: &mut A::Buffers,
        numbers: usize,
        steps: usize,
    ) -> Result<()> {
        assert!(steps <= MAX_STEPS_PER_LAUNCH);
        let launch =
            A::pass_output(A::pass_input(A::pass_input(A::pass_input(self.kernel.launch(), a), b), c), out);
        let launch = launch.value(numbers as i64).value(steps as i32).value(0i32).value(0i32);
        // SAFETY: the arguments match `iterate_axpy`, compiled for this encoding and number of cuts; c and `out` have
        // `numbers` numbers, and so do a and b unless the kernel was compiled to broadcast them.
        unsafe { launch.run(cuda.stream(), self.grid(cuda, numbers)) }
    }
}

/// The iteration c ← a·c + b, `steps` times.
pub(in crate::arithmetic) fn axpy<A: GpuArray>(
    c: &mut A,
    a: &A,
    b: &A,
    steps: usize,
    cuda: &Cuda,
    progress: &Progress,
) -> Result<()> {
    let (numbers, cuts) = (c.number_count(), c.cut_count());
    let (broadcast_a, broadcast_b) =
        (a.number_count() == 1 && numbers != 1, b.number_count() == 1 && numbers != 1);
    let axpy = AxpyKernel::new::<A>(cuda, cuts, broadcast_a && broadcast_b)?;
    let upload_if = |array: &A, broadcast: bool| broadcast.then(|| array.upload(cuda, progress)).transpose();
    let resident = [upload_if(a, broadcast_a)?, upload_if(b, broadcast_b)?];
    let mut remaining = steps;
    while remaining > 0 {
        let launch_steps = remaining.min(MAX_STEPS_PER_LAUNCH);
        remaining -= launch_steps;
        let start = c.clone();
        let mut work = Chunked::new(numbers.div_ceil(LANES));
        if !broadcast_a {
            work = a.stream_input(work);
        }
        if !broadcast_b {
            work = b.stream_input(work);
        }
        work = start.stream_input(work);
        cuda.stream_chunks(c.stream_output(work), progress, |blocks, inputs, outputs| {
            let count = (numbers - blocks.start * LANES).min(blocks.len() * LANES);
            let (mut launch, mut index) = (axpy.kernel.launch(), 0);
            for buffers in &resident {
                launch = match buffers {
                    Some(buffers) => A::pass_input(launch, buffers),
                    None => A::pass_streamed_input(launch, inputs, &mut index)?,
                };
            }
            let launch =
                A::pass_streamed_output(A::pass_streamed_input(launch, inputs, &mut index)?, outputs)?;
            let launch = launch
                .value(count as i64)
                .value(launch_steps as i32)
                .value(i32::from(broadcast_a))
                .value(i32::from(broadcast_b));
            // SAFETY: the arguments match `iterate_axpy`, compiled for this encoding and number of cuts; it accesses
            // the blocks of `count` numbers, and only the first number of a and b if they are broadcast.
            unsafe { launch.run(cuda.stream(), axpy.grid(cuda, count)) }
        })?;
    }
    Ok(())
}
