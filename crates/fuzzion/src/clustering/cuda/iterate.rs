//! All iterations of a small problem in one launch.

use super::super::prototypes::{Prototypes, Rule};
use super::super::rows::{Iterated, Until};
use super::super::sums::Want;
use super::kernels::Kernels;
use super::loaded::{Loaded, Number};
use super::product::Form;
use crate::device::Cuda;
use crate::device::cuda::{Buffer, Grid};
use crate::error::Result;

/// Rows × clusters × columns up to which the kernel with explicit differences makes many steps in one launch: past it a
/// pass takes so long that coming back costs nothing.
const SMALL: usize = 1 << 26;

/// What the launches that make many steps write.
pub(super) struct Steps {
    /// The centers of two steps in turns.
    pub(super) centers: Buffer<f64>,
    pub(super) partial: Buffer<f64>,
    pub(super) history: Buffer<f64>,
    pub(super) arrived: Buffer<u32>,
    /// How many steps were made, and whether the centers rest.
    pub(super) result: Buffer<i32>,
}

impl Steps {
    pub(super) fn new(cuda: &Cuda, start: &Prototypes, until: Until, partial: usize) -> Result<Self> {
        let mut centers = start.centers.clone();
        centers.resize(2 * centers.len(), 0.0);
        Ok(Steps {
            centers: cuda.upload(&centers)?,
            partial: cuda.reserve(partial)?,
            history: cuda.zeros(until.most)?,
            arrived: cuda.zeros(1)?,
            result: cuda.zeros(2)?,
        })
    }

    /// Waits for the steps.
    pub(super) fn finish(self, cuda: &Cuda, start: &Prototypes) -> Result<Option<Iterated>> {
        let result = cuda.download(&self.result)?;
        let steps = result[0].max(0) as usize;
        let last = steps % 2 * start.centers.len();
        Ok(Some(Iterated {
            centers: cuda.download(&self.centers)?[last..][..start.centers.len()].to_vec(),
            objectives: cuda.download(&self.history)?[..steps].to_vec(),
            rest: result[1] != 0,
        }))
    }
}

impl<T: Number> Loaded<T> {
    /// The textbook's steps from `start` until the centers rest or `until` says so; `None` where single passes do as well.
    pub(super) fn iterate(
        &mut self,
        kernels: &mut Kernels,
        start: &Prototypes,
        until: Until,
    ) -> Result<Option<Iterated>> {
        let simple = matches!(start.rule, Rule::Fuzzy { .. } | Rule::Noise { .. } | Rule::Hard);
        if !simple || start.shapes.is_some() || start.space.partial {
            return Ok(None);
        }
        let form = Form::new(start, self.weights.is_some(), Want::default()).filter(|form| !form.large);
        if let (Some(form), Some(halves), Some(rows)) = (form, &mut self.halves, T::single(&self.rows))
            && halves.make(&form, rows, self.count)?
        {
            let weights = self.weights.as_ref().and_then(T::single);
            let steps = halves.iterate(kernels, &form, start, weights, self.count, until)?;
            if steps.as_ref().is_some_and(|steps| steps.rest || steps.objectives.len() == until.most) {
                return Ok(steps);
            }
            // Two centers are too near each other for products: differences go on from here.
            self.halves = None;
            if steps.as_ref().is_some_and(|steps| !steps.objectives.is_empty()) {
                return Ok(steps);
            }
        }
        if self.count.saturating_mul(start.centers.len()) > SMALL {
            return Ok(None);
        }
        let cuda = self.cuda().clone();
        let layout =
            self.layout(start, Want::default())?.smaller(self.count, cuda.gpu().multiprocessors as usize);
        let (kernel, grid) = kernels.steps(&cuda, &layout)?;
        let blocks = (grid.blocks[0] as usize).min(self.count.div_ceil(layout.rows)).max(1);
        let mut prototypes = self.encode(&layout, start)?;
        let mut steps = Steps::new(&cuda, start, until, blocks * layout.block_sums())?;
        let weights = self.weights.as_ref().unwrap_or(&self.rows); // not read without weights
        let launch = kernel
            .launch()
            .input(&self.rows)
            .input(weights)
            .value(self.count as i64)
            .output(&mut prototypes)
            .output(&mut steps.centers)
            .output(&mut steps.partial)
            .output(&mut steps.history)
            .value(until.moves)
            .value(until.most as i32)
            .output(&mut steps.arrived)
            .output(&mut steps.result);
        // SAFETY: arguments as in iterate_rows, made for this layout; the grid is resident and cooperative, so that its
        // blocks may wait for each other, and `arrived` is 0.
        unsafe { launch.run(cuda.stream(), Grid { blocks: [blocks as u32, 1, 1], ..grid }) }?;
        steps.finish(&cuda, start)
    }
}
