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
    if permuted(simd, table, places, out) {
        return;
    }
    let _ = simd;
    one_by_one(table, places, out);
}

fn one_by_one(table: &[u8; ENTRIES], places: &[i16], out: &mut [u8]) {
    for (out, place) in out.iter_mut().zip(places) {
        *out = table[*place as usize % ENTRIES];
    }
}

/// `permuting! { fn name(args) { … } }` makes `fn name(simd: Simd, args) -> bool`, which says whether the machine
/// [`permutes`] and, where it does, runs the body with those instructions.
#[cfg(target_arch = "x86_64")]
macro_rules! permuting {
    ($(#[$meta:meta])* $vis:vis fn $name:ident($($arg:ident: $type:ty),* $(,)?) $body:block) => {
        $(#[$meta])*
        $vis fn $name(simd: $crate::device::Simd, $($arg: $type),*) -> bool {
            #[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
            fn body($($arg: $type),*) $body
            let possible = $crate::device::permutes(simd);
            if possible {
                // SAFETY: the features are there, as the line above found.
                #[allow(unsafe_code)]
                unsafe {
                    body($($arg),*);
                }
            }
            possible
        }
    };
}
#[cfg(target_arch = "x86_64")]
pub(crate) use permuting;

/// 64 bytes as a vector.
#[cfg(target_arch = "x86_64")]
#[inline]
#[target_feature(enable = "avx512f")]
pub(crate) fn load_64(bytes: &[u8; 64]) -> __m512i {
    // SAFETY: an unaligned load of the 64 bytes that are there.
    #[allow(unsafe_code)]
    unsafe {
        _mm512_loadu_si512(bytes.as_ptr().cast())
    }
}

/// A vector as 64 bytes.
#[cfg(target_arch = "x86_64")]
#[inline]
#[target_feature(enable = "avx512f")]
pub(crate) fn store_64(vector: __m512i, bytes: &mut [u8; 64]) {
    // SAFETY: an unaligned store to the 64 bytes that are there.
    #[allow(unsafe_code)]
    unsafe {
        _mm512_storeu_si512(bytes.as_mut_ptr().cast(), vector);
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
impl InRegisters {
    /// Place i of 64 is number `order[i]` of those in two registers of 32.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
    pub(crate) fn new(table: &[u8; ENTRIES], order: [u8; 64]) -> Self {
        let low = load_64(&order.map(|i| 2 * i));
        InRegisters {
            entries: std::array::from_fn(|i| load_64(&table.as_chunks::<64>().0[i])),
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

#[cfg(target_arch = "x86_64")]
permuting! {
    /// 64 places at a time.
    fn permuted(table: &[u8; ENTRIES], places: &[i16], out: &mut [u8]) {
        let registers = InRegisters::new(table, std::array::from_fn(|i| i as u8));
        for (places, out) in places.as_chunks::<64>().0.iter().zip(out.as_chunks_mut::<64>().0) {
            let (halves, _) = bytemuck::cast_slice::<i16, u8>(places).as_chunks::<64>();
            store_64(registers.entries_at(load_64(&halves[0]), load_64(&halves[1])), out);
        }
        let done = places.len().min(out.len()) / 64 * 64;
        one_by_one(table, &places[done..], &mut out[done..]);
    }
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
