//! Operations on one batch of rows.

use super::cuda_rows::CudaRows;
use super::kernels::Kernels;
use crate::clustering::cpu::CHUNK;
use crate::clustering::error::Result;
use crate::clustering::prototypes::Prototypes;
use crate::clustering::rows::parts::parts;
use crate::clustering::rows::sums::{RequestedSums, Sums};
use crate::data::{Precision, Samples};
use crate::device::Cuda;

/// Bytes per batch of rows that do not all fit, or whose memberships are downloaded.
const BATCH_BYTES: usize = 256 << 20;

pub(super) fn add_batch(
    samples: &Samples<'_>,
    cuda: &Cuda,
    kernels: &mut Kernels,
    prototypes: &[&Prototypes],
    requested: RequestedSums,
    totals: &mut [Sums],
) -> Result<()> {
    let Some(first) = prototypes.first() else { return Ok(()) }; // nothing to compute
    let sums = CudaRows::new(cuda, samples, &first.space)?.sweep(kernels, prototypes, requested)?;
    totals.iter_mut().zip(&sums).for_each(|(total, sums)| total.add(sums));
    Ok(())
}

pub(super) fn compare_batch(
    samples: &Samples<'_>,
    cuda: &Cuda,
    steps: &[(&Prototypes, &Prototypes)],
    largest: &mut [f64],
) -> Result<()> {
    let Some((first, _)) = steps.first() else { return Ok(()) }; // nothing to compare
    let cuda_rows = CudaRows::new(cuda, samples, &first.space)?;
    for (largest, (before, after)) in largest.iter_mut().zip(steps) {
        *largest = largest.max(cuda_rows.change(before, after)?);
    }
    Ok(())
}

/// Splits samples that do not fit into GPU memory into batches.
pub(super) fn batches<'a>(samples: &'a Samples<'_>) -> impl Iterator<Item = Samples<'a>> {
    parts(samples, rows_per_batch(samples.columns(), samples.precision()))
}

/// Rows per batch; whole chunks, so that results of the CPU do not depend on the batch size.
pub(super) fn rows_per_batch(columns: usize, precision: Precision) -> usize {
    (BATCH_BYTES / (CHUNK * columns.max(1) * precision.bytes())).max(1) * CHUNK
}
