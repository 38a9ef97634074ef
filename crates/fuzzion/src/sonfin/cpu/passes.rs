//! Forward pass (Equation (2)) and backward pass (Equation (4)) over the rules that fire. Lanes are rules.

#![allow(clippy::extra_unused_type_parameters)] // `vectors!` passes the number type, which is always f32 here

use super::sweep::MAX_LOG_GAP;
use crate::device::math::{Real, exp_f32, exp_neg_f32};
use crate::device::{Vector, simd, vectors};
use crate::sonfin::learner::MIN_UPDATE_FIRING;
use crate::sonfin::types::options::Loss;

/// Buffers of the forward and backward pass of a sample.
#[derive(Default)]
pub(super) struct ForwardPass {
    /// Blocks with at least one rule that fires.
    pub(super) active_blocks: Vec<usize>,
    /// φ of all slots of these blocks.
    pub(super) phi: Vec<f32>,
    /// q of all slots of all blocks, 0 for rules that are not updated.
    pub(super) q: Vec<f32>,
    /// Outputs.
    pub(super) y: Vec<f32>,
    /// Gradient of the loss with respect to the outputs.
    pub(super) e: Vec<f32>,
}

simd! {
    /// Smallest value; infinite for an empty slice.
    pub(super) fn minimum(values: &[f32]) -> f32 = minimum_body;
}

#[inline(always)]
fn minimum_body<const FMA: bool>(values: &[f32]) -> f32 {
    let (chunks, rest) = values.as_chunks::<16>();
    let mut min = [f32::INFINITY; 16];
    for chunk in chunks {
        for i in 0..16 {
            min[i] = chunk[i].simd_min(min[i]);
        }
    }
    rest.iter().chain(&min).fold(f32::INFINITY, |a, b| b.simd_min(a))
}

vectors! {
    /// Computes φ and y from −ln μ of all slots (`min` is the smallest) and the consequents. Empty slots have an
    /// infinite −ln μ.
    pub(super) fn forward(sums: &[f32], min: f32, w: &[f32], pass: &mut ForwardPass) = forward_body::<f32>;
}

#[inline(always)]
fn forward_body<T, V: Vector<f32, L>, const FMA: bool, const L: usize>(
    sums: &[f32],
    min: f32,
    w: &[f32],
    pass: &mut ForwardPass,
) {
    let ForwardPass { active_blocks, phi, y, .. } = pass;
    active_blocks.clear();
    phi.clear();
    let mut sum = V::splat(0.0);
    for (block, sums) in sums.as_chunks::<L>().0.iter().enumerate() {
        let log_gaps = sums.map(|sum| sum - min);
        if log_gaps.iter().fold(false, |any, t| any | (*t <= MAX_LOG_GAP)) {
            // Exactly 0 beyond the gap, so that sums that were stopped early have no effect.
            let mut strength = [0.0; L];
            for i in 0..L {
                let within = exp_neg_f32::<FMA>(log_gaps[i].simd_min(MAX_LOG_GAP));
                strength[i] = if log_gaps[i] <= MAX_LOG_GAP { within } else { 0.0 };
            }
            active_blocks.push(block);
            phi.extend_from_slice(&strength);
            sum = sum + V::load(&strength);
        }
    }
    let inverse_sum = 1.0 / sum.sum();
    phi.iter_mut().for_each(|phi| *phi *= inverse_sum);
    let (phi, w) = (phi.as_chunks::<L>().0, w.as_chunks::<L>().0);
    // Four outputs at once hide the latency of the dependent sums.
    let outputs = y.len();
    let full = outputs - outputs % 4;
    for l in (0..full).step_by(4) {
        weighted_outputs::<V, 4, L>(active_blocks, phi, w, l, y);
    }
    for l in full..outputs {
        weighted_outputs::<V, 1, L>(active_blocks, phi, w, l, y);
    }
}

/// Outputs `l` to `l + N`.
#[inline(always)]
fn weighted_outputs<V: Vector<f32, L>, const N: usize, const L: usize>(
    active_blocks: &[usize],
    phi: &[[f32; L]],
    w: &[[f32; L]],
    l: usize,
    y: &mut [f32],
) {
    let outputs = y.len();
    let mut sums = [V::splat(0.0); N];
    for (block, phi) in active_blocks.iter().zip(phi) {
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
    /// Computes q of the updated rules, 0 for all others, and updates the consequents.
    pub(super) fn backward(pass: &mut ForwardPass, slots: usize, rate_w: f32, w: &mut [f32]) = backward_body::<f32>;
}

#[inline(always)]
fn backward_body<T, V: Vector<f32, L>, const FMA: bool, const L: usize>(
    pass: &mut ForwardPass,
    slots: usize,
    rate_w: f32,
    w: &mut [f32],
) {
    let ForwardPass { active_blocks, phi, q, y, e } = pass;
    q.clear();
    q.resize(slots, 0.0);
    let q = q.as_chunks_mut::<L>().0;
    let w = w.as_chunks_mut::<L>().0;
    for (block, phi) in active_blocks.iter().zip(phi.as_chunks::<L>().0) {
        let updated = phi.map(|phi| if phi < MIN_UPDATE_FIRING { 0.0 } else { phi });
        if updated.iter().fold(true, |none, phi| none & (*phi == 0.0)) {
            continue;
        }
        let updated = V::load(&updated);
        let step = V::splat(-rate_w) * updated;
        let mut sums = [V::splat(0.0); 2];
        let w = &mut w[block * y.len()..][..y.len()];
        for (l, ((y, e), w)) in y.iter().zip(&*e).zip(w).enumerate() {
            let (e, before) = (V::splat(*e), V::load(w));
            sums[l % 2] = e.mul_add(before - V::splat(*y), sums[l % 2]);
            e.mul_add(step, before).store(w);
        }
        (updated * (sums[0] + sums[1])).store(&mut q[*block]);
    }
}

/// Loss for outputs `y` and targets `t`; writes its gradient to `e`.
pub(super) fn loss(y: &[f32], t: &[f32], loss: Loss, e: &mut [f32]) -> f64 {
    match loss {
        Loss::SquaredError => {
            let mut sum = 0.0;
            for ((y, t), e) in y.iter().zip(t).zip(e) {
                *e = y - t;
                sum += f64::from(*e) * f64::from(*e);
            }
            0.5 * sum
        }
        Loss::CrossEntropy => {
            let max = y.iter().fold(f32::NEG_INFINITY, |max, y| max.max(*y));
            let mut sum = 0.0;
            for (y, e) in y.iter().zip(&mut *e) {
                *e = exp_f32::<false>(y - max);
                sum += *e;
            }
            let (inverse_sum, ln_sum) = (1.0 / sum, f64::from(sum).ln());
            let mut total = 0.0;
            for ((y, t), e) in y.iter().zip(t).zip(e) {
                *e = *e * inverse_sum - t;
                if *t != 0.0 {
                    total += f64::from(*t) * (ln_sum - f64::from(y - max));
                }
            }
            total
        }
    }
}
