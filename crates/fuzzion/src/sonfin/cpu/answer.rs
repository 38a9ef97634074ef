//! Equations (2) and (4): what the rules within reach say together, and how much each of them is to blame.

#![allow(clippy::extra_unused_type_parameters)] // `vectors!` names the number, which is always f32 here

use super::super::learner::{Loss, UNMOVED};
use super::firing::REACH;
use crate::device::math::{exp_f32, exp_of_minus_f32};
use crate::device::{Vector, simd, vectors};

/// What a network says to a sample.
#[derive(Default)]
pub(super) struct Answer {
    /// The rules within reach, in order.
    pub(super) near: Vec<usize>,
    /// Their φ, and after [`blame`] their q; filled up to a whole vector.
    pub(super) phi: Vec<f32>,
    pub(super) q: Vec<f32>,
    /// The outputs and the slopes of the loss, filled up to whole vectors.
    pub(super) y: Vec<f32>,
    pub(super) e: Vec<f32>,
}

simd! {
    /// The smallest of some numbers; infinite where there are none.
    pub(super) fn least(values: &[f32]) -> f32 = least_body;
}

#[inline(always)]
fn least_body<const FMA: bool>(values: &[f32]) -> f32 {
    let smaller = |a: f32, b: f32| if a < b { a } else { b };
    let (chunks, rest) = values.as_chunks::<16>();
    let mut least = [f32::INFINITY; 16];
    for chunk in chunks {
        for i in 0..16 {
            least[i] = smaller(chunk[i], least[i]);
        }
    }
    rest.iter().chain(&least).fold(f32::INFINITY, |a, b| smaller(*b, a))
}

vectors! {
    /// φ and y from −ln μ of all rules, the `least` of which is known, and what they say.
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
    within_reach::<L>(sums, least, near, phi);
    let far = phi.len().next_multiple_of(L);
    phi.resize(far, 0.0);
    for t in &mut *phi {
        *t = exp_of_minus_f32::<FMA>(*t);
    }
    phi[near.len()..].fill(0.0);
    let mut sum = V::splat(0.0);
    for phi in phi.as_chunks::<L>().0 {
        sum = sum + V::load(phi);
    }
    let share = 1.0 / sum.sum();
    phi.iter_mut().for_each(|phi| *phi *= share);
    let (row, w) = (y.len() / L, w.as_chunks::<L>().0);
    for (l, y) in y.as_chunks_mut::<L>().0.iter_mut().enumerate() {
        let mut sum = V::splat(0.0);
        for (k, phi) in near.iter().zip(&*phi) {
            sum = V::splat(*phi).mul_add(V::load(&w[k * row + l]), sum);
        }
        sum.store(y);
    }
}

/// Lists the rules within reach and how far their ln μ is below the largest one.
#[inline(always)]
fn within_reach<const L: usize>(sums: &[f32], least: f32, near: &mut Vec<usize>, below: &mut Vec<f32>) {
    near.clear();
    below.clear();
    let limit = least + REACH;
    let mut take = |first: usize, sums: &[f32]| {
        for (lane, sum) in sums.iter().enumerate().filter(|(_, sum)| **sum <= limit) {
            near.push(first + lane);
            below.push(sum - least);
        }
    };
    let (blocks, rest) = sums.as_chunks::<L>();
    for (block, sums) in blocks.iter().enumerate() {
        // Most blocks have none, which one comparison of vectors shows.
        if sums.iter().fold(false, |any, sum| any | (*sum <= limit)) {
            take(block * L, sums);
        }
    }
    take(blocks.len() * L, rest);
}

vectors! {
    /// q of the rules that move, 0 of the others, and the step of what they say.
    pub(super) fn blame(answer: &mut Answer, rate_w: f32, w: &mut [f32]) = blame_body::<f32>;
}

#[inline(always)]
fn blame_body<T, V: Vector<f32, L>, const FMA: bool, const L: usize>(
    answer: &mut Answer,
    rate_w: f32,
    w: &mut [f32],
) {
    let Answer { near, phi, q, y, e } = answer;
    let (y, e) = (y.as_chunks::<L>().0, e.as_chunks::<L>().0);
    let w = w.as_chunks_mut::<L>().0;
    q.clear();
    for (k, phi) in near.iter().zip(&*phi) {
        if *phi < UNMOVED {
            q.push(0.0);
            continue;
        }
        let step = V::splat(-rate_w * phi);
        let mut sum = V::splat(0.0);
        for ((y, e), w) in y.iter().zip(e).zip(&mut w[k * y.len()..]) {
            let (e, before) = (V::load(e), V::load(w));
            sum = e.mul_add(before - V::load(y), sum);
            e.mul_add(step, before).store(w);
        }
        q.push(phi * sum.sum());
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
