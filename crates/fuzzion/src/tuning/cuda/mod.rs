//! CUDA back end.
//!
//! With few unknowns, a block keeps full rows of Φ in shared memory, and if the consequents are solved for in every
//! iteration, one launch performs many iterations. With many unknowns, φ passes through global memory chunk by chunk;
//! see `large`. Samples are uploaded once if they fit into GPU memory, otherwise in every pass.
#![allow(unsafe_code)] // kernel launches

pub(super) mod descent;
pub(super) mod device_samples;
pub(crate) mod gpu;
pub(super) mod large;
pub(super) mod layout;
mod multi_gpu;
pub(super) mod prefetch;
pub(super) mod variances;

#[cfg(test)]
use crate::device::cuda::Program;
use crate::tuning::error::Result;
use crate::tuning::network::Network;
use crate::tuning::solver::normal_equations::NormalEquations;
use crate::tuning::solver::solve::{Solution, solve};
use crate::tuning::training::backend::Backend;
use crate::tuning::training::descent::{Descent, DescentSettings};
use crate::tuning::training::loss::{Gradient, Loss};
use gpu::gradient_from_sums;
use layout::KernelLayout;

#[cfg(test)]
pub(crate) use crate::tuning::tests::emulated::LAUNCHING_TESTS;
pub(super) use gpu::CudaBackend;
pub(super) use multi_gpu::MultiGpu;
use variances::variances;

impl Backend for CudaBackend<'_> {
    fn normal_equations(&mut self, network: &Network) -> Result<NormalEquations> {
        let layout = self.layout(network, Loss::SquaredError)?;
        if !layout.full_phi {
            return self.large_normal_equations(&layout, network);
        }
        let cuda = self.cuda();
        let encoded = self.encode(&layout, network)?;
        let kernel = self.kernel(&layout, "sum_products", None, KernelLayout::sweep_program)?;
        let grid = self.grid(self.device_samples.part.rows(), layout.rows, layout.sweep_bytes());
        let mut partial = cuda.alloc(grid.blocks[0] as usize * layout.gram_len())?;
        self.device_samples.for_each_chunk(|chunk| {
            let launch = chunk
                .rows(kernel.launch())
                .input(&encoded.sets)
                .input(&encoded.set_indices)
                .input(&encoded.frames)
                .value(i32::from(chunk.first > 0))
                .output(&mut partial);
            // SAFETY: the arguments match sum_products, compiled for this layout; `partial` has space for the sums of
            // every block.
            unsafe { launch.run(cuda.stream(), grid) }
        })?;
        let triangle = self.sum_blocks(&layout, &partial, grid.blocks[0], layout.gram_len())?;
        let shape = (layout.unknowns(), layout.outputs);
        Ok(NormalEquations::from_triangle(
            &triangle,
            shape,
            self.device_samples.weight[0],
            self.device_samples.part.training.len(),
        ))
    }

    fn solve_consequents(&mut self, network: &Network, ridge: f64) -> Result<Solution> {
        let layout = self.layout(network, Loss::SquaredError)?;
        if !layout.full_phi
            && let Some(theta) = self.large_consequents(&layout, network, ridge)?
        {
            return Ok(Solution { theta, ill_conditioned: false });
        }
        Ok(solve(&self.normal_equations(network)?, ridge))
    }

    fn cluster_variances(&mut self, centers: &[f64]) -> Result<Option<Vec<f64>>> {
        let inputs = self.device_samples.part.samples.inputs.len();
        Ok(self.variance_sums(centers)?.map(|sums| variances(&sums, inputs)))
    }

    fn loss_and_gradient(&mut self, network: &Network, loss: Loss) -> Result<Gradient> {
        let layout = self.layout(network, loss)?;
        let sums = self.gradient_sums(&layout, network, false)?;
        Ok(gradient_from_sums(&layout, network, self.device_samples.weight, &sums))
    }

    fn iterate_on_device(
        &mut self,
        descent: &Descent,
        settings: &DescentSettings,
        max_iterations: usize,
    ) -> Result<Option<Descent>> {
        self.iterate_in_one_launch(descent, settings, max_iterations)
    }

    fn predict(&mut self, network: &Network) -> Result<Vec<Vec<f64>>> {
        let cuda = self.cuda();
        let layout = self.layout(network, Loss::SquaredError)?;
        let encoded = self.encode(&layout, network)?;
        let kernel = self.kernel(&layout, "predict_rows", None, KernelLayout::sweep_program)?;
        let mut outputs = vec![Vec::new(); layout.outputs];
        self.device_samples.for_each_chunk(|chunk| {
            let grid = chunk.grid(cuda, layout.rows, layout.sweep_bytes());
            let mut out = cuda.alloc::<f64>(chunk.count * layout.outputs)?;
            let launch = kernel
                .launch()
                .input(chunk.values)
                .value(chunk.count as i64)
                .input(&encoded.sets)
                .input(&encoded.set_indices)
                .input(&encoded.frames)
                .input(&encoded.theta)
                .output(&mut out);
            // SAFETY: the arguments match predict_rows, compiled for this layout; `out` has space for the outputs of
            // every row.
            unsafe { launch.run(cuda.stream(), grid) }?;
            let values = cuda.download(&out)?;
            outputs.iter_mut().zip(values.chunks(chunk.count)).for_each(|(all, part)| all.extend(part));
            Ok(())
        })?;
        Ok(outputs)
    }
}

/// All programs with typical specializations.
#[cfg(test)]
pub(crate) fn programs() -> Vec<Program> {
    super::tests::emulated::programs()
}
