//! Rows in GPU memory, in internal coordinates, and the passes over them.

use super::fp16_split::{self, Fp16Split};
use super::kernels::Kernels;
use super::layout::sweep::SweepLayout;
use super::layout::tensor::TensorLayout;
use super::membership_kernel::{MembershipKernel, encode, sweep_layout};
use super::original::{OriginalRows, gather};
use super::programs;
use super::real::KernelReal;
use crate::clustering::error::Result;
use crate::clustering::prototypes::Prototypes;
use crate::clustering::prototypes::space::Space;
use crate::clustering::rows::sums::{RequestedSums, Sums};
use crate::data::{Precision, Scalar};
use crate::device::Cuda;
use crate::device::cuda::{Buffer, Grid};
use crate::progress::Progress;

/// Number of rows below which splitting for the tensor cores does not pay off.
pub(super) const MIN_TENSOR_ROWS: usize = 1 << 14;
/// Number of memberships that are compared at once.
const CHANGE_BATCH: usize = 1 << 26;

/// Prototypes in GPU memory, in the layout of their kernel.
pub enum Uploaded<T> {
    Differences(SweepLayout, Buffer<T>),
    Product(TensorLayout, Buffer<f32>),
}

/// Sums of a pass in GPU memory.
pub enum Pending {
    Differences(SweepLayout, Buffer<f64>),
    /// The flag tells whether the pass checks that no row is near more than one center.
    Product(TensorLayout, Buffer<f64>, bool),
}

/// Rows in GPU memory.
pub struct Loaded<T> {
    cuda: Cuda,
    pub(super) rows: Buffer<T>,
    pub(super) weights: Option<Buffer<T>>,
    pub(super) count: usize,
    weight: f64,
    pub(super) space: Space,
    /// Rows for the product form; `None` if it is not worthwhile, or after a row was near more than one center.
    pub(in crate::clustering) split: Option<Fp16Split>,
}

impl<T: KernelReal> Loaded<T> {
    /// Uploads the rows and converts them to internal coordinates.
    pub fn new(cuda: &Cuda, values: &[T], weights: Option<&[f64]>, prototypes: &Prototypes) -> Result<Self> {
        let original = OriginalRows::upload(cuda, values, prototypes.columns())?;
        let weight = total_weight(Some(values), original.count(), weights, &prototypes.space);
        Loaded::prepare(&original, weights, weight, &prototypes.space)
    }

    /// Converts the rows, which have the given weights and sum of weights, to internal coordinates.
    pub(super) fn prepare(
        original: &OriginalRows<'_, T>,
        weights: Option<&[f64]>,
        weight: f64,
        space: &Space,
    ) -> Result<Self> {
        let cuda = original.cuda().clone();
        let rounded = |weights: &[f64]| weights.iter().map(|w| T::from_f64(*w)).collect::<Vec<T>>();
        let weights = weights.map(|weights| cuda.upload_large(&rounded(weights), &Progress::none()));
        Ok(Loaded {
            rows: original.prepare(space)?,
            weights: weights.transpose()?,
            count: original.count(),
            weight,
            space: space.clone(),
            split: None,
            cuda,
        })
    }

    /// Enables the product form if it applies.
    pub fn with_tensor_cores(self) -> Result<Self> {
        let enough = self.count >= MIN_TENSOR_ROWS && !self.space.partial;
        if enough && T::PRECISION == Precision::F32 { self.with_product_form() } else { Ok(self) }
    }

    /// Enables the product form for any number of rows.
    pub(in crate::clustering) fn with_product_form(mut self) -> Result<Self> {
        let step = self.count.div_ceil(fp16_split::MAX_SAMPLE).max(1);
        let sample: Vec<u64> = (0..self.count).step_by(step).map(|row| row as u64).collect();
        let columns = self.space.columns();
        let sample = gather(&self.cuda, (&self.rows, 0, self.count), columns, &sample)?;
        self.split = Some(Fp16Split::new(&self.cuda, &sample, columns)?);
        Ok(self)
    }

    pub(super) fn layout(&self, prototypes: &Prototypes, requested: RequestedSums) -> Result<SweepLayout> {
        sweep_layout::<T>(&self.cuda, prototypes, self.weights.is_some(), requested)
    }

