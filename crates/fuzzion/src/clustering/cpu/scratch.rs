//! Memory of one thread, used again for every chunk.

use super::kernel::{BLOCK, Kernel, LINE, STRIDE};
use crate::device::math::Real;
use std::ops::{Deref, DerefMut};

pub(super) struct Scratch<T> {
    /// The rows of a block by columns, [`STRIDE`] apart, and after them the column whose sums are the masses.
    pub(super) x: Aligned<T>,
    /// The same row by row, the first [`Kernel::wide`] columns of them, each row multiplied by that column's value.
    pub(super) rows: Aligned<T>,
    /// 1 where `x` has a value and 0 where it is missing; empty where none may be.
    pub(super) mask: Aligned<T>,
    /// Sample weights; 0 past the last row.
    pub(super) weights: Aligned<T>,
    /// By clusters: distances, then the uᵐ that the sums weigh rows with.
    pub(super) degrees: Aligned<T>,
    /// By clusters or columns: what a rule or a metric computes on the way; empty until it is made.
    pub(super) spare: Aligned<T>,
    /// Per row: the smallest distance (or the largest inverse one).
    pub(super) nearest: Aligned<T>,
    /// Per row: its part of the objective, summed over the blocks of a chunk.
    pub(super) objective: Aligned<T>,
    /// Sums of the columns of `rows`, by clusters.
    pub(super) row_sums: Aligned<T>,
    /// Lanes of the sums of the other columns of `x`, by clusters; the last one is Σ uᵐ.
    pub(super) column_sums: Aligned<T>,
    /// Lanes of the sums Σ uᵐ·mask.
    pub(super) seen: Aligned<T>,
}

impl<T: Real> Scratch<T> {
    pub(super) fn new(kernel: &Kernel<T>) -> Self {
        let zeros = |n: usize| Aligned::zeros(n);
        let (columns, padded) = (kernel.columns, kernel.padded);
        let lanes = LINE / size_of::<T>();
        let masked = |n: usize| if kernel.partial { n } else { 0 };
        Scratch {
            x: zeros((columns + 1) * STRIDE),
            rows: zeros(BLOCK * kernel.wide),
            mask: zeros(masked(columns * STRIDE)),
            weights: zeros(BLOCK),
            degrees: zeros(padded * STRIDE),
            spare: zeros(0),
            nearest: zeros(BLOCK),
            objective: zeros(BLOCK),
            row_sums: zeros(padded * kernel.wide),
            column_sums: zeros(padded * (columns - kernel.wide + 1) * lanes),
            seen: zeros(masked(padded * columns * lanes)),
        }
    }

    /// Makes `spare` as long as a rule needs it; most rules need none.
    pub(super) fn make_spare(&mut self, len: usize) {
        if self.spare.len() < len {
            self.spare = Aligned::zeros(len);
        }
    }

    pub(super) fn clear_sums(&mut self) {
        for sums in [&mut self.objective, &mut self.row_sums, &mut self.column_sums, &mut self.seen] {
            sums.fill(T::ZERO);
        }
    }
}

/// Numbers that begin where a cache line does, so that no vector lies across two.
pub(super) struct Aligned<T> {
    memory: Vec<T>,
    first: usize,
    len: usize,
}

impl<T: Real> Aligned<T> {
    fn zeros(len: usize) -> Self {
        let memory = vec![T::ZERO; len + LINE / size_of::<T>()];
        let first = memory.as_ptr().align_offset(LINE).min(LINE / size_of::<T>());
        Aligned { memory, first, len }
    }
}

impl<T> Deref for Aligned<T> {
    type Target = [T];
    fn deref(&self) -> &[T] {
        &self.memory[self.first..self.first + self.len]
    }
}

impl<T> DerefMut for Aligned<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.memory[self.first..self.first + self.len]
    }
}
