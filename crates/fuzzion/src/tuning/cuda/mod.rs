//! The GPU's passes over the rows.
//!
//! Few unknowns: a block keeps whole rows of Φ on chip, and where consequents are solved for in every iteration, one launch
//! makes all iterations. Many unknowns: φ of a piece of the rows at a time goes through memory, see `large`. Rows are sent
//! once where they fit, else in every pass.
#![allow(unsafe_code)] // launches

pub(super) mod descend;
pub(super) mod large;
pub(super) mod layout;
pub(super) mod sent;

use super::antecedents::ANY;
use super::descent::{Course, Descent};
use super::form::Form;
use super::network::Network;
use super::rows::{Loss, Rows, Samples, Slope};
use super::settings::Step;
use super::solve::{Solution, solve};
use super::statistics::Statistics;
use crate::device::Cuda;
use crate::device::cuda::{Buffer, Grid, Kernel, Program};
use crate::error::{Error, Result};
use layout::{Layout, SET, THREADS};
use sent::Sent;
use std::collections::HashMap;

/// Rows for a GPU.
pub(super) struct OnGpu<'a> {
    sent: Sent<'a>,
    /// Kernels by what they are specialised by: to look them up by their text would take longer than a small pass.
    kernels: HashMap<(Layout, &'static str, Option<Step>), Kernel>,
}

/// A network on the GPU.
pub(super) struct Encoded {
    sets: Buffer<f64>,
    uses: Buffer<i32>,
    frames: Buffer<f64>,
    theta: Buffer<f64>,
}

impl<'a> OnGpu<'a> {
    pub(super) fn new(samples: &'a Samples, cuda: &'a Cuda) -> Result<Self> {
        Ok(OnGpu { sent: Sent::new(samples, cuda, None)?, kernels: HashMap::new() })
    }

    /// Rows that travel in every pass as if they did not fit the GPU, so many at a time.
    pub(super) fn in_pieces(samples: &'a Samples, cuda: &'a Cuda, rows: usize) -> Result<Self> {
        Ok(OnGpu { sent: Sent::new(samples, cuda, Some(rows))?, kernels: HashMap::new() })
    }

