//! Rows that lie on the GPU in the coordinates of a space, and the passes over them.

use super::super::prototypes::Prototypes;
use super::super::space::Space;
use super::super::sums::{Sums, Want};
use super::halves::Halves;
use super::kernels::Kernels;
use super::layout::{Layout, THREADS};
use super::product::Form;
use super::programs;
use crate::data::{Precision, Scalar};
use crate::device::Cuda;
use crate::device::cuda::{Buffer, Element, Grid};
use crate::error::{Error, Result};

/// Rows under which the tensor form is not worth its preparation.
const FEW_ROWS: usize = 1 << 14;

/// The two precisions on the GPU.
pub(super) trait Number: Element + Scalar {
    /// The same array where it is single precision.
    fn single(rows: &Buffer<Self>) -> Option<&Buffer<f32>>;
}

impl Number for f32 {
    fn single(rows: &Buffer<f32>) -> Option<&Buffer<f32>> {
        Some(rows)
    }
}

impl Number for f64 {
    fn single(_: &Buffer<f64>) -> Option<&Buffer<f32>> {
        None
    }
}

/// Prototypes on the GPU, as the kernel that will take them wants them.
pub(super) enum Sent<T> {
    Differences(Layout, Buffer<T>),
    Product(Form, Buffer<f32>),
}

/// What a pass left on the GPU.
pub(super) enum Pending {
    Differences(Layout, Buffer<f64>),
    Product(Form, Buffer<f64>),
}

/// Prepared rows.
pub(super) struct Loaded<T> {
    cuda: Cuda,
    pub(super) rows: Buffer<T>,
    pub(super) weights: Option<Buffer<T>>,
    pub(super) count: usize,
    weight: f64,
    pub(super) space: Space,
    /// For the tensor form; none where it does not pay, or after two centers came too near each other for it.
    pub(super) halves: Option<Halves>,
}

impl<T: Number> Loaded<T> {
    /// Sends rows to the GPU and into the coordinates of the prototypes' space.
    pub(super) fn new(
        cuda: &Cuda,
        values: &[T],
        weights: Option<&[f64]>,
        prototypes: &Prototypes,
    ) -> Result<Self> {
        let space = &prototypes.space;
        let columns = space.columns();
        let count = values.len() / columns;
        let rows = cuda.upload(values)?;
        let rounded = |weights: &[f64]| weights.iter().map(|w| T::from_f64(*w)).collect::<Vec<T>>();
        let on_gpu = weights.map(|weights| cuda.upload(&rounded(weights))).transpose()?;
        let weight = total_weight(values, weights, space);
        let mut loaded = Loaded {
            cuda: cuda.clone(),
            rows,
            weights: on_gpu,
            count,
            weight,
            space: space.clone(),
            halves: None,
        };
        loaded.prepare(prototypes)?;
        Ok(loaded)
    }

    /// Lets passes use the tensor form where it can: `values` are the rows as they were sent.
    pub(super) fn with_products(mut self, values: &[T]) -> Result<Self> {
        let enough = self.count >= FEW_ROWS && !self.space.partial;
        if enough && T::PRECISION == Precision::F32 {
            self.halves = Some(Halves::new(&self.cuda, values, &self.space)?);
        }
        Ok(self)
    }

    fn prepare(&mut self, prototypes: &Prototypes) -> Result<()> {
        let layout = self.layout(prototypes, Want::default())?;
        let kernel = self.cuda.kernel(&programs::sweep(&layout), "prepare")?;
        let space = [&self.space.shift, &self.space.scale].into_iter().chain(&self.space.map);
        let numbers: Vec<T> = space.flatten().map(|x| T::from_f64(*x)).collect();
        let space = self.cuda.upload(&numbers)?;
        let launch = kernel.launch().output(&mut self.rows).input(&space).value(self.count as i64);
        // SAFETY: arguments as in prepare(rows, space, n); `space` holds shift, scale and the map the layout tells of.
        unsafe { launch.run(self.cuda.stream(), self.cuda.grid_for(self.count)) }
    }

    pub(super) fn layout(&self, prototypes: &Prototypes, want: Want) -> Result<Layout> {
        let shared = self.cuda.gpu().shared_per_block.max(0) as usize;
        Layout::new(prototypes, T::PRECISION, self.weights.is_some(), want, shared)
            .ok_or(Error::NotOnGpu { what: "clustering with so many clusters and columns" })
    }

    fn require_space(&self, prototypes: &Prototypes) {
        assert!(prototypes.space == self.space, "rows are prepared for one space");
    }

    /// The sums at each of the prototypes.
    pub(super) fn sweep(
        &mut self,
        kernels: &mut Kernels,
        all: &[&Prototypes],
        want: Want,
    ) -> Result<Vec<Sums>> {
        let mut pending = Vec::with_capacity(all.len());
        for prototypes in all {
            let sent = self.send(prototypes, want)?;
            pending.push(self.start(kernels, &sent, prototypes)?);
        }
        let mut sums = Vec::with_capacity(all.len());
        for (prototypes, pending) in all.iter().zip(pending) {
            sums.push(self.finish(kernels, prototypes, want, pending)?);
        }
        for sums in &mut sums {
            sums.rows = self.count as u64;
            sums.weight = self.weight;
        }
        Ok(sums)
    }

    /// Sends the prototypes in the form their pass takes.
    pub(super) fn send(&mut self, prototypes: &Prototypes, want: Want) -> Result<Sent<T>> {
        self.require_space(prototypes);
        let form = Form::new(prototypes, self.weights.is_some(), want);
        if let (Some(form), Some(halves), Some(rows)) = (form, &mut self.halves, T::single(&self.rows))
            && halves.make(&form, rows, self.count)?
        {
            let centers: Vec<f32> = prototypes.centers.iter().map(|x| *x as f32).collect();
            return Ok(Sent::Product(form, self.cuda.upload(&centers)?));
        }
        self.send_differences(prototypes, want)
    }

