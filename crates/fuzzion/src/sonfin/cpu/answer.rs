//! Equations (2) and (4): what the rules within reach say together, and how much each of them is to blame. Lanes are rules.

#![allow(clippy::extra_unused_type_parameters)] // `vectors!` names the number, which is always f32 here

use super::super::learner::{Loss, UNMOVED};
use super::sweep::REACH;
use crate::device::math::{Real, exp_f32, exp_of_minus_f32};
use crate::device::{Vector, simd, vectors};

/// What a network says to a sample.
#[derive(Default)]
pub(super) struct Answer {
    /// The blocks with a rule within reach.
    pub(super) near: Vec<usize>,
    /// φ of all places of these blocks.
    pub(super) phi: Vec<f32>,
    /// q of all places of all blocks, 0 where a rule does not move.
    pub(super) q: Vec<f32>,
    /// The outputs.
    pub(super) y: Vec<f32>,
    /// The slopes of the loss.
    pub(super) e: Vec<f32>,
}

simd! {
    /// The smallest of some numbers; infinite where there are none.
    pub(super) fn least(values: &[f32]) -> f32 = least_body;
}

#[inline(always)]
fn least_body<const FMA: bool>(values: &[f32]) -> f32 {
    let (chunks, rest) = values.as_chunks::<16>();
    let mut least = [f32::INFINITY; 16];
    for chunk in chunks {
        for i in 0..16 {
            least[i] = chunk[i].least(least[i]);
        }
    }
    rest.iter().chain(&least).fold(f32::INFINITY, |a, b| b.least(a))
}

vectors! {
    /// φ and y from −ln μ of all places, the `least` of which is known, and from what the rules say. Places without a rule
    /// are infinitely far.
    pub(super) fn answer(sums: &[f32], least: f32, w: &[f32], answer: &mut Answer) = answer_body::<f32>;
}

#[inline(always)]
fn answer_body<T, V: Vector<f32, L>, const FMA: bool, const L: usize>(
    sums: &[f32],
    least: f32,
    w: &[f32],
    answer: &mut Answer,
) {
    let Answer { near, phi, y, .. } = answer;
    near.clear();
    phi.clear();
    let mut sum = V::splat(0.0);
    for (block, sums) in sums.as_chunks::<L>().0.iter().enumerate() {
        let below = sums.map(|sum| sum - least);
        if below.iter().fold(false, |any, t| any | (*t <= REACH)) {
            // Beyond reach it is 0 whatever it would be: a sum that ended early must not show.
            let mut strength = [0.0; L];
            for i in 0..L {
                let within = exp_of_minus_f32::<FMA>(below[i].least(REACH));
                strength[i] = if below[i] <= REACH { within } else { 0.0 };
            }
            near.push(block);
            phi.extend_from_slice(&strength);
            sum = sum + V::load(&strength);
        }
    }
    let share = 1.0 / sum.sum();
    phi.iter_mut().for_each(|phi| *phi *= share);
    let (phi, w) = (phi.as_chunks::<L>().0, w.as_chunks::<L>().0);
    // Four outputs at once, since each sum waits for the one before it.
    let outputs = y.len();
    let whole = outputs - outputs % 4;
    for l in (0..whole).step_by(4) {
        say::<V, 4, L>(near, phi, w, l, y);
    }
    for l in whole..outputs {
        say::<V, 1, L>(near, phi, w, l, y);
    }
}

/// `N` outputs, from the `l`th on.
#[inline(always)]
fn say<V: Vector<f32, L>, const N: usize, const L: usize>(
    near: &[usize],
    phi: &[[f32; L]],
    w: &[[f32; L]],
    l: usize,
    y: &mut [f32],
) {
    let outputs = y.len();
    let mut sums = [V::splat(0.0); N];
    for (block, phi) in near.iter().zip(phi) {
        let (phi, w) = (V::load(phi), &w[block * outputs + l..][..N]);
        for i in 0..N {
            sums[i] = phi.mul_add(V::load(&w[i]), sums[i]);
        }
    }
    for (y, sum) in y[l..].iter_mut().zip(sums) {
        *y = sum.sum();
    }
}

vectors! {
    /// q of the rules that move, 0 of all others, and the step of what they say.
    pub(super) fn blame(answer: &mut Answer, places: usize, rate_w: f32, w: &mut [f32]) = blame_body::<f32>;
}

#[inline(always)]
fn blame_body<T, V: Vector<f32, L>, const FMA: bool, const L: usize>(
    answer: &mut Answer,
    places: usize,
    rate_w: f32,
    w: &mut [f32],
) {
    let Answer { near, phi, q, y, e } = answer;
    q.clear();
    q.resize(places, 0.0);
    let q = q.as_chunks_mut::<L>().0;
    let w = w.as_chunks_mut::<L>().0;
    for (block, phi) in near.iter().zip(phi.as_chunks::<L>().0) {
        let moved = phi.map(|phi| if phi < UNMOVED { 0.0 } else { phi });
        if moved.iter().fold(true, |none, phi| none & (*phi == 0.0)) {
            continue;
        }
        let moved = V::load(&moved);
        let step = V::splat(-rate_w) * moved;
        let mut sums = [V::splat(0.0); 2];
        let w = &mut w[block * y.len()..][..y.len()];
        for (l, ((y, e), w)) in y.iter().zip(&*e).zip(w).enumerate() {
            let (e, before) = (V::splat(*e), V::load(w));
            sums[l % 2] = e.mul_add(before - V::splat(*y), sums[l % 2]);
            e.mul_add(step, before).store(w);
        }
        (moved * (sums[0] + sums[1])).store(&mut q[*block]);
    }
}

/// The loss of outputs `y` where `t` were wanted, and its slopes.
pub(super) fn loss(y: &[f32], t: &[f32], loss: Loss, e: &mut [f32]) -> f64 {
    match loss {
        Loss::Squares => {
            let mut sum = 0.0;
            for ((y, t), e) in y.iter().zip(t).zip(e) {
                *e = y - t;
                sum += f64::from(*e) * f64::from(*e);
            }
            0.5 * sum
        }
        Loss::CrossEntropy => {
            let most = y.iter().fold(f32::NEG_INFINITY, |most, y| most.max(*y));
            let mut sum = 0.0;
            for (y, e) in y.iter().zip(&mut *e) {
                *e = exp_f32::<false>(y - most);
                sum += *e;
            }
            let (share, ln_sum) = (1.0 / sum, f64::from(sum).ln());
            let mut total = 0.0;
            for ((y, t), e) in y.iter().zip(t).zip(e) {
                *e = *e * share - t;
                if *t != 0.0 {
                    total += f64::from(*t) * (ln_sum - f64::from(y - most));
                }
            }
            total
        }
    }
}

/// The first of the largest.
pub(super) fn largest(values: &[f32]) -> usize {
    (1..values.len()).fold(0, |best, i| if values[i] > values[best] { i } else { best })
}
