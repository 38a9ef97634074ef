//! Rows as pairs of halves for the tensor cores, and the passes over them.

use super::super::prototypes::{Prototypes, Rule};
use super::super::rows::{Iterated, Until};
use super::super::space::Space;
use super::super::sums::Sums;
use super::iterate::Steps;
use super::kernels::Kernels;
use super::product::{Form, NEAR};
use super::programs;
use crate::data::Scalar;
use crate::device::Cuda;
use crate::device::cuda::{Buffer, Grid};
use crate::error::Result;

/// Rows looked at for the spread of columns.
const SAMPLE: usize = 1 << 14;
/// The largest power of two by which a column is stretched.
const MOST_STRETCH: f64 = 20.0;
/// The share of the free memory that the halves may take.
const MEMORY: f64 = 0.9;

/// The rows again, as pairs of halves, once for each order of words that was asked for.
pub(super) struct Halves {
    cuda: Cuda,
    /// Powers of two by which columns are stretched, so that halves hold their digits.
    scales: Vec<f32>,
    scales_on_gpu: Buffer<f32>,
    made: Vec<Made>,
    /// Halves cannot hold these rows, or memory cannot hold the halves.
    impossible: bool,
}

struct Made {
    order: (usize, bool),
    planes: Buffer<u32>,
    norms: Buffer<u32>,
}

impl Halves {
    /// Nothing yet but the stretches, from some of the rows as they were before they entered `space`.
    pub(super) fn new<T: Scalar>(cuda: &Cuda, values: &[T], space: &Space) -> Result<Self> {
        let columns = space.columns();
        let count = values.len() / columns;
        let rows = (0..count).step_by(count.div_ceil(SAMPLE).max(1));
        let mut squares = vec![0.0f64; columns];
        let mut looked_at = 0.0;
        for row in rows {
            let row: Vec<f64> = values[row * columns..][..columns].iter().map(|x| x.to_f64()).collect();
            squares.iter_mut().zip(space.enter(&row)).for_each(|(sum, x)| *sum += x * x);
            looked_at += 1.0;
        }
        let stretch = |sum: &f64| {
            let spread = (sum / looked_at).sqrt();
            let power = if spread > 0.0 { (-spread.log2()).round().clamp(0.0, MOST_STRETCH) } else { 0.0 };
            power.exp2() as f32
        };
        let scales: Vec<f32> = squares.iter().map(stretch).collect();
        let scales_on_gpu = cuda.upload(&scales)?;
        Ok(Halves { cuda: cuda.clone(), scales, scales_on_gpu, made: Vec::new(), impossible: false })
    }

    /// Makes the halves of the `count` prepared rows in the order of `form` if they are not there; whether they are.
    pub(super) fn make(&mut self, form: &Form, rows: &Buffer<f32>, count: usize) -> Result<bool> {
        let order = (form.row_words(), form.large);
        if self.impossible || self.made.iter().any(|made| made.order == order) {
            return Ok(!self.impossible);
        }
        let bytes = (count * (form.row_words() + 2) * size_of::<u32>()) as f64;
        if bytes > self.cuda.memory()?.0 as f64 * MEMORY {
            self.impossible = true;
            return Ok(false);
        }
        let kernel = self.cuda.kernel(&programs::split(form), "split_rows")?;
        let mut planes = self.cuda.reserve(count * form.row_words())?;
        let mut norms = self.cuda.reserve(count * 2)?;
        let mut overflow = self.cuda.zeros::<u32>(1)?;
        let launch = kernel
            .launch()
            .input(rows)
            .value(count as i64)
            .input(&self.scales_on_gpu)
            .output(&mut planes)
            .output(&mut norms)
            .output(&mut overflow);
        // SAFETY: arguments as in split_rows(rows, n, column_scale, planes, norms, overflow), each as long as the form
        // says for n rows.
        unsafe { launch.run(self.cuda.stream(), self.cuda.grid_for(count)) }?;
        self.impossible = self.cuda.download(&overflow)? != [0];
        self.made.push(Made { order, planes, norms });
        Ok(!self.impossible)
    }

