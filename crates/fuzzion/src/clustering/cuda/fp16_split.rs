//! Rows split into pairs of FP16 values for the tensor cores, and the passes over them.

use super::iteration_buffers::IterationBuffers;
use super::kernels::{Kernels, kernel_int};
use super::layout::tensor::{MIN_SEPARATION, TensorLayout};
use super::programs;
use crate::clustering::error::Result;
use crate::clustering::prototypes::{MembershipRule, Prototypes};
use crate::clustering::rows::backend::{IterationLimits, IterationResult};
use crate::clustering::rows::sums::Sums;
use crate::device::Cuda;
use crate::device::cuda::{Buffer, Grid};

/// Maximum number of rows sampled for the spread of the columns.
pub(super) const MAX_SAMPLE: usize = 1 << 14;
/// Largest exponent of a column's scale factor.
const MAX_EXPONENT: f64 = 20.0;
/// Fraction of the free memory available to the split rows.
const MEMORY_FRACTION: f64 = 0.9;

/// Rows split into pairs of FP16 values, once for each word order used.
pub(in crate::clustering) struct Fp16Split {
    cuda: Cuda,
    /// Power-of-two scale factor of each column, so that FP16 preserves its digits.
    scales: Vec<f32>,
    scales_on_gpu: Buffer<f32>,
    orders: Vec<SplitRows>,
    /// Whether passes check that no row is near more than one center, which is necessary once two centers are close to
    /// each other.
    pub(in crate::clustering) check_rows: bool,
    /// Whether the rows overflow FP16 or the split rows exceed the available memory.
    unsupported: bool,
}

struct SplitRows {
    order: (usize, bool),
    planes: Buffer<u32>,
    norms: Buffer<u32>,
}

impl Fp16Split {
    /// Computes the scale factors from a sample of the rows, given in internal coordinates.
    pub(super) fn new(cuda: &Cuda, sample: &[f64], columns: usize) -> Result<Self> {
        let mut squares = vec![0.0f64; columns];
        for row in sample.chunks_exact(columns) {
            squares.iter_mut().zip(row).for_each(|(sum, x)| *sum += x * x);
        }
        let sampled = (sample.len() / columns) as f64;
        let scale = |sum: &f64| {
            let spread = (sum / sampled).sqrt();
            let exponent = if spread > 0.0 { (-spread.log2()).round().clamp(0.0, MAX_EXPONENT) } else { 0.0 };
            exponent.exp2() as f32
        };
        let scales: Vec<f32> = squares.iter().map(scale).collect();
        let scales_on_gpu = cuda.upload(&scales)?;
        Ok(Fp16Split {
            cuda: cuda.clone(),
            scales,
            scales_on_gpu,
            orders: Vec::new(),
            check_rows: false,
            unsupported: false,
        })
    }

    /// Splits the `count` prepared rows in the order of `layout` unless done before; returns whether they are
    /// available.
    pub(super) fn ensure(&mut self, layout: &TensorLayout, rows: &Buffer<f32>, count: usize) -> Result<bool> {
        let order = (layout.row_words(), layout.large);
        if self.unsupported || self.orders.iter().any(|split| split.order == order) {
            return Ok(!self.unsupported);
        }
        let bytes = (count * (layout.row_words() + 2) * size_of::<u32>()) as f64;
        if bytes > self.cuda.memory()?.0 as f64 * MEMORY_FRACTION {
            self.unsupported = true;
            return Ok(false);
        }
        let kernel = self.cuda.kernel(&programs::split(layout), "split_rows")?;
        let mut planes = self.cuda.alloc(count * layout.row_words())?;
        let mut norms = self.cuda.alloc(count * 2)?;
        let mut overflow = self.cuda.zeros::<u32>(1)?;
        let launch = kernel
            .launch()
            .input(rows)
            .value(count as i64)
            .input(&self.scales_on_gpu)
            .output(&mut planes)
            .output(&mut norms)
            .output(&mut overflow);
        // SAFETY: the arguments match split_rows(rows, n, column_scale, planes, norms, overflow), with the lengths given
        // by the layout for n rows.
        unsafe { launch.run(self.cuda.stream(), self.cuda.grid_for(count)) }?;
        self.unsupported = self.cuda.download(&overflow)? != [0];
        self.orders.push(SplitRows { order, planes, norms });
        Ok(!self.unsupported)
    }

    /// Rows in the order of `layout`, for which [`Fp16Split::ensure`] returned true.
    fn rows_for(&self, layout: &TensorLayout) -> &SplitRows {
        let order = (layout.row_words(), layout.large);
        let split = self.orders.iter().find(|split| split.order == order);
        split.expect("invariant: `ensure` split the rows for this layout")
    }

