//! The prototypes as the kernels want them, and one chunk of rows through all phases.

use super::super::prototypes::{Prototypes, Rule};
use super::super::sums::{Sums, Want};
use super::{accumulate, distance, load, membership, statistics};
use crate::device::math::Real;
use crate::device::simd;

/// Rows that go through all phases together: their columns and distances fit the first-level cache.
pub(super) const BLOCK: usize = 128;
/// From one column or cluster to the next in a block: no power of two, whose lines would fight for the same places of
/// the cache.
pub(super) const STRIDE: usize = BLOCK + 16;
/// Centers whose distances are computed side by side, so that a value of a row is loaded once for all.
pub(super) const SIDE: usize = 4;
/// Vector lanes of a 512-bit register.
const LANES_F32: usize = 16;
const LANES_F64: usize = 8;

/// Prototypes rounded to the precision of the data; clusters are padded to a multiple of [`SIDE`].
pub(super) struct Kernel<T> {
    pub(super) clusters: usize,
    pub(super) padded: usize,
    pub(super) columns: usize,
    pub(super) shift: Vec<T>,
    pub(super) scale: Vec<T>,
    pub(super) map: Vec<T>,
    pub(super) centers: Vec<T>,
    pub(super) maps: Vec<T>,
    pub(super) offsets: Vec<T>,
    pub(super) partial: bool,
    pub(super) rule: Rule,
}

impl<T: Real> Kernel<T> {
    pub(super) fn new(prototypes: &Prototypes) -> Self {
        let (clusters, columns) = (prototypes.clusters(), prototypes.columns());
        let padded = clusters.next_multiple_of(SIDE);
        let round = |x: &[f64]| x.iter().map(|x| T::of(*x)).collect::<Vec<T>>();
        let mut centers = round(&prototypes.centers);
        centers.resize(padded * columns, T::ZERO);
        let shapes = prototypes.shapes.as_ref();
        Kernel {
            clusters,
            padded,
            columns,
            shift: round(&prototypes.space.shift),
            scale: round(&prototypes.space.scale),
            map: prototypes.space.map.as_deref().map(round).unwrap_or_default(),
            centers,
            maps: shapes.map(|s| round(&s.maps)).unwrap_or_default(),
            offsets: shapes.map(|s| round(&s.offsets)).unwrap_or_default(),
            partial: prototypes.space.partial,
            rule: prototypes.rule.clone(),
        }
    }

    /// Whether the distance phase leaves 1/d instead of d, which the fuzzy rule divides by anyway.
    pub(super) fn inverts(&self) -> bool {
        matches!(self.rule, Rule::Fuzzy { .. } | Rule::Noise { .. })
    }
}

/// Memory of one thread, used again for every chunk.
pub(super) struct Scratch<T> {
    /// The rows of a block by columns, [`BLOCK`] values each.
    pub(super) x: Vec<T>,
    /// 1 where `x` has a value and 0 where it is missing; empty where none may be.
    pub(super) mask: Vec<T>,
    /// Sample weights; 0 past the last row.
    pub(super) weights: Vec<T>,
    /// By clusters: distances, then the uᵐ that the sums weigh rows with.
    pub(super) degrees: Vec<T>,
    /// By clusters: uᵐ·d and the like, for the statistics.
    pub(super) spare: Vec<T>,
    /// Per row: the smallest distance (or the largest inverse one).
    pub(super) nearest: Vec<T>,
    /// Per row: its part of the objective, summed over the blocks of a chunk.
    pub(super) objective: Vec<T>,
    /// Lanes of the sums Σ uᵐx, clusters × padded columns.
    pub(super) moments: Vec<T>,
    /// Lanes of the sums Σ uᵐ·mask.
    pub(super) seen: Vec<T>,
    /// Lanes of the sums Σ uᵐ.
    pub(super) masses: Vec<T>,
}

impl<T: Real> Scratch<T> {
    pub(super) fn new(kernel: &Kernel<T>) -> Self {
        let zeros = |n: usize| vec![T::ZERO; n];
        let columns = accumulate::padded_columns(kernel.columns);
        let masked = |n: usize| if kernel.partial { n } else { 0 };
        let spare = kernel.padded.max(kernel.columns + 1) * STRIDE;
        Scratch {
            x: zeros(columns * STRIDE),
            mask: zeros(masked(columns * STRIDE)),
            weights: zeros(BLOCK),
            degrees: zeros(kernel.padded * STRIDE),
            spare: zeros(spare),
            nearest: zeros(BLOCK),
            objective: zeros(BLOCK),
            moments: zeros(kernel.padded * columns * LANES_F32),
            seen: zeros(masked(kernel.padded * columns * LANES_F32)),
            masses: zeros(kernel.padded * LANES_F32),
        }
    }

