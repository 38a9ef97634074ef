//! Lookups in a small table, which AVX-512 VBMI keeps in registers.

use super::level::Simd;
#[cfg(target_arch = "x86_64")]
use super::level::SimdLevel;
#[cfg(target_arch = "x86_64")]
use std::arch::x86_64::*;

/// Number of entries of a table that fits in the registers.
pub(crate) const LOOKUP_ENTRIES: usize = 512;

/// Whether AVX-512 with VBMI, which permutes bytes across registers, is available.
#[cfg(target_arch = "x86_64")]
pub(crate) fn has_vbmi(simd: Simd) -> bool {
    simd.level() == SimdLevel::Avx512 && is_x86_feature_detected!("avx512vbmi")
}

/// Writes `table[index % LOOKUP_ENTRIES]` to `out` for each index, up to the length of the shorter slice.
pub(crate) fn look_up(simd: Simd, table: &[u8; LOOKUP_ENTRIES], indices: &[i16], out: &mut [u8]) {
    #[cfg(target_arch = "x86_64")]
    if look_up_vbmi(simd, table, indices, out) {
        return;
    }
    let _ = simd;
    look_up_scalar(table, indices, out);
}

fn look_up_scalar(table: &[u8; LOOKUP_ENTRIES], indices: &[i16], out: &mut [u8]) {
    for (out, index) in out.iter_mut().zip(indices) {
        *out = table[*index as usize % LOOKUP_ENTRIES];
    }
}

/// `vbmi! { fn name(args) { … } }` defines `fn name(simd: Simd, args) -> bool`, which runs the body with VBMI
/// instructions and returns `true` if the machine [`has_vbmi`], and returns `false` otherwise.
#[cfg(target_arch = "x86_64")]
macro_rules! vbmi {
    ($(#[$meta:meta])* $vis:vis fn $name:ident($($arg:ident: $type:ty),* $(,)?) $body:block) => {
        $(#[$meta])*
        $vis fn $name(simd: $crate::device::Simd, $($arg: $type),*) -> bool {
            #[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
            fn body($($arg: $type),*) $body
            let available = $crate::device::has_vbmi(simd);
            if available {
                #[allow(unsafe_code)]
                // SAFETY: `has_vbmi` detected all features enabled on `body`.
                unsafe {
                    body($($arg),*);
                }
            }
            available
        }
    };
}
#[cfg(target_arch = "x86_64")]
pub(crate) use vbmi;

/// 64 bytes as a vector.
#[cfg(target_arch = "x86_64")]
#[inline]
#[target_feature(enable = "avx512f")]
pub(crate) fn load_64(bytes: &[u8; 64]) -> __m512i {
    #[allow(unsafe_code)]
    // SAFETY: an unaligned load of 64 bytes from an array of 64 bytes.
    unsafe {
        _mm512_loadu_si512(bytes.as_ptr().cast())
    }
}

/// A vector as 64 bytes.
#[cfg(target_arch = "x86_64")]
#[inline]
#[target_feature(enable = "avx512f")]
pub(crate) fn store_64(vector: __m512i, bytes: &mut [u8; 64]) {
    #[allow(unsafe_code)]
    // SAFETY: an unaligned store of 64 bytes to an array of 64 bytes.
    unsafe {
        _mm512_storeu_si512(bytes.as_mut_ptr().cast(), vector);
    }
}

/// Lookup table in eight registers of 64 entries each.
#[cfg(target_arch = "x86_64")]
pub(crate) struct RegisterTable {
    entries: [__m512i; 8],
    /// Positions of the low and high bytes of the indices in two registers.
    low: __m512i,
    high: __m512i,
}

#[cfg(target_arch = "x86_64")]
impl RegisterTable {
    /// `order[i]` is the position, in two registers of 32 indices, of the index for output i.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
    pub(crate) fn new(table: &[u8; LOOKUP_ENTRIES], order: [u8; 64]) -> Self {
        let low = load_64(&order.map(|i| 2 * i));
        RegisterTable {
            entries: std::array::from_fn(|i| load_64(&table.as_chunks::<64>().0[i])),
            low,
            high: _mm512_or_si512(low, _mm512_set1_epi8(1)),
        }
    }

    /// The entries at 64 indices: four permutations of 128 entries each, selected by the two highest bits.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
    pub(crate) fn lookup(&self, first: __m512i, last: __m512i) -> __m512i {
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
vbmi! {
    /// Looks up 64 indices at a time.
    fn look_up_vbmi(table: &[u8; LOOKUP_ENTRIES], indices: &[i16], out: &mut [u8]) {
        let registers = RegisterTable::new(table, std::array::from_fn(|i| i as u8));
        for (indices, out) in indices.as_chunks::<64>().0.iter().zip(out.as_chunks_mut::<64>().0) {
            let (halves, _) = bytemuck::cast_slice::<i16, u8>(indices).as_chunks::<64>();
            store_64(registers.lookup(load_64(&halves[0]), load_64(&halves[1])), out);
        }
        let done = indices.len().min(out.len()) / 64 * 64;
        look_up_scalar(table, &indices[done..], &mut out[done..]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_level_finds_the_same_entries_for_any_number_of_indices() {
        let table = std::array::from_fn(|i| (i * 7 % 251) as u8);
        for n in [0, 1, 63, 64, 65, 1000] {
            let indices: Vec<i16> = (0..n).map(|i| (i * 37 % 1024 - 256) as i16).collect();
            let expected: Vec<u8> =
                indices.iter().map(|p| table[i32::from(*p).rem_euclid(512) as usize]).collect();
            for simd in Simd::all() {
                let mut out = vec![0; n as usize];
                look_up(simd, &table, &indices, &mut out);
                assert_eq!(out, expected, "{simd:?} {n}");
            }
        }
    }

    #[test]
    fn the_lookup_ends_with_the_shorter_slice() {
        let table = [7; LOOKUP_ENTRIES];
        for simd in Simd::all() {
            let mut out = [0; 130];
            look_up(simd, &table, &[1; 65], &mut out);
            assert!(out[..65] == [7; 65] && out[65..] == [0; 65]);
            look_up(simd, &table, &[1; 200], &mut out[..70]);
            assert!(out[..70] == [7; 70] && out[70..] == [0; 60]);
        }
    }
}
