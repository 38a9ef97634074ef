//! Fresh memory for results. A system that hands out memory in pages of 4 KiB takes longer to hand it out than a GPU
//! takes to fill it.

use super::memory::Element;
use rayon::prelude::*;
use std::hint::black_box;

/// Below this many bytes the pages do not matter.
const LARGE: usize = 32 << 20;

/// What a thread touches at a time, and the bytes between two touches: a large page and a small one.
const BLOCK: usize = 2 << 20;
const STEP: usize = 4 << 10;

/// An array of `len` zeros for results to be drained into, in the large pages the system has where it has them. They
/// are taken from the system here, by all threads at once: threads that drain are all at work in one page or two, and
/// would take page after page.
pub(crate) fn zeros_in_large_pages<T: Element>(len: usize) -> Vec<T> {
    let mut values = vec![T::zeroed(); len];
    if size_of_val(values.as_slice()) >= LARGE {
        let bytes = bytemuck::cast_slice_mut(&mut values);
        ask_for_large_pages(bytes);
        bytes.par_chunks_mut(BLOCK).for_each(|block| {
            // To the compiler it is some number: a zero it might leave out.
            block.iter_mut().step_by(STEP).for_each(|byte| *byte = black_box(0));
        });
    }
    values
}

#[cfg(target_os = "linux")]
fn ask_for_large_pages(bytes: &mut [u8]) {
    use std::ffi::{c_int, c_void};

    const MADV_HUGEPAGE: c_int = 14;
    /// The largest page of today's systems: an address that begins one begins one of every smaller kind too.
    const PAGE: usize = 64 << 10;
    unsafe extern "C" {
        fn madvise(start: *mut c_void, length: usize, advice: c_int) -> c_int;
    }
    let skipped = bytes.as_ptr().align_offset(PAGE).min(bytes.len());
    let inside = &mut bytes[skipped..];
    // SAFETY: the range is ours and begins on a page; the advice changes no value, not even in a last page that is only
    // partly ours. A system that does not follow it answers with a failure, which leaves things as they were.
    unsafe { madvise(inside.as_mut_ptr().cast(), inside.len(), MADV_HUGEPAGE) };
}

#[cfg(not(target_os = "linux"))]
fn ask_for_large_pages(_: &mut [u8]) {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_array_in_large_pages_holds_zeros_and_can_be_written_to_its_ends() {
        for len in [0, 1, LARGE / 8 - 1, LARGE / 8, LARGE / 8 + 4097] {
            let mut values = zeros_in_large_pages::<f64>(len);
            assert!(values.len() == len && values.iter().all(|x| *x == 0.0));
            values.fill(1.0);
            assert_eq!(values.iter().sum::<f64>(), len as f64);
        }
    }
}
