//! Copying what nobody reads soon.

/// Copies bytes into memory past the caches: a store that goes through them first reads the line it overwrites, and
/// pushes out what others wait for.
pub(crate) fn copy_past_caches(from: &[u8], to: &mut [u8]) {
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
            // SAFETY: every machine of this architecture has SSE2; the line begins at a multiple of its length, and both
            // are 64 bytes.
            #[allow(unsafe_code)]
            unsafe {
                use std::arch::x86_64::*;
                for i in 0..LINE / 16 {
                    let part = _mm_loadu_si128(from.as_ptr().cast::<__m128i>().add(i));
                    _mm_stream_si128(to.as_mut_ptr().cast::<__m128i>().add(i), part);
                }
            }
        }
        tail.copy_from_slice(from_tail);
        // SAFETY: as above. Other threads see what was stored before whatever tells them of it.
        #[allow(unsafe_code)]
        unsafe {
            std::arch::x86_64::_mm_sfence();
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    to.copy_from_slice(from);
}

#[cfg(test)]
mod tests {
    use super::copy_past_caches;

    #[test]
    fn every_byte_arrives_wherever_it_lies_and_none_beside_it() {
        let from: Vec<u8> = (0..700).map(|i| (i * 31 % 251) as u8).collect();
        for first in [0, 1, 15, 63, 64, 65] {
            for len in [0, 1, 16, 63, 64, 65, 129, 500] {
                let mut to = vec![0xee; 700];
                copy_past_caches(&from[3..3 + len], &mut to[first..first + len]);
                assert_eq!(to[first..first + len], from[3..3 + len], "{len} at {first}");
                assert!(to[..first].iter().chain(&to[first + len..]).all(|byte| *byte == 0xee));
            }
        }
    }
}
