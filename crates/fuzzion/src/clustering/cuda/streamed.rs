//! Rows of a table reader, uploaded batch by batch.

use super::batch::{add_batch, compare_batch, rows_per_batch};
use super::kernels::Kernels;
use crate::clustering::cpu::{CpuStream, zero_sums};
use crate::clustering::error::Result;
use crate::clustering::prototypes::Prototypes;
use crate::clustering::rows::backend::RowBackend;
use crate::clustering::rows::batches::RowBatches;
use crate::clustering::rows::summary::{DataSummary, SummaryOptions};
use crate::clustering::rows::sums::{RequestedSums, Sums};
use crate::data::Samples;
use crate::device::{Cpu, Cuda};

/// Rows of a table reader, uploaded batch by batch in every sweep.
pub(in crate::clustering) struct Streamed<'a> {
    stream: CpuStream<'a>,
    cuda: &'a Cuda,
    kernels: Kernels,
}

impl<'a> Streamed<'a> {
    pub(in crate::clustering) fn new(batches: RowBatches<'a>, cuda: &'a Cuda, cpu: &'a Cpu) -> Self {
        Streamed { stream: CpuStream::new(batches, cpu), cuda, kernels: Kernels::default() }
    }

    /// Calls `work` with every batch.
    fn for_each_batch(
        &mut self,
        mut work: impl FnMut(&Samples<'_>, &mut Kernels) -> Result<()>,
    ) -> Result<()> {
        let batches = self.stream.batches();
        let rows = rows_per_batch(batches.names().len(), batches.precision());
        batches.for_each_batch(rows, |samples, _| work(samples, &mut self.kernels))
    }
}

impl RowBackend for Streamed<'_> {
    fn summarize(&mut self, options: SummaryOptions) -> Result<DataSummary> {
        self.stream.summarize(options)
    }

    fn sweep(&mut self, prototypes: &[&Prototypes], requested: RequestedSums) -> Result<Vec<Sums>> {
        let (cuda, mut totals) = (self.cuda, zero_sums(prototypes, requested));
        self.for_each_batch(|samples, kernels| {
            add_batch(samples, cuda, kernels, prototypes, requested, &mut totals)
        })?;
        Ok(totals)
    }

    fn change(&mut self, steps: &[(&Prototypes, &Prototypes)]) -> Result<Vec<f64>> {
        let (cuda, mut largest) = (self.cuda, vec![0.0; steps.len()]);
        self.for_each_batch(|samples, _| compare_batch(samples, cuda, steps, &mut largest))?;
        Ok(largest)
    }

    fn gather(&mut self, rows: &[u64]) -> Result<(Vec<f64>, Vec<f64>)> {
        self.stream.gather(rows)
    }

    fn visit(&mut self, take: &mut dyn FnMut(&[f64], &[f64])) -> Result<()> {
        self.stream.visit(take)
    }
}
