//! Several GPUs that share the rows: each computes the sums over its own rows, and the host adds them in the order of the
//! GPUs, before each solution for the consequents and each step.

use super::device_samples::RowPart;
use super::gpu::CudaBackend;
use super::variances::variances;
use crate::device::{Cpu, Cuda, concurrently};
use crate::tuning::error::Result;
use crate::tuning::network::Network;
use crate::tuning::solver::normal_equations::NormalEquations;
use crate::tuning::solver::solve::{Solution, solve};
use crate::tuning::training::backend::Backend;
use crate::tuning::training::loss::{Gradient, Loss};
use crate::tuning::training::samples::ScaledSamples;

/// Samples on several GPUs.
pub(in crate::tuning) struct MultiGpu<'a> {
    /// At least one.
    parts: Vec<CudaBackend<'a>>,
}

/// Adds the sums of other rows.
fn add(sums: &mut [f64], more: &[f64]) {
    sums.iter_mut().zip(more).for_each(|(sum, x)| *sum += x);
}

impl<'a> MultiGpu<'a> {
    /// Uploads a part of the training rows and a part of the validation rows to each GPU.
    pub(in crate::tuning) fn new(
        samples: &'a ScaledSamples,
        cudas: &'a [Cuda],
        cpu: &'a Cpu,
    ) -> Result<Self> {
        let count = cudas.len().min(samples.training).max(1); // every part has training rows
        let cudas = cudas.iter().take(count).enumerate().collect();
        let part =
            |(i, cuda): (usize, &'a Cuda)| CudaBackend::for_part(RowPart::new(samples, i, count), cuda, cpu);
        Ok(MultiGpu { parts: concurrently(cudas, part)? })
    }

    /// Runs `work` on all GPUs concurrently.
    fn on_each_gpu<R: Send>(
        &mut self,
        work: impl Fn(&mut CudaBackend<'a>) -> Result<R> + Sync,
    ) -> Result<Vec<R>> {
        concurrently(self.parts.iter_mut().collect(), work)
    }

    /// Runs `work` on all GPUs concurrently and combines the results in the order of the GPUs.
    fn sum<R: Send>(
        &mut self,
        work: impl Fn(&mut CudaBackend<'a>) -> Result<R> + Sync,
        add: impl Fn(R, R) -> R,
    ) -> Result<R> {
        let results = self.on_each_gpu(work)?;
        Ok(results.into_iter().reduce(add).expect("invariant: there is at least one GPU"))
    }
}

impl Backend for MultiGpu<'_> {
    fn normal_equations(&mut self, network: &Network) -> Result<NormalEquations> {
        let weight = self.parts[0].device_samples.weight[0]; // of all rows
        let add = |mut total: NormalEquations, part: NormalEquations| {
            total.add(&part);
            total
        };
        Ok(NormalEquations { weight, ..self.sum(|part| part.normal_equations(network), add)? })
    }

    /// The first GPU solves for many unknowns, the host for few.
    fn solve_consequents(&mut self, network: &Network, ridge: f64) -> Result<Solution> {
        let equations = self.normal_equations(network)?;
        Ok(match self.parts[0].solve_equations(network, &equations, ridge)? {
            Some(theta) => Solution { theta, ill_conditioned: false },
            None => solve(&equations, ridge),
        })
    }

    fn cluster_variances(&mut self, centers: &[f64]) -> Result<Option<Vec<f64>>> {
        let inputs = self.parts[0].device_samples.part.samples.inputs.len();
        let sums = self.sum(
            |part| Ok(part.variance_sums(centers)?),
            |total, part| {
                let (mut total, part) = total.zip(part)?;
                add(&mut total, &part);
                Some(total)
            },
        )?;
        Ok(sums.map(|sums| variances(&sums, inputs)))
    }

    fn loss_and_gradient(&mut self, network: &Network, loss: Loss) -> Result<Gradient> {
        // The gradients of the parts are already divided by the weight of all rows.
        let work = |part: &mut CudaBackend<'_>| part.loss_and_gradient(network, loss);
        self.sum(work, |mut total, part| {
            add(&mut total.loss, &part.loss);
            add(&mut total.squares, &part.squares);
            add(total.sets.as_flattened_mut(), part.sets.as_flattened());
            add(&mut total.theta, &part.theta);
            total
        })
    }

    fn predict(&mut self, network: &Network) -> Result<Vec<Vec<f64>>> {
        let outputs_of_parts = self.on_each_gpu(|part| part.predict(network))?;
        let mut outputs = vec![Vec::new(); network.outputs];
        for is_training in [true, false] {
            for (part, outputs_of_part) in self.parts.iter().zip(&outputs_of_parts) {
                for (all, of_part) in outputs.iter_mut().zip(outputs_of_part) {
                    let (training, validation) = of_part.split_at(part.device_samples.part.training.len());
                    all.extend_from_slice(if is_training { training } else { validation });
                }
            }
        }
        Ok(outputs)
    }
}
