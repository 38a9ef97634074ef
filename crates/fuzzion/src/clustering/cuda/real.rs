//! Number types of the kernels.

use crate::data::Scalar;
use crate::device::cuda::{Buffer, Element};

/// Number types of the kernels.
pub(in crate::clustering) trait KernelReal: Element + Scalar {
    /// The buffer if it has single precision.
    fn single(rows: &Buffer<Self>) -> Option<&Buffer<f32>>;
}

impl KernelReal for f32 {
    fn single(rows: &Buffer<f32>) -> Option<&Buffer<f32>> {
        Some(rows)
    }
}

impl KernelReal for f64 {
    fn single(_: &Buffer<f64>) -> Option<&Buffer<f32>> {
        None
    }
}
