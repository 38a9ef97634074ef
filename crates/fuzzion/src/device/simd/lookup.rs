//! Looking many places up in one small table, which vectors do without going to memory.

use super::Simd;
#[cfg(target_arch = "x86_64")]
use super::SimdLevel;

/// Entries of a table that fits the registers.
pub(crate) const ENTRIES: usize = 512;

/// The entry at each place, modulo the number of entries; as many as both slices have.
pub(crate) fn look_up(simd: Simd, table: &[u8; ENTRIES], places: &[i16], out: &mut [u8]) {
    #[cfg(target_arch = "x86_64")]
    if simd.level() == SimdLevel::Avx512 && is_x86_feature_detected!("avx512vbmi") {
        // SAFETY: a `Simd` of this level proves AVX-512 F and BW, and the line above VBMI.
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

/// 64 places at a time: four permutations of 128 entries each, chosen among by the two highest bits.
#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
fn permuted(table: &[u8; ENTRIES], places: &[i16], out: &mut [u8]) {
    use std::arch::x86_64::*;
    let load = |bytes: &[u8; 64]| {
        // SAFETY: an unaligned load of the 64 bytes that are there.
        unsafe { _mm512_loadu_si512(bytes.as_ptr().cast()) }
    };
    let entries: [__m512i; 8] = std::array::from_fn(|i| load(&table.as_chunks::<64>().0[i]));
    let low_bytes = load(&std::array::from_fn(|i| 2 * i as u8));
    let high_bytes = _mm512_or_si512(low_bytes, _mm512_set1_epi8(1));
    let both = places.as_chunks::<64>().0.iter().zip(out.as_chunks_mut::<64>().0);
    for (places, out) in both {
        // SAFETY: unaligned loads of both halves of 64 numbers of two bytes.
        let (first, last) = unsafe {
            let places = places.as_ptr();
            (_mm512_loadu_si512(places.cast()), _mm512_loadu_si512(places.add(32).cast()))
        };
        let low = _mm512_permutex2var_epi8(first, low_bytes, last);
        let high = _mm512_permutex2var_epi8(first, high_bytes, last);
        let (bit_7, bit_8) = (_mm512_movepi8_mask(low), _mm512_test_epi8_mask(high, _mm512_set1_epi8(1)));
        let [a, b, c, d] = [0, 2, 4, 6].map(|i| _mm512_permutex2var_epi8(entries[i], low, entries[i + 1]));
        let (a, c) = (_mm512_mask_blend_epi8(bit_7, a, b), _mm512_mask_blend_epi8(bit_7, c, d));
        let found = _mm512_mask_blend_epi8(bit_8, a, c);
        // SAFETY: an unaligned store to the 64 bytes that are there.
        unsafe { _mm512_storeu_si512(out.as_mut_ptr().cast(), found) };
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
