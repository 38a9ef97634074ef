//! Launches of the kernel of Adam.

use super::EncodedTasks;
use crate::device::cuda::Grid;
use crate::sonfin::cuda::encode::kernel_i32;
use crate::sonfin::cuda::layout::{ADAM_THREADS, adam_program};
use crate::sonfin::cuda::state::CudaLearner;
use crate::sonfin::error::Result;
use crate::sonfin::learner::{BatchRun, EpochStats};

/// Static shared memory of the kernel, rounded up.
const STATIC_SHARED: usize = 17 << 10;

impl CudaLearner<'_> {
    /// Trains all networks concurrently, each on its own group of blocks.
    pub(in crate::sonfin::cuda) fn train_batches(
        &mut self,
        runs: &[BatchRun<'_>],
    ) -> Result<Vec<EpochStats>> {
        let (shape, cuda) = (self.shape, self.cuda.clone());
        let adam = self.adam.as_mut().expect("invariant: the state of Adam is set before training");
        let kernel = cuda.kernel(&adam_program(), "learn_batches")?;
        let count = runs.len();
        let (mut losses, mut misclassified) = (cuda.zeros::<f64>(count)?, cuda.zeros::<u32>(count)?);
        for launch in &mut adam.launches {
            let encoded = EncodedTasks::new(&launch.groups, &adam.states, runs, &shape)?;
            if encoded.order.is_empty() {
                continue;
            }
            let (blocks, bytes) = (launch.blocks(), 4 * encoded.block_values);
            let in_shared = bytes + STATIC_SHARED <= cuda.gpu().shared_per_block as usize;
            let (shared, scratch) = if in_shared { (bytes, 1) } else { (0, blocks * encoded.block_values) };
            let (order, tasks) = (cuda.upload(&encoded.order)?, cuda.upload(&encoded.tasks)?);
            let factors = cuda.upload(&encoded.factors)?;
            let mut gate_partials = cuda.alloc::<f32>(blocks * shape.dims)?;
            let mut partials = cuda.alloc::<f32>(encoded.partials)?;
            let mut scratch = cuda.alloc::<f32>(scratch)?;
            let mut arrived = cuda.zeros::<u32>(count)?;
            let networks = &mut self.device_networks;
            let arguments = kernel
                .launch()
                .input(&self.rows)
                .input(&order)
                .input(&tasks)
                .input(&factors)
                .output(&mut networks.a)
                .output(&mut networks.c)
                .output(&mut networks.w)
                .output(&mut adam.sets)
                .output(&mut adam.first)
                .output(&mut adam.second)
                .output(&mut adam.gradients)
                .output(&mut launch.gates)
                .output(&mut gate_partials)
                .output(&mut partials)
                .output(&mut scratch)
                .output(&mut arrived)
                .output(&mut losses)
                .output(&mut misclassified)
                .value(kernel_i32(shape.dims)?)
                .value(kernel_i32(shape.outputs)?)
                .value(kernel_i32(adam.capacity)?)
                .value(kernel_i32(encoded.block_values)?)
                .value(i32::from(in_shared));
            let grid = Grid::new(blocks as u32, ADAM_THREADS as u32).shared(shared as u32).cooperative();
            // SAFETY: the arguments match learn_batches: the buffers hold `capacity` rules per network, every row of
            // `order` is on the device, the buffers of a block have `block_values` values in shared memory or in
            // `scratch`, `arrived` is zeroed, and the launch is cooperative with at most one block per
            // multiprocessor.
            unsafe { arguments.run(cuda.stream(), grid) }?;
        }
        for (state, run) in adam.states.iter_mut().zip(runs) {
            state.step += run.order.len().div_ceil(run.settings.batch) as u64;
        }
        let (losses, misclassified) = (cuda.download(&losses)?, cuda.download(&misclassified)?);
        let stats = |(loss, misclassified): (f64, u32)| EpochStats {
            loss,
            misclassified: u64::from(misclassified),
            decisions: Vec::new(),
        };
        Ok(losses.into_iter().zip(misclassified).map(stats).collect())
    }
}
