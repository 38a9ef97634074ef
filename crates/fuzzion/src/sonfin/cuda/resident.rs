//! Training in a single kernel launch.

use super::encode::{EncodedRuns, kernel_i32};
use super::layout::KernelLayout;
use super::state::{CudaLearner, KernelStats, STAGES};
use crate::device::DeviceError;
use crate::device::cuda::Grid;
use crate::sonfin::error::Result;

impl CudaLearner<'_> {
    /// Trains all networks concurrently, each on its own group of blocks.
    pub(super) fn train_resident(&mut self, layout: KernelLayout, runs: &EncodedRuns) -> Result<KernelStats> {
        let KernelLayout::Resident { blocks_per_network, clustered, threads } = layout else {
            return self.train_per_sample(layout, runs);
        };
        let (shape, capacity, count) = (self.shape, self.capacity, self.count());
        let cuda = self.cuda.clone();
        let limit = cuda.gpu().shared_per_block as usize;
        let too_many_outputs =
            || DeviceError::NotOnGpu { what: "the mapping `resident` with this many outputs" };
        let shared_memory = layout.shared_memory(&shape, capacity, limit).ok_or_else(too_many_outputs)?;
        let kernel =
            cuda.kernel(&layout.program(&shape, shared_memory, self.stages.is_some()), "learn_resident")?;
        let mut grid =
            Grid::new((blocks_per_network * count) as u32, threads as u32).shared(shared_memory.bytes as u32);
        if clustered {
            kernel.allow_nonportable_clusters()?;
            grid.cluster = blocks_per_network as u32;
        } else if blocks_per_network > 1 {
            grid = grid.cooperative(); // blocks wait for each other's messages
        }
        let message_count = if clustered || blocks_per_network == 1 {
            1
        } else {
            count * 2 * (4 + shape.outputs) * blocks_per_network
        };
        let (order, ranges) = (cuda.upload(&runs.order)?, cuda.upload(&runs.ranges)?);
        let (step_settings, replay) = (cuda.upload(&runs.step_settings)?, cuda.upload(&runs.replay)?);
        let mut decisions = cuda.alloc::<i32>(runs.order.len().max(1))?;
        let (mut losses, mut misclassified) = (cuda.zeros::<f64>(count)?, cuda.zeros::<u32>(count)?);
        let (mut messages, mut stages) =
            (cuda.zeros::<u64>(message_count)?, cuda.zeros::<i64>(STAGES.len())?);
        let device_networks = &mut self.device_networks;
        let launch = kernel
            .launch()
            .input(&self.rows)
            .input(&order)
            .input(&ranges)
            .input(&step_settings)
            .input(&replay)
            .output(&mut device_networks.a)
            .output(&mut device_networks.c)
            .output(&mut device_networks.w)
            .output(&mut device_networks.rules)
            .output(&mut decisions)
            .output(&mut losses)
            .output(&mut misclassified)
            .output(&mut messages)
            .output(&mut stages)
            .value(kernel_i32(capacity)?)
            .value(kernel_i32(shared_memory.slots)?)
            .value(i32::from(runs.use_replay));
        // SAFETY: the arguments match learn_resident for this layout: the buffers hold `capacity` rules per
        // network, which no settings exceed (`CudaLearner::learn`), every row of `order` is on the device, the
        // shared memory has the size of `shared_memory`, and blocks that wait for each other form a cluster or
        // are launched cooperatively. `messages` is zeroed.
        unsafe { launch.run(cuda.stream(), grid) }?;
        if let Some(clocks) = &mut self.stages {
            cuda.read(&stages, clocks)?;
        }
        let mut all_decisions = vec![0; runs.order.len()];
        cuda.read(&decisions, &mut all_decisions)?;
        Ok(KernelStats {
            losses: cuda.download(&losses)?,
            misclassified: cuda.download(&misclassified)?,
            decisions: all_decisions,
        })
    }
}
