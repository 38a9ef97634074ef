//! Memory that starts where a vector does.

use bytemuck::{Pod, Zeroable};
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};

/// One cache line, and the longest vector.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
struct Line([u8; 64]);

// SAFETY: 64 bytes without padding, of which any are a value; all of them 0 too.
#[allow(unsafe_code)]
unsafe impl Zeroable for Line {}
// SAFETY: as above, and it is `Copy`.
#[allow(unsafe_code)]
unsafe impl Pod for Line {}

/// Numbers from the start of a cache line on, so that no vector of them lies in two.
#[derive(Clone)]
pub(crate) struct Aligned<T> {
    lines: Vec<Line>,
    len: usize,
    number: PhantomData<T>,
}

impl<T: Pod> Aligned<T> {
    /// `len` times 0.
    pub(crate) fn zeros(len: usize) -> Self {
        let lines = (len * size_of::<T>()).div_ceil(size_of::<Line>());
        Aligned { lines: vec![Line([0; 64]); lines], len, number: PhantomData }
    }
}

impl<T: Pod> Deref for Aligned<T> {
    type Target = [T];
    fn deref(&self) -> &[T] {
        &bytemuck::cast_slice(&self.lines)[..self.len]
    }
}

impl<T: Pod> DerefMut for Aligned<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        &mut bytemuck::cast_slice_mut(&mut self.lines)[..self.len]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_start_with_a_cache_line() {
        for len in [0, 1, 7, 8, 9, 1000] {
            let mut numbers = Aligned::<f64>::zeros(len);
            assert_eq!(numbers.as_ptr() as usize % 64, 0);
            assert!(numbers.len() == len && numbers.iter().all(|x| *x == 0.0));
            numbers.iter_mut().for_each(|x| *x = 1.0);
            assert_eq!(numbers.clone().iter().sum::<f64>(), len as f64);
        }
    }
}
