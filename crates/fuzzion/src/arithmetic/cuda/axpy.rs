//! The iteration c ← a·c + b.

use super::gpu_array::{GpuArray, GpuNumbers};
use super::source;
use crate::arithmetic::array::LANES;
use crate::device::Cuda;
use crate::device::cuda::{Chunked, Grid, Kernel, Launch};
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
        let key = format!("axpy {:?} {cuts} {broadcast}", A::TYPES);
        let kernel = cuda.kernel_by_key(key, "iterate_axpy", || source::axpy(A::TYPES, cuts, broadcast))?;
        Ok(AxpyKernel { kernel, load: source::thread_load(A::TYPES, cuts, broadcast), cuts })
    }

    /// Register use per thread, as text.
    pub fn resources(&self) -> Result<String> {
        let (registers, spilled) = self.kernel.resources()?;
        Ok(format!("{registers} registers, {spilled} bytes spilled"))
    }

    /// Grid with one thread per [`ThreadLoad`](source::ThreadLoad).
    fn grid(&self, cuda: &Cuda, numbers: usize) -> Grid {
        let blocks = numbers.div_ceil(LANES);
        cuda.grid_for(blocks * (LANES / self.load.numbers) * self.cuts.div_ceil(self.load.cuts))
    }

    /// Enqueues `steps` steps for `numbers` numbers, with the arguments a, b, c and out already passed; `broadcast`
    /// specifies whether a and b are broadcast.
    fn run(
        &self,
        cuda: &Cuda,
        launch: Launch<'_>,
        numbers: usize,
        steps: usize,
        broadcast: [bool; 2],
    ) -> Result<()> {
        assert!(steps <= MAX_STEPS_PER_LAUNCH);
        let [broadcast_a, broadcast_b] = broadcast.map(i32::from);
        let launch = launch.value(numbers as i64).value(steps as i32).value(broadcast_a).value(broadcast_b);
        // SAFETY: the arguments match `iterate_axpy`, compiled for this encoding and number of cuts; it accesses the
        // blocks of `numbers` numbers, and only the first number of a and b if they are broadcast.
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
            axpy.run(cuda, launch, count, launch_steps, [broadcast_a, broadcast_b])
        })?;
    }
    Ok(())
}

/// Enqueues the iteration c ← a·c + b, `steps` times, for numbers in GPU memory; `operands` are a, b and c, and a and b
/// have the length of c or length 1. `None` if the result is c.
pub(in crate::arithmetic) fn axpy_on_gpu<A: GpuArray>(
    [a, b, c]: [GpuNumbers<'_, A>; 3],
    cuts: usize,
    steps: usize,
    cuda: &Cuda,
) -> Result<Option<A::Buffers>> {
    let broadcast = [&a, &b].map(|operand| {
        assert!(operand.len == c.len || operand.len == 1);
        operand.len == 1 && c.len != 1
    });
    let axpy = AxpyKernel::new::<A>(cuda, cuts, broadcast == [true; 2])?;
    let (mut result, mut remaining) = (None, if c.len == 0 { 0 } else { steps });
    while remaining > 0 {
        let launch_steps = remaining.min(MAX_STEPS_PER_LAUNCH);
        remaining -= launch_steps;
        let mut out = A::allocate(cuts, c.len, false, cuda)?;
        let launch = A::pass_input(A::pass_input(axpy.kernel.launch(), a.buffers), b.buffers);
        let launch = A::pass_input(launch, result.as_ref().unwrap_or(c.buffers));
        axpy.run(cuda, A::pass_output(launch, &mut out), c.len, launch_steps, broadcast)?;
        result = Some(out);
    }
    Ok(result)
}
