//! Memory-mapped files: the only `unsafe` code of the data module.
#![allow(unsafe_code)]

use bytemuck::Pod;
use memmap2::{Mmap, MmapOptions};
use std::fs::File;
use std::io;
use std::marker::PhantomData;
use std::sync::Arc;

/// Consecutive values of a memory-mapped file. Only their part of the file is mapped, so that reading a file in chunks
/// does not keep the whole file in the memory of the process.
#[derive(Clone, Debug)]
pub struct MappedValues<T> {
    map: Arc<Mmap>,
    element: PhantomData<T>,
}

impl<T: Pod> MappedValues<T> {
    /// Maps `len` values from byte `start` of `file`; `None` if they are not aligned or extend beyond the file; the caller
    /// must then copy them.
    pub(crate) fn new(file: &File, start: u64, len: usize) -> io::Result<Option<Self>> {
        let Some(bytes) = len.checked_mul(size_of::<T>()) else { return Ok(None) };
        let size = file.metadata()?.len();
        if start.checked_add(bytes as u64).is_none_or(|end| end > size) {
            return Ok(None);
        }
        // SAFETY: the map is read-only, and every bit pattern is valid for `T: Pod`. If another process changes the
        // file while it is mapped, the changed values are read, and no invariant depends on them; if it truncates
        // the file, this process ends with SIGBUS, like any program that maps files. Only regular files are mapped.
        let map = unsafe { MmapOptions::new().offset(start).len(bytes).map(file)? };
        let mapped = MappedValues { map: Arc::new(map), element: PhantomData };
        Ok(mapped.checked().is_some().then_some(mapped))
    }

    /// The values, if they are aligned.
    fn checked(&self) -> Option<&[T]> {
        bytemuck::try_cast_slice(&self.map).ok()
    }

    /// The values.
    pub(crate) fn as_slice(&self) -> &[T] {
        // `new` has checked the alignment; the map does not move.
        self.checked().unwrap_or_default()
    }
}
