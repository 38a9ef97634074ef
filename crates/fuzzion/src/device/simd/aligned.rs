//! Arrays aligned to cache lines.

use super::huge_pages::zeros_in_huge_pages;
use bytemuck::Pod;
use std::ops::{Deref, DerefMut};

/// Size of a cache line in bytes, which is also the size of the longest vector.
const LINE: usize = 64;

/// Array aligned to a cache line, so that no vector crosses a cache line boundary.
///
/// The elements start inside a longer allocation without alignment, because the system allocator clears aligned
/// memory explicitly, on one thread, even if it is new and already contains zeros.
pub(crate) struct Aligned<T> {
    memory: Vec<T>,
    first: usize,
    len: usize,
}

impl<T: Pod> Aligned<T> {
    /// An array of `len` zeros.
    pub(crate) fn zeros(len: usize) -> Self {
        let padding = LINE / size_of::<T>();
        let memory = zeros_in_huge_pages::<T>(len + padding);
        let first = memory.as_ptr().align_offset(LINE).min(padding);
        Aligned { memory, first, len }
    }
}

/// The copy is aligned too.
impl<T: Pod> Clone for Aligned<T> {
    fn clone(&self) -> Self {
        let mut copy = Aligned::zeros(self.len);
        copy.copy_from_slice(self);
        copy
    }
}

impl<T> Deref for Aligned<T> {
    type Target = [T];
    #[inline]
    fn deref(&self) -> &[T] {
        &self.memory[self.first..self.first + self.len]
    }
}

impl<T> DerefMut for Aligned<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.memory[self.first..self.first + self.len]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrays_start_at_a_cache_line() {
        for len in [0, 1, 7, 8, 9, 1000] {
            let mut array = Aligned::<f64>::zeros(len);
            assert_eq!(array.as_ptr() as usize % 64, 0);
            assert!(array.len() == len && array.iter().all(|x| *x == 0.0));
            array.iter_mut().for_each(|x| *x = 1.0);
            let copy = array.clone();
            assert_eq!(copy.as_ptr() as usize % 64, 0);
            assert_eq!(copy.iter().sum::<f64>(), len as f64);
        }
    }
}
