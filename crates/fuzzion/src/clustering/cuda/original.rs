//! Rows in GPU memory in their original coordinates: their summary, single rows, and the conversion to internal
//! coordinates.

use super::programs;
use super::real::KernelReal;
use crate::clustering::cpu::CHUNK;
use crate::clustering::error::Result;
use crate::clustering::prototypes::space::Space;
use crate::clustering::rows::summary::{DataSummary, InvalidValue, SummaryOptions};
use crate::data::{GpuValues, Samples, Values};
use crate::device::cuda::{Buffer, Kernel};
use crate::device::{Cuda, DeviceError};
use crate::progress::Progress;
use std::ops::Range;

/// Values per column of `summarize_columns`: origin, Σw, Σwt, Σwt², max|t| and the first invalid row.
const SUMMARY_VALUES: usize = 6;

/// Rows in GPU memory, in either precision.
pub(super) enum Original<'a> {
    Single(OriginalRows<'a, f32>),
    Double(OriginalRows<'a, f64>),
}

/// Rows in GPU memory in their original coordinates.
pub(super) struct OriginalRows<'a, T> {
    cuda: Cuda,
    values: Array<'a, T>,
    /// Index of the first row in the array.
    first: usize,
    count: usize,
    columns: usize,
}

enum Array<'a, T> {
    Owned(Buffer<T>),
    Placed(&'a Buffer<T>),
}

impl<'a> Original<'a> {
    /// The rows of `samples`: those in GPU memory if there are any, otherwise a copy.
    pub(super) fn new(cuda: &Cuda, samples: &Samples<'a>) -> Result<Self> {
        if let Some(view) = samples.gpu_view() {
            return Ok(match view.values {
                GpuValues::F32(values) => {
                    Original::Single(OriginalRows::new(cuda, samples, Array::Placed(values), view.first))
                }
                GpuValues::F64(values) => {
                    Original::Double(OriginalRows::new(cuda, samples, Array::Placed(values), view.first))
                }
            });
        }
        Ok(match samples.values() {
            Values::F32(values) => {
                Original::Single(OriginalRows::new(cuda, samples, upload(cuda, values)?, 0))
            }
            Values::F64(values) => {
                Original::Double(OriginalRows::new(cuda, samples, upload(cuda, values)?, 0))
            }
        })
    }

    pub(super) fn summarize(
        &self,
        options: SummaryOptions,
        weights: Option<&[f64]>,
    ) -> Result<Result<DataSummary, InvalidValue>> {
        match self {
            Original::Single(rows) => rows.summarize(options, weights),
            Original::Double(rows) => rows.summarize(options, weights),
        }
    }

    pub(super) fn count(&self) -> usize {
        match self {
            Original::Single(rows) => rows.count,
            Original::Double(rows) => rows.count,
        }
    }

    pub(super) fn first_invalid(&self) -> Result<Option<InvalidValue>> {
        match self {
            Original::Single(rows) => rows.first_invalid(),
            Original::Double(rows) => rows.first_invalid(),
        }
    }

    pub(super) fn gather(&self, rows: &[u64]) -> Result<Vec<f64>> {
        match self {
            Original::Single(original) => original.gather(rows),
            Original::Double(original) => original.gather(rows),
        }
    }
}

fn upload<'a, T: KernelReal>(cuda: &Cuda, values: &[T]) -> Result<Array<'a, T>> {
    Ok(Array::Owned(cuda.upload_large(values, &Progress::none())?))
}

impl<'a, T: KernelReal> OriginalRows<'a, T> {
    fn new(cuda: &Cuda, samples: &Samples<'_>, values: Array<'a, T>, first: usize) -> Self {
        let (count, columns) = (samples.rows(), samples.columns());
        OriginalRows { cuda: cuda.clone(), values, first, count, columns }
    }

    /// A copy of `values` with this number of columns.
    pub(super) fn upload(cuda: &Cuda, values: &[T], columns: usize) -> Result<Self> {
        Ok(OriginalRows::owned(cuda, cuda.upload_large(values, &Progress::none())?, columns))
    }

    /// Rows in `values`.
    pub(super) fn owned(cuda: &Cuda, values: Buffer<T>, columns: usize) -> Self {
        let count = values.len() / columns;
        OriginalRows { cuda: cuda.clone(), values: Array::Owned(values), first: 0, count, columns }
    }

    pub(super) fn cuda(&self) -> &Cuda {
        &self.cuda
    }

