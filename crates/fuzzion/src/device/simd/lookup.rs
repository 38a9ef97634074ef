//! Looking many places up in one small table, which vectors do without going to memory.

use super::Simd;
#[cfg(target_arch = "x86_64")]
use super::SimdLevel;
#[cfg(target_arch = "x86_64")]
use std::arch::x86_64::*;

/// Entries of a table that fits the registers.
pub(crate) const ENTRIES: usize = 512;

/// Whether there is AVX-512 with VBMI, which looks a table up in registers.
#[cfg(target_arch = "x86_64")]
pub(crate) fn permutes(simd: Simd) -> bool {
    simd.level() == SimdLevel::Avx512 && is_x86_feature_detected!("avx512vbmi")
}

/// The entry at each place, modulo the number of entries; as many as both slices have.
pub(crate) fn look_up(simd: Simd, table: &[u8; ENTRIES], places: &[i16], out: &mut [u8]) {
    #[cfg(target_arch = "x86_64")]
    if permutes(simd) {
        // SAFETY: AVX-512 F, BW and VBMI are there, as the line above found.
        #[allow(unsafe_code)]
        return unsafe { permuted(table, places, out) };
    }
    let _ = simd;
    one_by_one(table, places, out);
}

fn one_by_one(table: &[u8; ENTRIES], places: &[i16], out: &mut [u8]) {
    for (out, place) in out.iter_mut().zip(places) {
        *out = table[*place as usize % ENTRIES];
    }
}

/// A table in eight registers of 64 entries each.
#[cfg(target_arch = "x86_64")]
pub(crate) struct InRegisters {
    entries: [__m512i; 8],
    /// Where the low and the high bytes of the places lie in two registers.
    low: __m512i,
    high: __m512i,
}

#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
impl InRegisters {
    /// Place i of 64 is number `order[i]` of those in two registers of 32.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
    pub(crate) fn new(table: &[u8; ENTRIES], order: [u8; 64]) -> Self {
        let load = |bytes: &[u8; 64]| {
            // SAFETY: an unaligned load of the 64 bytes that are there.
            unsafe { _mm512_loadu_si512(bytes.as_ptr().cast()) }
        };
        let low = load(&order.map(|i| 2 * i));
        InRegisters {
            entries: std::array::from_fn(|i| load(&table.as_chunks::<64>().0[i])),
            low,
            high: _mm512_or_si512(low, _mm512_set1_epi8(1)),
        }
    }

    /// The entries at 64 places: four permutations of 128 entries each, chosen among by the two highest bits.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
    pub(crate) fn entries_at(&self, first: __m512i, last: __m512i) -> __m512i {
        let low = _mm512_permutex2var_epi8(first, self.low, last);
        let high = _mm512_permutex2var_epi8(first, self.high, last);
        let (bit_7, bit_8) = (_mm512_movepi8_mask(low), _mm512_test_epi8_mask(high, _mm512_set1_epi8(1)));
        let of_128 = |i: usize| _mm512_permutex2var_epi8(self.entries[i], low, self.entries[i + 1]);
        let (a, b, c, d) = (of_128(0), of_128(2), of_128(4), of_128(6));
        let (a, c) = (_mm512_mask_blend_epi8(bit_7, a, b), _mm512_mask_blend_epi8(bit_7, c, d));
        _mm512_mask_blend_epi8(bit_8, a, c)
    }
}

/// 64 places at a time.
#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
fn permuted(table: &[u8; ENTRIES], places: &[i16], out: &mut [u8]) {
    let registers = InRegisters::new(table, std::array::from_fn(|i| i as u8));
    let both = places.as_chunks::<64>().0.iter().zip(out.as_chunks_mut::<64>().0);
    for (places, out) in both {
        // SAFETY: unaligned loads of both halves of 64 numbers of two bytes, and a store to as many bytes that are there.
        unsafe {
            let places = places.as_ptr();
            let (first, last) =
                (_mm512_loadu_si512(places.cast()), _mm512_loadu_si512(places.add(32).cast()));
            _mm512_storeu_si512(out.as_mut_ptr().cast(), registers.entries_at(first, last));
        }
    }
    let done = places.len().min(out.len()) / 64 * 64;
    one_by_one(table, &places[done..], &mut out[done..]);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_level_finds_the_same_entries_for_any_number_of_places() {
        let table = std::array::from_fn(|i| (i * 7 % 251) as u8);
        for n in [0, 1, 63, 64, 65, 1000] {
            let places: Vec<i16> = (0..n).map(|i| (i * 37 % 1024 - 256) as i16).collect();
            let expected: Vec<u8> =
                places.iter().map(|p| table[i32::from(*p).rem_euclid(512) as usize]).collect();
            for simd in Simd::all() {
                let mut out = vec![0; n as usize];
                look_up(simd, &table, &places, &mut out);
                assert_eq!(out, expected, "{simd:?} {n}");
            }
        }
    }

    #[test]
    fn the_shorter_slice_ends_the_search() {
        let table = [7; ENTRIES];
        for simd in Simd::all() {
            let mut out = [0; 130];
            look_up(simd, &table, &[1; 65], &mut out);
            assert!(out[..65] == [7; 65] && out[65..] == [0; 65]);
            look_up(simd, &table, &[1; 200], &mut out[..70]);
            assert!(out[..70] == [7; 70] && out[70..] == [0; 60]);
        }
    }
}
