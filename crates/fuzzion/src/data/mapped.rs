//! Memory-mapped files: the only `unsafe` code of the data module.
#![allow(unsafe_code)]

use bytemuck::Pod;
use memmap2::Mmap;
use std::fs::File;
use std::io;
use std::marker::PhantomData;
use std::sync::Arc;

/// `len` values of a memory-mapped file, starting at byte `start`.
#[derive(Clone, Debug)]
pub struct MappedValues<T> {
    map: Arc<Mmap>,
    start: usize,
    len: usize,
    element: PhantomData<T>,
}

impl<T: Pod> MappedValues<T> {
    /// Maps `file`; `None` if the values are not aligned or extend beyond the file; the caller must then copy them.
    pub(crate) fn new(file: &File, start: usize, len: usize) -> io::Result<Option<Self>> {
        // SAFETY: the map is read-only, and every bit pattern is valid for `T: Pod`. If another process changes the
        // file while it is mapped, the changed values are read, and no invariant depends on them; if it truncates
        // the file, this process ends with SIGBUS, like any program that maps files. Only regular files are mapped.
        let map = unsafe { Mmap::map(file)? };
        let mapped = MappedValues { map: Arc::new(map), start, len, element: PhantomData };
        Ok(mapped.checked().is_some().then_some(mapped))
    }

    /// The values, if they are within the map and aligned.
    fn checked(&self) -> Option<&[T]> {
        let bytes = self.len.checked_mul(size_of::<T>())?;
        let bytes = self.map.get(self.start..self.start.checked_add(bytes)?)?;
        bytemuck::try_cast_slice(bytes).ok()
    }

    /// The values.
    pub(crate) fn as_slice(&self) -> &[T] {
        // `new` has checked the values; the map neither moves nor shrinks.
        self.checked().unwrap_or_default()
    }
}