    /// Starts a pass; its sums, and whether two centers lie too near each other, are left in the answer.
    pub(super) fn sweep(
        &self,
        kernels: &mut Kernels,
        form: &Form,
        (centers, rule): (&Buffer<f32>, &Rule),
        weights: Option<&Buffer<f32>>,
        count: usize,
    ) -> Result<Buffer<f64>> {
        let width = form.block_sums();
        let mut sums = self.cuda.reserve::<f64>(width + Kernels::pair_blocks(form.clusters))?;
        let Some(made) = self.made.iter().find(|made| made.order == (form.row_words(), form.large)) else {
            return self.cuda.zeros(sums.len()); // `make` comes first
        };
        let (kernel, grid) = kernels.product(&self.cuda, form)?;
        let blocks = (grid.blocks[0] as usize).min(count.div_ceil(form.rows_at_once())).max(1);
        let mut partial = self.cuda.reserve::<f64>(blocks * width)?;
        let mut kept = self.cuda.reserve::<f32>(if form.large { blocks * form.moments() } else { 0 })?;
        let (fuzzifier, noise) = numbers_of(rule);
        let launch = kernel
            .launch()
            .input(&made.planes)
            .input(&made.norms)
            .input(weights.unwrap_or(&self.scales_on_gpu)) // not read without weights
            .value(count as i64)
            .input(centers)
            .input(&self.scales_on_gpu)
            .value(fuzzifier)
            .value(noise);
        let launch = if form.large { launch.output(&mut kept) } else { launch }.output(&mut partial);
        // SAFETY: arguments as in sweep_tiles and sweep_large, made for this form: each block writes the block_sums()
        // numbers of its own, and in the larger form keeps moments() numbers of its own.
        unsafe { launch.run(self.cuda.stream(), Grid { blocks: [blocks as u32, 1, 1], ..grid }) }?;
        kernels.unite(&self.cuda, &partial, (blocks, width), &mut sums, Some((centers, form.clusters)))?;
        Ok(sums)
    }

    /// The textbook's steps made in one launch, until two centers come too near each other for it at the latest.
    pub(super) fn iterate(
        &self,
        kernels: &mut Kernels,
        form: &Form,
        start: &Prototypes,
        weights: Option<&Buffer<f32>>,
        count: usize,
        until: Until,
    ) -> Result<Option<Iterated>> {
        let Some(made) = self.made.iter().find(|made| made.order == (form.row_words(), form.large)) else {
            return Ok(None);
        };
        let cuda = &self.cuda;
        let (kernel, grid) = kernels.product_steps(cuda, form)?;
        let blocks = (grid.blocks[0] as usize).min(count.div_ceil(form.rows_at_once())).max(1);
        let mut steps = Steps::new(cuda, start, until, blocks * form.block_sums())?;
        let centers: Vec<f32> = start.centers.iter().map(|x| *x as f32).collect();
        let mut prototypes = cuda.upload(&centers)?;
        let mut near = cuda.zeros::<u32>(1)?;
        let (fuzzifier, noise) = numbers_of(&start.rule);
        let launch = kernel
            .launch()
            .input(&made.planes)
            .input(&made.norms)
            .input(weights.unwrap_or(&self.scales_on_gpu)) // not read without weights
            .value(count as i64)
            .output(&mut prototypes)
            .input(&self.scales_on_gpu)
            .value(fuzzifier)
            .value(noise)
            .output(&mut steps.centers)
            .output(&mut steps.partial)
            .output(&mut steps.history)
            .value(until.moves)
            .value(NEAR)
            .value(until.most as i32)
            .output(&mut near)
            .output(&mut steps.arrived)
            .output(&mut steps.result);
        // SAFETY: arguments as in iterate_tiles, made for this form; the grid is resident and cooperative, so that its
        // blocks may wait for each other, and `near` and `arrived` are 0.
        unsafe { launch.run(cuda.stream(), Grid { blocks: [blocks as u32, 1, 1], ..grid }) }?;
        steps.finish(cuda, start)
    }

    /// The sums of a pass; `None` where its centers were too near each other for it.
    pub(super) fn finish(&self, form: &Form, sums: &Buffer<f64>) -> Result<Option<Sums>> {
        let found = self.cuda.download(sums)?;
        let apart = found[form.block_sums()..].iter().all(|near| *near == 0.0);
        Ok(apart.then(|| form.decode(&found, &self.scales)))
    }
}

/// The fuzzifier, and the squared distance of the noise cluster where there is one.
fn numbers_of(rule: &Rule) -> (f32, f32) {
    match rule {
        Rule::Noise { fuzzifier, distance } => (*fuzzifier as f32, *distance as f32),
        _ => (rule.fuzzifier() as f32, f32::INFINITY),
    }
}
