//! Rows of a table reader: kept in GPU memory if they fit, otherwise uploaded batch by batch in every sweep.

use super::batch::{add_batch, compare_batch, rows_per_batch};
use super::cuda_rows::CudaRows;
use super::kernels::Kernels;
use super::loaded::total_weight;
use super::original::{Original, OriginalRows};
use super::real::KernelReal;
use super::resident::MEMORY_FRACTION;
use crate::clustering::cpu::{CpuStream, zero_sums};
use crate::clustering::error::Result;
use crate::clustering::prototypes::Prototypes;
use crate::clustering::prototypes::space::Space;
use crate::clustering::rows::backend::{IterationLimits, IterationResult, RowBackend};
use crate::clustering::rows::batches::RowBatches;
use crate::clustering::rows::summary::{DataSummary, SummaryOptions};
use crate::clustering::rows::sums::{RequestedSums, Sums};
use crate::data::{DataError, Precision, Samples};
use crate::device::{Cpu, Cuda};
use crate::progress::Progress;

/// Invariant after a check.
const STORED: &str = "invariant: the rows are in GPU memory";

/// Rows of a table reader. The first pass, which summarizes them, counts them; the second one uploads them if they fit
/// into GPU memory, so that no further pass is necessary.
pub(in crate::clustering) struct Streamed<'a> {
    stream: CpuStream<'a>,
    cuda: &'a Cuda,
    kernels: Kernels,
    /// Number of rows; `None` before the summary.
    count: Option<usize>,
    stored: Option<Stored>,
}

/// Rows in GPU memory.
struct Stored {
    /// The rows in their original coordinates; `None` after the conversion to internal coordinates.
    original: Option<Original<'static>>,
    cuda_rows: Option<CudaRows>,
    weights: Option<Vec<f64>>,
}

impl<'a> Streamed<'a> {
    pub(in crate::clustering) fn new(batches: RowBatches<'a>, cuda: &'a Cuda, cpu: &'a Cpu) -> Self {
        let stream = CpuStream::new(batches, cpu);
        Streamed { stream, cuda, kernels: Kernels::default(), count: None, stored: None }
    }

