//! Buffers of launches that perform many steps.

use crate::clustering::error::Result;
use crate::clustering::prototypes::Prototypes;
use crate::clustering::rows::backend::{IterationLimits, IterationResult};
use crate::device::Cuda;
use crate::device::cuda::Buffer;

/// Buffers of launches that perform many steps.
pub(super) struct IterationBuffers {
    /// Centers of the current and the next step, alternating.
    pub(super) centers: Buffer<f64>,
    pub(super) partial: Buffer<f64>,
    pub(super) history: Buffer<f64>,
    pub(super) arrived: Buffer<u32>,
    /// Number of steps, and whether the centers converged.
    pub(super) result: Buffer<i32>,
}

impl IterationBuffers {
    pub(super) fn new(
        cuda: &Cuda,
        start: &Prototypes,
        limits: IterationLimits,
        partial: usize,
    ) -> Result<Self> {
        let mut centers = start.centers.clone();
        centers.resize(2 * centers.len(), 0.0);
        Ok(IterationBuffers {
            centers: cuda.upload(&centers)?,
            partial: cuda.alloc(partial)?,
            history: cuda.zeros(limits.max_iterations)?,
            arrived: cuda.zeros(1)?,
            result: cuda.zeros(2)?,
        })
    }

    /// Waits for the launch and returns its result.
    pub(super) fn finish(self, cuda: &Cuda, start: &Prototypes) -> Result<IterationResult> {
        let result = cuda.download(&self.result)?;
        let steps = usize::try_from(result[0]).expect("invariant: the number of steps is not negative");
        let last = steps % 2 * start.centers.len();
        Ok(IterationResult {
            centers: cuda.download(&self.centers)?[last..][..start.centers.len()].to_vec(),
            objectives: cuda.download(&self.history)?[..steps].to_vec(),
            converged: result[1] != 0,
        })
    }
}
