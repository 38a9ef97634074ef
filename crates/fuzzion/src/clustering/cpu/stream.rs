//! Rows that exceed memory, read in batches of whole chunks, so that the sums are bit-identical to those of rows in
//! memory.

use super::memory::{CHUNK, CpuRows, zero_sums};
use crate::clustering::error::Result;
use crate::clustering::prototypes::Prototypes;
use crate::clustering::rows::backend::RowBackend;
use crate::clustering::rows::batches::RowBatches;
use crate::clustering::rows::summary::{DataSummary, SummaryOptions};
use crate::clustering::rows::sums::{RequestedSums, Sums};
use crate::device::Cpu;

/// Bytes of a batch in double precision.
const BATCH_BYTES: usize = 32 << 20;

/// Rows of a table reader; every sweep reads them from the first to the last.
pub(in crate::clustering) struct CpuStream<'a> {
    batches: RowBatches<'a>,
    cpu: &'a Cpu,
    chunks_per_batch: usize,
}

impl<'a> CpuStream<'a> {
    pub(in crate::clustering) fn new(batches: RowBatches<'a>, cpu: &'a Cpu) -> Self {
        let chunk_bytes = CHUNK * batches.names().len().max(1) * size_of::<f64>();
        CpuStream { batches, cpu, chunks_per_batch: (BATCH_BYTES / chunk_bytes).max(1) }
    }

    /// Sets the batch size.
    #[cfg(test)]
    pub(in crate::clustering) fn with_chunks_per_batch(self, chunks_per_batch: usize) -> Self {
        CpuStream { chunks_per_batch, ..self }
    }

    /// Underlying batches, for the passes of another back end.
    pub(in crate::clustering) fn batches(&mut self) -> &mut RowBatches<'a> {
        &mut self.batches
    }

    /// Calls `work` with every batch and the index of its first row.
    fn for_each_batch(&mut self, mut work: impl FnMut(CpuRows<'_>, u64) -> Result<()>) -> Result<()> {
        let cpu = self.cpu;
        let rows = self.chunks_per_batch * CHUNK;
        self.batches.for_each_batch(rows, |samples, first| work(CpuRows::new(samples, cpu), first))
    }
}

impl RowBackend for CpuStream<'_> {
    fn summarize(&mut self, options: SummaryOptions) -> Result<DataSummary> {
        let mut total = DataSummary::new(self.batches.names().len(), options);
        self.for_each_batch(|batch, _| batch.summarize_into(options, &mut total))?;
        Ok(total)
    }

    fn sweep(&mut self, prototypes: &[&Prototypes], requested: RequestedSums) -> Result<Vec<Sums>> {
        let mut totals = zero_sums(prototypes, requested);
        self.for_each_batch(|batch, _| {
            batch.sweep_into(prototypes, requested, &mut totals);
            Ok(())
        })?;
        Ok(totals)
    }

    fn change(&mut self, steps: &[(&Prototypes, &Prototypes)]) -> Result<Vec<f64>> {
        let mut largest = vec![0.0f64; steps.len()];
        self.for_each_batch(|mut batch, _| {
            let changes = batch.change(steps)?;
            largest.iter_mut().zip(changes).for_each(|(largest, change)| *largest = largest.max(change));
            Ok(())
        })?;
        Ok(largest)
    }

    fn gather(&mut self, rows: &[u64]) -> Result<(Vec<f64>, Vec<f64>)> {
        let mut values = Vec::with_capacity(rows.len() * self.batches.names().len());
        let mut weights = Vec::with_capacity(rows.len());
        let mut remaining = rows.iter().peekable();
        self.for_each_batch(|batch, first| {
            while let Some(row) = remaining.next_if(|row| **row < first + batch.rows() as u64) {
                values.extend(batch.row((row - first) as usize));
                weights.push(batch.weight((row - first) as usize));
            }
            Ok(())
        })?;
        Ok((values, weights))
    }

    fn visit(&mut self, take: &mut dyn FnMut(&[f64], &[f64])) -> Result<()> {
        self.for_each_batch(|mut batch, _| batch.visit(take))
    }
}