    fn cuda(&self) -> &'a Cuda {
        self.sent.cuda
    }

    fn layout(&self, network: &Network, loss: Loss) -> Result<Layout> {
        let gpu = self.cuda().gpu();
        let limits = (gpu.multiprocessors as usize, gpu.shared_per_block as usize);
        let weighted = self.sent.samples.weights.is_some();
        let layout = Layout::new(network, weighted, loss, self.sent.samples.rows(), limits);
        layout.ok_or(Error::NotOnGpu { what: "so many rules" })
    }

    fn kernel(
        &mut self,
        layout: &Layout,
        name: &'static str,
        step: Option<Step>,
        program: impl FnOnce(&Layout) -> Program,
    ) -> Result<Kernel> {
        let key = (layout.clone(), name, step);
        if let Some(kernel) = self.kernels.get(&key) {
            return Ok(kernel.clone());
        }
        let kernel = self.cuda().kernel(&program(layout), name)?;
        self.kernels.insert(key, kernel.clone());
        Ok(kernel)
    }

    /// One block for each multiprocessor, or for each tile where these are fewer.
    fn grid(&self, rows: usize, tile: usize, shared: usize) -> Grid {
        let blocks = rows.div_ceil(tile).clamp(1, self.cuda().gpu().multiprocessors as usize);
        Grid::new(blocks as u32, THREADS as u32).shared(shared as u32)
    }

    fn encode(&mut self, layout: &Layout, network: &Network) -> Result<Encoded> {
        let cuda = self.cuda();
        let antecedents = &network.antecedents;
        let parameters: Vec<f64> = antecedents.sets.iter().flat_map(|set| set.parameters).collect();
        let parameters = cuda.upload(&parameters)?;
        let mut sets = cuda.reserve(antecedents.sets.len() * SET)?;
        let frames = network.frames.centers.iter().zip(&network.frames.inverses);
        let frames: Vec<f64> = frames.flat_map(|(center, inverse)| [*center, *inverse]).collect();
        let kernel = self.kernel(layout, "prepare_sets", None, Layout::sweep)?;
        let count = antecedents.sets.len();
        let launch = kernel.launch().input(&parameters).value(count as i32).output(&mut sets);
        let grid = Grid::new(count.div_ceil(THREADS).max(1) as u32, THREADS as u32);
        // SAFETY: arguments as in prepare_sets; both buffers hold SET numbers for each of `count` sets.
        unsafe { launch.run(cuda.stream(), grid) }?;
        Ok(Encoded {
            sets,
            uses: cuda.upload(&uses(network))?,
            frames: cuda.upload(&frames)?,
            theta: cuda.upload(&network.theta)?,
        })
    }

    /// The sums over blocks of what each left in `partial`.
    fn unite(
        &mut self,
        layout: &Layout,
        partial: &Buffer<f64>,
        blocks: u32,
        width: usize,
    ) -> Result<Vec<f64>> {
        let cuda = self.cuda();
        let mut total = cuda.reserve(width)?;
        assert!(partial.len() >= blocks as usize * width);
        let kernel = self.kernel(layout, "unite", None, Layout::sweep)?;
        let launch =
            kernel.launch().input(partial).value(blocks as i32).value(width as i32).output(&mut total);
        let grid = Grid::new(cuda.gpu().multiprocessors, THREADS as u32);
        // SAFETY: arguments as in unite; the lengths were checked above.
        unsafe { launch.run(cuda.stream(), grid) }?;
        cuda.download(&total)
    }

    /// The losses and slopes of all rows; where `targets` is set, ΦᵀWY in the place of the slopes for θ, and nothing else.
    fn swept(&mut self, layout: &Layout, network: &Network, targets: bool) -> Result<Vec<f64>> {
        let cuda = self.cuda();
        let encoded = self.encode(layout, network)?;
        let kernel = self.kernel(layout, "sum_slopes", None, Layout::sweep)?;
        let grid = self.grid(self.sent.samples.rows(), layout.rows, layout.sweep_bytes());
        let mut partial = cuda.reserve(grid.blocks[0] as usize * layout.swept())?;
        let factor = 1.0 / self.sent.weight[0];
        self.sent.each(|piece| {
            let launch = piece
                .rows(kernel.launch())
                .input(&encoded.sets)
                .input(&encoded.uses)
                .input(&encoded.frames)
                .input(&encoded.theta)
                .value(factor)
                .value(i32::from(targets))
                .value(i32::from(piece.first > 0))
                .output(&mut partial);
            // SAFETY: arguments as in sum_slopes, made for this layout; `partial` has room for every block's sums.
            unsafe { launch.run(cuda.stream(), grid) }
        })?;
        self.unite(layout, &partial, grid.blocks[0], layout.swept())
    }
}

/// Which set each rule uses for each input, −1 for none.
pub(super) fn uses(network: &Network) -> Vec<i32> {
    network.antecedents.uses.iter().map(|set| if *set == ANY { -1 } else { *set as i32 }).collect()
}

/// The sums that `sum_slopes` leaves, as the algorithms read them; the slopes of a rule go to the set it uses.
pub(super) fn slope_of(layout: &Layout, network: &Network, weight: [f64; 2], swept: &[f64]) -> Slope {
    let antecedents = &network.antecedents;
    let mut sets = vec![[0.0; SET]; antecedents.sets.len()];
    for (set, sums) in antecedents.uses.iter().zip(swept.as_chunks::<SET>().0) {
        if let Some(slopes) = sets.get_mut(*set as usize) {
            slopes.iter_mut().zip(sums).for_each(|(slope, sum)| *slope += sum);
        }
    }
    for (slopes, set) in sets.iter_mut().zip(&antecedents.sets) {
        let factors = factors(antecedents.form, &set.parameters);
        slopes.iter_mut().zip(factors).for_each(|(slope, factor)| *slope *= factor);
    }
    let losses = &swept[layout.losses_at()..];
    Slope {
        loss: [losses[0], losses[1]],
        squares: [losses[2], losses[3]],
        weight,
        sets,
        theta: swept[layout.theta_at()..].to_vec(),
    }
}

