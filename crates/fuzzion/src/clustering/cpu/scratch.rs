//! Memory of one thread, used again for every chunk and by the next sweep.

use super::kernel::{BLOCK, Kernel, LINE, STRIDE};
use crate::device::math::Real;
use std::cell::Cell;
use std::ops::{Deref, DerefMut};
use std::thread::LocalKey;

pub(super) struct Scratch<T> {
    /// The padded clusters, columns and wide columns it was made for, and whether values may be missing.
    shape: (usize, usize, usize, bool),
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
    fn new(kernel: &Kernel<T>) -> Self {
        let zeros = |n: usize| Aligned::zeros(n);
        let (columns, padded) = (kernel.columns, kernel.padded);
        let lanes = LINE / size_of::<T>();
        let masked = |n: usize| if kernel.partial { n } else { 0 };
        Scratch {
            shape: Self::shape(kernel),
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

    fn shape(kernel: &Kernel<T>) -> (usize, usize, usize, bool) {
        (kernel.padded, kernel.columns, kernel.wide, kernel.partial)
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

/// Lends every thread its memory, chunk after chunk.
///
/// A thread keeps its memory for the next sweep of the same shape: to get it from the system anew and have it cleared
/// takes as long as a sweep over a few hundred rows.
pub(super) struct Pool<'a, T> {
    pub(super) kernel: &'a Kernel<T>,
}

/// A number whose memory a thread keeps.
pub(super) trait Kept: Real + 'static {
    fn kept() -> &'static LocalKey<Cell<Option<Scratch<Self>>>>;
}

impl<'a, T: Kept> Pool<'a, T> {
    pub(super) fn new(kernel: &'a Kernel<T>) -> Self {
        Pool { kernel }
    }

    pub(super) fn lend<R>(&self, work: impl FnOnce(&mut Scratch<T>) -> R) -> R {
        /// Numbers beyond which the columns or the clusters of a block are given back at once.
        const MOST: usize = 1 << 20;
        let kept = T::kept().take().filter(|scratch| scratch.shape == Scratch::shape(self.kernel));
        let mut scratch = kept.unwrap_or_else(|| Scratch::new(self.kernel));
        let result = work(&mut scratch);
        if scratch.degrees.len().max(scratch.x.len()) <= MOST {
            T::kept().set(Some(scratch));
        }
        result
    }
}

macro_rules! kept {
    ($real:ident) => {
        impl Kept for $real {
            fn kept() -> &'static LocalKey<Cell<Option<Scratch<Self>>>> {
                thread_local! { static KEPT: Cell<Option<Scratch<$real>>> = const { Cell::new(None) }; }
                &KEPT
            }
        }
    };
}
kept!(f32);
kept!(f64);

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
