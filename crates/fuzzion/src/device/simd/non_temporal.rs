//! Non-temporal stores.

/// Copies bytes with non-temporal stores, which bypass the caches: an ordinary store first reads the cache line it
/// overwrites, and evicts other data.
pub(crate) fn copy_non_temporal(from: &[u8], to: &mut [u8]) {
    assert_eq!(from.len(), to.len());
    #[cfg(target_arch = "x86_64")]
    {
        const LINE: usize = 64;
        let first = to.as_ptr().align_offset(LINE).min(to.len());
        let (head, rest) = to.split_at_mut(first);
        let (from_head, from_rest) = from.split_at(first);
        head.copy_from_slice(from_head);
        let (lines, tail) = rest.as_chunks_mut::<LINE>();
        let (from_lines, from_tail) = from_rest.as_chunks::<LINE>();
        for (to, from) in lines.iter_mut().zip(from_lines) {
            #[allow(unsafe_code)]
            // SAFETY: SSE2 is part of the x86-64 baseline; the destination is aligned to 64 bytes, and both lines have
            // 64 bytes.
            unsafe {
                use std::arch::x86_64::*;
                for i in 0..LINE / 16 {
                    let part = _mm_loadu_si128(from.as_ptr().cast::<__m128i>().add(i));
                    _mm_stream_si128(to.as_mut_ptr().cast::<__m128i>().add(i), part);
                }
            }
        }
        tail.copy_from_slice(from_tail);
        #[allow(unsafe_code)]
        // SAFETY: as above. The fence orders the non-temporal stores before later stores.
        unsafe {
            std::arch::x86_64::_mm_sfence();
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    to.copy_from_slice(from);
}

#[cfg(test)]
mod tests {
    use super::copy_non_temporal;

    #[test]
    fn every_byte_is_copied_at_any_alignment_and_no_other_byte_changes() {
        let from: Vec<u8> = (0..700).map(|i| (i * 31 % 251) as u8).collect();
        for first in [0, 1, 15, 63, 64, 65] {
            for len in [0, 1, 16, 63, 64, 65, 129, 500] {
                let mut to = vec![0xee; 700];
                copy_non_temporal(&from[3..3 + len], &mut to[first..first + len]);
                assert_eq!(to[first..first + len], from[3..3 + len], "{len} at {first}");
                assert!(to[..first].iter().chain(&to[first + len..]).all(|byte| *byte == 0xee));
            }
        }
    }
}
