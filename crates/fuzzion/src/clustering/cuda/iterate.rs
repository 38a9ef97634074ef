//! Performs all iterations of a small problem in one launch.

use super::iteration_buffers::IterationBuffers;
use super::kernels::{Kernels, kernel_int};
use super::layout::tensor::TensorLayout;
use super::loaded::Loaded;
use super::real::KernelReal;
use crate::clustering::error::Result;
use crate::clustering::prototypes::{MembershipRule, Prototypes};
use crate::clustering::rows::backend::{IterationLimits, IterationResult};
use crate::clustering::rows::sums::RequestedSums;
use crate::device::cuda::Grid;

/// Largest rows × clusters × columns for which the difference kernel performs many steps per launch; for larger
/// problems, the launch overhead is negligible.
pub(super) const MAX_SINGLE_LAUNCH: usize = 1 << 26;

impl<T: KernelReal> Loaded<T> {
    /// Performs plain steps from `start`; `None` if separate passes are equally fast.
    pub fn iterate(
        &mut self,
        kernels: &mut Kernels,
        start: &Prototypes,
        limits: IterationLimits,
    ) -> Result<Option<IterationResult>> {
        let supported = matches!(
            start.rule,
            MembershipRule::Fuzzy { .. } | MembershipRule::Noise { .. } | MembershipRule::Hard
        );
        if !supported || start.cluster_metrics.is_some() || start.space.partial {
            return Ok(None);
        }
        let layout = TensorLayout::new(start, self.weights.is_some(), RequestedSums::default())
            .filter(|layout| !layout.large);
        while let (Some(layout), Some(split), Some(rows)) = (&layout, &mut self.split, T::single(&self.rows))
            && split.ensure(layout, rows, self.count)?
        {
            let weights = self.weights.as_ref().and_then(T::single);
            let steps = split.iterate(kernels, layout, start, weights, self.count, limits)?;
            let complete = steps.converged || steps.objectives.len() == limits.max_iterations;
            if !complete {
                let checked_rows = split.check_rows;
                self.tighten_product_form(checked_rows);
            }
            if complete || !steps.objectives.is_empty() {
                return Ok(Some(steps));
            }
        }
        if self.count.saturating_mul(start.centers.len()) > MAX_SINGLE_LAUNCH {
            return Ok(None);
        }
        let cuda = self.cuda().clone();
        let layout = self
            .layout(start, RequestedSums::default())?
            .with_small_tiles(self.count, cuda.gpu().multiprocessors as usize);
        let (kernel, grid) = kernels.iterations(&cuda, &layout)?;
        let blocks = (grid.blocks[0] as usize).min(self.count.div_ceil(layout.rows)).max(1);
        let mut prototypes = self.encode(&layout, start)?;
        let mut buffers = IterationBuffers::new(&cuda, start, limits, blocks * layout.block_sums())?;
        let weights = self.weights.as_ref().unwrap_or(&self.rows); // unused without weights
        let launch = kernel
            .launch()
            .input(&self.rows)
            .input(weights)
            .value(self.count as i64)
            .output(&mut prototypes)
            .output(&mut buffers.centers)
            .output(&mut buffers.partial)
            .output(&mut buffers.history)
            .value(limits.tolerance)
            .value(kernel_int(limits.max_iterations)?)
            .output(&mut buffers.arrived)
            .output(&mut buffers.result);
        // SAFETY: the arguments match iterate_rows, for this layout; the grid is resident and cooperative, so that its
        // blocks can wait for each other, and `arrived` is 0.
        unsafe { launch.run(cuda.stream(), Grid { blocks: [blocks as u32, 1, 1], ..grid }) }?;
        buffers.finish(&cuda, start).map(Some)
    }
}
