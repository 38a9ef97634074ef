//! Quality sums for the report; computed once, after the last iteration.

use super::layout::{BLOCK, STRIDE, SweepKernel};
use super::membership::{self, raise};
use super::scratch::Scratch;
use crate::clustering::prototypes::MembershipRule;
use crate::clustering::rows::sums::Sums;
use crate::device::math::Real;

/// Adds a block to the quality sums; preserves the distances in `degrees` and `nearest`.
#[inline(always)]
pub(super) fn add_block<T: Real, const FMA: bool>(
    kernel: &SweepKernel<T>,
    scratch: &mut Scratch<T>,
    sums: &mut Sums,
) {
    let quality = sums.quality.as_mut().expect("invariant: quality sums were requested");
    let m = kernel.rule.fuzzifier();
    let distances = scratch.degrees.to_vec();
    let (nearest, weights) = (scratch.nearest.to_vec(), scratch.weights.to_vec());
    let mut unassigned = weights.clone();
    membership::memberships::<T, FMA>(kernel, scratch);
    // A row counts toward the cluster of its largest membership, like its label.
    let mut largest = [T::ZERO; BLOCK];
    for degrees in scratch.degrees.chunks_exact(STRIDE).take(kernel.clusters) {
        largest.iter_mut().zip(degrees).for_each(|(largest, u)| *largest = largest.simd_max(*u));
    }
    for cluster in 0..kernel.clusters {
        let [mut total, mut squares, mut entropy, mut spread, mut size, mut distance] = [0.0; 6];
        for i in 0..BLOCK {
            let w = weights[i].to_f64();
            if w == 0.0 {
                continue;
            }
            let at = cluster * STRIDE + i;
            let u = scratch.degrees[at];
            let d = match kernel.rule {
                MembershipRule::Fuzzy { .. } | MembershipRule::Noise { .. } => 1.0 / distances[at].to_f64(),
                MembershipRule::Gaussian { .. } => distances[at].to_f64().exp(),
                _ => distances[at].to_f64(),
            };
            let u_f64 = u.to_f64();
            total += w * u_f64;
            squares += w * u_f64 * u_f64;
            entropy -= if u_f64 > 0.0 { w * u_f64 * u_f64.ln() } else { 0.0 };
            spread += if u_f64 > 0.0 { w * raise::<T, FMA>(u, m).to_f64() * d } else { 0.0 };
            distance += w * d;
            if u == largest[i] {
                size += unassigned[i].to_f64();
                unassigned[i] = T::ZERO;
            }
        }
        quality.memberships[cluster] += total;
        quality.sizes[cluster] += size;
        quality.spreads[cluster] += spread;
        quality.squares += squares;
        quality.entropy += entropy;
        quality.distances += distance;
    }
    scratch.degrees.copy_from_slice(&distances);
    scratch.nearest.copy_from_slice(&nearest);
    scratch.weights.copy_from_slice(&weights);
}
