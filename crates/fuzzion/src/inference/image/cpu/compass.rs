//! S − nT of equation (3) for FIRE's rules, and with wide vectors of bytes at once the pixels that follow from it.

#[cfg(target_arch = "x86_64")]
use crate::device::{ENTRIES, InRegisters, load_64, permuting, store_64};
use crate::inference::image::pixel::{Pixel, Sum};
#[cfg(target_arch = "x86_64")]
use std::arch::x86_64::*;

/// Pixels that are computed at once: what a vector of the longest kind holds of bytes.
pub(super) const BLOCK: usize = 64;

/// With qₘ the clamped difference of neighbor m, clockwise from the northwest, and rₘ = qₘ − qₘ₊₄: the rules of the
/// compass are ±D₀ … ±D₃ with D₀ = r₀+r₁+r₂, D₁ = r₁+r₂+r₃, D₂ = r₂+r₃−r₀, D₃ = r₃−r₀−r₁, so that S − nT = max |Dₖ|.
/// Rows begin one pixel before the first that is computed, and end one after the last.
#[inline(always)]
pub(super) fn compass<P: Pixel>([above, here, below]: [&[P]; 3], reach: P, out: &mut [P::Sum]) {
    let n = out.len();
    for first in (0..n / BLOCK).map(|block| block * BLOCK) {
        compass_block::<P, BLOCK>(
            [&above[first..], &here[first..], &below[first..]],
            reach,
            &mut out[first..],
        );
    }
    match n.checked_sub(BLOCK) {
        // The last block begins within the one before it, which is quicker than pixel by pixel.
        Some(first) if !n.is_multiple_of(BLOCK) => {
            compass_block::<P, BLOCK>(
                [&above[first..], &here[first..], &below[first..]],
                reach,
                &mut out[first..],
            );
        }
        Some(_) => {}
        None => (0..n).for_each(|x| {
            compass_block::<P, 1>([&above[x..], &here[x..], &below[x..]], reach, &mut out[x..]);
        }),
    }
}

/// `N` pixels at once; rows begin one pixel before the first of them.
#[inline(always)]
fn compass_block<P: Pixel, const N: usize>([above, here, below]: [&[P]; 3], reach: P, out: &mut [P::Sum]) {
    let read = |row: &[P], first: usize| {
        let mut pixels = [P::default(); N];
        pixels.copy_from_slice(&row[first..first + N]);
        pixels
    };
    let centers = read(here, 1);
    // To clamp the neighbor round the center is to clamp the difference, in half the bits; the center cancels in rₘ.
    let clamped = |row: &[P], first: usize| {
        let mut q = read(row, first);
        for (q, c) in q.iter_mut().zip(&centers) {
            *q = (*q).max(c.saturating_sub(reach)).min(c.saturating_add(reach));
        }
        q
    };
    let (q0, q4) = (clamped(above, 0), clamped(below, 2));
    let (q1, q5) = (clamped(above, 1), clamped(below, 1));
    let (q2, q6) = (clamped(above, 2), clamped(below, 0));
    let (q3, q7) = (clamped(here, 2), clamped(here, 0));
    let out = &mut out[..N];
    for x in 0..N {
        let less = |a: &[P; N], b: &[P; N]| P::Sum::from(a[x]) - P::Sum::from(b[x]);
        let (r0, r1, r2, r3) = (less(&q0, &q4), less(&q1, &q5), less(&q2, &q6), less(&q3, &q7));
        let (d0, d1) = ((r0 + r1 + r2).abs(), (r1 + r2 + r3).abs());
        let (d2, d3) = ((r2 + r3 - r0).abs(), (r3 - r0 - r1).abs());
        out[x] = d0.max(d1).max(d2.max(d3));
    }
}

#[cfg(target_arch = "x86_64")]
permuting! {
    /// As [`compass`] and a look at the table, for at least one block of pixels, without a sum leaving the registers. A vector
    /// of bytes from each of two neighbors becomes two of their differences by an interleaving and a product with 1 and −1; the
    /// table is read in the order in which that leaves the pixels.
    pub(super) fn pixels(rows: [&[u8]; 3], reach: u8, table: &[u8; ENTRIES], out: &mut [u8]) {
        let n = out.len();
        let [above, here, below] = rows.map(|row| &row[..n + 2]);
        // Of each 16 pixels the first 8 lie in the first register of two.
        let order = std::array::from_fn(|i| (i / 16 * 8 + i % 8 + i % 16 / 8 * 32) as u8);
        let table = InRegisters::new(table, order);
        let reach = _mm512_set1_epi8(reach.cast_signed());
        let signs = _mm512_set1_epi16(i16::from_le_bytes([1, 255]));
        let read = |row: &[u8], first: usize| load_64(&row[first..].as_chunks::<BLOCK>().0[0]);
        let mut first = 0;
        loop {
            let center = read(here, first + 1);
            let (least, most) = (_mm512_subs_epu8(center, reach), _mm512_adds_epu8(center, reach));
            let clamped = |row: &[u8], dx: usize| {
                _mm512_min_epu8(_mm512_max_epu8(read(row, first + dx), least), most)
            };
            let less = |a: __m512i, b: __m512i| {
                let halves = [_mm512_unpacklo_epi8(a, b), _mm512_unpackhi_epi8(a, b)];
                halves.map(|pairs| _mm512_maddubs_epi16(pairs, signs))
            };
            let r0 = less(clamped(above, 0), clamped(below, 2));
            let r1 = less(clamped(above, 1), clamped(below, 1));
            let r2 = less(clamped(above, 2), clamped(below, 0));
            let r3 = less(clamped(here, 2), clamped(here, 0));
            let largest = |half: usize| {
                let (r0, r1, r2, r3) = (r0[half], r1[half], r2[half], r3[half]);
                let (s, t) = (_mm512_add_epi16(r1, r2), _mm512_sub_epi16(r3, r0));
                let (d0, d1) = (_mm512_add_epi16(s, r0), _mm512_add_epi16(s, r3));
                let (d2, d3) = (_mm512_add_epi16(t, r2), _mm512_sub_epi16(t, r1));
                let larger = |a, b| _mm512_max_epi16(_mm512_abs_epi16(a), _mm512_abs_epi16(b));
                _mm512_max_epi16(larger(d0, d1), larger(d2, d3))
            };
            let found = table.entries_at(largest(0), largest(1));
            store_64(found, &mut out[first..].as_chunks_mut::<BLOCK>().0[0]);
            if first + BLOCK == n {
                return;
            }
            first = (first + BLOCK).min(n - BLOCK); // the last may begin within the one before it
        }
    }
}
