//! Rows in host or GPU memory, kept in GPU memory if they fit.

use super::batch::{add_batch, batches, compare_batch};
use super::cuda_rows::{CudaRows, weight_of};
use super::kernels::Kernels;
use super::original::Original;
use super::prefetch::prefetch_fit;
use crate::clustering::cpu::{CpuRows, zero_sums};
use crate::clustering::error::Result;
use crate::clustering::prototypes::Prototypes;
use crate::clustering::prototypes::space::Space;
use crate::clustering::rows::backend::{IterationLimits, IterationResult, RowBackend};
use crate::clustering::rows::summary::{DataSummary, SummaryOptions};
use crate::clustering::rows::sums::{RequestedSums, Sums};
use crate::clustering::settings::FuzzyCMeans;
use crate::data::Samples;
use crate::device::{Cpu, Cuda};

/// Fraction of the free memory available to the rows.
pub(super) const MEMORY_FRACTION: f64 = 0.9;

/// Rows in host or GPU memory: uploaded once if they fit, otherwise batch by batch in every sweep.
pub struct Resident<'a> {
    samples: Samples<'a>,
    cuda: &'a Cuda,
    cpu: &'a Cpu,
    kernels: Kernels,
    fits: bool,
    /// The rows in their original coordinates; dropped after the conversion to internal coordinates, which is the first
    /// step after the summary and the selection of initial rows.
    original: Option<Original<'a>>,
    cuda_rows: Option<CudaRows>,
}

impl<'a> Resident<'a> {
    pub fn new(samples: Samples<'a>, cuda: &'a Cuda, cpu: &'a Cpu) -> Result<Self> {
        let values = samples.rows() * samples.columns() + samples.weights().map_or(0, <[f64]>::len);
        // The rows are stored twice: in their original and in internal coordinates, or in internal coordinates and in
        // the product form.
        let copies = if samples.gpu_view().is_some() { 1 } else { 2 };
        let bytes = (copies * values * samples.precision().bytes()) as f64;
        let fits = bytes < cuda.memory()?.0 as f64 * MEMORY_FRACTION;
        let (original, cuda_rows) = (None, None);
        Ok(Resident { samples, cuda, cpu, kernels: Kernels::default(), fits, original, cuda_rows })
    }

    /// The rows in their original coordinates; `None` if they would have to be uploaded again.
    fn original(&mut self) -> Result<Option<&Original<'a>>> {
        let available =
            self.original.is_some() || self.cuda_rows.is_none() || self.samples.gpu_view().is_some();
        if !self.fits || !available {
            return Ok(None);
        }
        if self.original.is_none() {
            self.original = Some(Original::new(self.cuda, &self.samples)?);
        }
        Ok(self.original.as_ref())
    }

    fn cuda_rows(&mut self, space: &Space) -> Result<(&mut CudaRows, &mut Kernels)> {
        let cached = self.cuda_rows.take().filter(|cached| cached.is_prepared_for(space));
        let cuda_rows = match cached {
            Some(cached) => cached,
            None => {
                let original = match self.original.take() {
                    Some(original) => original,
                    None => Original::new(self.cuda, &self.samples)?,
                };
                let weight = weight_of(&self.samples, space)?;
                CudaRows::prepare(&original, self.samples.weights(), weight, space)?.with_tensor_cores()?
            }
        };
        Ok((self.cuda_rows.insert(cuda_rows), &mut self.kernels))
    }

    /// The rows in host memory.
    fn cpu_rows(&mut self) -> Result<CpuRows<'_>> {
        self.samples = self.samples.to_host()?;
        Ok(CpuRows::new(&self.samples, self.cpu))
    }
}

impl RowBackend for Resident<'_> {
    fn start_fit(&mut self, settings: &FuzzyCMeans, clusters: &[usize]) {
        if self.fits {
            prefetch_fit(settings, clusters, &self.samples, self.cuda);
        }
    }

    fn summarize(&mut self, options: SummaryOptions) -> Result<DataSummary> {
        let weights = self.samples.weights();
        let original = if options.partial { None } else { self.original()? };
        let Some(original) = original else { return self.cpu_rows()?.summarize(options) };
        let summary = original.summarize(options, weights)?;
        Ok(summary.map_err(|invalid| invalid.error(self.samples.names()))?)
    }

    fn sweep(&mut self, prototypes: &[&Prototypes], requested: RequestedSums) -> Result<Vec<Sums>> {
        let Some(first) = prototypes.first() else { return Ok(Vec::new()) }; // nothing to compute
        if self.fits {
            let (cuda_rows, kernels) = self.cuda_rows(&first.space)?;
            return cuda_rows.sweep(kernels, prototypes, requested);
        }
        let mut totals = zero_sums(prototypes, requested);
        for batch in batches(&self.samples) {
            add_batch(&batch, self.cuda, &mut self.kernels, prototypes, requested, &mut totals)?;
        }
        Ok(totals)
    }

    fn change(&mut self, steps: &[(&Prototypes, &Prototypes)]) -> Result<Vec<f64>> {
        let Some((first, _)) = steps.first() else { return Ok(Vec::new()) }; // nothing to compare
        if self.fits {
            let (cuda_rows, _) = self.cuda_rows(&first.space)?;
            return steps.iter().map(|(before, after)| cuda_rows.change(before, after)).collect();
        }
        let mut largest = vec![0.0; steps.len()];
        for batch in batches(&self.samples) {
            compare_batch(&batch, self.cuda, steps, &mut largest)?;
        }
        Ok(largest)
    }

    fn gather(&mut self, rows: &[u64]) -> Result<(Vec<f64>, Vec<f64>)> {
        let weights = self.samples.weights();
        let Some(original) = self.original()? else { return self.cpu_rows()?.gather(rows) };
        let values = original.gather(rows)?;
        Ok((values, rows.iter().map(|row| weights.map_or(1.0, |weights| weights[*row as usize])).collect()))
    }

    fn visit(&mut self, take: &mut dyn FnMut(&[f64], &[f64])) -> Result<()> {
        self.cpu_rows()?.visit(take)
    }

    fn iterate(&mut self, start: &Prototypes, limits: IterationLimits) -> Result<Option<IterationResult>> {
        if !self.fits {
            return Ok(None);
        }
        let (cuda_rows, kernels) = self.cuda_rows(&start.space)?;
        cuda_rows.iterate(kernels, start, limits)
    }
}
