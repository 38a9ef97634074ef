//! Firing strengths of a fixed network.

use crate::device::{Simd, mul_add_f32, simd};
use crate::sonfin::learner::MIN_UPDATE_FIRING;
use crate::sonfin::types::network::Network;

/// Rules per block.
const LANES: usize = 16;

/// a and c in blocks of 16 rules; within a block, input by input.
pub(in crate::sonfin) struct PackedRules {
    rules: usize,
    a: Vec<f32>,
    c: Vec<f32>,
}

impl PackedRules {
    pub(in crate::sonfin) fn new(network: &Network) -> Self {
        let d = network.dims;
        let pack = |values: &[f32]| {
            let mut packed = vec![0.0; network.rules().next_multiple_of(LANES) * d];
            for (block, values) in packed.chunks_exact_mut(LANES * d).zip(values.chunks(LANES * d)) {
                for (k, rule) in values.chunks_exact(d).enumerate() {
                    rule.iter().enumerate().for_each(|(j, value)| block[j * LANES + k] = *value);
                }
            }
            packed
        };
        PackedRules { rules: network.rules(), a: pack(&network.a), c: pack(&network.c) }
    }

    /// Normalized firing strength φ of every rule: Equation (2). 0 for rules below 2⁻²⁴ of the strongest rule.
    pub(in crate::sonfin) fn firing(&self, x: &[f32], simd: Simd) -> Vec<f32> {
        let mut phi = vec![0.0; self.rules.next_multiple_of(LANES)];
        squared_distances(simd, &self.a, &self.c, x, &mut phi);
        phi.truncate(self.rules);
        let min = phi.iter().copied().fold(f32::INFINITY, f32::min);
        let ln_min = MIN_UPDATE_FIRING.ln();
        phi.iter_mut().for_each(|s| *s = if min - *s > ln_min { (min - *s).exp() } else { 0.0 });
        let sum: f32 = phi.iter().sum();
        phi.iter_mut().for_each(|phi| *phi /= sum);
        phi
    }
}

simd! {
    /// Σ z² of every rule: Equation (1).
    fn squared_distances(a: &[f32], c: &[f32], x: &[f32], out: &mut [f32]) = squared_distances_body;
}

#[inline(always)]
fn squared_distances_body<const FMA: bool>(a: &[f32], c: &[f32], x: &[f32], out: &mut [f32]) {
    let block = LANES * x.len();
    for ((a, c), out) in a.chunks_exact(block).zip(c.chunks_exact(block)).zip(out.chunks_exact_mut(LANES)) {
        let mut sums = [0.0f32; LANES];
        for ((a, c), x) in a.chunks_exact(LANES).zip(c.chunks_exact(LANES)).zip(x) {
            if x.is_nan() {
                continue;
            }
            for i in 0..LANES {
                let z = mul_add_f32::<FMA>(a[i], *x, -c[i]);
                sums[i] = mul_add_f32::<FMA>(z, z, sums[i]);
            }
        }
        out.copy_from_slice(&sums);
    }
}
