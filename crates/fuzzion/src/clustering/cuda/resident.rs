//! Rows in host memory, uploaded once if they fit.

use super::batch::{add_batch, batches, compare_batch};
use super::cuda_rows::{CudaRows, bytes_of};
use super::kernels::Kernels;
use crate::clustering::cpu::{CpuRows, zero_sums};
use crate::clustering::error::Result;
use crate::clustering::prototypes::Prototypes;
use crate::clustering::rows::backend::{IterationLimits, IterationResult, RowBackend};
use crate::clustering::rows::summary::{DataSummary, SummaryOptions};
use crate::clustering::rows::sums::{RequestedSums, Sums};
use crate::data::Samples;
use crate::device::{Cpu, Cuda};

/// Fraction of the free memory available to rows; the product form stores them a second time.
const MEMORY_FRACTION: f64 = 0.9;

/// Rows in host memory: uploaded once if they fit, otherwise batch by batch in every sweep.
pub struct Resident<'a> {
    samples: Samples<'a>,
    cuda: &'a Cuda,
    cpu: &'a Cpu,
    kernels: Kernels,
    fits: bool,
    cuda_rows: Option<CudaRows>,
}

impl<'a> Resident<'a> {
    pub fn new(samples: Samples<'a>, cuda: &'a Cuda, cpu: &'a Cpu) -> Result<Self> {
        let values = samples.values().len() + samples.weights().map_or(0, <[f64]>::len);
        let fits =
            ((values * bytes_of(samples.precision())) as f64) < cuda.memory()?.0 as f64 * MEMORY_FRACTION;
        Ok(Resident { samples, cuda, cpu, kernels: Kernels::default(), fits, cuda_rows: None })
    }

    fn cuda_rows(&mut self, prototypes: &Prototypes) -> Result<(&mut CudaRows, &mut Kernels)> {
        let cached = self.cuda_rows.take().filter(|cached| cached.is_prepared_for(prototypes));
        let cuda_rows = match cached {
            Some(cached) => cached,
            None => CudaRows::new(self.cuda, &self.samples, prototypes)?.with_tensor_cores(&self.samples)?,
        };
        Ok((self.cuda_rows.insert(cuda_rows), &mut self.kernels))
    }
}

impl RowBackend for Resident<'_> {
    fn summarize(&mut self, options: SummaryOptions) -> Result<DataSummary> {
        CpuRows::new(&self.samples, self.cpu).summarize(options)
    }

    fn sweep(&mut self, prototypes: &[&Prototypes], requested: RequestedSums) -> Result<Vec<Sums>> {
        let Some(first) = prototypes.first() else { return Ok(Vec::new()) }; // nothing to compute
        if self.fits {
            let (cuda_rows, kernels) = self.cuda_rows(first)?;
            return cuda_rows.sweep(kernels, prototypes, requested);
        }
        let mut totals = zero_sums(prototypes, requested);
        for batch in batches(&self.samples) {
            add_batch(&batch, self.cuda, &mut self.kernels, prototypes, requested, &mut totals)?;
        }
        Ok(totals)
    }

    fn change(&mut self, steps: &[(&Prototypes, &Prototypes)]) -> Result<Vec<f64>> {
        let mut largest = vec![0.0; steps.len()];
        for batch in batches(&self.samples) {
            compare_batch(&batch, self.cuda, steps, &mut largest)?;
        }
        Ok(largest)
    }

    fn gather(&mut self, rows: &[u64]) -> Result<(Vec<f64>, Vec<f64>)> {
        CpuRows::new(&self.samples, self.cpu).gather(rows)
    }

    fn visit(&mut self, take: &mut dyn FnMut(&[f64], &[f64])) -> Result<()> {
        CpuRows::new(&self.samples, self.cpu).visit(take)
    }

    fn iterate(&mut self, start: &Prototypes, limits: IterationLimits) -> Result<Option<IterationResult>> {
        if !self.fits {
            return Ok(None);
        }
        match self.cuda_rows(start)? {
            (CudaRows::Single(loaded), kernels) => loaded.iterate(kernels, start, limits),
            (CudaRows::Double(loaded), kernels) => loaded.iterate(kernels, start, limits),
        }
    }
}
