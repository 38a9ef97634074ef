//! Files mapped into memory instead of copied: the one `unsafe` line of the data layer.
#![allow(unsafe_code)]

use super::scalar::Scalar;
use memmap2::Mmap;
use std::fs::File;
use std::io;
use std::marker::PhantomData;
use std::sync::Arc;

/// `len` numbers of a file, beginning at byte `start`, read by the system when they are first touched.
#[derive(Clone, Debug)]
pub struct Mapped<T> {
    map: Arc<Mmap>,
    start: usize,
    len: usize,
    number: PhantomData<T>,
}

impl<T: Scalar> Mapped<T> {
    /// Maps `file`; `None` where its numbers are not aligned or not all there, so that the caller copies instead.
    pub(crate) fn new(file: &File, start: usize, len: usize) -> io::Result<Option<Self>> {
        // SAFETY: the map is read-only and every bit pattern is a valid f32 or f64. What remains is that another
        // process may change the file while it is mapped: changed numbers are read as they then are (no
        // reference to them is ever taken as proof of anything), and a file cut short ends this process with
        // SIGBUS, as it would any program that maps files. Only regular files are mapped, never pipes.
        let map = unsafe { Mmap::map(file)? };
        let mapped = Mapped { map: Arc::new(map), start, len, number: PhantomData };
        Ok(mapped.checked().is_some().then_some(mapped))
    }

    /// The numbers, if they lie within the map and are aligned.
    fn checked(&self) -> Option<&[T]> {
        let bytes = self.len.checked_mul(size_of::<T>())?;
        let bytes = self.map.get(self.start..self.start.checked_add(bytes)?)?;
        bytemuck::try_cast_slice(bytes).ok()
    }

    /// The numbers.
    pub(crate) fn as_slice(&self) -> &[T] {
        // `new` has seen that they are there; the map neither moves nor shrinks.
        self.checked().unwrap_or_default()
    }
}
