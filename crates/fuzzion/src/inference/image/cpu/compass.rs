//! S − nT of Equation (3) for FIRE's rules, and with AVX-512 VBMI also the resulting pixels.

#[cfg(target_arch = "x86_64")]
use crate::device::{LOOKUP_ENTRIES, RegisterTable, load_64, store_64, vbmi};
use crate::inference::image::window::{Pixel, Sum};
#[cfg(target_arch = "x86_64")]
use std::arch::x86_64::*;

/// Pixels per block: the number of bytes in the widest vector.
pub(super) const BLOCK: usize = 64;

/// S − nT of the compass rules. With qₘ the clamped difference of neighbor m, clockwise from the northwest, and
/// rₘ = qₘ − qₘ₊₄, the rules are ±D₀ … ±D₃ with D₀ = r₀+r₁+r₂, D₁ = r₁+r₂+r₃, D₂ = r₂+r₃−r₀, D₃ = r₃−r₀−r₁, so
/// S − nT = max |Dₖ|. Rows start one pixel before the first computed pixel and end one pixel after the last.
#[inline(always)]
pub(super) fn compass<P: Pixel, const FMA: bool>(
    [above, here, below]: [&[P]; 3],
    threshold: P,
    out: &mut [P::Sum],
) {
    let n = out.len();
    for first in (0..n / BLOCK).map(|block| block * BLOCK) {
        compass_block::<P, BLOCK>(
            [&above[first..], &here[first..], &below[first..]],
            threshold,
            &mut out[first..],
        );
    }
    match n.checked_sub(BLOCK) {
        // The last block overlaps the previous one, which is faster than single pixels.
        Some(first) if !n.is_multiple_of(BLOCK) => {
            compass_block::<P, BLOCK>(
                [&above[first..], &here[first..], &below[first..]],
                threshold,
                &mut out[first..],
            );
        }
        Some(_) => {}
        None => (0..n).for_each(|x| {
            compass_block::<P, 1>([&above[x..], &here[x..], &below[x..]], threshold, &mut out[x..]);
        }),
    }
}

/// Computes `N` pixels; rows start one pixel before the first of them.
#[inline(always)]
fn compass_block<P: Pixel, const N: usize>(
    [above, here, below]: [&[P]; 3],
    threshold: P,
    out: &mut [P::Sum],
) {
    let read = |row: &[P], first: usize| {
        let mut pixels = [P::default(); N];
        pixels.copy_from_slice(&row[first..first + N]);
        pixels
    };
    let centers = read(here, 1);
    // Clamping the neighbor around the center clamps the difference, with half the bits; the center cancels in rₘ.
    let clamped = |row: &[P], first: usize| {
        let mut q = read(row, first);
        for (q, c) in q.iter_mut().zip(&centers) {
            *q = (*q).max(c.saturating_sub(threshold)).min(c.saturating_add(threshold));
        }
        q
    };
    let (q0, q4) = (clamped(above, 0), clamped(below, 2));
    let (q1, q5) = (clamped(above, 1), clamped(below, 1));
    let (q2, q6) = (clamped(above, 2), clamped(below, 0));
    let (q3, q7) = (clamped(here, 2), clamped(here, 0));
    let out = &mut out[..N];
    for x in 0..N {
        let difference = |a: &[P; N], b: &[P; N]| P::Sum::from(a[x]) - P::Sum::from(b[x]);
        let (r0, r1, r2, r3) =
            (difference(&q0, &q4), difference(&q1, &q5), difference(&q2, &q6), difference(&q3, &q7));
        let (d0, d1) = ((r0 + r1 + r2).abs(), (r1 + r2 + r3).abs());
        let (d2, d3) = ((r2 + r3 - r0).abs(), (r3 - r0 - r1).abs());
        out[x] = d0.max(d1).max(d2.max(d3));
    }
}

#[cfg(target_arch = "x86_64")]
vbmi! {
    /// [`compass`] followed by the table lookup, for at least one block of pixels, with all sums in registers. Interleaving
    /// the bytes of two neighbors and multiplying by 1 and −1 gives two vectors of differences; the table is permuted to
    /// match the resulting order of the pixels.
    pub(super) fn compass_pixels(rows: [&[u8]; 3], threshold: u8, table: &[u8; LOOKUP_ENTRIES], out: &mut [u8]) {
        let n = out.len();
        let [above, here, below] = rows.map(|row| &row[..n + 2]);
        // The first register contains the first 8 of every 16 pixels.
        let order = std::array::from_fn(|i| (i / 16 * 8 + i % 8 + i % 16 / 8 * 32) as u8);
        let table = RegisterTable::new(table, order);
        let threshold = _mm512_set1_epi8(threshold.cast_signed());
        let signs = _mm512_set1_epi16(i16::from_le_bytes([1, 255]));
        let read = |row: &[u8], first: usize| load_64(&row[first..].as_chunks::<BLOCK>().0[0]);
        let mut first = 0;
        loop {
            let center = read(here, first + 1);
            let (lower, upper) = (_mm512_subs_epu8(center, threshold), _mm512_adds_epu8(center, threshold));
            let clamped = |row: &[u8], dx: usize| {
                _mm512_min_epu8(_mm512_max_epu8(read(row, first + dx), lower), upper)
            };
            let difference = |a: __m512i, b: __m512i| {
                let halves = [_mm512_unpacklo_epi8(a, b), _mm512_unpackhi_epi8(a, b)];
                halves.map(|pairs| _mm512_maddubs_epi16(pairs, signs))
            };
            let r0 = difference(clamped(above, 0), clamped(below, 2));
            let r1 = difference(clamped(above, 1), clamped(below, 1));
            let r2 = difference(clamped(above, 2), clamped(below, 0));
            let r3 = difference(clamped(here, 2), clamped(here, 0));
            let largest = |half: usize| {
                let (r0, r1, r2, r3) = (r0[half], r1[half], r2[half], r3[half]);
                let (s, t) = (_mm512_add_epi16(r1, r2), _mm512_sub_epi16(r3, r0));
                let (d0, d1) = (_mm512_add_epi16(s, r0), _mm512_add_epi16(s, r3));
                let (d2, d3) = (_mm512_add_epi16(t, r2), _mm512_sub_epi16(t, r1));
                let larger = |a, b| _mm512_max_epi16(_mm512_abs_epi16(a), _mm512_abs_epi16(b));
                _mm512_max_epi16(larger(d0, d1), larger(d2, d3))
            };
            let found = table.lookup(largest(0), largest(1));
            store_64(found, &mut out[first..].as_chunks_mut::<BLOCK>().0[0]);
            if first + BLOCK == n {
                return;
            }
            first = (first + BLOCK).min(n - BLOCK); // the last block may overlap the previous one
        }
    }
}
