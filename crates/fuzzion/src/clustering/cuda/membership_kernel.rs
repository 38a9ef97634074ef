//! Launches of the kernels that compute the memberships of rows.

use super::layout::sweep::{SweepLayout, THREADS};
use super::programs;
use super::real::KernelReal;
use crate::clustering::error::Result;
use crate::clustering::prototypes::Prototypes;
use crate::clustering::rows::sums::RequestedSums;
use crate::device::cuda::{Buffer, Grid, Kernel};
use crate::device::{Cuda, DeviceError};
use std::ops::Range;

/// Memberships of rows in internal coordinates in the clusters of one set of prototypes.
pub(super) struct MembershipKernel<T> {
    cuda: Cuda,
    layout: SweepLayout,
    prototypes: Buffer<T>,
    kernel: Kernel,
    grid: Grid,
    top: Kernel,
}

impl<T: KernelReal> MembershipKernel<T> {
    pub(super) fn new(cuda: &Cuda, prototypes: &Prototypes) -> Result<Self> {
        let layout = sweep_layout::<T>(cuda, prototypes, false, RequestedSums::default())?;
        let kernel = cuda.kernel(&programs::memberships(&layout), "memberships_of_rows")?;
        let grid = cuda.cooperative_grid(&kernel, THREADS as u32, layout.shared_bytes() as u32)?;
        let top = cuda.kernel(&programs::rows(T::PRECISION, layout.columns), "top_of_memberships")?;
        let prototypes = encode(cuda, &layout, prototypes)?;
        let grid = Grid { cooperative: false, ..grid };
        Ok(MembershipKernel { cuda: cuda.clone(), layout, prototypes, kernel, grid, top })
    }

    pub(super) fn clusters(&self) -> usize {
        self.layout.clusters
    }

    /// Starts computing all memberships of `rows`, in row-major order.
    pub(super) fn memberships(
        &self,
        x: &Buffer<T>,
        rows: Range<usize>,
        out: &mut Buffer<T>,
    ) -> Result<(), DeviceError> {
        assert!(rows.end * self.layout.columns <= x.len() && out.len() >= rows.len() * self.clusters());
        let launch = self.kernel.launch().input(x).value(rows.start as i64).value(rows.len() as i64);
        let launch = launch.input(&self.prototypes).output(out);
        // SAFETY: the arguments match memberships_of_rows(rows, first, n, prototypes, out); the lengths were checked above.
        unsafe { launch.run(self.cuda.stream(), self.grid) }
    }

    /// Starts finding the `top` largest of the `memberships` of `rows` rows, which are overwritten, in descending order,
    /// and their clusters.
    pub(super) fn top(
        &self,
        memberships: &mut Buffer<T>,
        rows: usize,
        top: usize,
        clusters: &mut Buffer<u32>,
        out: &mut Buffer<T>,
    ) -> Result<(), DeviceError> {
        assert!(memberships.len() >= rows * self.clusters() && top <= self.clusters());
        assert!(clusters.len() >= rows * top && out.len() >= rows * top);
        let int =
            |size: usize| i32::try_from(size).expect("invariant: 2³¹ clusters exceed the shared memory");
        let launch = self
            .top
            .launch()
            .output(memberships)
            .value(rows as i64)
            .value(int(self.clusters()))
            .value(int(top))
            .output(clusters)
            .output(out);
        // SAFETY: the arguments match top_of_memberships(memberships, n, clusters, top, indices, out); the lengths were
        // checked above.
        unsafe { launch.run(self.cuda.stream(), self.cuda.grid_for(rows)) }
    }
}

/// Layout of the kernels based on explicit differences.
///
/// # Errors
/// [`DeviceError::NotOnGpu`] if there are too many clusters and columns for the shared memory.
pub(super) fn sweep_layout<T: KernelReal>(
    cuda: &Cuda,
    prototypes: &Prototypes,
    weighted: bool,
    requested: RequestedSums,
) -> Result<SweepLayout> {
    let shared = cuda.gpu().shared_per_block.max(0) as usize;
    SweepLayout::new(prototypes, T::PRECISION, weighted, requested, shared)
        .ok_or(DeviceError::NotOnGpu { what: "clustering with this many clusters and columns" }.into())
}

/// Uploads the prototypes in the layout of the kernels based on explicit differences.
pub(super) fn encode<T: KernelReal>(
    cuda: &Cuda,
    layout: &SweepLayout,
    prototypes: &Prototypes,
) -> Result<Buffer<T>> {
    let values: Vec<T> = layout.encode(prototypes).into_iter().map(T::from_f64).collect();
    Ok(cuda.upload(&values)?)
}
