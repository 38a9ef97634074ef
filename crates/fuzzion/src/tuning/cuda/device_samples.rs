//! Transfer of samples to the GPU.

use super::layout::THREADS;
use crate::device::cuda::{Buffer, Chunked, Grid, Launch, StreamInput};
use crate::device::error::Result;
use crate::device::{Cpu, Cuda};
use crate::progress::Progress;
use crate::tuning::training::samples::ScaledSamples;
use std::ops::Range;

/// Maximum fraction of the free GPU memory for samples.
const MAX_MEMORY_FRACTION: f64 = 0.75;

/// The rows of one GPU: training rows, followed by validation rows.
#[derive(Clone)]
pub(super) struct RowPart<'a> {
    pub(super) samples: &'a ScaledSamples,
    pub(super) training: Range<usize>,
    pub(super) validation: Range<usize>,
}

impl<'a> RowPart<'a> {
    /// Part `index` of `count` parts of about the same size.
    pub(super) fn new(samples: &'a ScaledSamples, index: usize, count: usize) -> Self {
        let validation = samples.rows() - samples.training;
        let part =
            |first: usize, rows: usize| first + rows * index / count..first + rows * (index + 1) / count;
        RowPart {
            samples,
            training: part(0, samples.training),
            validation: part(samples.training, validation),
        }
    }

    /// Number of rows.
    pub(super) fn rows(&self) -> usize {
        self.training.len() + self.validation.len()
    }

    /// Copies these rows of the part to `out` in row-major order.
    fn interleave(&self, rows: Range<usize>, out: &mut [f64]) {
        let training = self.training.len();
        let (from_training, from_validation) =
            out.split_at_mut((rows.end.min(training) - rows.start.min(training)) * width(self.samples));
        interleave(self.samples, self.training.start + rows.start.min(training), from_training);
        let first = rows.start.max(training) - training;
        interleave(self.samples, self.validation.start + first, from_validation);
    }
}

/// Samples in row-major order (inputs, targets, weight), uploaded once if they fit into GPU memory, otherwise streamed
/// in every pass.
pub(super) struct DeviceSamples<'a> {
    pub(super) part: RowPart<'a>,
    pub(super) cuda: &'a Cuda,
    /// Sums of the weights of the training and validation rows of all GPUs.
    pub(super) weight: [f64; 2],
    pub(super) resident: Option<Buffer<f64>>,
    /// Rows per chunk when streaming; `None` selects a size suited to the bus.
    chunk_rows: Option<usize>,
    /// Whether a training row has missing inputs.
    pub(super) missing: bool,
}

/// Range of rows on the GPU.
pub(super) struct RowChunk<'b> {
    pub(super) values: &'b Buffer<f64>,
    pub(super) first: usize,
    pub(super) count: usize,
    /// Number of training rows in the chunk.
    pub(super) training: usize,
}

impl RowChunk<'_> {
    /// Passes the leading arguments, common to all kernels that read rows.
    pub(super) fn rows<'k>(&self, launch: Launch<'k>) -> Launch<'k> {
        launch.input(self.values).value(self.count as i64).value(self.training as i64)
    }

    /// One block per tile, up to the number of multiprocessors.
    pub(super) fn grid(&self, cuda: &Cuda, tile: usize, shared: usize) -> Grid {
        let blocks = self.count.div_ceil(tile).clamp(1, cuda.gpu().multiprocessors as usize);
        Grid::new(blocks as u32, THREADS as u32).shared(shared as u32)
    }
}

/// Values per row.
fn width(samples: &ScaledSamples) -> usize {
    samples.inputs.len() + samples.targets.len() + usize::from(samples.weights.is_some())
}

/// Columns of `samples` in row order.
fn columns(samples: &ScaledSamples) -> Vec<&[f64]> {
    let columns = samples.inputs.iter().chain(&samples.targets).chain(&samples.weights);
    columns.map(Vec::as_slice).collect()
}

/// Copies rows of all samples, starting at `first`, to `out` in row-major order.
fn interleave(samples: &ScaledSamples, first: usize, out: &mut [f64]) {
    let width = width(samples);
    for (at, column) in columns(samples).into_iter().enumerate() {
        let column_out = out.iter_mut().skip(at).step_by(width);
        column_out.zip(&column[first..]).for_each(|(out, x)| *out = *x);
    }
}

impl<'a> DeviceSamples<'a> {
    /// `chunk_rows` forces streaming with the given chunk size.
    pub(super) fn new(
        part: RowPart<'a>,
        cuda: &'a Cuda,
        cpu: &Cpu,
        chunk_rows: Option<usize>,
    ) -> Result<Self> {
        let samples = part.samples;
        let sum = |rows: Range<usize>| match &samples.weights {
            Some(weights) => weights[rows].iter().sum(),
            None => rows.len() as f64,
        };
        let weight = [sum(0..samples.training), sum(samples.training..samples.rows())];
        let shape = (part.rows(), width(samples));
        let bytes = (shape.0 * shape.1 * size_of::<f64>()) as f64;
        let fits = chunk_rows.is_none() && bytes < cuda.memory()?.0 as f64 * MAX_MEMORY_FRACTION;
        let fill = |rows: Range<usize>, values: &mut [f64]| part.interleave(rows, values);
        let resident = fits.then(|| cuda.upload_rows(shape, fill, &Progress::none())).transpose()?;
        let has_missing = |input: Range<usize>| {
            samples.inputs[input.start][part.training.clone()].iter().any(|x| x.is_nan())
        };
        let missing = cpu.map_chunks(samples.inputs.len(), 1, has_missing).contains(&true);
        Ok(DeviceSamples { part, cuda, weight, resident, chunk_rows, missing })
    }

    /// Calls `pass` for all rows, in order, chunk by chunk.
    pub(super) fn for_each_chunk(&self, mut pass: impl FnMut(RowChunk<'_>) -> Result<()>) -> Result<()> {
        let (count, training) = (self.part.rows(), self.part.training.len());
        if let Some(values) = &self.resident {
            return pass(RowChunk { values, first: 0, count, training });
        }
        let fill = |rows: Range<usize>, values: &mut [f64]| {
            self.part.interleave(rows, values);
            Ok(())
        };
        let mut work = Chunked::new(count).input(StreamInput::new(width(self.part.samples), fill));
        if let Some(rows) = self.chunk_rows {
            work = work.chunk_rows(rows);
        }
        self.cuda.stream_chunks(work, &Progress::none(), |rows, inputs, _| {
            let training = training.clamp(rows.start, rows.end) - rows.start;
            pass(RowChunk { values: inputs.buffer(0)?, first: rows.start, count: rows.len(), training })
        })
    }
}
