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
    all: (Kernel, Grid),
    top: (Kernel, Grid),
}

impl<T: KernelReal> MembershipKernel<T> {
    pub(super) fn new(cuda: &Cuda, prototypes: &Prototypes) -> Result<Self> {
        let layout = sweep_layout::<T>(cuda, prototypes, false, RequestedSums::default())?;
        let program = programs::memberships(&layout);
        let kernel = |name| {
            let kernel = cuda.kernel(&program, name)?;
            let grid = cuda.cooperative_grid(&kernel, THREADS as u32, layout.shared_bytes() as u32)?;
            Ok::<_, DeviceError>((kernel, Grid { cooperative: false, ..grid }))
        };
        let (all, top) = (kernel("memberships_of_rows")?, kernel("top_of_rows")?);
        let prototypes = encode(cuda, &layout, prototypes)?;
        Ok(MembershipKernel { cuda: cuda.clone(), layout, prototypes, all, top })
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
        let (kernel, grid) = &self.all;
        let launch = kernel.launch().input(x).value(rows.start as i64).value(rows.len() as i64);
        let launch = launch.input(&self.prototypes).output(out);
        // SAFETY: the arguments match memberships_of_rows(rows, first, n, prototypes, out); the lengths were checked above.
        unsafe { launch.run(self.cuda.stream(), *grid) }
    }

    /// Starts finding the `top` largest memberships of `rows`, in descending order, and their clusters.
    pub(super) fn top(
        &self,
        x: &Buffer<T>,
        rows: Range<usize>,
        top: usize,
        clusters: &mut Buffer<u32>,
        out: &mut Buffer<T>,
    ) -> Result<(), DeviceError> {
        assert!(rows.end * self.layout.columns <= x.len() && top <= self.clusters());
        assert!(clusters.len() >= rows.len() * top && out.len() >= rows.len() * top);
        let top = i32::try_from(top).expect("invariant: there are fewer than 2³¹ clusters in shared memory");
        let (kernel, grid) = &self.top;
        let launch = kernel.launch().input(x).value(rows.start as i64).value(rows.len() as i64);
        let launch = launch.input(&self.prototypes).value(top).output(clusters).output(out);
        // SAFETY: the arguments match top_of_rows(rows, first, n, prototypes, top, clusters, out); the lengths were
        // checked above.
        unsafe { launch.run(self.cuda.stream(), *grid) }
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
