//! Arrays aligned to cache lines.

use bytemuck::{Pod, Zeroable};
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};

/// One cache line, which is also the size of the longest vector.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
struct Line([u8; 64]);

#[allow(unsafe_code)]
// SAFETY: 64 bytes without padding; every bit pattern is valid, including all zeros.
unsafe impl Zeroable for Line {}
#[allow(unsafe_code)]
// SAFETY: as above, and it is `Copy`.
unsafe impl Pod for Line {}

/// Array aligned to a cache line, so that no vector crosses a cache line boundary.
#[derive(Clone)]
pub(crate) struct Aligned<T> {
    lines: Vec<Line>,
    len: usize,
    element: PhantomData<T>,
}

impl<T: Pod> Aligned<T> {
    /// An array of `len` zeros.
    pub(crate) fn zeros(len: usize) -> Self {
        let lines = (len * size_of::<T>()).div_ceil(size_of::<Line>());
        Aligned { lines: vec![Line([0; 64]); lines], len, element: PhantomData }
    }
}

impl<T: Pod> Deref for Aligned<T> {
    type Target = [T];
    #[inline]
    fn deref(&self) -> &[T] {
        &bytemuck::cast_slice(&self.lines)[..self.len]
    }
}

impl<T: Pod> DerefMut for Aligned<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [T] {
        &mut bytemuck::cast_slice_mut(&mut self.lines)[..self.len]
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
            assert_eq!(array.clone().iter().sum::<f64>(), len as f64);
        }
    }
}
