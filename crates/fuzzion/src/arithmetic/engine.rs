//! Where arrays are worked on: the one match on the device.

use super::cpu::{self, Batch};
use super::cuda::{self, Planes};
use super::expr::Step;
use crate::device::{Device, Processor};
use crate::error::Result;
use crate::progress::Progress;

/// Steps of a series from which on a GPU gains more than the way there and back costs.
const WORTH_A_GPU: usize = 32;

/// An array that every device can work on.
pub(super) trait Engine: Batch + Planes {}
impl<A: Batch + Planes> Engine for A {}

/// The steps of a formula for every number of `out`; columns are as long, or of one number for all.
///
/// From memory to memory a GPU is no quicker than the bus, so that it is taken only where it was asked for.
pub(super) fn run<A: Engine>(
    steps: &[Step],
    columns: &[&A],
    literals: &[A],
    out: &mut A,
    device: &Device,
    progress: Progress<'_>,
) -> Result<()> {
    match device.processor(true) {
        Processor::Cpu(cpu) => cpu::run(steps, columns, literals, out, cpu, progress),
        Processor::Cuda(cuda) => cuda::run(steps, columns, literals, out, cuda, progress),
    }
}

/// c ← a·c + b, `steps` times.
pub(super) fn axpy<A: Engine>(
    c: &mut A,
    a: &A,
    b: &A,
    steps: usize,
    device: &Device,
    progress: Progress<'_>,
) -> Result<()> {
    match device.processor(steps < WORTH_A_GPU) {
        Processor::Cpu(cpu) => cpu::axpy(c, a, b, steps, cpu, progress),
        Processor::Cuda(cuda) => cuda::axpy(c, a, b, steps, cuda, progress),
    }
}

/// The sum of all numbers, or of their products with those of `other`, which are as many.
pub(super) fn sum<A: Engine>(a: &A, other: Option<&A>, device: &Device, progress: Progress<'_>) -> Result<A> {
    match (device.processor(true), other) {
        (Processor::Cpu(cpu), None) => cpu::sum(a, cpu, progress),
        (Processor::Cpu(cpu), Some(other)) => cpu::dot(a, other, cpu, progress),
        (Processor::Cuda(cuda), other) => cuda::sum(a, other, cuda, progress),
    }
}