    /// Starts a pass; the buffer receives its sums and flags for centers that are too close to each other.
    pub(super) fn sweep(
        &self,
        kernels: &mut Kernels,
        layout: &TensorLayout,
        (centers, rule): (&Buffer<f32>, &MembershipRule),
        weights: Option<&Buffer<f32>>,
        count: usize,
    ) -> Result<Buffer<f64>> {
        let width = layout.block_sums();
        let mut sums = self.cuda.alloc::<f64>(width + Kernels::pair_blocks(layout.clusters))?;
        let split = self.rows_for(layout);
        let (kernel, grid) = kernels.tensor_sweep(&self.cuda, layout)?;
        let blocks = (grid.blocks[0] as usize).min(count.div_ceil(layout.rows_per_block())).max(1);
        let mut partial = self.cuda.alloc::<f64>(blocks * width)?;
        let mut accumulators =
            self.cuda.alloc::<f32>(if layout.large { blocks * layout.moments() } else { 0 })?;
        let (fuzzifier, noise) = rule_parameters(rule);
        let launch = kernel
            .launch()
            .input(&split.planes)
            .input(&split.norms)
            .input(weights.unwrap_or(&self.scales_on_gpu)) // unused without weights
            .value(count as i64)
            .input(centers)
            .input(&self.scales_on_gpu)
            .value(fuzzifier)
            .value(noise)
            .value(i32::from(self.check_rows));
        let launch =
            if layout.large { launch.output(&mut accumulators) } else { launch }.output(&mut partial);
        // SAFETY: the arguments match sweep_tiles or sweep_large for this layout: each block writes its own
        // block_sums() values, and in the large layout its own moments() accumulators.
        unsafe { launch.run(self.cuda.stream(), Grid { blocks: [blocks as u32, 1, 1], ..grid }) }?;
        kernels.reduce(&self.cuda, &partial, (blocks, width), &mut sums, Some((centers, layout.clusters)))?;
        Ok(sums)
    }

    /// Performs plain steps in one launch until the product form is too inaccurate.
    pub(super) fn iterate(
        &self,
        kernels: &mut Kernels,
        layout: &TensorLayout,
        start: &Prototypes,
        weights: Option<&Buffer<f32>>,
        count: usize,
        limits: IterationLimits,
    ) -> Result<IterationResult> {
        let split = self.rows_for(layout);
        let cuda = &self.cuda;
        let (kernel, grid) = kernels.tensor_iterations(cuda, layout)?;
        let blocks = (grid.blocks[0] as usize).min(count.div_ceil(layout.rows_per_block())).max(1);
        let mut buffers = IterationBuffers::new(cuda, start, limits, blocks * layout.block_sums())?;
        let centers: Vec<f32> = start.centers.iter().map(|x| *x as f32).collect();
        let mut prototypes = cuda.upload(&centers)?;
        let mut too_close = cuda.zeros::<u32>(1)?;
        let (fuzzifier, noise) = rule_parameters(&start.rule);
        let launch = kernel
            .launch()
            .input(&split.planes)
            .input(&split.norms)
            .input(weights.unwrap_or(&self.scales_on_gpu)) // unused without weights
            .value(count as i64)
            .output(&mut prototypes)
            .input(&self.scales_on_gpu)
            .value(fuzzifier)
            .value(noise)
            .value(i32::from(self.check_rows))
            .output(&mut buffers.centers)
            .output(&mut buffers.partial)
            .output(&mut buffers.history)
            .value(limits.tolerance)
            .value(MIN_SEPARATION)
            .value(kernel_int(limits.max_iterations)?)
            .output(&mut too_close)
            .output(&mut buffers.arrived)
            .output(&mut buffers.result);
        // SAFETY: the arguments match iterate_tiles for this layout; the grid is resident and cooperative, so that its
        // blocks can wait for each other, and `too_close` and `arrived` are 0.
        unsafe { launch.run(cuda.stream(), Grid { blocks: [blocks as u32, 1, 1], ..grid }) }?;
        buffers.finish(cuda, start)
    }

    /// Returns the sums of a pass; `None` if the product form is too inaccurate: two centers are too close to each other
    /// or, if the pass checked the rows, a row is near more than one center.
    pub(super) fn finish(
        &self,
        layout: &TensorLayout,
        sums: &Buffer<f64>,
        checked_rows: bool,
    ) -> Result<Option<Sums>> {
        let values = self.cuda.download(sums)?;
        let accurate = if checked_rows {
            !layout.has_row_near_several(&values)
        } else {
            values[layout.block_sums()..].iter().all(|flag| *flag == 0.0)
        };
        Ok(accurate.then(|| layout.decode(&values, &self.scales)))
    }
}

/// Fuzzifier and squared distance of the noise cluster (infinite if there is none).
fn rule_parameters(rule: &MembershipRule) -> (f32, f32) {
    match rule {
        MembershipRule::Noise { fuzzifier, distance } => (*fuzzifier as f32, *distance as f32),
        _ => (rule.fuzzifier() as f32, f32::INFINITY),
    }
}
