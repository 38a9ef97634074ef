//! Rows in GPU memory, in internal coordinates, and the passes over them.

use super::fp16_split::Fp16Split;
use super::kernels::Kernels;
use super::layout::sweep::{SweepLayout, THREADS};
use super::layout::tensor::TensorLayout;
use super::programs;
use crate::clustering::error::Result;
use crate::clustering::prototypes::Prototypes;
use crate::clustering::prototypes::space::Space;
use crate::clustering::rows::sums::{RequestedSums, Sums};
use crate::data::{Precision, Scalar};
use crate::device::Cuda;
use crate::device::DeviceError;
use crate::device::cuda::{Buffer, Element, Grid};

/// Number of rows below which splitting for the tensor cores does not pay off.
const MIN_TENSOR_ROWS: usize = 1 << 14;

/// Number types of the kernels.
pub(in crate::clustering) trait KernelReal: Element + Scalar {
    /// The buffer if it has single precision.
    fn single(rows: &Buffer<Self>) -> Option<&Buffer<f32>>;
}

impl KernelReal for f32 {
    fn single(rows: &Buffer<f32>) -> Option<&Buffer<f32>> {
        Some(rows)
    }
}

impl KernelReal for f64 {
    fn single(_: &Buffer<f64>) -> Option<&Buffer<f32>> {
        None
    }
}

/// Prototypes in GPU memory, in the layout of their kernel.
pub enum Uploaded<T> {
    Differences(SweepLayout, Buffer<T>),
    Product(TensorLayout, Buffer<f32>),
}

/// Sums of a pass in GPU memory.
pub enum Pending {
    Differences(SweepLayout, Buffer<f64>),
    Product(TensorLayout, Buffer<f64>),
}

/// Rows in GPU memory.
pub struct Loaded<T> {
    cuda: Cuda,
    pub(super) rows: Buffer<T>,
    pub(super) weights: Option<Buffer<T>>,
    pub(super) count: usize,
    weight: f64,
    pub(super) space: Space,
    /// Rows for the product form; `None` if it is not worthwhile, or after two centers came too close to each other.
    pub(in crate::clustering) split: Option<Fp16Split>,
}

impl<T: KernelReal> Loaded<T> {
    /// Uploads the rows and converts them to internal coordinates.
    pub fn new(cuda: &Cuda, values: &[T], weights: Option<&[f64]>, prototypes: &Prototypes) -> Result<Self> {
        let space = &prototypes.space;
        let columns = space.columns();
        let count = values.len() / columns;
        let rows = cuda.upload(values)?;
        let rounded = |weights: &[f64]| weights.iter().map(|w| T::from_f64(*w)).collect::<Vec<T>>();
        let gpu_weights = weights.map(|weights| cuda.upload(&rounded(weights))).transpose()?;
        let weight = total_weight(values, weights, space);
        let mut loaded = Loaded {
            cuda: cuda.clone(),
            rows,
            weights: gpu_weights,
            count,
            weight,
            space: space.clone(),
            split: None,
        };
        loaded.prepare(prototypes)?;
        Ok(loaded)
    }

    /// Enables the product form if it applies; `values` are the uploaded rows.
    pub fn with_tensor_cores(self, values: &[T]) -> Result<Self> {
        let enough = self.count >= MIN_TENSOR_ROWS && !self.space.partial;
        if enough && T::PRECISION == Precision::F32 { self.with_product_form(values) } else { Ok(self) }
    }

    /// Enables the product form for any number of rows.
    pub(in crate::clustering) fn with_product_form(mut self, values: &[T]) -> Result<Self> {
        self.split = Some(Fp16Split::new(&self.cuda, values, &self.space)?);
        Ok(self)
    }

    fn prepare(&mut self, prototypes: &Prototypes) -> Result<()> {
        let layout = self.layout(prototypes, RequestedSums::default())?;
        let kernel = self.cuda.kernel(&programs::sweep(&layout), "prepare")?;
        let space = [&self.space.shift, &self.space.scale].into_iter().chain(&self.space.whitening);
        let values: Vec<T> = space.flatten().map(|x| T::from_f64(*x)).collect();
        let space = self.cuda.upload(&values)?;
        let launch = kernel.launch().output(&mut self.rows).input(&space).value(self.count as i64);
        // SAFETY: the arguments match prepare(rows, space, n); `space` has the shift, scale and whitening matrix of the
        // layout.
        unsafe { Ok(launch.run(self.cuda.stream(), self.cuda.grid_for(self.count))?) }
    }

