//! Equations (5) and (1) in one sweep over the rules: each block is updated for one sample and evaluated for the
//! next while it is in cache, because networks with many inputs do not fit in the inner caches. Lanes are rules.

#![allow(clippy::extra_unused_type_parameters)] // `vectors!` passes the number type, which is always f32 here

use super::rule_blocks::{Block, UNROLL};
use super::sample::Sample;
use crate::device::{Vector, vectors};
use crate::sonfin::learner::StepSettings;
use std::sync::atomic::{AtomicU32, Ordering};

/// Rules whose ln μ is this far below the largest are ignored: even 4,096 of them contribute less than single
/// precision resolves, 4096·e⁻²⁵ < 2⁻²³.
pub(super) const MAX_LOG_GAP: f32 = 25.0;
/// Inputs between two checks of whether the rest of a block can be skipped.
const CHECK_INTERVAL: usize = 64;

/// Update of the rules for the previous sample, which is still pending.
pub(super) struct PendingUpdate<'a> {
    pub(super) sample: &'a Sample,
    /// q of all slots of all blocks, 0 for rules that are not updated; empty before the first sample.
    pub(super) q: &'a [f32],
    pub(super) settings: &'a StepSettings,
    /// Index of the worker that owns the blocks, and the number of workers.
    pub(super) owner: (usize, usize),
    /// Whether to visit the last block first; alternating the direction reuses blocks that are still in cache.
    pub(super) reversed: bool,
}

