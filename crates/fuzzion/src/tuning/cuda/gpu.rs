//! CUDA back end: networks on the GPU, and sums over rows and blocks.

use super::device_samples::{DeviceSamples, RowPart};
use super::layout::{KernelLayout, SET_STRIDE, THREADS};
use crate::device::cuda::{Buffer, Grid, Kernel, Program};
use crate::device::error::Result;
use crate::device::{Cpu, Cuda, DeviceError};
use crate::tuning::network::Network;
use crate::tuning::network::antecedents::NO_SET;
use crate::tuning::network::form::Form;
use crate::tuning::settings::StepRule;
use crate::tuning::training::loss::{Gradient, Loss};
use crate::tuning::training::samples::ScaledSamples;
use std::collections::HashMap;

/// CUDA back end: samples and compiled kernels.
pub struct CudaBackend<'a> {
    pub(super) device_samples: DeviceSamples<'a>,
    /// The CPU for rows that the kernels do not support.
    pub(super) cpu: &'a Cpu,
    /// Compiled kernels by specialization; a lookup by source text would take longer than a small pass.
    kernels: HashMap<(KernelLayout, &'static str, Option<StepRule>), Kernel>,
    /// Replaces the layout chosen for the GPU.
    #[cfg(test)]
    pub(in crate::tuning) replace_layout: fn(KernelLayout) -> KernelLayout,
}

/// A network in GPU memory.
pub(super) struct DeviceNetwork {
    pub(super) sets: Buffer<f64>,
    pub(super) set_indices: Buffer<i32>,
    pub(super) frames: Buffer<f64>,
    pub(super) theta: Buffer<f64>,
}

impl<'a> CudaBackend<'a> {
    pub fn new(samples: &'a ScaledSamples, cuda: &'a Cuda, cpu: &'a Cpu) -> Result<Self> {
        CudaBackend::for_part(RowPart::new(samples, 0, 1), cuda, cpu)
    }

    /// Back end for some of the samples.
    pub(super) fn for_part(part: RowPart<'a>, cuda: &'a Cuda, cpu: &'a Cpu) -> Result<Self> {
        Ok(Self::with_samples(DeviceSamples::new(part, cuda, cpu, None)?, cpu))
    }

    /// Samples that are streamed in every pass, `rows` at a time, even if they fit into GPU memory.
    pub fn streamed(samples: &'a ScaledSamples, cuda: &'a Cuda, cpu: &'a Cpu, rows: usize) -> Result<Self> {
        let part = RowPart::new(samples, 0, 1);
        Ok(Self::with_samples(DeviceSamples::new(part, cuda, cpu, Some(rows))?, cpu))
    }

    fn with_samples(device_samples: DeviceSamples<'a>, cpu: &'a Cpu) -> Self {
        CudaBackend {
            device_samples,
            cpu,
            kernels: HashMap::new(),
            #[cfg(test)]
            replace_layout: std::convert::identity,
        }
    }

