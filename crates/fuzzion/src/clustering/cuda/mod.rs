//! The GPU's sweeps: rows are sent once where they fit, or piece by piece in every pass.
//!
//! Two kinds of kernel make the sums: one with explicit differences, for every rule and metric in both precisions, and one
//! on tensor cores, for fuzzy c-means and noise clustering of single-precision rows. What is asked once per fit (the survey,
//! some rows to start from) the CPU does.
#![allow(unsafe_code)] // launches

mod halves;
mod iterate;
mod kernels;
pub(super) mod layout;
mod loaded;
pub(super) mod product;
pub(crate) mod programs;
mod together;

pub(super) use together::Together;

use super::cpu::{CHUNK, Memory, Stream, zeros};
use super::pieces::Pieces;
use super::prototypes::Prototypes;
use super::rows::{Iterated, Out, Rows, Samples, Until};
use super::sums::{Sums, Want};
use super::survey::{Ask, Survey};
use crate::data::{Precision, Values};
use crate::device::{Cpu, Cuda};
use crate::error::Result;
use kernels::Kernels;
use loaded::{Loaded, Sent};

/// The share of the free memory that rows may take; the tensor form keeps them a second time.
const MEMORY: f64 = 0.9;
/// Bytes of rows sent at once where they do not all fit, or where memberships come back.
const PIECE_BYTES: usize = 256 << 20;

/// Rows on the GPU in either precision.
enum OnGpu {
    Single(Loaded<f32>),
    Double(Loaded<f64>),
}

impl OnGpu {
    fn new(cuda: &Cuda, samples: Samples<'_>, prototypes: &Prototypes) -> Result<Self> {
        Ok(match samples.values {
            Values::F32(x) => OnGpu::Single(Loaded::new(cuda, x, samples.weights, prototypes)?),
            Values::F64(x) => OnGpu::Double(Loaded::new(cuda, x, samples.weights, prototypes)?),
        })
    }

    fn with_products(self, samples: Samples<'_>) -> Result<Self> {
        Ok(match (self, samples.values) {
            (OnGpu::Single(loaded), Values::F32(x)) => OnGpu::Single(loaded.with_products(x)?),
            (other, _) => other,
        })
    }

    fn sweep(&mut self, kernels: &mut Kernels, prototypes: &[&Prototypes], want: Want) -> Result<Vec<Sums>> {
        match self {
            OnGpu::Single(loaded) => loaded.sweep(kernels, prototypes, want),
            OnGpu::Double(loaded) => loaded.sweep(kernels, prototypes, want),
        }
    }

    fn change(&self, before: &Prototypes, after: &Prototypes) -> Result<f64> {
        match self {
            OnGpu::Single(loaded) => loaded.change(before, after),
            OnGpu::Double(loaded) => loaded.change(before, after),
        }
    }

    fn memberships(&self, prototypes: &Prototypes) -> Result<Vec<f64>> {
        let wide = |u: Vec<f32>| u.into_iter().map(f64::from).collect();
        Ok(match self {
            OnGpu::Single(loaded) => wide(loaded.cuda().download(&loaded.memberships(prototypes)?)?),
            OnGpu::Double(loaded) => loaded.cuda().download(&loaded.memberships(prototypes)?)?,
        })
    }

    fn is_prepared_for(&self, prototypes: &Prototypes) -> bool {
        match self {
            OnGpu::Single(loaded) => loaded.space == prototypes.space,
            OnGpu::Double(loaded) => loaded.space == prototypes.space,
        }
    }
}

fn bytes_of(precision: Precision) -> usize {
    if precision == Precision::F32 { size_of::<f32>() } else { size_of::<f64>() }
}

/// Rows in the host's memory: sent to the GPU once where they fit, else piece by piece in every sweep.
pub(super) struct Resident<'a> {
    samples: Samples<'a>,
    cuda: &'a Cuda,
    cpu: Cpu,
    kernels: Kernels,
    fits: bool,
    on_gpu: Option<OnGpu>,
}

