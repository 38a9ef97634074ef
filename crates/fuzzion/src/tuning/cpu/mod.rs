//! The CPU's sweeps: chunks of rows whose bounds depend on the rows alone, joined in order.

mod firing;
mod gram;
mod kernel;
mod scratch;
mod sets;
mod slope;

use super::network::Network;
use super::rows::{Loss, Rows, Samples, Slope};
use super::statistics::Statistics;
use crate::device::Cpu;
use crate::error::Result;
use kernel::{BLOCK, Kernel};
use scratch::{Pool, Scratch};
use std::ops::Range;

/// Rows whose sums are made by one thread before they are joined.
const CHUNK: usize = 4 * BLOCK;
/// Chunks in flight before their sums are joined, and the bytes these may take.
const TOGETHER: usize = 64;
const TOGETHER_BYTES: usize = 64 << 20;

/// Rows in memory.
pub(super) struct Sweep<'a> {
    samples: &'a Samples,
    cpu: &'a Cpu,
    /// Whether an input is missing in some row.
    missing: Vec<bool>,
    pool: Pool,
}

impl<'a> Sweep<'a> {
    pub(super) fn new(samples: &'a Samples, cpu: &'a Cpu) -> Self {
        let missing = samples.inputs.iter().map(|column| column.iter().any(|x| x.is_nan())).collect();
        Sweep { samples, cpu, missing, pool: Pool::default() }
    }

    /// Calls `part` for every chunk of `rows`, on all threads, and `join` with what it made, in order. A part holds
    /// `numbers` numbers.
    fn sweep<P: Send>(
        &self,
        kernel: &Kernel<'_>,
        rows: Range<usize>,
        numbers: usize,
        part: impl Fn(Range<usize>, &mut Scratch) -> P + Sync + Send,
        mut join: impl FnMut(P),
    ) {
        let bytes = (numbers * size_of::<f64>()).max(1);
        let together = (TOGETHER_BYTES / bytes).min(TOGETHER).max(self.cpu.threads()) * CHUNK;
        for first in rows.clone().step_by(together) {
            let parts = self.cpu.map_chunks((rows.end - first).min(together), CHUNK, |chunk| {
                self.pool.lend(kernel, |scratch| part(first + chunk.start..first + chunk.end, scratch))
            });
            parts.into_iter().for_each(&mut join);
        }
    }

    /// The sum of the weights of `rows`.
    fn weight(&self, rows: Range<usize>) -> f64 {
        match &self.samples.weights {
            Some(weights) => weights[rows].iter().sum(),
            None => rows.len() as f64,
        }
    }

    /// The loss over `rows`, and its slopes if `learn`: sums, not means.
    fn slopes(&self, kernel: &Kernel<'_>, rows: Range<usize>, loss: Loss, learn: bool) -> slope::Sums {
        let mut total = slope::Sums::zero(kernel);
        let numbers = total.sets.len() * 4 + total.theta.len();
        let part = |chunk: Range<usize>, scratch: &mut Scratch| {
            let mut sums = slope::Sums::zero(kernel);
            for block in blocks(chunk) {
                kernel::slope(self.cpu.simd(), kernel, self.samples, block, loss, learn, scratch, &mut sums);
            }
            sums
        };
        self.sweep(kernel, rows, numbers, part, |sums| total.add(&sums));
        total
    }
}

/// The blocks of a chunk.
fn blocks(chunk: Range<usize>) -> impl Iterator<Item = Range<usize>> {
    let end = chunk.end;
    chunk.step_by(BLOCK).map(move |first| first..end.min(first + BLOCK))
}

impl Rows for Sweep<'_> {
    fn statistics(&mut self, network: &Network) -> Result<Statistics> {
        let kernel = Kernel::new(network, &self.missing);
        let (unknowns, outputs) = (network.unknowns(), network.outputs);
        let numbers = gram::numbers(unknowns + outputs);
        let part = |chunk: Range<usize>, scratch: &mut Scratch| {
            let mut sums = vec![0.0; numbers];
            for block in blocks(chunk) {
                kernel::gram(self.cpu.simd(), &kernel, self.samples, block, scratch, &mut sums);
            }
            sums
        };
        let mut total = vec![0.0; numbers];
        self.sweep(&kernel, 0..self.samples.training, numbers, part, |sums| {
            total.iter_mut().zip(sums).for_each(|(total, sum)| *total += sum);
        });
        let weight = self.weight(0..self.samples.training);
        Ok(Statistics::of_triangle(&total, (unknowns, outputs), weight, self.samples.training))
    }

    fn slope(&mut self, network: &Network, loss: Loss) -> Result<Slope> {
        let kernel = Kernel::new(network, &self.missing);
        let (training, rows) = (self.samples.training, self.samples.rows());
        let learned = self.slopes(&kernel, 0..training, loss, true);
        let checked = self.slopes(&kernel, training..rows, loss, false);
        let weight = [self.weight(0..training), self.weight(training..rows)];
        let mean = 1.0 / weight[0];
        Ok(Slope {
            loss: [learned.loss, checked.loss],
            squares: [learned.squares, checked.squares],
            weight,
            sets: learned.sets.into_iter().map(|slopes| slopes.map(|sum| sum * mean)).collect(),
            theta: learned.theta.into_iter().map(|sum| sum * mean).collect(),
        })
    }

    fn predict(&mut self, network: &Network) -> Result<Vec<Vec<f64>>> {
        let kernel = Kernel::new(network, &self.missing);
        let rows = self.samples.rows();
        let mut outputs = vec![Vec::with_capacity(rows); network.outputs];
        let part = |chunk: Range<usize>, scratch: &mut Scratch| {
            let mut outputs = vec![Vec::with_capacity(chunk.len()); network.outputs];
            for block in blocks(chunk) {
                kernel::predict(self.cpu.simd(), &kernel, self.samples, block.clone(), scratch);
                for (o, output) in outputs.iter_mut().enumerate() {
                    output.extend_from_slice(&scratch.predicted(o)[..block.len()]);
                }
            }
            outputs
        };
        self.sweep(&kernel, 0..rows, CHUNK * network.outputs, part, |part| {
            outputs.iter_mut().zip(part).for_each(|(all, part)| all.extend(part));
        });
        Ok(outputs)
    }
}
