//! Several GPUs that share the rows: each sweeps its own part, and the host, which needs the sums for the next step
//! anyway, merges them in the order of the GPUs.

use super::memberships::memberships;
use super::resident::Resident;
use crate::clustering::cpu::{CpuRows, zero_sums};
use crate::clustering::error::{ClusteringError, Result};
use crate::clustering::prototypes::Prototypes;
use crate::clustering::rows::backend::RowBackend;
use crate::clustering::rows::output::MembershipOutput;
use crate::clustering::rows::parts::parts;
use crate::clustering::rows::summary::{DataSummary, SummaryOptions};
use crate::clustering::rows::sums::{RequestedSums, Sums};
use crate::clustering::settings::FuzzyCMeans;
use crate::data::{DataError, Samples};
use crate::device::cuda::multiple::{rows_per_gpu, run_parts};
use crate::device::{Cpu, Cuda, concurrently};
use crate::progress::Progress;

/// Rows in host memory, one part on each GPU.
pub(in crate::clustering) struct MultiGpu<'a> {
    samples: &'a Samples<'a>,
    cpu: &'a Cpu,
    parts: Vec<Resident<'a>>,
    /// Number of rows of each part but the last.
    rows_per_gpu: usize,
}

impl<'a> MultiGpu<'a> {
    pub(in crate::clustering) fn new(
        samples: &'a Samples<'a>,
        cudas: &'a [Cuda],
        cpu: &'a Cpu,
    ) -> Result<Self> {
        let rows_per_gpu = rows_per_gpu(samples.rows(), cudas);
        let parts = parts(samples, rows_per_gpu).zip(cudas);
        let parts = parts.map(|(part, cuda)| Resident::new(part, cuda, cpu)).collect::<Result<_>>()?;
        Ok(MultiGpu { samples, cpu, parts, rows_per_gpu })
    }

    /// Runs `work` on all GPUs concurrently.
    fn on_each_gpu<R: Send>(
        &mut self,
        work: impl Fn(&mut Resident<'a>) -> Result<R> + Sync,
    ) -> Result<Vec<R>> {
        concurrently(self.parts.iter_mut().collect(), work)
    }
}

/// Computes the memberships of rows in memory; each GPU processes its own rows.
pub(in crate::clustering) fn memberships_on_gpus(
    samples: &Samples<'_>,
    cudas: &[Cuda],
    prototypes: &Prototypes,
    out: MembershipOutput<'_>,
    progress: &Progress,
) -> Result<()> {
    let mut rest = Some(out);
    let mut jobs = Vec::new();
    for (part, cuda) in parts(samples, rows_per_gpu(samples.rows(), cudas)).zip(cudas) {
        let all = rest.take().expect("invariant: the rest of the output follows each part");
        let (out, tail) = all.split_at(part.rows(), prototypes.clusters());
        rest = Some(tail);
        jobs.push((part.rows(), (part, cuda, out)));
    }
    type Job<'a> = (Samples<'a>, &'a Cuda, MembershipOutput<'a>);
    run_parts(jobs, progress, |(part, cuda, out): Job<'_>, progress| {
        memberships(&part, cuda, prototypes, out, progress)
    })
}

impl RowBackend for MultiGpu<'_> {
    fn start_fit(&mut self, settings: &FuzzyCMeans, clusters: &[usize]) {
        self.parts.iter_mut().for_each(|part| part.start_fit(settings, clusters));
    }

    fn summarize(&mut self, options: SummaryOptions) -> Result<DataSummary> {
        let parts = self.on_each_gpu(|part| part.summarize(options));
        match parts {
            Ok(parts) => {
                let mut total = DataSummary::new(self.samples.columns(), options);
                parts.iter().for_each(|part| total.merge(part));
                Ok(total)
            }
            // The row of an invalid value is counted from the first row of its part.
            Err(ClusteringError::Data(DataError::NotFinite { .. })) => {
                CpuRows::new(self.samples, self.cpu).summarize(options)
            }
            Err(error) => Err(error),
        }
    }

    fn sweep(&mut self, prototypes: &[&Prototypes], requested: RequestedSums) -> Result<Vec<Sums>> {
        let mut parts = self.on_each_gpu(|part| part.sweep(prototypes, requested))?.into_iter();
        let Some(mut totals) = parts.next() else { return Ok(zero_sums(prototypes, requested)) }; // no rows
        for sums in parts {
            totals.iter_mut().zip(&sums).for_each(|(total, sums)| total.add(sums));
        }
        Ok(totals)
    }

    fn change(&mut self, steps: &[(&Prototypes, &Prototypes)]) -> Result<Vec<f64>> {
        let mut largest = vec![0.0f64; steps.len()];
        for changes in self.on_each_gpu(|part| part.change(steps))? {
            largest.iter_mut().zip(changes).for_each(|(largest, change)| *largest = largest.max(change));
        }
        Ok(largest)
    }

    fn gather(&mut self, rows: &[u64]) -> Result<(Vec<f64>, Vec<f64>)> {
        let (mut values, mut weights) = (Vec::new(), Vec::new());
        // Consecutive indices in the same part are gathered together.
        let rows_per_gpu = self.rows_per_gpu;
        let part_of = |row: u64| row as usize / rows_per_gpu;
        for run in rows.chunk_by(|a, b| part_of(*a) == part_of(*b)) {
            let part = part_of(run[0]);
            let first = (part * rows_per_gpu) as u64;
            let run: Vec<u64> = run.iter().map(|row| row - first).collect();
            let (of_run, weights_of_run) = self.parts[part].gather(&run)?;
            values.extend(of_run);
            weights.extend(weights_of_run);
        }
        Ok((values, weights))
    }

    fn visit(&mut self, take: &mut dyn FnMut(&[f64], &[f64])) -> Result<()> {
        CpuRows::new(self.samples, self.cpu).visit(take)
    }
}
