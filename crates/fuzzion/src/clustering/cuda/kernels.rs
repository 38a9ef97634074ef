//! Cache of compiled kernels and their launch grids.

use super::layout::sweep::{SweepLayout, THREADS};
use super::layout::tensor::{MIN_SEPARATION, TensorLayout};
use super::programs;
use crate::clustering::error::Result;
use crate::device::cuda::{Buffer, Grid, Kernel};
use crate::device::{Cuda, DeviceError};
use std::collections::HashMap;
use std::hash::Hash;

/// A size as an `int` of a kernel.
///
/// # Errors
/// [`DeviceError::NotOnGpu`] if it is too large.
pub(super) fn kernel_int(size: usize) -> Result<i32> {
    let what = "clustering with this many clusters, columns or iterations";
    i32::try_from(size).map_err(|_| DeviceError::NotOnGpu { what }.into())
}

/// Kernels by specialization parameters; a lookup by source text would take longer than a small pass.
#[derive(Default)]
pub struct Kernels {
    sweeps: HashMap<SweepLayout, (Kernel, Grid)>,
    iterations: HashMap<SweepLayout, (Kernel, Grid)>,
    tensor_sweeps: HashMap<TensorLayout, (Kernel, Grid)>,
    tensor_iterations: HashMap<TensorLayout, (Kernel, Grid)>,
    reduce: Option<Kernel>,
}

fn cached<K: Clone + Eq + Hash, V: Clone>(
    map: &mut HashMap<K, V>,
    key: &K,
    create: impl FnOnce() -> Result<V>,
) -> Result<V> {
    if let Some(cached) = map.get(key) {
        return Ok(cached.clone());
    }
    let value = create()?;
    map.insert(key.clone(), value.clone());
    Ok(value)
}

impl Kernels {
    /// `sweep_rows`.
    pub(super) fn sweep(&mut self, cuda: &Cuda, layout: &SweepLayout) -> Result<(Kernel, Grid)> {
        cached(&mut self.sweeps, layout, || {
            let kernel = cuda.kernel(&programs::sweep(layout), "sweep_rows")?;
            let grid = cuda.cooperative_grid(&kernel, THREADS as u32, layout.shared_bytes() as u32)?;
            Ok((kernel, Grid { cooperative: false, ..grid }))
        })
    }

    /// `iterate_rows`, a cooperative kernel.
    pub(super) fn iterations(&mut self, cuda: &Cuda, layout: &SweepLayout) -> Result<(Kernel, Grid)> {
        cached(&mut self.iterations, layout, || {
            let kernel = cuda.kernel(&programs::iterate(layout), "iterate_rows")?;
            let grid = cuda.cooperative_grid(&kernel, THREADS as u32, layout.shared_bytes() as u32)?;
            Ok((kernel, grid))
        })
    }

    /// `sweep_tiles` or `sweep_large`.
    pub(super) fn tensor_sweep(&mut self, cuda: &Cuda, layout: &TensorLayout) -> Result<(Kernel, Grid)> {
        cached(&mut self.tensor_sweeps, layout, || {
            let name = if layout.large { "sweep_large" } else { "sweep_tiles" };
            let kernel = cuda.kernel(&programs::tensor(layout), name)?;
            let grid =
                cuda.cooperative_grid(&kernel, layout.threads() as u32, layout.shared_bytes() as u32)?;
            Ok((kernel, Grid { cooperative: false, ..grid }))
        })
    }

    /// `iterate_tiles`, a cooperative kernel.
    pub(super) fn tensor_iterations(&mut self, cuda: &Cuda, layout: &TensorLayout) -> Result<(Kernel, Grid)> {
        cached(&mut self.tensor_iterations, layout, || {
            let kernel = cuda.kernel(&programs::tensor_iterations(layout), "iterate_tiles")?;
            let grid =
                cuda.cooperative_grid(&kernel, layout.threads() as u32, layout.shared_bytes() as u32)?;
            Ok((kernel, grid))
        })
    }

    /// Sums the `width` values that each of `blocks` blocks wrote to `partial`. If `centers` and their number are
    /// given, [`Kernels::pair_blocks`] flags after the sums report whether some are too close to each other.
    pub(in crate::clustering) fn reduce(
        &mut self,
        cuda: &Cuda,
        partial: &Buffer<f64>,
        (blocks, width): (usize, usize),
        sums: &mut Buffer<f64>,
        centers: Option<(&Buffer<f32>, usize)>,
    ) -> Result<()> {
        let none = cuda.alloc::<f32>(0)?;
        let (centers, clusters) = centers.unwrap_or((&none, 0));
        let pair_blocks = Self::pair_blocks(clusters);
        assert!(partial.len() >= blocks * width && sums.len() >= width + pair_blocks);
        let kernel = match &self.reduce {
            Some(kernel) => kernel,
            None => self.reduce.insert(cuda.kernel(&programs::reduce(), "reduce_blocks")?),
        };
        let columns = centers.len() / clusters.max(1);
        let launch = kernel
            .launch()
            .input(partial)
            .value(kernel_int(blocks)?)
            .value(kernel_int(width)?)
            .output(sums)
            .input(centers)
            .value(kernel_int(clusters)?)
            .value(kernel_int(columns)?)
            .value(MIN_SEPARATION);
        let grid = Grid::new(kernel_int(width.div_ceil(8) + pair_blocks)?.unsigned_abs(), 256);
        // SAFETY: the arguments match reduce_blocks; the lengths were checked above, and `centers` has clusters × columns
        // values.
        unsafe { Ok(launch.run(cuda.stream(), grid)?) }
    }

    /// Number of blocks that compare all pairs of centers.
    pub(in crate::clustering) fn pair_blocks(clusters: usize) -> usize {
        (clusters * clusters).div_ceil(256)
    }
}