    /// Calls `work` with every batch and the index of its first row.
    fn for_each_batch(
        &mut self,
        mut work: impl FnMut(&Samples<'_>, u64, &mut Kernels) -> Result<()>,
    ) -> Result<()> {
        let batches = self.stream.batches();
        let rows = rows_per_batch(batches.names().len(), batches.precision());
        batches.for_each_batch(rows, |samples, first| work(samples, first, &mut self.kernels))
    }

    /// The rows in GPU memory; `None` if they do not fit.
    fn stored(&mut self) -> Result<Option<&mut Stored>> {
        if self.stored.is_none()
            && let Some(count) = self.count
        {
            let batches = self.stream.batches();
            let (columns, precision) = (batches.names().len(), batches.precision());
            // The rows are stored twice, as by `Resident`.
            let bytes = (2 * count * columns * precision.bytes()) as f64;
            if bytes < self.cuda.memory()?.0 as f64 * MEMORY_FRACTION {
                self.stored = Some(match precision {
                    Precision::F32 => self.store::<f32>(count, columns, Original::Single)?,
                    Precision::F64 => self.store::<f64>(count, columns, Original::Double)?,
                });
            } else {
                self.count = None; // do not try again
            }
        }
        Ok(self.stored.as_mut())
    }

    fn store<T: KernelReal>(
        &mut self,
        count: usize,
        columns: usize,
        wrap: fn(OriginalRows<'static, T>) -> Original<'static>,
    ) -> Result<Stored> {
        let cuda = self.cuda;
        let (mut values, mut weights, mut read) = (cuda.alloc::<T>(count * columns)?, None, 0);
        self.for_each_batch(|samples, first, _| {
            read = first + samples.rows() as u64;
            if read > count as u64 {
                return Ok(()); // reported below
            }
            let first = first as usize;
            cuda.write_large(&T::view(samples.values()), &mut values, first * columns, &Progress::none())?;
            if let Some(batch) = samples.weights() {
                weights.get_or_insert_with(Vec::new).extend_from_slice(batch);
            }
            Ok(())
        })?;
        if read != count as u64 {
            return Err(DataError::Changed { rows: count as u64, found: read }.into());
        }
        let original = Some(wrap(OriginalRows::owned(cuda, values, columns)));
        Ok(Stored { original, cuda_rows: None, weights })
    }
}

impl Stored {
    /// The rows in internal coordinates.
    fn cuda_rows(&mut self, space: &Space) -> Result<&mut CudaRows> {
        let prepared = self.cuda_rows.take().filter(|rows| rows.is_prepared_for(space));
        let rows = match (prepared, self.original.take()) {
            (Some(prepared), _) => prepared,
            (None, Some(original)) => {
                let weights = self.weights.as_deref();
                let weight = total_weight::<f64>(None, original.count(), weights, space);
                CudaRows::prepare(&original, weights, weight, space)?.with_tensor_cores()?
            }
            (None, None) => unreachable!("invariant: all prototypes of a fit have the same coordinates"),
        };
        Ok(self.cuda_rows.insert(rows))
    }
}

impl RowBackend for Streamed<'_> {
    fn summarize(&mut self, options: SummaryOptions) -> Result<DataSummary> {
        let summary = self.stream.summarize(options)?;
        // The sum of the weights of rows without any value is needed batch by batch.
        self.count = if options.partial { None } else { usize::try_from(summary.rows).ok() };
        Ok(summary)
    }

    fn sweep(&mut self, prototypes: &[&Prototypes], requested: RequestedSums) -> Result<Vec<Sums>> {
        let Some(first) = prototypes.first() else { return Ok(Vec::new()) }; // nothing to compute
        if self.stored()?.is_some() {
            let stored = self.stored.as_mut().expect(STORED);
            return stored.cuda_rows(&first.space)?.sweep(&mut self.kernels, prototypes, requested);
        }
        let (cuda, mut totals) = (self.cuda, zero_sums(prototypes, requested));
        self.for_each_batch(|samples, _, kernels| {
            add_batch(samples, cuda, kernels, prototypes, requested, &mut totals)
        })?;
        Ok(totals)
    }

    fn change(&mut self, steps: &[(&Prototypes, &Prototypes)]) -> Result<Vec<f64>> {
        let Some((first, _)) = steps.first() else { return Ok(Vec::new()) }; // nothing to compare
        if let Some(stored) = self.stored()? {
            let rows = stored.cuda_rows(&first.space)?;
            return steps.iter().map(|(before, after)| rows.change(before, after)).collect();
        }
        let (cuda, mut largest) = (self.cuda, vec![0.0; steps.len()]);
        self.for_each_batch(|samples, _, _| compare_batch(samples, cuda, steps, &mut largest))?;
        Ok(largest)
    }

    fn gather(&mut self, rows: &[u64]) -> Result<(Vec<f64>, Vec<f64>)> {
        if let Some(Stored { original: Some(original), weights, .. }) = self.stored()? {
            let weight = |row: &u64| weights.as_ref().map_or(1.0, |weights| weights[*row as usize]);
            return Ok((original.gather(rows)?, rows.iter().map(weight).collect()));
        }
        self.stream.gather(rows)
    }

    fn visit(&mut self, take: &mut dyn FnMut(&[f64], &[f64])) -> Result<()> {
        self.stream.visit(take)
    }

    fn iterate(&mut self, start: &Prototypes, limits: IterationLimits) -> Result<Option<IterationResult>> {
        if self.stored()?.is_none() {
            return Ok(None);
        }
        let stored = self.stored.as_mut().expect(STORED);
        stored.cuda_rows(&start.space)?.iterate(&mut self.kernels, start, limits)
    }
}