    fn clear_sums(&mut self) {
        for sums in [&mut self.objective, &mut self.moments, &mut self.seen, &mut self.masses] {
            sums.fill(T::ZERO);
        }
    }
}

simd! {
    /// Adds a chunk of rows to `sums`: equations (1) to (3) up to the division.
    pub(super) fn sweep_f32(kernel: &Kernel<f32>, x: &[f32], weights: Option<&[f64]>, want: Want, scratch: &mut Scratch<f32>, sums: &mut Sums) = sweep_f32_body;
}
simd! {
    /// As [`sweep_f32`], in double precision.
    pub(super) fn sweep_f64(kernel: &Kernel<f64>, x: &[f64], weights: Option<&[f64]>, want: Want, scratch: &mut Scratch<f64>, sums: &mut Sums) = sweep_f64_body;
}

#[inline(always)]
fn sweep_f32_body<const FMA: bool>(
    kernel: &Kernel<f32>,
    x: &[f32],
    weights: Option<&[f64]>,
    want: Want,
    scratch: &mut Scratch<f32>,
    sums: &mut Sums,
) {
    sweep_body::<f32, FMA, LANES_F32>(kernel, x, weights, want, scratch, sums);
}

#[inline(always)]
fn sweep_f64_body<const FMA: bool>(
    kernel: &Kernel<f64>,
    x: &[f64],
    weights: Option<&[f64]>,
    want: Want,
    scratch: &mut Scratch<f64>,
    sums: &mut Sums,
) {
    sweep_body::<f64, FMA, LANES_F64>(kernel, x, weights, want, scratch, sums);
}

#[inline(always)]
fn sweep_body<T: Real, const FMA: bool, const L: usize>(
    kernel: &Kernel<T>,
    x: &[T],
    weights: Option<&[f64]>,
    want: Want,
    scratch: &mut Scratch<T>,
    sums: &mut Sums,
) {
    scratch.clear_sums();
    for (block, rows) in x.chunks(BLOCK * kernel.columns).enumerate() {
        let n = rows.len() / kernel.columns;
        let weights = weights.map(|weights| &weights[block * BLOCK..][..n]);
        load::block::<T, FMA>(kernel, rows, weights, scratch);
        sums.rows += n as u64;
        sums.weight += match weights {
            None if !kernel.partial => n as f64,
            _ => scratch.weights.iter().map(|w| w.to_f64()).sum::<f64>(),
        };
        distance::block::<T, FMA, L>(kernel, scratch);
        if want.statistics {
            statistics::block::<T, FMA>(kernel, scratch, sums);
        }
        membership::block::<T, FMA, L>(kernel, scratch);
        accumulate::block::<T, FMA, L>(kernel, scratch);
        if want.scatter {
            accumulate::scatter::<T, FMA, L>(kernel, scratch, sums);
        }
    }
    accumulate::flush::<T, L>(kernel, scratch, sums);
}

simd! {
    /// The memberships of up to [`BLOCK`] rows, left in `scratch` by clusters.
    pub(super) fn memberships_f32(kernel: &Kernel<f32>, x: &[f32], scratch: &mut Scratch<f32>) = memberships_f32_body;
}
simd! {
    /// As [`memberships_f32`], in double precision.
    pub(super) fn memberships_f64(kernel: &Kernel<f64>, x: &[f64], scratch: &mut Scratch<f64>) = memberships_f64_body;
}

#[inline(always)]
fn memberships_f32_body<const FMA: bool>(kernel: &Kernel<f32>, x: &[f32], scratch: &mut Scratch<f32>) {
    memberships_body::<f32, FMA, LANES_F32>(kernel, x, scratch);
}

#[inline(always)]
fn memberships_f64_body<const FMA: bool>(kernel: &Kernel<f64>, x: &[f64], scratch: &mut Scratch<f64>) {
    memberships_body::<f64, FMA, LANES_F64>(kernel, x, scratch);
}

#[inline(always)]
fn memberships_body<T: Real, const FMA: bool, const L: usize>(
    kernel: &Kernel<T>,
    x: &[T],
    scratch: &mut Scratch<T>,
) {
    load::block::<T, FMA>(kernel, x, None, scratch);
    distance::block::<T, FMA, L>(kernel, scratch);
    membership::degrees::<T, FMA>(kernel, scratch);
}
