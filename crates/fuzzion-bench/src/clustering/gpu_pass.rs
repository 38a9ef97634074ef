//! Repeated passes for benchmarks.

use fuzzion::Result;
use fuzzion::device::Cuda;
use fuzzion::internals::clustering::{IterationLimits, Kernels, Loaded, Prototypes, RequestedSums, Uploaded};

/// Repeated pass over rows in GPU memory, for benchmarks.
pub(crate) struct BenchPass {
    rows: Loaded<f32>,
    kernels: Kernels,
    prototypes: Prototypes,
    uploaded: Uploaded<f32>,
}

impl BenchPass {
    pub(crate) fn new(cuda: &Cuda, values: &[f32], prototypes: Prototypes) -> Result<Self> {
        let mut rows = Loaded::new(cuda, values, None, &prototypes)?.with_tensor_cores()?;
        let uploaded = rows.upload_prototypes(&prototypes, RequestedSums::default())?;
        Ok(BenchPass { rows, kernels: Kernels::default(), prototypes, uploaded })
    }

    /// Starts the pass.
    pub(crate) fn start(&mut self) -> Result<()> {
        Ok(self.rows.start(&mut self.kernels, &self.uploaded, &self.prototypes).map(drop)?)
    }

    /// Performs up to `steps` plain steps in one launch and returns the number performed; 0 if not supported.
    pub(crate) fn iterate(&mut self, steps: usize) -> Result<usize> {
        let limits = IterationLimits { max_iterations: steps, tolerance: -1.0 };
        let result = self.rows.iterate(&mut self.kernels, &self.prototypes, limits)?;
        Ok(result.map_or(0, |result| result.objectives.len()))
    }
}
