//! What the report needs of every row; computed once, after the last step.

use super::super::sums::Sums;
use super::Rule;
use super::kernel::{BLOCK, Kernel, STRIDE};
use super::membership::{self, raised};
use super::scratch::Scratch;
use crate::device::math::Real;

/// Adds a block to the statistics; the distances in `degrees` and `nearest` are left as they were.
#[inline(always)]
pub(super) fn block<T: Real, const FMA: bool>(kernel: &Kernel<T>, scratch: &mut Scratch<T>, sums: &mut Sums) {
    let Some(statistics) = sums.statistics.as_mut() else { return };
    let m = kernel.rule.fuzzifier();
    let distances = scratch.degrees.to_vec();
    let (nearest, weights) = (scratch.nearest.to_vec(), scratch.weights.to_vec());
    let mut free = weights.clone();
    membership::degrees::<T, FMA>(kernel, scratch);
    // A row counts where its largest membership is, as a label would have it.
    let mut largest = [T::ZERO; BLOCK];
    for degrees in scratch.degrees.chunks_exact(STRIDE).take(kernel.clusters) {
        largest.iter_mut().zip(degrees).for_each(|(most, u)| *most = most.most(*u));
    }
    for cluster in 0..kernel.clusters {
        let [mut total, mut squares, mut entropy, mut spread, mut size, mut sum] = [0.0; 6];
        for i in 0..BLOCK {
            let w = weights[i].to_f64();
            if w == 0.0 {
                continue;
            }
            let at = cluster * STRIDE + i;
            let u = scratch.degrees[at];
            let d = match kernel.rule {
                Rule::Fuzzy { .. } | Rule::Noise { .. } => 1.0 / distances[at].to_f64(),
                Rule::Gaussian { .. } => distances[at].to_f64().exp(),
                _ => distances[at].to_f64(),
            };
            let wide = u.to_f64();
            total += w * wide;
            squares += w * wide * wide;
            entropy -= if wide > 0.0 { w * wide * wide.ln() } else { 0.0 };
            spread += if wide > 0.0 { w * raised::<T, FMA>(u, m).to_f64() * d } else { 0.0 };
            sum += w * d;
            if u == largest[i] {
                size += free[i].to_f64();
                free[i] = T::ZERO;
            }
        }
        statistics.memberships[cluster] += total;
        statistics.sizes[cluster] += size;
        statistics.spreads[cluster] += spread;
        statistics.squares += squares;
        statistics.entropy += entropy;
        statistics.distances += sum;
    }
    scratch.degrees.copy_from_slice(&distances);
    scratch.nearest.copy_from_slice(&nearest);
    scratch.weights.copy_from_slice(&weights);
}
