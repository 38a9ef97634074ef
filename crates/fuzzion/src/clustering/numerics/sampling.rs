//! Random sampling.

use crate::random::Random;
use std::collections::BTreeSet;

/// Draws `count` distinct indices below `total`, in ascending order; all of them if `total` is not larger.
pub(in crate::clustering) fn sample_indices(total: u64, count: u64, random: &mut Random) -> Vec<u64> {
    if total <= count {
        return (0..total).collect();
    }
    // R. W. Floyd's algorithm: all subsets are equally likely.
    let mut indices = BTreeSet::new();
    for last in total - count..total {
        let index = random.bits() % (last + 1);
        if !indices.insert(index) {
            indices.insert(last);
        }
    }
    indices.into_iter().collect()
}

/// Random permutation of the indices below `n`.
pub(in crate::clustering) fn shuffled(n: usize, random: &mut Random) -> Vec<usize> {
    let mut order: Vec<usize> = (0..n).collect();
    for last in (1..n).rev() {
        order.swap(last, (random.bits() % (last as u64 + 1)) as usize);
    }
    order
}

/// Draws an index with probability proportional to its weight; uniformly if all weights are 0.
pub(in crate::clustering) fn weighted_choice(weights: &[f64], random: &mut Random) -> usize {
    let total: f64 = weights.iter().sum();
    let mut remaining = random.unit() * total;
    if !(total > 0.0 && total.is_finite()) {
        return (random.bits() % weights.len().max(1) as u64) as usize;
    }
    let mut last = 0;
    for (i, weight) in weights.iter().enumerate().filter(|(_, weight)| **weight > 0.0) {
        last = i;
        remaining -= weight;
        if remaining < 0.0 {
            break;
        }
    }
    last
}
