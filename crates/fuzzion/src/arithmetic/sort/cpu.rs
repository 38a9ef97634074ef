//! Sorting and gathering on the CPU.

use super::key::{Bits, Key, ordered};
use crate::arithmetic::array::LANES;
use crate::device::Cpu;
use rayon::prelude::*;
use std::mem::{swap, take};
use std::slice::IterMut;

/// Keys of a chunk at least: their pairs and the ends of 256 lists stay in a core's cache.
const CHUNK: usize = 1 << 16;

/// The most chunks; the result does not depend on it.
const CHUNKS: usize = 256;

/// Blocks of numbers that one task gathers.
const BLOCKS: usize = 64;

/// A key and the number it belongs to.
#[derive(Clone, Copy, Default)]
struct Pair<B> {
    key: B,
    index: u32,
}

/// The places of the keys, the least key first; no more keys than u32 counts.
pub(super) fn order<K: Key>(cpu: &Cpu, keys: &[K::Bits]) -> Vec<u32> {
    let Some(any) = keys.first() else { return Vec::new() };
    let chunk = CHUNK.max(keys.len().div_ceil(CHUNKS));
    let differing = |keys: &[K::Bits]| {
        keys.iter().fold(K::Bits::default(), |bits, key| bits | (ordered::<K>(*key) ^ ordered::<K>(*any)))
    };
    let differ = cpu
        .map_chunks(keys.len(), chunk, |range| differing(&keys[range]))
        .into_iter()
        .fold(K::Bits::default(), |all, bits| all | bits);
    let mut pairs = vec![Pair::default(); keys.len()];
    cpu.fill_chunks(&mut pairs, 1, chunk, |first, pairs| {
        for (i, pair) in pairs.iter_mut().enumerate() {
            *pair = Pair { key: ordered::<K>(keys[first + i]), index: (first + i) as u32 };
        }
    });
    let mut sorted = vec![Pair::default(); keys.len()];
    for digit in (0..K::Bits::DIGITS).filter(|digit| differ.digit(*digit) != 0) {
        scatter(cpu, &pairs, &mut sorted, digit, chunk);
        swap(&mut pairs, &mut sorted);
    }
    cpu.run(|| pairs.par_iter().map(|pair| pair.index).collect())
}

/// One pass: `to` are the pairs of `from` by one digit, and where that is the same in their old order.
fn scatter<B: Bits>(cpu: &Cpu, from: &[Pair<B>], to: &mut [Pair<B>], digit: u32, chunk: usize) {
    let counts = cpu.map_chunks(from.len(), chunk, |range| {
        let mut counts = [0usize; 256];
        from[range].iter().for_each(|pair| counts[usize::from(pair.key.digit(digit))] += 1);
        counts
    });
    // Every chunk has a list of its own for each value of the digit.
    let mut lists: Vec<Vec<IterMut<'_, Pair<B>>>> = counts.iter().map(|_| Vec::with_capacity(256)).collect();
    let mut rest = to;
    for value in 0..256 {
        for (counts, lists) in counts.iter().zip(&mut lists) {
            let (list, behind) = take(&mut rest).split_at_mut(counts[value]);
            lists.push(list.iter_mut());
            rest = behind;
        }
    }
    cpu.run(|| {
        from.par_chunks(chunk).zip(lists).for_each(|(pairs, mut lists)| {
            for pair in pairs {
                // There is one place for each pair that was counted.
                if let Some(place) = lists[usize::from(pair.key.digit(digit))].next() {
                    *place = *pair;
                }
            }
        });
    });
}

/// Number `order[i]` of `from` becomes number i of `to`, in blocks of `planes` planes.
pub(super) fn gather<T: Copy + Send + Sync>(
    cpu: &Cpu,
    from: &[T],
    planes: usize,
    order: &[u32],
    to: &mut [T],
) {
    let block = planes * LANES;
    cpu.fill_chunks(to, block, BLOCKS, |first, to| {
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
