//! CPU back end. Rows are processed in chunks whose bounds depend only on the number of rows; partial results are
//! combined in order, so results do not depend on the number of threads.

mod context;
mod firing;
mod gradient;
mod gram;
mod kernel;
mod scratch;
mod sets;

use crate::device::Cpu;
use crate::tuning::error::Result;
use crate::tuning::network::Network;
use crate::tuning::solver::normal_equations::NormalEquations;
use crate::tuning::training::backend::Backend;
use crate::tuning::training::loss::{Gradient, Loss};
use crate::tuning::training::samples::ScaledSamples;
use context::{BLOCK, KernelContext};
use scratch::{Scratch, ScratchPool};
use std::ops::Range;

/// Rows per partial result.
const CHUNK: usize = 4 * BLOCK;
/// Maximum number of chunks whose partial results are held at once, and their maximum size in bytes.
const MAX_CHUNKS_IN_FLIGHT: usize = 64;
const MAX_BYTES_IN_FLIGHT: usize = 64 << 20;

/// Samples in memory.
pub struct CpuBackend<'a> {
    samples: &'a ScaledSamples,
    cpu: &'a Cpu,
    /// Whether each input is missing in some row.
    missing: Vec<bool>,
    pool: ScratchPool,
}

impl<'a> CpuBackend<'a> {
    pub fn new(samples: &'a ScaledSamples, cpu: &'a Cpu) -> Self {
        let missing = samples.inputs.iter().map(|column| column.iter().any(|x| x.is_nan())).collect();
        CpuBackend { samples, cpu, missing, pool: ScratchPool::default() }
    }

    /// Computes `part` for every chunk of `rows` on all threads and passes the results to `join` in order.
    /// `values_per_part` is the number of values in one partial result.
    fn for_each_chunk<P: Send>(
        &self,
        context: &KernelContext<'_>,
        rows: Range<usize>,
        values_per_part: usize,
        part: impl Fn(Range<usize>, &mut Scratch) -> P + Sync + Send,
        mut join: impl FnMut(P),
    ) {
        let bytes = (values_per_part * size_of::<f64>()).max(1);
        let rows_in_flight =
            (MAX_BYTES_IN_FLIGHT / bytes).min(MAX_CHUNKS_IN_FLIGHT).max(self.cpu.threads()) * CHUNK;
        for first in rows.clone().step_by(rows_in_flight) {
            let parts = self.cpu.map_chunks((rows.end - first).min(rows_in_flight), CHUNK, |chunk| {
                self.pool
                    .with_scratch(context, |scratch| part(first + chunk.start..first + chunk.end, scratch))
            });
            parts.into_iter().for_each(&mut join);
        }
    }

    /// Sum of the weights of `rows`.
    fn total_weight(&self, rows: Range<usize>) -> f64 {
        match &self.samples.weights {
            Some(weights) => weights[rows].iter().sum(),
            None => rows.len() as f64,
        }
    }

    /// Sums, not means, of the loss over `rows` and, if `with_gradient`, of its gradient.
    fn gradient_sums(
        &self,
        context: &KernelContext<'_>,
        rows: Range<usize>,
        loss: Loss,
        with_gradient: bool,
    ) -> gradient::GradientSums {
        let mut total = gradient::GradientSums::zero(context);
        let values_per_part = total.sets.len() * 4 + total.theta.len();
        let part = |chunk: Range<usize>, scratch: &mut Scratch| {
            let mut sums = gradient::GradientSums::zero(context);
            for block in blocks(chunk) {
                kernel::gradient(
                    self.cpu.simd(),
                    context,
                    self.samples,
                    block,
                    loss,
                    with_gradient,
                    scratch,
                    &mut sums,
                );
            }
            sums
        };
        self.for_each_chunk(context, rows, values_per_part, part, |sums| total.add(&sums));
        total
    }
}

/// Blocks of a chunk.
fn blocks(chunk: Range<usize>) -> impl Iterator<Item = Range<usize>> {
    let end = chunk.end;
    chunk.step_by(BLOCK).map(move |first| first..end.min(first + BLOCK))
}

impl Backend for CpuBackend<'_> {
    fn normal_equations(&mut self, network: &Network) -> Result<NormalEquations> {
        let context = KernelContext::new(network, &self.missing);
        let (unknowns, outputs) = (network.unknowns(), network.outputs);
        let values_per_part = gram::triangle_len(unknowns + outputs);
        let part = |chunk: Range<usize>, scratch: &mut Scratch| {
            let mut sums = vec![0.0; values_per_part];
            for block in blocks(chunk) {
                kernel::gram(self.cpu.simd(), &context, self.samples, block, scratch, &mut sums);
            }
            sums
        };
        let mut total = vec![0.0; values_per_part];
        self.for_each_chunk(&context, 0..self.samples.training, values_per_part, part, |sums| {
            total.iter_mut().zip(sums).for_each(|(total, sum)| *total += sum);
        });
        let weight = self.total_weight(0..self.samples.training);
        Ok(NormalEquations::from_triangle(&total, (unknowns, outputs), weight, self.samples.training))
    }

    fn squared_firing(&mut self, network: &Network) -> Result<Vec<f64>> {
        // Constant consequents have the fewest products.
        let constant = Network::new(network.antecedents.clone(), 0, network.outputs);
        let equations = self.normal_equations(&constant)?;
        Ok((0..constant.unknowns()).map(|rule| equations.diagonal(rule)).collect())
    }

    fn loss_and_gradient(&mut self, network: &Network, loss: Loss) -> Result<Gradient> {
        let context = KernelContext::new(network, &self.missing);
        let (training, rows) = (self.samples.training, self.samples.rows());
        let training_sums = self.gradient_sums(&context, 0..training, loss, true);
        let validation_sums = self.gradient_sums(&context, training..rows, loss, false);
        let weight = [self.total_weight(0..training), self.total_weight(training..rows)];
        let mean = 1.0 / weight[0];
        Ok(Gradient {
            loss: [training_sums.loss, validation_sums.loss],
            squares: [training_sums.squares, validation_sums.squares],
            weight,
            sets: training_sums.sets.into_iter().map(|gradient| gradient.map(|sum| sum * mean)).collect(),
            theta: training_sums.theta.into_iter().map(|sum| sum * mean).collect(),
        })
    }

    fn predict(&mut self, network: &Network) -> Result<Vec<Vec<f64>>> {
        let context = KernelContext::new(network, &self.missing);
        let rows = self.samples.rows();
        let mut outputs = vec![Vec::with_capacity(rows); network.outputs];
        let part = |chunk: Range<usize>, scratch: &mut Scratch| {
            let mut outputs = vec![Vec::with_capacity(chunk.len()); network.outputs];
            for block in blocks(chunk) {
                kernel::predict(self.cpu.simd(), &context, self.samples, block.clone(), scratch);
                for (o, output) in outputs.iter_mut().enumerate() {
                    output.extend_from_slice(&scratch.predicted(o)[..block.len()]);
                }
            }
            outputs
        };
        self.for_each_chunk(&context, 0..rows, CHUNK * network.outputs, part, |part| {
            outputs.iter_mut().zip(part).for_each(|(all, part)| all.extend(part));
        });
        Ok(outputs)
    }
}
