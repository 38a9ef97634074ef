//! Memberships of rows in memory.

use super::batch::rows_per_batch;
use super::cuda_rows::CudaRows;
use crate::clustering::error::Result;
use crate::clustering::prototypes::Prototypes;
use crate::clustering::rows::output::MembershipOutput;
use crate::clustering::rows::parts::parts;
use crate::data::Samples;
use crate::device::Cuda;

/// Computes the memberships of rows in memory, batch by batch.
pub(in crate::clustering) fn memberships(
    samples: &Samples<'_>,
    cuda: &Cuda,
    prototypes: &Prototypes,
    mut out: MembershipOutput<'_>,
) -> Result<()> {
    let clusters = prototypes.clusters();
    // The output has one column per cluster.
    let rows = rows_per_batch(samples.columns().max(clusters), samples.precision());
    let mut first = 0;
    for batch in parts(samples, rows) {
        let memberships = CudaRows::new(cuda, &batch, prototypes)?.memberships(prototypes)?;
        out.write(first, clusters, &memberships);
        first += memberships.len() / clusters;
    }
    Ok(())
}
