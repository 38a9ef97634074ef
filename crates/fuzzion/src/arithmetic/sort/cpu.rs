//! Sorting and gathering on the CPU.

use super::key::{Bits, Key, ordered};
use crate::arithmetic::array::LANES;
use crate::device::Cpu;
use rayon::prelude::*;
use std::mem::{swap, take};
use std::slice::IterMut;

/// Minimum number of keys per chunk; their pairs and the 256 write positions fit in the cache of a core.
const MIN_CHUNK: usize = 1 << 16;

/// Maximum number of chunks; does not affect the result.
const MAX_CHUNKS: usize = 256;

/// Blocks of numbers per gather task.
const BLOCKS_PER_TASK: usize = 64;

/// Key and index of a number.
#[derive(Clone, Copy, Default)]
struct Pair<B> {
    key: B,
    index: u32,
}

/// Indices that sort the keys in ascending order; at most `u32::MAX` keys.
pub(super) fn order<K: Key>(cpu: &Cpu, keys: &[K::Bits]) -> Vec<u32> {
    let Some(any) = keys.first() else { return Vec::new() };
    let chunk = MIN_CHUNK.max(keys.len().div_ceil(MAX_CHUNKS));
    let differing_bits_of = |keys: &[K::Bits]| {
        keys.iter().fold(K::Bits::default(), |bits, key| bits | (ordered::<K>(*key) ^ ordered::<K>(*any)))
    };
    let differing_bits = cpu
        .map_chunks(keys.len(), chunk, |range| differing_bits_of(&keys[range]))
        .into_iter()
        .fold(K::Bits::default(), |all, bits| all | bits);
    let mut pairs = vec![Pair::default(); keys.len()];
    cpu.fill_chunks(&mut pairs, 1, chunk, |first, pairs| {
        for (i, pair) in pairs.iter_mut().enumerate() {
            *pair = Pair { key: ordered::<K>(keys[first + i]), index: (first + i) as u32 };
        }
    });
    let mut sorted = vec![Pair::default(); keys.len()];
    for digit in (0..K::Bits::DIGITS).filter(|digit| differing_bits.digit(*digit) != 0) {
        scatter(cpu, &pairs, &mut sorted, digit, chunk);
        swap(&mut pairs, &mut sorted);
    }
    cpu.run(|| pairs.par_iter().map(|pair| pair.index).collect())
}

/// One pass of a radix sort: stable sort of the pairs of `from` by one digit.
fn scatter<B: Bits>(cpu: &Cpu, from: &[Pair<B>], to: &mut [Pair<B>], digit: u32, chunk: usize) {
    let counts = cpu.map_chunks(from.len(), chunk, |range| {
        let mut counts = [0usize; 256];
        from[range].iter().for_each(|pair| counts[usize::from(pair.key.digit(digit))] += 1);
        counts
    });
    // Each chunk has its own output range for each digit value.
    let mut ranges: Vec<Vec<IterMut<'_, Pair<B>>>> = counts.iter().map(|_| Vec::with_capacity(256)).collect();
    let mut rest = to;
    for value in 0..256 {
        for (counts, ranges) in counts.iter().zip(&mut ranges) {
            let (range, others) = take(&mut rest).split_at_mut(counts[value]);
            ranges.push(range.iter_mut());
            rest = others;
        }
    }
    cpu.run(|| {
        from.par_chunks(chunk).zip(ranges).for_each(|(pairs, mut ranges)| {
            for pair in pairs {
                let place = ranges[usize::from(pair.key.digit(digit))].next();
                *place.expect("invariant: a range has one place per counted pair") = *pair;
            }
        });
    });
}

/// Copies number `order[i]` of `from` to number i of `to`, in blocks of `planes` planes.
pub(in crate::arithmetic) fn gather<T: Copy + Send + Sync>(
    cpu: &Cpu,
    from: &[T],
    planes: usize,
    order: &[u32],
    to: &mut [T],
) {
    let block = planes * LANES;
    cpu.fill_chunks(to, block, BLOCKS_PER_TASK, |first, to| {
        for (to, order) in to.chunks_mut(block).zip(order[first * LANES..].chunks(LANES)) {
            for (lane, number) in order.iter().map(|number| *number as usize).enumerate() {
                let from = &from[number / LANES * block..][..block];
                for plane in 0..planes {
                    to[plane * LANES + lane] = from[plane * LANES + number % LANES];
                }
            }
        }
    });
}
