//! Fuzzy variances of clusters, the widths of initial rules.

use super::device_samples::DeviceSamples;
use super::gpu::CudaBackend;
use super::layout::THREADS;
use crate::device::Cuda;
use crate::device::cuda::{Grid, Program};
use crate::device::error::Result;

/// Sizes of the kernel `sum_variances`.
#[derive(Clone, Copy, Debug)]
pub(in crate::tuning) struct VarianceLayout {
    pub(in crate::tuning) inputs: usize,
    pub(in crate::tuning) outputs: usize,
    pub(in crate::tuning) weighted: bool,
    pub(in crate::tuning) clusters: usize,
    /// Rows per tile.
    rows: usize,
}

impl VarianceLayout {
    /// The layout with the largest tile that fits into `shared` bytes; `None` if there are too many clusters.
    pub(in crate::tuning) fn new(
        (inputs, outputs, weighted): (usize, usize, bool),
        clusters: usize,
        shared: usize,
    ) -> Option<Self> {
        let layout = |rows| VarianceLayout { inputs, outputs, weighted, clusters, rows };
        [128, 64, 32, 16, 8, 4].into_iter().map(layout).find(|layout| layout.bytes() <= shared)
    }

    fn bytes(&self) -> usize {
        size_of::<f64>() * self.rows * (self.clusters + self.inputs)
    }

    /// Sums per block: for every cluster, one for each input and the sum of the squared memberships.
    fn sums(&self) -> usize {
        self.clusters * (self.inputs + 1)
    }

    /// `sum_variances`.
    pub(in crate::tuning) fn program(&self) -> Program {
        Program::new("tuning/variances", include_str!("kernels/variances.cu"))
            .constant("INPUTS", self.inputs)
            .constant("OUTPUTS", self.outputs)
            .constant("WEIGHTED", u32::from(self.weighted))
            .constant("CLUSTERS", self.clusters)
            .constant("TILE_ROWS", self.rows)
            .constant("THREADS", THREADS)
    }
}

impl CudaBackend<'_> {
    /// Σᵢ uₖᵢ²·(xᵢⱼ − vₖⱼ)² of every center v and input j, then Σᵢ uₖᵢ², for every center; `None` if inputs are missing or
    /// there are too many centers.
    pub(super) fn variance_sums(&self, centers: &[f64]) -> Result<Option<Vec<f64>>> {
        let DeviceSamples { part, cuda, missing, .. } = &self.device_samples;
        let samples = part.samples;
        let shape = (samples.inputs.len(), samples.targets.len(), samples.weights.is_some());
        let layout = VarianceLayout::new(shape, centers.len() / shape.0, shared_memory(cuda));
        let Some(layout) = layout.filter(|_| !*missing) else { return Ok(None) };
        let kernel = cuda.kernel(&layout.program(), "sum_variances")?;
        let blocks = part.training.len().div_ceil(layout.rows).clamp(1, cuda.gpu().multiprocessors as usize);
        let mut partial = cuda.alloc::<f64>(blocks * layout.sums())?;
        let centers = cuda.upload(centers)?;
        self.device_samples.for_each_chunk(|chunk| {
            let launch = chunk.rows(kernel.launch()).input(&centers).value(i32::from(chunk.first > 0));
            let grid = Grid::new(blocks as u32, THREADS as u32).shared(layout.bytes() as u32);
            // SAFETY: the arguments match sum_variances, compiled for this layout; `partial` has space for the sums of
            // every block.
            unsafe { launch.output(&mut partial).run(cuda.stream(), grid) }
        })?;
        let mut sums = vec![0.0; layout.sums()];
        for block in cuda.download(&partial)?.chunks_exact(sums.len()) {
            sums.iter_mut().zip(block).for_each(|(sum, value)| *sum += value);
        }
        Ok(Some(sums))
    }
}

/// Σᵢ uₖᵢ²·(xᵢⱼ − vₖⱼ)² / Σᵢ uₖᵢ² of every center v and input, from the sums of [`CudaBackend::variance_sums`].
pub(super) fn variances(sums: &[f64], inputs: usize) -> Vec<f64> {
    let of_center = |sums: &[f64]| {
        let (squares, all) = (&sums[..inputs], sums[inputs]);
        squares.iter().map(|square| if all > 0.0 { square / all } else { 0.0 }).collect::<Vec<_>>()
    };
    sums.chunks_exact(inputs + 1).flat_map(of_center).collect()
}

pub(super) fn shared_memory(cuda: &Cuda) -> usize {
    cuda.gpu().shared_per_block.max(0) as usize
}
