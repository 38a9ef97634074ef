//! Equations (5) and (1) in one pass over the rules: they move for one sample and fire for the next while they are at
//! hand, since networks of many inputs do not stay in the nearer caches. Lanes are rules.

#![allow(clippy::extra_unused_type_parameters)] // `vectors!` names the number, which is always f32 here

use super::super::learner::Course;
use super::rules::{Block, STEP};
use super::sample::Sample;
use crate::device::{Vector, vectors};
use std::sync::atomic::{AtomicU32, Ordering};

/// A rule whose ln μ is this far below another's has no part in a sample: even 4,096 such rules together have less than
/// single precision shows, 4096·e⁻²⁵ < 2⁻²³.
pub(super) const REACH: f32 = 25.0;
/// Inputs between two looks at whether a block is out of reach already.
const LOOK: usize = 64;

/// What is learned from a sample, for the rules to move by.
pub(super) struct Moves<'a> {
    pub(super) sample: &'a Sample,
    /// q of all places of all blocks, 0 where a rule does not move; none before the first sample.
    pub(super) q: &'a [f32],
    pub(super) course: &'a Course,
    /// The blocks at hand are those of this member of so many.
    pub(super) member_of: (usize, usize),
    /// Whether the last block comes first: in turns with the other way, what the sweep before ended with is still near.
    pub(super) backwards: bool,
}

vectors! {
    /// Moves the rules of the blocks, and then −ln μ of all of them; `least` holds the bits of the smallest one so far. Of
    /// a block that is out of its reach −ln μ may be less than it should be, but is out of reach too: what it is depends on
    /// the blocks before, what becomes of it does not.
    pub(super) fn sweep(blocks: &mut [Block], moves: &Moves<'_>, next: &Sample, least: &AtomicU32, sums: &mut [f32]) = sweep_body::<f32>;
}

#[inline(always)]
fn sweep_body<T, V: Vector<f32, L>, const FMA: bool, const L: usize>(
    blocks: &mut [Block],
    moves: &Moves<'_>,
    next: &Sample,
    least: &AtomicU32,
    sums: &mut [f32],
) {
    let (member, members) = moves.member_of;
    let q = moves.q.as_chunks::<L>().0;
    let sums = sums.as_chunks_mut::<L>().0;
    let count = blocks.len().min(sums.len());
    for step in 0..count {
        let i = if moves.backwards { count - 1 - step } else { step };
        let (block, sums) = (&mut blocks[i], &mut sums[i]);
        let before = f32::from_bits(least.load(Ordering::Relaxed));
        let q = q.get(member + i * members).filter(|q| q.iter().fold(false, |any, q| any | (*q != 0.0)));
        let missing = next.missing || moves.sample.missing;
        let sum: V = match (q, moves.course.plain, missing) {
            (None, _, false) => fire::<V, false, L>(block, next, before + REACH),
            (None, _, true) => fire::<V, true, L>(block, next, before + REACH),
            (Some(q), false, false) => move_and_fire::<V, false, false, L>(block, moves, q, next),
            (Some(q), false, true) => move_and_fire::<V, false, true, L>(block, moves, q, next),
            (Some(q), true, _) => move_and_fire::<V, true, true, L>(block, moves, q, next),
        };
        sum.store(sums);
        // Nobody looks where a block is done within one look.
        if next.x.len() > LOOK && any_below(sums, before) {
            // Another thread's smaller one may get lost, which costs time alone.
            least.store(least_of(sums).to_bits(), Ordering::Relaxed);
        }
    }
}

/// −ln μ of the rules of a block, or less where all of them are beyond the limit. Several sums run at once, since each
/// waits for the one before it.
#[inline(always)]
fn fire<V: Vector<f32, L>, const MISSING: bool, const L: usize>(
    block: &Block,
    next: &Sample,
    limit: f32,
) -> V {
    let planes = block.as_chunks::<L>().0;
    let mut sums = [V::splat(0.0); STEP];
    let mut left = next.x.len();
    for ((planes, x), present) in
        planes.chunks(2 * LOOK).zip(next.x.chunks(LOOK)).zip(next.present.chunks(LOOK))
    {
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

/// Moves a block, of which a rule with q = 0 stays as it is to the bit, and then −ln μ of its rules.
#[inline(always)]
fn move_and_fire<V: Vector<f32, L>, const PLAIN: bool, const MISSING: bool, const L: usize>(
    block: &mut Block,
    moves: &Moves<'_>,
    q: &[f32; L],
    next: &Sample,
) -> V {
    let (course, q) = (moves.course, V::load(q));
    let most = V::splat(1.0 / course.least_width);
    let toward = V::splat(2.0 * course.rate_m) * q;
    let narrow = V::splat(2.0 * course.rate_s) * q;
    let (one, half, two) = (V::splat(1.0), V::splat(0.5), V::splat(2.0));
    let limit_p = |p: V| p.most(V::splat(-0.5)).least(half);
    let p_of_all = limit_p(toward);
    let mut sums = [V::splat(0.0); STEP];
    let steps = block.as_chunks_mut::<L>().0.as_chunks_mut::<{ 2 * STEP }>().0.iter_mut();
    let before = moves.sample.x.as_chunks::<STEP>().0.iter().zip(moves.sample.present.as_chunks::<STEP>().0);
    let after = next.x.as_chunks::<STEP>().0.iter().zip(next.present.as_chunks::<STEP>().0);
    for ((planes, (x, present)), (x_next, present_next)) in steps.zip(before).zip(after) {
        let (mut z, mut s) = ([one; STEP], [one; STEP]);
        let mut sharpest = one;
        for i in 0..STEP {
            let a = V::load(&planes[2 * i]);
            z[i] = a.mul_add(V::splat(x[i]), V::load(&planes[2 * i + 1]));
            if MISSING {
                z[i] = z[i] * V::splat(present[i]);
            }
            s[i] = if PLAIN {
                let t = (narrow * a * a) * (z[i] * z[i]);
                one / (one - t.most(V::splat(-1.0)).least(half))
            } else {
                narrow.mul_add(z[i] * z[i], one)
            };
            s[i] = s[i].most(half).least(two);
            sharpest = sharpest.most(a * s[i]);
        }
        if sharpest.any_reaches(most) {
            for i in 0..STEP {
                s[i] = unless_past(V::load(&planes[2 * i]), s[i], most);
            }
        }
        for i in 0..STEP {
            let (a, minus_c) = (V::load(&planes[2 * i]), V::load(&planes[2 * i + 1]));
            let (z, s) = (z[i], s[i]);
            let p = if PLAIN { limit_p(toward * a * a) } else { p_of_all }; // −p of the equation, for −c
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

/// s, or 1 where s > 1 and a·s would pass `most`, without a branch: 1 + (s − 1) is s to the bit for ½ ≤ s ≤ 2.
#[inline(always)]
fn unless_past<V: Vector<f32, L>, const L: usize>(a: V, s: V, most: V) -> V {
    let (one, zero) = (V::splat(1.0), V::splat(0.0));
    let within = ((most - a * s) * V::splat(1e30)).most(zero).least(one);
    within.mul_add(s - one, one).least(s)
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
