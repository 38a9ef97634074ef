//! The results of consecutive rows, as one array per kind of result.

#[cfg(feature = "cuda")]
use super::cpu::PlanScalar;
use super::results::KINDS;
#[cfg(feature = "cuda")]
use super::results::ResultValues;
#[cfg(feature = "cuda")]
use crate::device::Cpu;
use std::ops::Range;

/// Rows that one thread splits at a time.
#[cfg(feature = "cuda")]
const ROWS_PER_TASK: usize = 1 << 13;

/// Memory for the results of consecutive rows.
pub(super) struct ResultChunk<'a, T> {
    pub(super) rows: Range<usize>,
    /// Results per row of each kind.
    widths: [usize; KINDS],
    values: [&'a mut [T]; KINDS],
}

impl<'a, T: Copy> ResultChunk<'a, T> {
    /// Splits the results of `rows` rows into chunks of `chunk` rows.
    pub(super) fn split(
        mut values: [&'a mut [T]; KINDS],
        widths: [usize; KINDS],
        rows: usize,
        chunk: usize,
    ) -> Vec<Self> {
        let ranges = (0..rows).step_by(chunk).map(|first| first..rows.min(first + chunk));
        let chunks = ranges.map(|rows| {
            let mut kind = 0;
            let values = values.each_mut().map(|values| {
                let (part, rest) = std::mem::take(values).split_at_mut(rows.len() * widths[kind]);
                *values = rest;
                kind += 1;
                part
            });
            ResultChunk { rows, widths, values }
        });
        chunks.collect()
    }

    /// Stores the results of `rows` rows, from row `first` of this chunk.
    pub(super) fn store<'b>(&mut self, first: usize, rows: usize, result: impl Fn(usize) -> &'b [T])
    where
        T: 'b,
    {
        let mut index = 0;
        for (values, width) in self.values.iter_mut().zip(self.widths) {
            let out = &mut values[first * width..(first + rows) * width];
            for column in 0..width {
                let from = result(index);
                match width {
                    1 => out.copy_from_slice(from),
                    _ => {
                        let out = out[column..].iter_mut().step_by(width);
                        out.zip(from).for_each(|(out, value)| *out = *value);
                    }
                }
                index += 1;
            }
        }
    }

    /// The outputs of a row of this chunk.
    pub(super) fn outputs(&self, row: usize) -> &[T] {
        &self.values[0][row * self.widths[0]..][..self.widths[0]]
    }
}

/// Copies the results of all rows, stored row by row, to one array per kind of result.
#[cfg(feature = "cuda")]
pub(super) fn split_results<T: PlanScalar>(
    cpu: &Cpu,
    results: &[T],
    widths: [usize; KINDS],
    out: &mut ResultValues<T>,
) {
    let (total, mut first) = (widths.iter().sum(), 0);
    for (out, width) in out.iter_mut().zip(widths).filter(|(_, width)| *width > 0) {
        cpu.fill_chunks(out, width, ROWS_PER_TASK, |row, out| {
            let rows = results[row * total..].chunks_exact(total);
            out.chunks_exact_mut(width)
                .zip(rows)
                .for_each(|(out, row)| out.copy_from_slice(&row[first..][..width]));
        });
        first += width;
    }
}
