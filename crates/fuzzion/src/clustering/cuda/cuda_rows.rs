//! Rows on the GPU in either precision.

use super::kernels::Kernels;
use super::loaded::Loaded;
use crate::clustering::error::Result;
use crate::clustering::prototypes::Prototypes;
use crate::clustering::rows::sums::{RequestedSums, Sums};
use crate::data::{Precision, Samples, Values};
use crate::device::Cuda;

/// Rows on the GPU in either precision.
pub(super) enum CudaRows {
    Single(Loaded<f32>),
    Double(Loaded<f64>),
}

impl CudaRows {
    pub(super) fn new(cuda: &Cuda, samples: &Samples<'_>, prototypes: &Prototypes) -> Result<Self> {
        let weights = samples.weights();
        Ok(match samples.values() {
            Values::F32(x) => CudaRows::Single(Loaded::new(cuda, x, weights, prototypes)?),
            Values::F64(x) => CudaRows::Double(Loaded::new(cuda, x, weights, prototypes)?),
        })
    }

    pub(super) fn with_tensor_cores(self, samples: &Samples<'_>) -> Result<Self> {
        Ok(match (self, samples.values()) {
            (CudaRows::Single(loaded), Values::F32(x)) => CudaRows::Single(loaded.with_tensor_cores(x)?),
            (other, _) => other,
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

    pub(super) fn memberships(&self, prototypes: &Prototypes) -> Result<Vec<f64>> {
        let to_f64 = |u: Vec<f32>| u.into_iter().map(f64::from).collect();
        Ok(match self {
            CudaRows::Single(loaded) => to_f64(loaded.cuda().download(&loaded.memberships(prototypes)?)?),
            CudaRows::Double(loaded) => loaded.cuda().download(&loaded.memberships(prototypes)?)?,
        })
    }

    pub(super) fn is_prepared_for(&self, prototypes: &Prototypes) -> bool {
        match self {
            CudaRows::Single(loaded) => loaded.space == prototypes.space,
            CudaRows::Double(loaded) => loaded.space == prototypes.space,
        }
    }
}

pub(super) fn bytes_of(precision: Precision) -> usize {
    if precision == Precision::F32 { size_of::<f32>() } else { size_of::<f64>() }
}