vectors! {
    /// Updates the rules of the blocks and computes −ln μ of all of them. `min_bits` holds the bits of the smallest
    /// value so far. For a block beyond [`MAX_LOG_GAP`], −ln μ may be too small but is still beyond the gap, so the
    /// result does not depend on the order of the blocks.
    pub(super) fn sweep(blocks: &mut [Block], update: &PendingUpdate<'_>, next: &Sample, min_bits: &AtomicU32, sums: &mut [f32]) = sweep_body::<f32>;
}

#[inline(always)]
fn sweep_body<T, V: Vector<f32, L>, const FMA: bool, const L: usize>(
    blocks: &mut [Block],
    update: &PendingUpdate<'_>,
    next: &Sample,
    min_bits: &AtomicU32,
    sums: &mut [f32],
) {
    let (worker, workers) = update.owner;
    let q = update.q.as_chunks::<L>().0;
    let sums = sums.as_chunks_mut::<L>().0;
    let count = blocks.len().min(sums.len());
    for step in 0..count {
        let i = if update.reversed { count - 1 - step } else { step };
        let (block, sums) = (&mut blocks[i], &mut sums[i]);
        let min_distance = f32::from_bits(min_bits.load(Ordering::Relaxed));
        let q = q.get(worker + i * workers).filter(|q| q.iter().fold(false, |any, q| any | (*q != 0.0)));
        let missing = next.missing || update.sample.missing;
        let sum: V = match (q, update.settings.plain_gradient, missing) {
            (None, _, false) => distances::<V, false, L>(block, next, min_distance + MAX_LOG_GAP),
            (None, _, true) => distances::<V, true, L>(block, next, min_distance + MAX_LOG_GAP),
            (Some(q), false, false) => update_and_distances::<V, false, false, L>(block, update, q, next),
            (Some(q), false, true) => update_and_distances::<V, false, true, L>(block, update, q, next),
            (Some(q), true, _) => update_and_distances::<V, true, true, L>(block, update, q, next),
        };
        sum.store(sums);
        // Blocks with few inputs are never stopped early.
        if next.x.len() > CHECK_INTERVAL && any_below(sums, min_distance) {
            // A smaller value of another thread may be lost, which only costs time.
            min_bits.store(minimum(sums).to_bits(), Ordering::Relaxed);
        }
    }
}

/// −ln μ of the rules of a block, or a smaller value if all of them exceed the limit. Several accumulators hide the
/// latency of the dependent sums.
#[inline(always)]
fn distances<V: Vector<f32, L>, const MISSING: bool, const L: usize>(
    block: &Block,
    next: &Sample,
    limit: f32,
) -> V {
    let planes = block.as_chunks::<L>().0;
    let mut sums = [V::splat(0.0); UNROLL];
    let mut left = next.x.len();
    for ((planes, x), present) in planes
        .chunks(2 * CHECK_INTERVAL)
        .zip(next.x.chunks(CHECK_INTERVAL))
        .zip(next.present.chunks(CHECK_INTERVAL))
    {
        let steps = planes.as_chunks::<{ 2 * UNROLL }>().0.iter().zip(x.as_chunks::<UNROLL>().0);
        for ((planes, x), present) in steps.zip(present.as_chunks::<UNROLL>().0) {
            for i in 0..UNROLL {
                let mut z = V::load(&planes[2 * i]).mul_add(V::splat(x[i]), V::load(&planes[2 * i + 1]));
                if MISSING {
                    z = z * V::splat(present[i]);
                }
                sums[i] = z.mul_add(z, sums[i]);
            }
        }
        left -= x.len();
        if left > 0 {
            // Sums of squares never decrease, even with rounding.
            let mut partial = [0.0; L];
            total(sums).store(&mut partial);
            if !any_below(&partial, limit) {
                break;
            }
        }
    }
    total(sums)
}

/// Updates a block and computes −ln μ of its rules. A rule with q = 0 remains bit-identical.
#[inline(always)]
fn update_and_distances<V: Vector<f32, L>, const PLAIN: bool, const MISSING: bool, const L: usize>(
    block: &mut Block,
    update: &PendingUpdate<'_>,
    q: &[f32; L],
    next: &Sample,
) -> V {
    let (settings, q) = (update.settings, V::load(q));
    let limit = V::splat(1.0 / settings.min_width);
    let center_rate = V::splat(2.0 * settings.rate_m) * q;
    let width_rate = V::splat(2.0 * settings.rate_s) * q;
    let (one, half, two) = (V::splat(1.0), V::splat(0.5), V::splat(2.0));
    let clamp_p = |p: V| p.simd_max(V::splat(-0.5)).simd_min(half);
    let common_p = clamp_p(center_rate);
    let mut sums = [V::splat(0.0); UNROLL];
    let steps = block.as_chunks_mut::<L>().0.as_chunks_mut::<{ 2 * UNROLL }>().0.iter_mut();
    let before =
        update.sample.x.as_chunks::<UNROLL>().0.iter().zip(update.sample.present.as_chunks::<UNROLL>().0);
    let after = next.x.as_chunks::<UNROLL>().0.iter().zip(next.present.as_chunks::<UNROLL>().0);
    for ((planes, (x, present)), (x_next, present_next)) in steps.zip(before).zip(after) {
        let (mut z, mut s) = ([one; UNROLL], [one; UNROLL]);
        let mut max_inverse = one;
        for i in 0..UNROLL {
            let a = V::load(&planes[2 * i]);
            z[i] = a.mul_add(V::splat(x[i]), V::load(&planes[2 * i + 1]));
            if MISSING {
                z[i] = z[i] * V::splat(present[i]);
            }
            s[i] = if PLAIN {
                let t = (width_rate * a * a) * (z[i] * z[i]);
                one / (one - t.simd_max(V::splat(-1.0)).simd_min(half))
            } else {
                width_rate.mul_add(z[i] * z[i], one)
            };
            s[i] = s[i].simd_max(half).simd_min(two);
            max_inverse = max_inverse.simd_max(a * s[i]);
        }
        if max_inverse.any_ge(limit) {
            for i in 0..UNROLL {
                s[i] = limit_inverse(V::load(&planes[2 * i]), s[i], limit);
            }
        }
        for i in 0..UNROLL {
            let (a, minus_c) = (V::load(&planes[2 * i]), V::load(&planes[2 * i + 1]));
            let (z, s) = (z[i], s[i]);
            let p = if PLAIN { clamp_p(center_rate * a * a) } else { common_p }; // −p of the equation, applied to −c
            let (a, minus_c) = (a * s, p.mul_add(z, minus_c) * s);
            a.store(&mut planes[2 * i]);
            minus_c.store(&mut planes[2 * i + 1]);
            let mut z = a.mul_add(V::splat(x_next[i]), minus_c);
            if MISSING {
                z = z * V::splat(present_next[i]);
            }
            sums[i] = z.mul_add(z, sums[i]);
        }
    }
    total(sums)
}

/// s, or 1 if s > 1 and a·s would exceed `limit`; branch-free: 1 + (s − 1) equals s exactly for ½ ≤ s ≤ 2.
#[inline(always)]
fn limit_inverse<V: Vector<f32, L>, const L: usize>(a: V, s: V, limit: V) -> V {
    let (one, zero) = (V::splat(1.0), V::splat(0.0));
    let within = ((limit - a * s) * V::splat(1e30)).simd_max(zero).simd_min(one);
    within.mul_add(s - one, one).simd_min(s)
}

/// Clamped to the largest finite number, so that infinitely distant rules compare equal.
#[inline(always)]
fn total<V: Vector<f32, L>, const L: usize>(sums: [V; UNROLL]) -> V {
    ((sums[0] + sums[1]) + (sums[2] + sums[3])).simd_min(V::splat(f32::MAX))
}

#[inline(always)]
fn any_below<const L: usize>(values: &[f32; L], limit: f32) -> bool {
    values.iter().fold(false, |any, x| any | (*x < limit))
}

#[inline(always)]
fn minimum<const L: usize>(values: &[f32; L]) -> f32 {
    values.iter().fold(f32::INFINITY, |min, x| if *x < min { *x } else { min })
}