    pub(super) fn cuda(&self) -> &'a Cuda {
        self.device_samples.cuda
    }

    pub(in crate::tuning) fn layout(&self, network: &Network, loss: Loss) -> Result<KernelLayout> {
        let gpu = self.cuda().gpu();
        let limits = (gpu.multiprocessors as usize, gpu.shared_per_block as usize);
        let part = &self.device_samples.part;
        let weighted = part.samples.weights.is_some();
        let layout = KernelLayout::new(network, weighted, loss, part.rows(), limits);
        #[cfg(test)]
        let layout = layout.map(self.replace_layout);
        layout.ok_or(DeviceError::NotOnGpu { what: "this number of rules" })
    }

    pub(super) fn kernel(
        &mut self,
        layout: &KernelLayout,
        name: &'static str,
        step: Option<StepRule>,
        program: impl FnOnce(&KernelLayout) -> Program,
    ) -> Result<Kernel> {
        let key = (layout.clone(), name, step);
        if let Some(kernel) = self.kernels.get(&key) {
            return Ok(kernel.clone());
        }
        let kernel = self.cuda().kernel(&program(layout), name)?;
        self.kernels.insert(key, kernel.clone());
        Ok(kernel)
    }

    /// One block per tile, up to the number of multiprocessors.
    pub(super) fn grid(&self, rows: usize, tile: usize, shared: usize) -> Grid {
        let blocks = rows.div_ceil(tile).clamp(1, self.cuda().gpu().multiprocessors as usize);
        Grid::new(blocks as u32, THREADS as u32).shared(shared as u32)
    }

    pub(super) fn encode(&mut self, layout: &KernelLayout, network: &Network) -> Result<DeviceNetwork> {
        let cuda = self.cuda();
        let antecedents = &network.antecedents;
        let parameters: Vec<f64> = antecedents.sets.iter().flat_map(|set| set.parameters).collect();
        let parameters = cuda.upload(&parameters)?;
        let mut sets = cuda.alloc(antecedents.sets.len() * SET_STRIDE)?;
        let frames = network.frames.centers.iter().zip(&network.frames.inverse_widths);
        let frames: Vec<f64> = frames.flat_map(|(center, inverse)| [*center, *inverse]).collect();
        let kernel = self.kernel(layout, "prepare_sets", None, KernelLayout::sweep_program)?;
        let count = antecedents.sets.len();
        let launch = kernel.launch().input(&parameters).value(count as i32).output(&mut sets);
        let grid = Grid::new(count.div_ceil(THREADS).max(1) as u32, THREADS as u32);
        // SAFETY: the arguments match prepare_sets; both buffers contain SET_STRIDE values for each of `count` sets.
        unsafe { launch.run(cuda.stream(), grid) }?;
        Ok(DeviceNetwork {
            sets,
            set_indices: cuda.upload(&set_indices(network))?,
            frames: cuda.upload(&frames)?,
            theta: cuda.upload(&network.theta)?,
        })
    }

    /// Sums the partial results of all blocks.
    pub(super) fn sum_blocks(
        &mut self,
        layout: &KernelLayout,
        partial: &Buffer<f64>,
        blocks: u32,
        width: usize,
    ) -> Result<Vec<f64>> {
        let cuda = self.cuda();
        let mut total = cuda.alloc(width)?;
        assert!(partial.len() >= blocks as usize * width);
        let kernel = self.kernel(layout, "sum_blocks", None, KernelLayout::sweep_program)?;
        let launch =
            kernel.launch().input(partial).value(blocks as i32).value(width as i32).output(&mut total);
        let grid = Grid::new(cuda.gpu().multiprocessors, THREADS as u32);
        // SAFETY: the arguments match sum_blocks; the lengths were checked above.
        unsafe { launch.run(cuda.stream(), grid) }?;
        cuda.download(&total)
    }

    /// Sums of the losses and gradients over all rows; if `targets`, only ΦᵀWY, in place of the gradient of θ.
    pub(in crate::tuning) fn gradient_sums(
        &mut self,
        layout: &KernelLayout,
        network: &Network,
        targets: bool,
    ) -> Result<Vec<f64>> {
        let cuda = self.cuda();
        let encoded = self.encode(layout, network)?;
        let kernel = self.kernel(layout, "sum_gradients", None, KernelLayout::sweep_program)?;
        let grid = self.grid(self.device_samples.part.rows(), layout.rows, layout.sweep_bytes());
        let mut partial = cuda.alloc(grid.blocks[0] as usize * layout.gradient_len())?;
        let factor = 1.0 / self.device_samples.weight[0];
        self.device_samples.for_each_chunk(|chunk| {
            let launch = chunk
                .rows(kernel.launch())
                .input(&encoded.sets)
                .input(&encoded.set_indices)
                .input(&encoded.frames)
                .input(&encoded.theta)
                .value(factor)
                .value(i32::from(targets))
                .value(i32::from(chunk.first > 0))
                .output(&mut partial);
            // SAFETY: the arguments match sum_gradients, compiled for this layout; `partial` has space for the sums of
            // every block.
            unsafe { launch.run(cuda.stream(), grid) }
        })?;
        self.sum_blocks(layout, &partial, grid.blocks[0], layout.gradient_len())
    }
}

/// Index of the set of each rule and input; −1 for none.
pub(in crate::tuning) fn set_indices(network: &Network) -> Vec<i32> {
    network.antecedents.set_indices.iter().map(|set| if *set == NO_SET { -1 } else { *set as i32 }).collect()
}

/// Converts the sums of `sum_gradients`; the gradients of all rules that share a set are added.
pub(in crate::tuning) fn gradient_from_sums(
    layout: &KernelLayout,
    network: &Network,
    weight: [f64; 2],
    sums: &[f64],
) -> Gradient {
    let antecedents = &network.antecedents;
    let mut sets = vec![[0.0; SET_STRIDE]; antecedents.sets.len()];
    for (set, sums) in antecedents.set_indices.iter().zip(sums.as_chunks::<SET_STRIDE>().0) {
        if let Some(gradient) = sets.get_mut(*set as usize) {
            gradient.iter_mut().zip(sums).for_each(|(g, sum)| *g += sum);
        }
    }
    for (gradient, set) in sets.iter_mut().zip(&antecedents.sets) {
        let gradient_factors = gradient_factors(antecedents.form, &set.parameters);
        gradient.iter_mut().zip(gradient_factors).for_each(|(g, factor)| *g *= factor);
    }
    let losses = &sums[layout.loss_offset()..];
    Gradient {
        loss: [losses[0], losses[1]],
        squares: [losses[2], losses[3]],
        weight,
        sets,
        theta: sums[layout.theta_offset()..].to_vec(),
    }
}

/// Factors that the kernels leave out of the gradient sums.
fn gradient_factors(form: Form, p: &[f64; SET_STRIDE]) -> [f64; SET_STRIDE] {
    match form {
        Form::Gaussian => [1.0 / p[1], 1.0 / p[1], 0.0, 0.0],
        Form::TwoSided => [1.0 / p[1], 1.0 / p[1], 1.0 / p[3], 1.0 / p[3]],
        Form::Bell => [1.0 / p[1], 1.0 / p[1], 1.0, 0.0],
        Form::Triangle | Form::Trapezoid => [0.0; SET_STRIDE],
    }
}
