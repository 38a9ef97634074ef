//! Rows on the GPU in internal coordinates, in either precision.

use super::kernels::Kernels;
use super::loaded::{Loaded, total_weight};
use super::original::Original;
use crate::clustering::error::Result;
use crate::clustering::prototypes::Prototypes;
use crate::clustering::prototypes::space::Space;
use crate::clustering::rows::backend::{IterationLimits, IterationResult};
use crate::clustering::rows::sums::{RequestedSums, Sums};
use crate::data::{Samples, Values};
use crate::device::Cuda;

/// Rows on the GPU in either precision.
pub(super) enum CudaRows {
    Single(Loaded<f32>),
    Double(Loaded<f64>),
}

impl CudaRows {
    /// Uploads the rows of `samples`, unless they are in GPU memory, and converts them to internal coordinates.
    pub(super) fn new(cuda: &Cuda, samples: &Samples<'_>, space: &Space) -> Result<Self> {
        let weight = weight_of(samples, space)?;
        CudaRows::prepare(&Original::new(cuda, samples)?, samples.weights(), weight, space)
    }

    /// Converts rows with the given weights and sum of weights to internal coordinates.
    pub(super) fn prepare(
        original: &Original<'_>,
        weights: Option<&[f64]>,
        weight: f64,
        space: &Space,
    ) -> Result<Self> {
        Ok(match original {
            Original::Single(rows) => CudaRows::Single(Loaded::prepare(rows, weights, weight, space)?),
            Original::Double(rows) => CudaRows::Double(Loaded::prepare(rows, weights, weight, space)?),
        })
    }

    pub(super) fn with_tensor_cores(self) -> Result<Self> {
        Ok(match self {
            CudaRows::Single(loaded) => CudaRows::Single(loaded.with_tensor_cores()?),
            double => double,
        })
    }

    pub(super) fn sweep(
        &mut self,
        kernels: &mut Kernels,
        prototypes: &[&Prototypes],
        requested: RequestedSums,
    ) -> Result<Vec<Sums>> {
        match self {
            CudaRows::Single(loaded) => loaded.sweep(kernels, prototypes, requested),
            CudaRows::Double(loaded) => loaded.sweep(kernels, prototypes, requested),
        }
    }

    pub(super) fn change(&self, before: &Prototypes, after: &Prototypes) -> Result<f64> {
        match self {
            CudaRows::Single(loaded) => loaded.change(before, after),
            CudaRows::Double(loaded) => loaded.change(before, after),
        }
    }

    pub(super) fn iterate(
        &mut self,
        kernels: &mut Kernels,
        start: &Prototypes,
        limits: IterationLimits,
    ) -> Result<Option<IterationResult>> {
        match self {
            CudaRows::Single(loaded) => loaded.iterate(kernels, start, limits),
            CudaRows::Double(loaded) => loaded.iterate(kernels, start, limits),
        }
    }

    pub(super) fn is_prepared_for(&self, space: &Space) -> bool {
        match self {
            CudaRows::Single(loaded) => loaded.space == *space,
            CudaRows::Double(loaded) => loaded.space == *space,
        }
    }
}

/// Sum of the weights of the rows with at least one value.
pub(super) fn weight_of(samples: &Samples<'_>, space: &Space) -> Result<f64> {
    let (count, weights) = (samples.rows(), samples.weights());
    if !space.partial {
        return Ok(total_weight::<f64>(None, count, weights, space));
    }
    Ok(match samples.to_host()?.values() {
        Values::F32(values) => total_weight(Some(values), count, weights, space),
        Values::F64(values) => total_weight(Some(values), count, weights, space),
    })
}
