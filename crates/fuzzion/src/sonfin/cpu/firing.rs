//! Equation (1): lanes are rules.

#![allow(clippy::extra_unused_type_parameters)] // `vectors!` names the number, which is always f32 here

use super::rules::{Block, STEP};
use super::sample::Sample;
use crate::device::{Vector, vectors};
use std::sync::atomic::{AtomicU32, Ordering};

/// A rule whose ln μ is this far below another's has no part in a sample: even 4,096 such rules together have less than
/// single precision shows, 4096·e⁻²⁵ < 2⁻²³.
pub(super) const REACH: f32 = 25.0;
/// Inputs between two looks at whether a block is out of reach already.
const LOOK: usize = 64;

vectors! {
    /// −ln μ of all rules of the blocks; `least` holds the bits of the smallest one so far. Of a block that is out of its
    /// reach −ln μ is less than it should be, but out of reach too: what it is depends on the blocks before, what becomes of
    /// it does not.
    pub(super) fn firing(blocks: &[Block], sample: &Sample, least: &AtomicU32, sums: &mut [f32]) = firing_body::<f32>;
}

#[inline(always)]
fn firing_body<T, V: Vector<f32, L>, const FMA: bool, const L: usize>(
    blocks: &[Block],
    sample: &Sample,
    least: &AtomicU32,
    sums: &mut [f32],
) {
    for (block, sums) in blocks.iter().zip(sums.as_chunks_mut::<L>().0) {
        let before = f32::from_bits(least.load(Ordering::Relaxed));
        let sum: V = if sample.missing {
            block_sums::<V, true, L>(block, sample, before + REACH)
        } else {
            block_sums::<V, false, L>(block, sample, before + REACH)
        };
        sum.store(sums);
        // Nobody looks where a block is done within one look.
        if sample.x.len() > LOOK && any_below(sums, before) {
            // Another thread's smaller one may get lost, which costs time alone.
            least.store(least_of(sums).to_bits(), Ordering::Relaxed);
        }
    }
}

/// Four sums run at once, since each waits for the one before it.
#[inline(always)]
fn block_sums<V: Vector<f32, L>, const MISSING: bool, const L: usize>(
    block: &Block,
    sample: &Sample,
    limit: f32,
) -> V {
    let planes = block.as_chunks::<L>().0;
    let mut sums = [V::splat(0.0); STEP];
    let parts = planes.chunks(2 * LOOK).zip(sample.x.chunks(LOOK)).zip(sample.present.chunks(LOOK));
    let mut left = sample.x.len();
    for ((planes, x), present) in parts {
        let steps = planes.as_chunks::<{ 2 * STEP }>().0.iter().zip(x.as_chunks::<STEP>().0);
        for ((planes, x), present) in steps.zip(present.as_chunks::<STEP>().0) {
            for i in 0..STEP {
                let mut z = V::load(&planes[2 * i]).mul_add(V::splat(x[i]), V::load(&planes[2 * i + 1]));
                if MISSING {
                    z = z * V::splat(present[i]);
                }
                sums[i] = z.mul_add(z, sums[i]);
            }
        }
        left -= x.len();
        if left > 0 {
            // Sums of squares only grow, rounded or not.
            let mut now = [0.0; L];
            total(sums).store(&mut now);
            if !any_below(&now, limit) {
                break;
            }
        }
    }
    total(sums)
}

/// No more than the largest number there is: rules that are all infinitely far are equally far.
#[inline(always)]
fn total<V: Vector<f32, L>, const L: usize>(sums: [V; STEP]) -> V {
    ((sums[0] + sums[1]) + (sums[2] + sums[3])).least(V::splat(f32::MAX))
}

#[inline(always)]
fn any_below<const L: usize>(values: &[f32; L], limit: f32) -> bool {
    values.iter().fold(false, |any, x| any | (*x < limit))
}

#[inline(always)]
fn least_of<const L: usize>(values: &[f32; L]) -> f32 {
    values.iter().fold(f32::INFINITY, |least, x| if *x < least { *x } else { least })
}
