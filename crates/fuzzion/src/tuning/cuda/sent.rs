//! Rows on their way to the GPU.

use super::super::rows::Samples;
use super::layout::THREADS;
use crate::device::Cuda;
use crate::device::cuda::{Buffer, Chunked, Grid, Input, Launch};
use crate::error::Result;
use crate::progress::Progress;

/// The share of the free memory that rows may take.
const MEMORY: f64 = 0.75;

/// Rows that are sent once where they fit the GPU, else in every pass: inputs, targets and weight of one after the other.
pub(super) struct Sent<'a> {
    pub(super) samples: &'a Samples,
    pub(super) cuda: &'a Cuda,
    /// The sums of weights over training and validation.
    pub(super) weight: [f64; 2],
    pub(super) resident: Option<Buffer<f64>>,
    /// Rows sent at a time, where they do not stay and it shall not be what suits the bus.
    piece_rows: Option<usize>,
    /// Whether some training row has missing inputs.
    pub(super) missing: bool,
}

/// Some of the rows on the GPU.
pub(super) struct Piece<'b> {
    pub(super) values: &'b Buffer<f64>,
    pub(super) first: usize,
    pub(super) count: usize,
    /// How many of them are learned from.
    pub(super) training: usize,
}

impl Piece<'_> {
    /// The first arguments of every pass.
    pub(super) fn rows<'k>(&self, launch: Launch<'k>) -> Launch<'k> {
        launch.input(self.values).value(self.count as i64).value(self.training as i64)
    }

    /// A block for each tile, as far as there are multiprocessors.
    pub(super) fn grid(&self, cuda: &Cuda, tile: usize, shared: usize) -> Grid {
        let blocks = self.count.div_ceil(tile).clamp(1, cuda.gpu().multiprocessors as usize);
        Grid::new(blocks as u32, THREADS as u32).shared(shared as u32)
    }
}

/// Numbers of a row.
fn width(samples: &Samples) -> usize {
    samples.inputs.len() + samples.targets.len() + usize::from(samples.weights.is_some())
}

/// The columns of `samples` that make a row, in order.
fn columns(samples: &Samples) -> Vec<&[f64]> {
    let columns = samples.inputs.iter().chain(&samples.targets).chain(&samples.weights);
    columns.map(Vec::as_slice).collect()
}

/// Rows one after the other, from `first` on, into `out`.
pub(in super::super) fn interleave(samples: &Samples, first: usize, out: &mut [f64]) {
    let width = width(samples);
    for (at, column) in columns(samples).into_iter().enumerate() {
        let places = out.iter_mut().skip(at).step_by(width);
        places.zip(&column[first..]).for_each(|(place, x)| *place = *x);
    }
}

impl<'a> Sent<'a> {
    /// `piece_rows` lets even rows that fit travel in every pass, so many at a time.
    pub(super) fn new(samples: &'a Samples, cuda: &'a Cuda, piece_rows: Option<usize>) -> Result<Self> {
        let sum = |rows: std::ops::Range<usize>| match &samples.weights {
            Some(weights) => weights[rows].iter().sum(),
            None => rows.len() as f64,
        };
        let weight = [sum(0..samples.training), sum(samples.training..samples.rows())];
        let numbers = samples.rows() * width(samples);
        let fits = piece_rows.is_none() && ((numbers * 8) as f64) < cuda.memory()?.0 as f64 * MEMORY;
        let resident = if fits {
            let mut values = vec![0.0; numbers];
            interleave(samples, 0, &mut values);
            Some(cuda.upload(&values)?)
        } else {
            None
        };
        let missing = samples.inputs.iter().any(|x| x[..samples.training].iter().any(|x| x.is_nan()));
        Ok(Sent { samples, cuda, weight, resident, piece_rows, missing })
    }

    /// `pass` over all rows, in order, each in exactly one piece.
    pub(super) fn each(&self, mut pass: impl FnMut(Piece<'_>) -> Result<()>) -> Result<()> {
        let (count, training) = (self.samples.rows(), self.samples.training);
        if let Some(values) = &self.resident {
            return pass(Piece { values, first: 0, count, training });
        }
        let fill = |rows: std::ops::Range<usize>, numbers: &mut [f64]| {
            interleave(self.samples, rows.start, numbers);
            Ok(())
        };
        let mut work = Chunked::new(count).input(Input::new(width(self.samples), fill));
        if let Some(rows) = self.piece_rows {
            work = work.chunk_rows(rows);
        }
        self.cuda.stream_chunks(work, Progress::none(), |rows, inputs, _| {
            let training = training.clamp(rows.start, rows.end) - rows.start;
            pass(Piece { values: inputs.buffer(0)?, first: rows.start, count: rows.len(), training })
        })
    }
}
