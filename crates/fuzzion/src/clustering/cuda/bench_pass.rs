//! Repeated passes for benchmarks.

use super::kernels::Kernels;
use super::loaded::{Loaded, Uploaded};
use crate::clustering::error::Result;
use crate::clustering::prototypes::Prototypes;
use crate::clustering::rows::backend::IterationLimits;
use crate::clustering::rows::sums::RequestedSums;
use crate::device::Cuda;

/// Repeated pass over rows in GPU memory, for benchmarks.
pub(in crate::clustering) struct BenchPass {
    rows: Loaded<f32>,
    kernels: Kernels,
    prototypes: Prototypes,
    uploaded: Uploaded<f32>,
}

impl BenchPass {
    pub(in crate::clustering) fn new(cuda: &Cuda, values: &[f32], prototypes: Prototypes) -> Result<Self> {
        let mut rows = Loaded::new(cuda, values, None, &prototypes)?.with_tensor_cores(values)?;
        let uploaded = rows.upload_prototypes(&prototypes, RequestedSums::default())?;
        Ok(BenchPass { rows, kernels: Kernels::default(), prototypes, uploaded })
    }

    /// Starts the pass.
    pub(in crate::clustering) fn start(&mut self) -> Result<()> {
        self.rows.start(&mut self.kernels, &self.uploaded, &self.prototypes).map(drop)
    }

    /// Performs up to `steps` plain steps in one launch and returns the number performed; 0 if not supported.
    pub(in crate::clustering) fn iterate(&mut self, steps: usize) -> Result<usize> {
        let limits = IterationLimits { max_iterations: steps, tolerance: -1.0 };
        let result = self.rows.iterate(&mut self.kernels, &self.prototypes, limits)?;
        Ok(result.map_or(0, |result| result.objectives.len()))
    }
}