    pub(super) fn layout(&self, prototypes: &Prototypes, requested: RequestedSums) -> Result<SweepLayout> {
        let shared = self.cuda.gpu().shared_per_block.max(0) as usize;
        SweepLayout::new(prototypes, T::PRECISION, self.weights.is_some(), requested, shared)
            .ok_or(DeviceError::NotOnGpu { what: "clustering with this many clusters and columns" }.into())
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
                Ok(Pending::Product(layout.clone(), sums))
            }
            (Uploaded::Product(..), None) => {
                let uploaded = self.upload_for_differences(prototypes, RequestedSums::default())?;
                self.start(kernels, &uploaded, prototypes)
            }
            (Uploaded::Differences(layout, encoded), _) => self.start_differences(kernels, layout, encoded),
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
        match (pending, &self.split) {
            (Pending::Differences(layout, sums), _) => return Ok(layout.decode(&self.cuda.download(&sums)?)),
            (Pending::Product(layout, sums), Some(split)) => {
                if let Some(sums) = split.finish(&layout, &sums)? {
                    return Ok(sums);
                }
            }
            (Pending::Product(..), None) => {}
        }
        // Centers that came close to each other usually stay close, so use differences from now on.
        self.split = None;
        let uploaded = self.upload_for_differences(prototypes, requested)?;
        let pending = self.start(kernels, &uploaded, prototypes)?;
        self.finish(kernels, prototypes, requested, pending)
    }

    pub(super) fn encode(&self, layout: &SweepLayout, prototypes: &Prototypes) -> Result<Buffer<T>> {
        let values: Vec<T> = layout.encode(prototypes).into_iter().map(T::from_f64).collect();
        Ok(self.cuda.upload(&values)?)
    }

    /// Computes the memberships of all rows, in row-major order.
    pub(in crate::clustering) fn memberships(&self, prototypes: &Prototypes) -> Result<Buffer<T>> {
        self.require_space(prototypes);
        let layout = self.layout(prototypes, RequestedSums::default())?;
        let kernel = self.cuda.kernel(&programs::sweep(&layout), "memberships_of_rows")?;
        let grid = self.cuda.cooperative_grid(&kernel, THREADS as u32, layout.shared_bytes() as u32)?;
        let encoded = self.encode(&layout, prototypes)?;
        let mut out = self.cuda.alloc::<T>(self.count * layout.clusters)?;
        let launch =
            kernel.launch().input(&self.rows).value(self.count as i64).input(&encoded).output(&mut out);
        // SAFETY: the arguments match memberships_of_rows(rows, n, prototypes, out); `out` has n × clusters values.
        unsafe { launch.run(self.cuda.stream(), Grid { cooperative: false, ..grid }) }?;
        Ok(out)
    }

    /// Largest |u − u′| between the memberships of two prototypes.
    pub(super) fn change(&self, before: &Prototypes, after: &Prototypes) -> Result<f64> {
        self.largest_change(before, &self.memberships(before)?, &self.memberships(after)?)
    }

    /// Largest difference between two arrays of memberships; the program is that of `prototypes`.
    pub(in crate::clustering) fn largest_change(
        &self,
        prototypes: &Prototypes,
        a: &Buffer<T>,
        b: &Buffer<T>,
    ) -> Result<f64> {
        assert!(a.len() == b.len());
        let layout = self.layout(prototypes, RequestedSums::default())?;
        let kernel = self.cuda.kernel(&programs::sweep(&layout), "largest_change")?;
        let mut largest = self.cuda.zeros::<u32>(1)?;
        let launch = kernel.launch().input(a).input(b).value(a.len() as i64).output(&mut largest);
        // SAFETY: the arguments match largest_change(a, b, n, largest); a and b have n values.
        unsafe { launch.run(self.cuda.stream(), self.cuda.grid_for(a.len().div_ceil(16))) }?;
        let bits = self.cuda.download(&largest)?;
        Ok(f64::from(f32::from_bits(bits[0])))
    }

    pub(super) fn cuda(&self) -> &Cuda {
        &self.cuda
    }
}

/// Sum of the weights of the rows with at least one value.
fn total_weight<T: Scalar>(values: &[T], weights: Option<&[f64]>, space: &Space) -> f64 {
    let columns = space.columns();
    let weight = |row: usize| weights.map_or(1.0, |weights| weights[row]);
    match (weights, space.partial) {
        (None, false) => (values.len() / columns) as f64,
        (Some(weights), false) => weights.iter().sum(),
        (_, true) => {
            let rows = values.chunks_exact(columns).enumerate();
            rows.filter(|(_, row)| row.iter().any(|x| !x.to_f64().is_nan())).map(|(i, _)| weight(i)).sum()
        }
    }
}
