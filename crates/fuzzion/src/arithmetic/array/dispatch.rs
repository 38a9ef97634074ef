//! Dispatch of array operations to the CPU or a GPU.

use crate::arithmetic::cpu::{self, CpuArray};
#[cfg(feature = "cuda")]
use crate::arithmetic::cuda::{self, GpuArray};
use crate::arithmetic::error::Result;
use crate::arithmetic::expr::PostfixOp;
use crate::device::{Device, Processor};

/// Minimum number of iteration steps for which a GPU saves more time than the transfers cost.
const MIN_GPU_STEPS: usize = 32;

/// Arrays that a GPU can process, in builds without CUDA.
#[cfg(not(feature = "cuda"))]
pub(in crate::arithmetic) trait GpuArray {}

#[cfg(not(feature = "cuda"))]
impl<A> GpuArray for A {}

/// Array in host memory with kernels for every device.
pub(in crate::arithmetic) trait ComputeArray: CpuArray + GpuArray {}
impl<A: CpuArray + GpuArray> ComputeArray for A {}

/// Runs a program for every element of `out`; columns have the length of `out` or length 1.
///
/// A single pass over host memory is limited by the bus, so a GPU is used only if it was requested explicitly.
pub(in crate::arithmetic) fn run<A: ComputeArray>(
    program: &[PostfixOp],
    columns: &[&A],
    literals: &[A],
    out: &mut A,
    device: &Device,
) -> Result<()> {
    match device.processor(true) {
        Processor::Cpu(cpu) => cpu::run(program, columns, literals, out, cpu, device.progress()),
        #[cfg(feature = "cuda")]
        Processor::Cuda(cuda) => Ok(cuda::run(program, columns, literals, out, cuda, device.progress())?),
    }
}

/// The iteration c ← a·c + b, `steps` times.
pub fn axpy<A: ComputeArray>(c: &mut A, a: &A, b: &A, steps: usize, device: &Device) -> Result<()> {
    match device.processor(steps < MIN_GPU_STEPS) {
        Processor::Cpu(cpu) => cpu::axpy(c, a, b, steps, cpu, device.progress()),
        #[cfg(feature = "cuda")]
        Processor::Cuda(cuda) => Ok(cuda::axpy(c, a, b, steps, cuda, device.progress())?),
    }
}

/// Sum of all elements, or dot product with `other`, which has the same length.
pub fn sum<A: ComputeArray>(a: &A, other: Option<&A>, device: &Device) -> Result<A> {
    match (device.processor(true), other) {
        (Processor::Cpu(cpu), None) => cpu::sum(a, cpu, device.progress()),
        (Processor::Cpu(cpu), Some(other)) => cpu::dot(a, other, cpu, device.progress()),
        #[cfg(feature = "cuda")]
        (Processor::Cuda(cuda), other) => Ok(cuda::sum(a, other, cuda, device.progress())?),
    }
}
