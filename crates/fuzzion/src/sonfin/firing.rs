//! How strongly the rules of a network that stands still fire.

use super::learner::UNMOVED;
use super::network::Network;
use crate::device::{Simd, mul_add_f32, simd};

/// Rules that lie side by side while samples are compared with them.
const LANES: usize = 16;

/// a and c with sixteen rules side by side: input by input, the rules of a block.
pub(super) struct Packed {
    rules: usize,
    a: Vec<f32>,
    c: Vec<f32>,
}

impl Packed {
    pub(super) fn new(network: &Network) -> Self {
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
        Packed { rules: network.rules(), a: pack(&network.a), c: pack(&network.c) }
    }

    /// φ of every rule, 0 where it is below rounding: equation (2).
    pub(super) fn firing(&self, x: &[f32], simd: Simd) -> Vec<f32> {
        let mut phi = vec![0.0; self.rules.next_multiple_of(LANES)];
        squares(simd, &self.a, &self.c, x, &mut phi);
        phi.truncate(self.rules);
        let least = phi.iter().copied().fold(f32::INFINITY, f32::min);
        let faint = UNMOVED.ln();
        phi.iter_mut().for_each(|s| *s = if least - *s > faint { (least - *s).exp() } else { 0.0 });
        let sum: f32 = phi.iter().sum();
        phi.iter_mut().for_each(|phi| *phi /= sum);
        phi
    }
}

simd! {
    /// Σ z² of every rule: equation (1).
    fn squares(a: &[f32], c: &[f32], x: &[f32], out: &mut [f32]) = squares_body;
}

#[inline(always)]
fn squares_body<const FMA: bool>(a: &[f32], c: &[f32], x: &[f32], out: &mut [f32]) {
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
