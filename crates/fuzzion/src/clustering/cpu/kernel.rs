//! The prototypes as the kernels want them, and one chunk of rows through all phases.

use super::super::prototypes::{Prototypes, Rule};
use super::super::sums::{Sums, Want};
use super::inverse::Products;
use super::scratch::Scratch;
use super::{accumulate, distance, inverse, load, membership, statistics};
use crate::device::math::Real;
use crate::device::{Vector, vectors};

/// Rows that go through all phases together, so that their distances do not leave the cache.
pub(super) const BLOCK: usize = 256;
/// From one column or cluster to the next in a block: no power of two, whose lines would fight for the same places of
/// the cache.
pub(super) const STRIDE: usize = BLOCK + 16;
/// Centers whose distances are computed side by side, so that a value of a row is loaded once for all.
pub(super) const SIDE: usize = 4;
/// Bytes of a cache line, and of the longest vectors.
pub(super) const LINE: usize = 64;

/// Prototypes rounded to the precision of the data; clusters are padded to a multiple of [`SIDE`].
pub(super) struct Kernel<T> {
    pub(super) clusters: usize,
    pub(super) padded: usize,
    pub(super) columns: usize,
    /// Columns that are summed along the rows, as many as fill vectors; the others are summed in lanes of rows.
    pub(super) wide: usize,
    pub(super) shift: Vec<T>,
    pub(super) scale: Vec<T>,
    pub(super) map: Vec<T>,
    pub(super) centers: Vec<T>,
    /// The centers again, [`SIDE`] of them side by side.
    pub(super) beside: Vec<T>,
    pub(super) products: Products<T>,
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
        let group = |centers: &[T]| {
            let one = |i: usize| centers[i % SIDE * columns + i / SIDE];
            (0..SIDE * columns).map(one).collect::<Vec<T>>()
        };
        let beside: Vec<T> = centers.chunks_exact(SIDE * columns).flat_map(group).collect();
        let shapes = prototypes.shapes.as_ref();
        let space = &prototypes.space;
        // What is masked or mapped lies by columns only.
        let (lanes, by_columns) = (LINE / size_of::<T>(), space.partial || space.map.is_some());
        let wide = if by_columns { 0 } else { columns / lanes * lanes };
        Kernel {
            clusters,
            padded,
            columns,
            wide,
            shift: round(&space.shift),
            scale: round(&space.scale),
            map: space.map.as_deref().map(round).unwrap_or_default(),
            products: Products::new(&beside, columns),
            beside,
            centers,
            maps: shapes.map(|s| round(&s.maps)).unwrap_or_default(),
            offsets: shapes.map(|s| round(&s.offsets)).unwrap_or_default(),
            partial: space.partial,
            rule: prototypes.rule.clone(),
        }
    }

    /// Whether the distance phase leaves 1/d instead of d, which the fuzzy rule divides by anyway.
    pub(super) fn inverts(&self) -> bool {
        matches!(self.rule, Rule::Fuzzy { .. } | Rule::Noise { .. })
    }

    /// Whether the inverse distances alone are the shares: equation (2) with m = 2, every distance Euclidean.
    fn is_inverse(&self) -> bool {
        self.rule == Rule::Fuzzy { fuzzifier: 2.0 } && !self.partial && self.maps.is_empty()
    }
}

vectors! {
    /// Adds a chunk of rows to `sums`: equations (1) to (3) up to the division.
    pub(super) fn sweep_f32(kernel: &Kernel<f32>, x: &[f32], weights: Option<&[f64]>, want: Want, scratch: &mut Scratch<f32>, sums: &mut Sums) = sweep::<f32>;
}
vectors! {
    /// As [`sweep_f32`], in double precision.
    pub(super) fn sweep_f64(kernel: &Kernel<f64>, x: &[f64], weights: Option<&[f64]>, want: Want, scratch: &mut Scratch<f64>, sums: &mut Sums) = sweep::<f64>;
}

#[inline(always)]
fn sweep<T: Real, V: Vector<T, L>, const FMA: bool, const L: usize>(
    kernel: &Kernel<T>,
    x: &[T],
    weights: Option<&[f64]>,
    want: Want,
    scratch: &mut Scratch<T>,
    sums: &mut Sums,
) {
    let (short, size) = (want == Want::default() && kernel.is_inverse(), BLOCK * kernel.columns);
    let mut products = kernel.products.are_made();
    scratch.clear_sums();
    for (block, rows) in x.chunks(size).enumerate() {
        let n = rows.len() / kernel.columns;
        let weights = weights.map(|weights| &weights[block * BLOCK..][..n]);
        load::block::<T, V, FMA, L>(kernel, rows, weights, scratch);
        sums.rows += n as u64;
        sums.weight += match weights {
            None if !kernel.partial => n as f64,
            _ => scratch.weights.iter().map(|w| w.to_f64()).sum::<f64>(),
        };
        let next = x.chunks(size).nth(block + 1).unwrap_or_default();
        if !(short && inverse::block::<T, V, L>(kernel, scratch, n, next, &mut products)) {
            distance::block::<T, V, FMA, L>(kernel, scratch);
            if want.statistics {
                statistics::block::<T, FMA>(kernel, scratch, sums);
            }
            membership::block::<T, FMA>(kernel, scratch);
            if want.scatter {
                accumulate::scatter::<T, FMA, L>(kernel, scratch, sums);
            }
        }
        load::rows::<T, V, L>(kernel, rows, scratch);
        accumulate::block::<T, V, L>(kernel, scratch, n);
    }
    accumulate::flush::<T, L>(kernel, scratch, sums);
}

vectors! {
    /// The memberships of up to [`BLOCK`] rows, left in `scratch` by clusters.
    pub(super) fn memberships_f32(kernel: &Kernel<f32>, x: &[f32], scratch: &mut Scratch<f32>) = memberships::<f32>;
}
vectors! {
    /// As [`memberships_f32`], in double precision.
    pub(super) fn memberships_f64(kernel: &Kernel<f64>, x: &[f64], scratch: &mut Scratch<f64>) = memberships::<f64>;
}

#[inline(always)]
fn memberships<T: Real, V: Vector<T, L>, const FMA: bool, const L: usize>(
    kernel: &Kernel<T>,
    x: &[T],
    scratch: &mut Scratch<T>,
) {
    load::block::<T, V, FMA, L>(kernel, x, None, scratch);
    distance::block::<T, V, FMA, L>(kernel, scratch);
    membership::degrees::<T, FMA>(kernel, scratch);
}
