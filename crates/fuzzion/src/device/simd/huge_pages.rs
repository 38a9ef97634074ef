//! Output arrays in huge pages. Page faults on 4 KiB pages would take longer than filling the memory, especially from a
//! GPU.

use bytemuck::Pod;
use rayon::prelude::*;
use std::hint::black_box;

/// Minimum number of bytes for huge pages.
const LARGE: usize = 32 << 20;

/// Size of a huge page, which one thread touches at a time, and of a small page, the distance between two touches.
const BLOCK: usize = 2 << 20;
const STEP: usize = 4 << 10;

/// An array of `len` zeros, in huge pages if the system supports them. All threads fault the pages in here, in
/// parallel: the threads that copy results later work in the same one or two pages and would fault them in one after
/// another.
pub fn zeros_in_huge_pages<T: Pod>(len: usize) -> Vec<T> {
    let mut values = vec![T::zeroed(); len];
    if size_of_val(values.as_slice()) >= LARGE {
        let bytes = bytemuck::cast_slice_mut(&mut values);
        advise_huge_pages(bytes);
        bytes.par_chunks_mut(BLOCK).for_each(|block| {
            // `black_box` prevents the compiler from removing the store of zero.
            block.iter_mut().step_by(STEP).for_each(|byte| *byte = black_box(0));
        });
    }
    values
}

#[cfg(all(target_os = "linux", not(fuzzion_portable)))]
fn advise_huge_pages(bytes: &mut [u8]) {
    use std::ffi::{c_int, c_void};

    const MADV_HUGEPAGE: c_int = 14;
    /// The largest base page size; an address aligned to it is aligned to every smaller page size.
    const PAGE: usize = 64 << 10;
    #[allow(unsafe_code)]
    // SAFETY: the signature of the C library.
    unsafe extern "C" {
        fn madvise(start: *mut c_void, length: usize, advice: c_int) -> c_int;
    }
    let skipped = bytes.as_ptr().align_offset(PAGE).min(bytes.len());
    let inside = &mut bytes[skipped..];
    #[allow(unsafe_code)]
    // SAFETY: the range belongs to the slice and starts at a page boundary; the advice changes no content, not even
    // in a last page that is only partly covered. If the system does not support it, the call fails without effect.
    unsafe {
        madvise(inside.as_mut_ptr().cast(), inside.len(), MADV_HUGEPAGE)
    };
}

#[cfg(not(all(target_os = "linux", not(fuzzion_portable))))]
fn advise_huge_pages(_: &mut [u8]) {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_array_in_huge_pages_contains_zeros_and_can_be_written_to_its_end() {
        for len in [0, 1, LARGE / 8 - 1, LARGE / 8, LARGE / 8 + 4097] {
            let mut values = zeros_in_huge_pages::<f64>(len);
            assert!(values.len() == len && values.iter().all(|x| *x == 0.0));
            values.fill(1.0);
            assert_eq!(values.iter().sum::<f64>(), len as f64);
        }
    }
}