    fn require_space(&self, prototypes: &Prototypes) {
        assert!(
            prototypes.space == self.space,
            "invariant: the rows are in the internal coordinates of the prototypes"
        );
    }

    /// Computes the sums for each of the prototypes.
    pub(in crate::clustering) fn sweep(
        &mut self,
        kernels: &mut Kernels,
        all: &[&Prototypes],
        requested: RequestedSums,
    ) -> Result<Vec<Sums>> {
        let mut pending = Vec::with_capacity(all.len());
        for prototypes in all {
            let uploaded = self.upload_prototypes(prototypes, requested)?;
            pending.push(self.start(kernels, &uploaded, prototypes)?);
        }
        let mut sums = Vec::with_capacity(all.len());
        for (prototypes, pending) in all.iter().zip(pending) {
            sums.push(self.finish(kernels, prototypes, requested, pending)?);
        }
        for sums in &mut sums {
            sums.rows = self.count as u64;
            sums.weight = self.weight;
        }
        Ok(sums)
    }

    /// Uploads the prototypes in the layout of their kernel.
    pub fn upload_prototypes(
        &mut self,
        prototypes: &Prototypes,
        requested: RequestedSums,
    ) -> Result<Uploaded<T>> {
        self.require_space(prototypes);
        let layout = TensorLayout::new(prototypes, self.weights.is_some(), requested);
        if let (Some(layout), Some(split), Some(rows)) = (layout, &mut self.split, T::single(&self.rows))
            && split.ensure(&layout, rows, self.count)?
        {
            let centers: Vec<f32> = prototypes.centers.iter().map(|x| *x as f32).collect();
            return Ok(Uploaded::Product(layout, self.cuda.upload(&centers)?));
        }
        self.upload_for_differences(prototypes, requested)
    }

    fn upload_for_differences(
        &self,
        prototypes: &Prototypes,
        requested: RequestedSums,
    ) -> Result<Uploaded<T>> {
        let layout = self.layout(prototypes, requested)?;
        let encoded = self.encode(&layout, prototypes)?;
        Ok(Uploaded::Differences(layout, encoded))
    }

    /// Starts a pass.
    pub fn start(
        &self,
        kernels: &mut Kernels,
        uploaded: &Uploaded<T>,
        prototypes: &Prototypes,
    ) -> Result<Pending> {
        match (uploaded, &self.split) {
            (Uploaded::Product(layout, centers), Some(split)) => {
                let weights = self.weights.as_ref().and_then(T::single);
                let sums = split.sweep(kernels, layout, (centers, &prototypes.rule), weights, self.count)?;
                Ok(Pending::Product(layout.clone(), sums, split.check_rows))
            }
            (Uploaded::Product(..), None) => {
                let uploaded = self.upload_for_differences(prototypes, RequestedSums::default())?;
                self.start(kernels, &uploaded, prototypes)
            }
            (Uploaded::Differences(layout, encoded), _) => self.start_differences(kernels, layout, encoded),
        }
    }

    /// Checks rows from now on, because centers that came close to each other usually stay close; uses differences if a
    /// pass that checked the rows was too inaccurate.
    pub(super) fn tighten_product_form(&mut self, checked_rows: bool) {
        match &mut self.split {
            Some(split) if !checked_rows => split.check_rows = true,
            _ => self.split = None,
        }
    }

    fn start_differences(
        &self,
        kernels: &mut Kernels,
        layout: &SweepLayout,
        encoded: &Buffer<T>,
    ) -> Result<Pending> {
        let (kernel, grid) = kernels.sweep(&self.cuda, layout)?;
        let blocks = (grid.blocks[0] as usize).min(self.count.div_ceil(layout.rows)).max(1);
        let mut partial = self.cuda.alloc::<f64>(blocks * layout.block_sums())?;
        let weights = self.weights.as_ref().unwrap_or(&self.rows); // unused without weights
        let launch = kernel
            .launch()
            .input(&self.rows)
            .input(weights)
            .value(self.count as i64)
            .input(encoded)
            .output(&mut partial);
        // SAFETY: the arguments match sweep_rows(rows, weights, n, prototypes, partial), for this layout: each block
        // writes its own block_sums() values.
        unsafe { launch.run(self.cuda.stream(), Grid { blocks: [blocks as u32, 1, 1], ..grid }) }?;
        let mut sums = self.cuda.alloc(layout.block_sums())?;
        kernels.reduce(&self.cuda, &partial, (blocks, layout.block_sums()), &mut sums, None)?;
        Ok(Pending::Differences(layout.clone(), sums))
    }