/// What the sums of a set's slopes were left without.
fn factors(form: Form, p: &[f64; SET]) -> [f64; SET] {
    match form {
        Form::Gaussian => [1.0 / p[1], 1.0 / p[1], 0.0, 0.0],
        Form::TwoSided => [1.0 / p[1], 1.0 / p[1], 1.0 / p[3], 1.0 / p[3]],
        Form::Bell => [1.0 / p[1], 1.0 / p[1], 1.0, 0.0],
        Form::Triangle => [0.0; SET],
    }
}

impl Rows for OnGpu<'_> {
    fn statistics(&mut self, network: &Network) -> Result<Statistics> {
        let layout = self.layout(network, Loss::Squares)?;
        if !layout.whole {
            return self.large_statistics(&layout, network);
        }
        let cuda = self.cuda();
        let encoded = self.encode(&layout, network)?;
        let kernel = self.kernel(&layout, "sum_products", None, Layout::sweep)?;
        let grid = self.grid(self.sent.samples.rows(), layout.rows, layout.sweep_bytes());
        let mut partial = cuda.reserve(grid.blocks[0] as usize * layout.gram())?;
        self.sent.each(|piece| {
            let launch = piece
                .rows(kernel.launch())
                .input(&encoded.sets)
                .input(&encoded.uses)
                .input(&encoded.frames)
                .value(i32::from(piece.first > 0))
                .output(&mut partial);
            // SAFETY: arguments as in sum_products, made for this layout; `partial` has room for every block's sums.
            unsafe { launch.run(cuda.stream(), grid) }
        })?;
        let triangle = self.unite(&layout, &partial, grid.blocks[0], layout.gram())?;
        let shape = (layout.unknowns(), layout.outputs);
        Ok(Statistics::of_triangle(&triangle, shape, self.sent.weight[0], self.sent.samples.training))
    }

    fn consequents(&mut self, network: &Network, ridge: f64) -> Result<Solution> {
        let layout = self.layout(network, Loss::Squares)?;
        if !layout.whole
            && let Some(theta) = self.large_consequents(&layout, network, ridge)?
        {
            return Ok(Solution { theta, ill_conditioned: false });
        }
        Ok(solve(&self.statistics(network)?, ridge))
    }

    fn slope(&mut self, network: &Network, loss: Loss) -> Result<Slope> {
        let layout = self.layout(network, loss)?;
        let swept = self.swept(&layout, network, false)?;
        Ok(slope_of(&layout, network, self.sent.weight, &swept))
    }

    fn iterate(&mut self, descent: &Descent, course: &Course, most: usize) -> Result<Option<Descent>> {
        self.descend(descent, course, most)
    }

    fn predict(&mut self, network: &Network) -> Result<Vec<Vec<f64>>> {
        let cuda = self.cuda();
        let layout = self.layout(network, Loss::Squares)?;
        let encoded = self.encode(&layout, network)?;
        let kernel = self.kernel(&layout, "predict_rows", None, Layout::sweep)?;
        let mut outputs = vec![Vec::new(); layout.outputs];
        self.sent.each(|piece| {
            let grid = piece.grid(cuda, layout.rows, layout.sweep_bytes());
            let mut out = cuda.reserve::<f64>(piece.count * layout.outputs)?;
            let launch = kernel
                .launch()
                .input(piece.values)
                .value(piece.count as i64)
                .input(&encoded.sets)
                .input(&encoded.uses)
                .input(&encoded.frames)
                .input(&encoded.theta)
                .output(&mut out);
            // SAFETY: arguments as in predict_rows, made for this layout; `out` has room for every row's outputs.
            unsafe { launch.run(cuda.stream(), grid) }?;
            let values = cuda.download(&out)?;
            outputs.iter_mut().zip(values.chunks(piece.count)).for_each(|(all, part)| all.extend(part));
            Ok(())
        })?;
        Ok(outputs)
    }
}

/// Every program in its typical specialisations.
#[cfg(test)]
pub(crate) fn programs() -> Vec<Program> {
    super::tests::emulated::programs()
}
