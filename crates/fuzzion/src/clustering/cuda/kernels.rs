//! Compiled kernels with the grids that fill the GPU.

use super::layout::{Layout, THREADS};
use super::product::{Form, NEAR};
use super::programs;
use crate::device::Cuda;
use crate::device::cuda::{Buffer, Grid, Kernel};
use crate::error::Result;
use std::collections::HashMap;
use std::hash::Hash;

/// Kernels by what they are specialised by: to look them up by their text would take longer than a small pass.
#[derive(Default)]
pub(super) struct Kernels {
    sweeps: HashMap<Layout, (Kernel, Grid)>,
    steps: HashMap<Layout, (Kernel, Grid)>,
    products: HashMap<Form, (Kernel, Grid)>,
    product_steps: HashMap<Form, (Kernel, Grid)>,
    unite: Option<Kernel>,
}

fn known<K: Clone + Eq + Hash, V: Clone>(
    map: &mut HashMap<K, V>,
    key: &K,
    make: impl FnOnce() -> Result<V>,
) -> Result<V> {
    if let Some(known) = map.get(key) {
        return Ok(known.clone());
    }
    let made = make()?;
    map.insert(key.clone(), made.clone());
    Ok(made)
}

impl Kernels {
    /// `sweep_rows`.
    pub(super) fn sweep(&mut self, cuda: &Cuda, layout: &Layout) -> Result<(Kernel, Grid)> {
        known(&mut self.sweeps, layout, || {
            let kernel = cuda.kernel(&programs::sweep(layout), "sweep_rows")?;
            let grid = cuda.resident_grid(&kernel, THREADS as u32, layout.shared_bytes() as u32)?;
            Ok((kernel, Grid { cooperative: false, ..grid }))
        })
    }

    /// `iterate_rows`, whose blocks wait for each other.
    pub(super) fn steps(&mut self, cuda: &Cuda, layout: &Layout) -> Result<(Kernel, Grid)> {
        known(&mut self.steps, layout, || {
            let kernel = cuda.kernel(&programs::iterate(layout), "iterate_rows")?;
            let grid = cuda.resident_grid(&kernel, THREADS as u32, layout.shared_bytes() as u32)?;
            Ok((kernel, grid))
        })
    }

    /// `sweep_tiles` or `sweep_large`.
    pub(super) fn product(&mut self, cuda: &Cuda, form: &Form) -> Result<(Kernel, Grid)> {
        known(&mut self.products, form, || {
            let name = if form.large { "sweep_large" } else { "sweep_tiles" };
            let kernel = cuda.kernel(&programs::product(form), name)?;
            let grid = cuda.resident_grid(&kernel, form.threads() as u32, form.shared_bytes() as u32)?;
            Ok((kernel, Grid { cooperative: false, ..grid }))
        })
    }

    /// `iterate_tiles`, whose blocks wait for each other.
    pub(super) fn product_steps(&mut self, cuda: &Cuda, form: &Form) -> Result<(Kernel, Grid)> {
        known(&mut self.product_steps, form, || {
            let kernel = cuda.kernel(&programs::product(form), "iterate_tiles")?;
            let grid = cuda.resident_grid(&kernel, form.threads() as u32, form.shared_bytes() as u32)?;
            Ok((kernel, grid))
        })
    }

    /// Joins the `width` sums that each of `blocks` blocks left in `partial`; where `centers` of so many clusters are given,
    /// [`Kernels::pair_blocks`] numbers after the sums tell whether some are near each other.
    pub(super) fn unite(
        &mut self,
        cuda: &Cuda,
        partial: &Buffer<f64>,
        (blocks, width): (usize, usize),
        sums: &mut Buffer<f64>,
        centers: Option<(&Buffer<f32>, usize)>,
    ) -> Result<()> {
        let nothing = cuda.reserve::<f32>(0)?;
        let (centers, clusters) = centers.unwrap_or((&nothing, 0));
        let pair_blocks = Self::pair_blocks(clusters);
        assert!(partial.len() >= blocks * width && sums.len() >= width + pair_blocks);
        let kernel = match &self.unite {
            Some(kernel) => kernel,
            None => self.unite.insert(cuda.kernel(&programs::unite(), "unite")?),
        };
        let columns = centers.len() / clusters.max(1);
        let launch = kernel
            .launch()
            .input(partial)
            .value(blocks as i32)
            .value(width as i32)
            .output(sums)
            .input(centers)
            .value(clusters as i32)
            .value(columns as i32)
            .value(NEAR);
        let grid = Grid::new((width.div_ceil(8) + pair_blocks) as u32, 256);
        // SAFETY: arguments as in unite; the lengths were checked above, and `centers` holds clusters × columns numbers.
        unsafe { launch.run(cuda.stream(), grid) }
    }

    /// Blocks that look at the pairs of so many centers.
    pub(super) fn pair_blocks(clusters: usize) -> usize {
        (clusters * clusters).div_ceil(256)
    }
}