    pub(super) fn count(&self) -> usize {
        self.count
    }

    fn array(&self) -> &Buffer<T> {
        match &self.values {
            Array::Owned(values) => values,
            Array::Placed(values) => values,
        }
    }

    fn kernel(&self, name: &str) -> Result<Kernel> {
        Ok(self.cuda.kernel(&programs::rows(T::PRECISION, self.columns), name)?)
    }

    /// Summarizes the rows, or returns the first value that is not finite. Missing values are not supported.
    fn summarize(
        &self,
        options: SummaryOptions,
        weights: Option<&[f64]>,
    ) -> Result<Result<DataSummary, InvalidValue>> {
        let gpu_weights = self.cuda.upload_large(weights.unwrap_or(&[]), &Progress::none())?;
        let weights = (&gpu_weights, weights.is_some());
        let on_gpu = self.summarize_columns(options.scale, weights)?;
        let pairs = if options.covariance {
            self.summarize_pairs(options.scale, weights, &on_gpu)?
        } else {
            Vec::new()
        };
        let summaries = self.cuda.download(&on_gpu)?;
        if let Some(invalid) = self.first_invalid_of(&summaries)? {
            return Ok(Err(invalid));
        }
        let columns = self.columns;
        let mut total = DataSummary::new(columns, options);
        let mut pairs = pairs.chunks_exact(columns * columns);
        for (chunk, values) in summaries.chunks_exact(columns * SUMMARY_VALUES).enumerate() {
            let column = |which: usize| values.iter().skip(which).step_by(SUMMARY_VALUES).copied();
            total.merge(&DataSummary::from_sums(
                CHUNK.min(self.count - chunk * CHUNK) as u64,
                options,
                [0, 1, 2, 3].map(|which| column(which).collect()),
                column(4).fold(0.0, f64::max),
                pairs.next().unwrap_or(&[]).to_vec(),
            ));
        }
        Ok(Ok(total))
    }

    /// The first value that is not finite.
    fn first_invalid(&self) -> Result<Option<InvalidValue>> {
        let summaries = self.summarize_columns(1.0, (&self.cuda.alloc(0)?, false))?;
        self.first_invalid_of(&self.cuda.download(&summaries)?)
    }

    /// The first value that is not finite, given the output of `summarize_columns`.
    fn first_invalid_of(&self, summaries: &[f64]) -> Result<Option<InvalidValue>> {
        for (chunk, values) in summaries.chunks_exact(self.columns * SUMMARY_VALUES).enumerate() {
            let first_rows = values.iter().skip(SUMMARY_VALUES - 1).step_by(SUMMARY_VALUES).enumerate();
            let invalid = first_rows.filter(|(_, row)| **row >= 0.0).min_by(|a, b| a.1.total_cmp(b.1));
            if let Some((column, row)) = invalid {
                let row = (chunk * CHUNK) as u64 + *row as u64;
                return Ok(Some(InvalidValue { row, column, value: self.gather(&[row])?[column] }));
            }
        }
        Ok(None)
    }

    /// Starts summarizing the columns of every chunk, with weights if the flag is set.
    fn summarize_columns(
        &self,
        scale: f64,
        (weights, weighted): (&Buffer<f64>, bool),
    ) -> Result<Buffer<f64>> {
        assert!(!weighted || weights.len() >= self.count);
        let items = self.count.div_ceil(CHUNK) * self.columns;
        let mut summaries = self.cuda.alloc::<f64>(items * SUMMARY_VALUES)?;
        let kernel = self.kernel("summarize_columns")?;
        let launch = kernel
            .launch()
            .input(self.array())
            .value(self.first as i64)
            .value(self.count as i64)
            .input(weights)
            .value(i32::from(weighted))
            .value(scale)
            .output(&mut summaries);
        // SAFETY: the arguments match summarize_columns(rows, first, n, weights, weighted, scale, out): the array has n
        // rows from `first`, there is a weight for each if `weighted`, and `out` has SUMMARY_VALUES values per chunk and
        // column.
        unsafe { launch.run(self.cuda.stream(), self.cuda.grid_for(items)) }?;
        Ok(summaries)
    }