    fn send_differences(&self, prototypes: &Prototypes, want: Want) -> Result<Sent<T>> {
        let layout = self.layout(prototypes, want)?;
        let encoded = self.encode(&layout, prototypes)?;
        Ok(Sent::Differences(layout, encoded))
    }

    /// Starts a pass.
    pub(super) fn start(
        &self,
        kernels: &mut Kernels,
        sent: &Sent<T>,
        prototypes: &Prototypes,
    ) -> Result<Pending> {
        match (sent, &self.halves) {
            (Sent::Product(form, centers), Some(halves)) => {
                let weights = self.weights.as_ref().and_then(T::single);
                let sums = halves.sweep(kernels, form, (centers, &prototypes.rule), weights, self.count)?;
                Ok(Pending::Product(form.clone(), sums))
            }
            (Sent::Product(..), None) => {
                let sent = self.send_differences(prototypes, Want::default())?;
                self.start(kernels, &sent, prototypes)
            }
            (Sent::Differences(layout, encoded), _) => self.start_differences(kernels, layout, encoded),
        }
    }

    fn start_differences(
        &self,
        kernels: &mut Kernels,
        layout: &Layout,
        encoded: &Buffer<T>,
    ) -> Result<Pending> {
        let (kernel, grid) = kernels.sweep(&self.cuda, layout)?;
        let blocks = (grid.blocks[0] as usize).min(self.count.div_ceil(layout.rows)).max(1);
        let mut partial = self.cuda.reserve::<f64>(blocks * layout.block_sums())?;
        let weights = self.weights.as_ref().unwrap_or(&self.rows); // not read without weights
        let launch = kernel
            .launch()
            .input(&self.rows)
            .input(weights)
            .value(self.count as i64)
            .input(encoded)
            .output(&mut partial);
        // SAFETY: arguments as in sweep_rows(rows, weights, n, prototypes, partial), made for this layout: each block
        // writes the block_sums() numbers of its own.
        unsafe { launch.run(self.cuda.stream(), Grid { blocks: [blocks as u32, 1, 1], ..grid }) }?;
        let mut sums = self.cuda.reserve(layout.block_sums())?;
        kernels.unite(&self.cuda, &partial, (blocks, layout.block_sums()), &mut sums, None)?;
        Ok(Pending::Differences(layout.clone(), sums))
    }

    fn finish(
        &mut self,
        kernels: &mut Kernels,
        prototypes: &Prototypes,
        want: Want,
        pending: Pending,
    ) -> Result<Sums> {
        match (pending, &self.halves) {
            (Pending::Differences(layout, sums), _) => return Ok(layout.decode(&self.cuda.download(&sums)?)),
            (Pending::Product(form, sums), Some(halves)) => {
                if let Some(sums) = halves.finish(&form, &sums)? {
                    return Ok(sums);
                }
            }
            (Pending::Product(..), None) => {}
        }
        // Centers that came near each other mostly stay near: differences from now on.
        self.halves = None;
        let sent = self.send_differences(prototypes, want)?;
        let pending = self.start(kernels, &sent, prototypes)?;
        self.finish(kernels, prototypes, want, pending)
    }

    pub(super) fn encode(&self, layout: &Layout, prototypes: &Prototypes) -> Result<Buffer<T>> {
        let numbers: Vec<T> = layout.encode(prototypes).into_iter().map(T::from_f64).collect();
        self.cuda.upload(&numbers)
    }

    /// The memberships of all rows, clusters side by side.
    pub(super) fn memberships(&self, prototypes: &Prototypes) -> Result<Buffer<T>> {
        self.require_space(prototypes);
        let layout = self.layout(prototypes, Want::default())?;
        let kernel = self.cuda.kernel(&programs::sweep(&layout), "memberships_of_rows")?;
        let grid = self.cuda.resident_grid(&kernel, THREADS as u32, layout.shared_bytes() as u32)?;
        let encoded = self.encode(&layout, prototypes)?;
        let mut out = self.cuda.reserve::<T>(self.count * layout.clusters)?;
        let launch =
            kernel.launch().input(&self.rows).value(self.count as i64).input(&encoded).output(&mut out);
        // SAFETY: arguments as in memberships_of_rows(rows, n, prototypes, out); `out` holds n × clusters numbers.
        unsafe { launch.run(self.cuda.stream(), Grid { cooperative: false, ..grid }) }?;
        Ok(out)
    }

    /// The largest |u − u′| between the memberships of two prototypes.
    pub(super) fn change(&self, before: &Prototypes, after: &Prototypes) -> Result<f64> {
        let (a, b) = (self.memberships(before)?, self.memberships(after)?);
        let layout = self.layout(before, Want::default())?;
        let kernel = self.cuda.kernel(&programs::sweep(&layout), "largest_change")?;
        let mut largest = self.cuda.zeros::<u32>(1)?;
        let launch = kernel.launch().input(&a).input(&b).value(a.len() as i64).output(&mut largest);
        // SAFETY: arguments as in largest_change(a, b, n, largest); a and b have n numbers.
        unsafe { launch.run(self.cuda.stream(), self.cuda.grid_for(a.len().div_ceil(16))) }?;
        let bits = self.cuda.download(&largest)?;
        Ok(f64::from(f32::from_bits(bits[0])))
    }

    pub(super) fn cuda(&self) -> &Cuda {
        &self.cuda
    }
}

/// Σ weights of the rows that have a value.
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
