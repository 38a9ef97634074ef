//! The phases of a sweep over one chunk of rows.

use super::layout::{BLOCK, SweepKernel};
use super::scratch::Scratch;
use super::{accumulate, distance, inverse, load, membership, quality};
use crate::clustering::rows::sums::{RequestedSums, Sums};
use crate::device::math::Real;
use crate::device::{Vector, vectors};

vectors! {
    /// Adds a chunk of rows to `sums`: Equations (1) to (3) before the division.
    pub(super) fn sweep_f32(
        kernel: &SweepKernel<f32>,
        x: &[f32],
        weights: Option<&[f64]>,
        requested: RequestedSums,
        scratch: &mut Scratch<f32>,
        sums: &mut Sums,
    ) = sweep::<f32>;
}

vectors! {
    /// Like [`sweep_f32`], in double precision.
    pub(super) fn sweep_f64(
        kernel: &SweepKernel<f64>,
        x: &[f64],
        weights: Option<&[f64]>,
        requested: RequestedSums,
        scratch: &mut Scratch<f64>,
        sums: &mut Sums,
    ) = sweep::<f64>;
}

#[inline(always)]
fn sweep<T: Real, V: Vector<T, L>, const FMA: bool, const L: usize>(
    kernel: &SweepKernel<T>,
    x: &[T],
    weights: Option<&[f64]>,
    requested: RequestedSums,
    scratch: &mut Scratch<T>,
    sums: &mut Sums,
) {
    let (inverse_path, size) =
        (requested == RequestedSums::default() && kernel.uses_inverse_path(), BLOCK * kernel.columns);
    let mut products = kernel.products.is_enabled();
    scratch.clear_sums();
    for (block, rows) in x.chunks(size).enumerate() {
        let n = rows.len() / kernel.columns;
        let weights = weights.map(|weights| &weights[block * BLOCK..][..n]);
        load::load_block::<T, V, FMA, L>(kernel, rows, weights, scratch);
        sums.rows += n as u64;
        sums.weight += match weights {
            None if !kernel.partial => n as f64,
            _ => scratch.weights.iter().map(|w| w.to_f64()).sum::<f64>(),
        };
        let next = x.chunks(size).nth(block + 1).unwrap_or_default(); // empty for the last block
        if !(inverse_path && inverse::degrees::<T, V, L>(kernel, scratch, n, next, &mut products)) {
            distance::distances::<T, V, FMA, L>(kernel, scratch);
            if requested.quality {
                quality::add_block::<T, FMA>(kernel, scratch, sums);
            }
            membership::degrees::<T, FMA>(kernel, scratch);
            if requested.scatter {
                accumulate::scatter::<T, FMA, L>(kernel, scratch, sums);
            }
        }
        load::load_rows::<T, V, L>(kernel, rows, scratch);
        accumulate::add_block::<T, V, L>(kernel, scratch, n);
    }
    accumulate::flush::<T, L>(kernel, scratch, sums);
}

vectors! {
    /// Writes the memberships of up to [`BLOCK`] rows to `scratch`, by cluster.
    pub(super) fn memberships_f32(
        kernel: &SweepKernel<f32>,
        x: &[f32],
        scratch: &mut Scratch<f32>,
    ) = memberships::<f32>;
}

vectors! {
    /// Like [`memberships_f32`], in double precision.
    pub(super) fn memberships_f64(
        kernel: &SweepKernel<f64>,
        x: &[f64],
        scratch: &mut Scratch<f64>,
    ) = memberships::<f64>;
}

#[inline(always)]
fn memberships<T: Real, V: Vector<T, L>, const FMA: bool, const L: usize>(
    kernel: &SweepKernel<T>,
    x: &[T],
    scratch: &mut Scratch<T>,
) {
    load::load_block::<T, V, FMA, L>(kernel, x, None, scratch);
    distance::distances::<T, V, FMA, L>(kernel, scratch);
    membership::memberships::<T, FMA>(kernel, scratch);
}