impl<'a> Resident<'a> {
    pub(super) fn new(samples: Samples<'a>, cuda: &'a Cuda) -> Result<Self> {
        let numbers = samples.values.len() + samples.weights.map_or(0, <[f64]>::len);
        let fits = ((numbers * bytes_of(samples.precision())) as f64) < cuda.memory()?.0 as f64 * MEMORY;
        Ok(Resident { samples, cuda, cpu: Cpu::new()?, kernels: Kernels::default(), fits, on_gpu: None })
    }

    fn on_gpu(&mut self, prototypes: &Prototypes) -> Result<(&mut OnGpu, &mut Kernels)> {
        let known = self.on_gpu.take().filter(|known| known.is_prepared_for(prototypes));
        let on_gpu = match known {
            Some(known) => known,
            None => OnGpu::new(self.cuda, self.samples, prototypes)?.with_products(self.samples)?,
        };
        Ok((self.on_gpu.insert(on_gpu), &mut self.kernels))
    }

    fn pieces(&self) -> impl Iterator<Item = Samples<'a>> + use<'a> {
        self.samples.pieces(rows_at_once(self.samples.names.len(), self.samples.precision()))
    }
}

impl Rows for Resident<'_> {
    fn survey(&mut self, ask: Ask) -> Result<Survey> {
        Memory::new(self.samples, &self.cpu).survey(ask)
    }

    fn sweep(&mut self, prototypes: &[&Prototypes], want: Want) -> Result<Vec<Sums>> {
        let Some(first) = prototypes.first() else { return Ok(Vec::new()) };
        if self.fits {
            let (on_gpu, kernels) = self.on_gpu(first)?;
            return on_gpu.sweep(kernels, prototypes, want);
        }
        let mut totals = zeros(prototypes, want);
        for piece in self.pieces() {
            add_piece(piece, self.cuda, &mut self.kernels, prototypes, want, &mut totals)?;
        }
        Ok(totals)
    }

    fn change(&mut self, steps: &[(&Prototypes, &Prototypes)]) -> Result<Vec<f64>> {
        let mut most = vec![0.0; steps.len()];
        for piece in self.pieces() {
            compare_piece(piece, self.cuda, steps, &mut most)?;
        }
        Ok(most)
    }

    fn gather(&mut self, rows: &[u64]) -> Result<(Vec<f64>, Vec<f64>)> {
        Memory::new(self.samples, &self.cpu).gather(rows)
    }

    fn visit(&mut self, take: &mut dyn FnMut(&[f64], &[f64])) -> Result<()> {
        Memory::new(self.samples, &self.cpu).visit(take)
    }

    fn iterate(&mut self, start: &Prototypes, until: Until) -> Result<Option<Iterated>> {
        if !self.fits {
            return Ok(None);
        }
        match self.on_gpu(start)? {
            (OnGpu::Single(loaded), kernels) => loaded.iterate(kernels, start, until),
            (OnGpu::Double(loaded), kernels) => loaded.iterate(kernels, start, until),
        }
    }
}

/// One pass again and again over rows that lie on the GPU, for timing.
pub(super) struct Pass {
    rows: Loaded<f32>,
    kernels: Kernels,
    prototypes: Prototypes,
    sent: Sent<f32>,
}

impl Pass {
    pub(super) fn new(cuda: &Cuda, values: &[f32], prototypes: Prototypes) -> Result<Self> {
        let mut rows = Loaded::new(cuda, values, None, &prototypes)?.with_products(values)?;
        let sent = rows.send(&prototypes, Want::default())?;
        Ok(Pass { rows, kernels: Kernels::default(), prototypes, sent })
    }

    /// Starts the pass.
    pub(super) fn start(&mut self) -> Result<()> {
        self.rows.start(&mut self.kernels, &self.sent, &self.prototypes).map(drop)
    }

    /// Makes `steps` of the textbook's steps in one launch; how many it made.
    pub(super) fn iterate(&mut self, steps: usize) -> Result<usize> {
        let until = Until { most: steps, moves: -1.0 };
        let made = self.rows.iterate(&mut self.kernels, &self.prototypes, until)?;
        Ok(made.map_or(0, |made| made.objectives.len()))
    }
}

