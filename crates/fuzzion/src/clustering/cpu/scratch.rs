//! Scratch memory of one thread, reused for every chunk and by the next sweep.

use super::layout::{BLOCK, CACHE_LINE, STRIDE, SweepKernel};
use crate::device::math::Real;
use std::cell::Cell;
use std::ops::{Deref, DerefMut};
use std::thread::LocalKey;

pub(super) struct Scratch<T> {
    /// Numbers of padded clusters, columns and vector columns, and whether values may be missing.
    shape: (usize, usize, usize, bool),
    /// Rows of a block in column-major order with stride [`STRIDE`], followed by the mass column.
    pub(super) x: Aligned<T>,
    /// The first [`SweepKernel::vector_columns`] columns in row-major order, multiplied by the mass column.
    pub(super) rows: Aligned<T>,
    /// 1 for a value of `x`, 0 for a missing value; empty unless values may be missing.
    pub(super) mask: Aligned<T>,
    /// Sample weights; 0 after the last row.
    pub(super) weights: Aligned<T>,
    /// By cluster: first the distances, then the factors of the sums (uᵐ times the sample weight).
    pub(super) degrees: Aligned<T>,
    /// Intermediate values by cluster or column; empty until reserved.
    pub(super) workspace: Aligned<T>,
    /// Per row: the smallest distance, or the largest inverse distance.
    pub(super) nearest: Aligned<T>,
    /// Per row: contribution to the objective, summed over the blocks of a chunk.
    pub(super) objective: Aligned<T>,
    /// Sums of the columns of `rows`, by cluster.
    pub(super) row_sums: Aligned<T>,
    /// Lanes of the sums of the other columns of `x`, by cluster; the last one is Σ uᵐ.
    pub(super) column_sums: Aligned<T>,
    /// Lanes of Σ uᵐ·mask.
    pub(super) column_masses: Aligned<T>,
}

impl<T: Real> Scratch<T> {
    fn new(kernel: &SweepKernel<T>) -> Self {
        let zeros = |n: usize| Aligned::zeros(n);
        let (columns, padded) = (kernel.columns, kernel.padded);
        let lanes = CACHE_LINE / size_of::<T>();
        let masked = |n: usize| if kernel.partial { n } else { 0 };
        Scratch {
            shape: Self::shape(kernel),
            x: zeros((columns + 1) * STRIDE),
            rows: zeros(BLOCK * kernel.vector_columns),
            mask: zeros(masked(columns * STRIDE)),
            weights: zeros(BLOCK),
            degrees: zeros(padded * STRIDE),
            workspace: zeros(0),
            nearest: zeros(BLOCK),
            objective: zeros(BLOCK),
            row_sums: zeros(padded * kernel.vector_columns),
            column_sums: zeros(padded * (columns - kernel.vector_columns + 1) * lanes),
            column_masses: zeros(masked(padded * columns * lanes)),
        }
    }

    fn shape(kernel: &SweepKernel<T>) -> (usize, usize, usize, bool) {
        (kernel.padded, kernel.columns, kernel.vector_columns, kernel.partial)
    }

    /// Enlarges `workspace` if necessary; most membership rules do not use it.
    pub(super) fn reserve_workspace(&mut self, len: usize) {
        if self.workspace.len() < len {
            self.workspace = Aligned::zeros(len);
        }
    }

    pub(super) fn clear_sums(&mut self) {
        for sums in [&mut self.objective, &mut self.row_sums, &mut self.column_sums, &mut self.column_masses]
        {
            sums.fill(T::ZERO);
        }
    }
}

/// Provides each thread with scratch memory.
///
/// A thread keeps its memory for the next sweep of the same shape: allocating and clearing it takes as long as a sweep
/// over a few hundred rows.
pub(super) struct ScratchPool<'a, T> {
    pub(super) kernel: &'a SweepKernel<T>,
}

/// Number type with thread-local scratch memory.
pub(super) trait ThreadScratch: Real + 'static {
    fn thread_scratch() -> &'static LocalKey<Cell<Option<Scratch<Self>>>>;
}

impl<'a, T: ThreadScratch> ScratchPool<'a, T> {
    pub(super) fn new(kernel: &'a SweepKernel<T>) -> Self {
        ScratchPool { kernel }
    }

    pub(super) fn with_scratch<R>(&self, work: impl FnOnce(&mut Scratch<T>) -> R) -> R {
        /// Largest number of values that a thread keeps after a sweep.
        const MAX_CACHED: usize = 1 << 20;
        let cached =
            T::thread_scratch().take().filter(|scratch| scratch.shape == Scratch::shape(self.kernel));
        let mut scratch = cached.unwrap_or_else(|| Scratch::new(self.kernel));
        let result = work(&mut scratch);
        if scratch.degrees.len().max(scratch.x.len()) <= MAX_CACHED {
            T::thread_scratch().set(Some(scratch));
        }
        result
    }
}

macro_rules! thread_scratch {
    ($real:ident) => {
        impl ThreadScratch for $real {
            fn thread_scratch() -> &'static LocalKey<Cell<Option<Scratch<Self>>>> {
                thread_local! { static SCRATCH: Cell<Option<Scratch<$real>>> = const { Cell::new(None) }; }
                &SCRATCH
            }
        }
    };
}

thread_scratch!(f32);

thread_scratch!(f64);

/// Values aligned to cache lines, so that no vector crosses a line boundary.
pub(super) struct Aligned<T> {
    memory: Vec<T>,
    first: usize,
    len: usize,
}

impl<T: Real> Aligned<T> {
    fn zeros(len: usize) -> Self {
        let memory = vec![T::ZERO; len + CACHE_LINE / size_of::<T>()];
        let first = memory.as_ptr().align_offset(CACHE_LINE).min(CACHE_LINE / size_of::<T>());
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