    /// Σwtᵢtⱼ of every chunk, given the output of `summarize_columns`.
    fn summarize_pairs(
        &self,
        scale: f64,
        (weights, weighted): (&Buffer<f64>, bool),
        summaries: &Buffer<f64>,
    ) -> Result<Vec<f64>> {
        let entries = self.count.div_ceil(CHUNK) * self.columns * self.columns;
        let mut pairs = self.cuda.alloc::<f64>(entries)?;
        let kernel = self.kernel("summarize_pairs")?;
        let launch = kernel
            .launch()
            .input(self.array())
            .value(self.first as i64)
            .value(self.count as i64)
            .input(weights)
            .value(i32::from(weighted))
            .value(scale)
            .input(summaries)
            .output(&mut pairs);
        // SAFETY: the arguments match summarize_pairs(rows, first, n, weights, weighted, scale, columns, out), as in
        // `summarize_columns`; `out` has columns × columns values per chunk.
        unsafe { launch.run(self.cuda.stream(), self.cuda.grid_for(entries)) }?;
        Ok(self.cuda.download(&pairs)?)
    }

    /// The rows with these indices.
    pub(super) fn gather(&self, rows: &[u64]) -> Result<Vec<f64>> {
        gather(&self.cuda, (self.array(), self.first, self.count), self.columns, rows)
    }

    /// The rows in internal coordinates.
    pub(super) fn prepare(&self, space: &Space) -> Result<Buffer<T>> {
        let mut out = self.cuda.alloc(self.count * self.columns)?;
        Preparation::new(&self.cuda, space)?.run(
            self.array(),
            self.first..self.first + self.count,
            &mut out,
        )?;
        Ok(out)
    }
}

/// Conversion of rows to internal coordinates.
pub(super) struct Preparation<T> {
    cuda: Cuda,
    kernel: Kernel,
    /// Shift, scale and whitening matrix.
    parameters: Buffer<T>,
    whitened: bool,
    columns: usize,
}

impl<T: KernelReal> Preparation<T> {
    pub(super) fn new(cuda: &Cuda, space: &Space) -> Result<Self> {
        let parameters = [&space.shift, &space.scale].into_iter().chain(&space.whitening);
        let parameters: Vec<T> = parameters.flatten().map(|x| T::from_f64(*x)).collect();
        Ok(Preparation {
            kernel: cuda.kernel(&programs::rows(T::PRECISION, space.columns()), "prepare")?,
            parameters: cuda.upload(&parameters)?,
            whitened: space.whitening.is_some(),
            columns: space.columns(),
            cuda: cuda.clone(),
        })
    }

    /// Starts converting the rows of `array` with the given indices.
    pub(super) fn run(
        &self,
        array: &Buffer<T>,
        rows: Range<usize>,
        out: &mut Buffer<T>,
    ) -> Result<(), DeviceError> {
        assert!(rows.end * self.columns <= array.len() && out.len() >= rows.len() * self.columns);
        let launch = self
            .kernel
            .launch()
            .input(array)
            .value(rows.start as i64)
            .value(rows.len() as i64)
            .input(&self.parameters)
            .value(i32::from(self.whitened))
            .output(out);
        let items = if self.whitened { rows.len() } else { rows.len() * self.columns };
        // SAFETY: the arguments match prepare(rows, first, n, space, whitened, out); the lengths were checked above, and
        // `space` has the shift, scale and whitening matrix of these columns.
        unsafe { launch.run(self.cuda.stream(), self.cuda.grid_for(items)) }
    }
}

/// The rows with the given `indices` among `count` rows of `array` from the index `first`.
pub(super) fn gather<T: KernelReal>(
    cuda: &Cuda,
    (array, first, count): (&Buffer<T>, usize, usize),
    columns: usize,
    indices: &[u64],
) -> Result<Vec<f64>> {
    assert!(indices.iter().all(|row| *row < count as u64) && array.len() >= (first + count) * columns);
    let kernel = cuda.kernel(&programs::rows(T::PRECISION, columns), "gather_rows")?;
    let mut out = cuda.alloc::<T>(indices.len() * columns)?;
    let gpu_indices = cuda.upload(indices)?;
    let launch = kernel
        .launch()
        .input(array)
        .value(first as i64)
        .input(&gpu_indices)
        .value(indices.len() as i64)
        .output(&mut out);
    // SAFETY: the arguments match gather_rows(rows, first, indices, n, out); the indices were checked above, and `out` has
    // n rows.
    unsafe { launch.run(cuda.stream(), cuda.grid_for(indices.len() * columns)) }?;
    Ok(cuda.download(&out)?.into_iter().map(T::to_f64).collect())
}