/// Rows of a reader, sent to the GPU piece by piece in every sweep.
pub(super) struct Passing<'a, 'b> {
    stream: Stream<'a, 'b>,
    cuda: &'a Cuda,
    kernels: Kernels,
}

impl<'a, 'b> Passing<'a, 'b> {
    pub(super) fn new(pieces: Pieces<'a, 'b>, cuda: &'a Cuda) -> Result<Self> {
        Ok(Passing { stream: Stream::new(pieces, Cpu::new()?), cuda, kernels: Kernels::default() })
    }

    /// Calls `work` with every piece.
    fn each(&mut self, mut work: impl FnMut(Samples<'_>, &mut Kernels) -> Result<()>) -> Result<()> {
        let pieces = self.stream.pieces();
        let rows = rows_at_once(pieces.names().len(), pieces.precision());
        pieces.each(rows, |samples, _| work(samples, &mut self.kernels))
    }
}

impl Rows for Passing<'_, '_> {
    fn survey(&mut self, ask: Ask) -> Result<Survey> {
        self.stream.survey(ask)
    }

    fn sweep(&mut self, prototypes: &[&Prototypes], want: Want) -> Result<Vec<Sums>> {
        let (cuda, mut totals) = (self.cuda, zeros(prototypes, want));
        self.each(|samples, kernels| add_piece(samples, cuda, kernels, prototypes, want, &mut totals))?;
        Ok(totals)
    }

    fn change(&mut self, steps: &[(&Prototypes, &Prototypes)]) -> Result<Vec<f64>> {
        let (cuda, mut most) = (self.cuda, vec![0.0; steps.len()]);
        self.each(|samples, _| compare_piece(samples, cuda, steps, &mut most))?;
        Ok(most)
    }

    fn gather(&mut self, rows: &[u64]) -> Result<(Vec<f64>, Vec<f64>)> {
        self.stream.gather(rows)
    }

    fn visit(&mut self, take: &mut dyn FnMut(&[f64], &[f64])) -> Result<()> {
        self.stream.visit(take)
    }
}

fn add_piece(
    samples: Samples<'_>,
    cuda: &Cuda,
    kernels: &mut Kernels,
    prototypes: &[&Prototypes],
    want: Want,
    totals: &mut [Sums],
) -> Result<()> {
    let Some(first) = prototypes.first() else { return Ok(()) };
    let sums = OnGpu::new(cuda, samples, first)?.sweep(kernels, prototypes, want)?;
    totals.iter_mut().zip(&sums).for_each(|(total, sums)| total.add(sums));
    Ok(())
}

fn compare_piece(
    samples: Samples<'_>,
    cuda: &Cuda,
    steps: &[(&Prototypes, &Prototypes)],
    most: &mut [f64],
) -> Result<()> {
    let Some((first, _)) = steps.first() else { return Ok(()) };
    let on_gpu = OnGpu::new(cuda, samples, first)?;
    for (most, (before, after)) in most.iter_mut().zip(steps) {
        *most = most.max(on_gpu.change(before, after)?);
    }
    Ok(())
}

/// The memberships of rows in memory, piece by piece.
pub(super) fn degrees(
    samples: Samples<'_>,
    cuda: &Cuda,
    prototypes: &Prototypes,
    mut out: Out<'_>,
) -> Result<()> {
    let clusters = prototypes.clusters();
    // What comes back is as wide as there are clusters.
    let rows = rows_at_once(samples.names.len().max(clusters), samples.precision());
    let mut first = 0;
    for piece in samples.pieces(rows) {
        let memberships = OnGpu::new(cuda, piece, prototypes)?.memberships(prototypes)?;
        out.put(first, clusters, &memberships);
        first += memberships.len() / clusters;
    }
    Ok(())
}

/// Whole chunks, so that the CPU's answers do not depend on the pieces.
fn rows_at_once(columns: usize, precision: Precision) -> usize {
    (PIECE_BYTES / (CHUNK * columns.max(1) * bytes_of(precision))).max(1) * CHUNK
}