    fn finish(
        &mut self,
        kernels: &mut Kernels,
        prototypes: &Prototypes,
        requested: RequestedSums,
        pending: Pending,
    ) -> Result<Sums> {
        match (pending, &mut self.split) {
            (Pending::Differences(layout, sums), _) => return Ok(layout.decode(&self.cuda.download(&sums)?)),
            (Pending::Product(layout, sums, checked_rows), Some(split)) => {
                if let Some(sums) = split.finish(&layout, &sums, checked_rows)? {
                    return Ok(sums);
                }
                self.tighten_product_form(checked_rows);
            }
            (Pending::Product(..), None) => {}
        }
        let uploaded = self.upload_prototypes(prototypes, requested)?;
        let pending = self.start(kernels, &uploaded, prototypes)?;
        self.finish(kernels, prototypes, requested, pending)
    }

    pub(super) fn encode(&self, layout: &SweepLayout, prototypes: &Prototypes) -> Result<Buffer<T>> {
        encode(&self.cuda, layout, prototypes)
    }

    /// Largest |u − u′| between the memberships of two prototypes.
    pub(super) fn change(&self, before: &Prototypes, after: &Prototypes) -> Result<f64> {
        self.require_space(before);
        let before = MembershipKernel::<T>::new(&self.cuda, before)?;
        let after = MembershipKernel::<T>::new(&self.cuda, after)?;
        let batch = (CHANGE_BATCH / before.clusters()).clamp(1, self.count.max(1));
        let mut a = self.cuda.alloc::<T>(batch * before.clusters())?;
        let mut b = self.cuda.alloc::<T>(batch * before.clusters())?;
        let mut largest = self.cuda.zeros::<u32>(1)?;
        for first in (0..self.count).step_by(batch) {
            let rows = first..self.count.min(first + batch);
            before.memberships(&self.rows, rows.clone(), &mut a)?;
            after.memberships(&self.rows, rows.clone(), &mut b)?;
            self.largest_change(&a, &b, rows.len() * before.clusters(), &mut largest)?;
        }
        let bits = self.cuda.download(&largest)?;
        Ok(f64::from(f32::from_bits(bits[0])))
    }

    /// Updates `largest` with the largest difference between the first `count` values of two arrays of memberships.
    pub(in crate::clustering) fn largest_change(
        &self,
        a: &Buffer<T>,
        b: &Buffer<T>,
        count: usize,
        largest: &mut Buffer<u32>,
    ) -> Result<()> {
        assert!(a.len() >= count && b.len() >= count);
        let kernel =
            self.cuda.kernel(&programs::rows(T::PRECISION, self.space.columns()), "largest_change")?;
        let launch = kernel.launch().input(a).input(b).value(count as i64).output(largest);
        // SAFETY: the arguments match largest_change(a, b, n, largest); a and b have n values.
        unsafe { Ok(launch.run(self.cuda.stream(), self.cuda.grid_for(count.div_ceil(16)))?) }
    }

    pub(super) fn cuda(&self) -> &Cuda {
        &self.cuda
    }
}

/// Sum of the weights of the rows with at least one value; `values` are needed if values may be missing.
pub(super) fn total_weight<T: Scalar>(
    values: Option<&[T]>,
    count: usize,
    weights: Option<&[f64]>,
    space: &Space,
) -> f64 {
    let weight = |row: usize| weights.map_or(1.0, |weights| weights[row]);
    match (values, weights, space.partial) {
        (Some(values), _, true) => {
            let rows = values.chunks_exact(space.columns()).enumerate();
            rows.filter(|(_, row)| row.iter().any(|x| !x.to_f64().is_nan())).map(|(i, _)| weight(i)).sum()
        }
        (_, Some(weights), _) => weights.iter().sum(),
        (_, None, _) => count as f64,
    }
}
