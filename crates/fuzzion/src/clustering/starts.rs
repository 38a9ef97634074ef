//! Where the iteration starts.

use super::indices::squared_distance;
use super::rows::Rows;
use super::space::Space;
use crate::error::Result;
use crate::random::Random;
use std::collections::BTreeSet;

/// Rows that starting centers are drawn from; more would cost a pass per center and gain nothing.
const POOL: usize = 1 << 14;
/// Rows per cluster that the pool has at least.
const POOL_PER_CLUSTER: usize = 32;
/// The smallest progressive sample, per cluster, and how each next one grows.
const FIRST_PER_CLUSTER: u64 = 256;
const GROWTH: u64 = 4;
/// The largest progressive sample.
const LARGEST: u64 = 1 << 18;

/// Some rows in the coordinates of a [`Space`], with their weights; missing values stand at the mean.
pub(super) struct Pool {
    pub(super) points: Vec<f64>,
    pub(super) weights: Vec<f64>,
    columns: usize,
}

impl Pool {
    /// As many rows of `total` as starting centers are drawn from.
    pub(super) fn of(
        rows: &mut dyn Rows,
        total: u64,
        clusters: usize,
        space: &Space,
        random: &mut Random,
    ) -> Result<Self> {
        let wanted = POOL.max(POOL_PER_CLUSTER * clusters) as u64;
        let (values, weights) = rows.gather(&draw(total, wanted, random))?;
        let columns = space.columns();
        let points: Vec<f64> = values.chunks_exact(columns).flat_map(|row| space.enter(row)).collect();
        let points = points.into_iter().map(|x| if x.is_nan() { 0.0 } else { x }).collect();
        Ok(Pool { points, weights, columns })
    }

    fn point(&self, i: usize) -> &[f64] {
        &self.points[i * self.columns..][..self.columns]
    }

    /// Different rows, each with a chance that grows with its weight.
    pub(super) fn random(&self, clusters: usize, random: &mut Random) -> Vec<f64> {
        let mut chances = self.weights.clone();
        let mut centers = Vec::with_capacity(clusters * self.columns);
        for _ in 0..clusters {
            let picked = pick(&chances, random);
            chances[picked] = 0.0;
            centers.extend_from_slice(self.point(picked));
        }
        centers
    }

    /// Rows far from each other. Source: D. Arthur, S. Vassilvitskii, "k-means++", 2007.
    pub(super) fn far_apart(&self, clusters: usize, random: &mut Random) -> Vec<f64> {
        let mut nearest = vec![f64::INFINITY; self.weights.len()];
        let mut chances = self.weights.clone();
        let mut centers = Vec::with_capacity(clusters * self.columns);
        for _ in 0..clusters {
            let picked = self.point(pick(&chances, random));
            centers.extend_from_slice(picked);
            for (i, nearest) in nearest.iter_mut().enumerate() {
                *nearest = nearest.min(squared_distance(self.point(i), picked));
                chances[i] = self.weights[i] * *nearest;
            }
        }
        centers
    }
}

/// The sizes of the growing samples of `total` rows; none where the data are small.
pub(super) fn sample_sizes(total: u64, clusters: usize) -> Vec<u64> {
    let first = (FIRST_PER_CLUSTER * clusters as u64).max(1024);
    let sizes = std::iter::successors(Some(first), |size| Some(size * GROWTH));
    sizes.take_while(|size| size * GROWTH <= total && *size <= LARGEST).collect()
}

/// `wanted` different numbers below `total`, ascending; all of them where there are no more.
pub(super) fn draw(total: u64, wanted: u64, random: &mut Random) -> Vec<u64> {
    if total <= wanted {
        return (0..total).collect();
    }
    // R. W. Floyd's sampling: every set of `wanted` numbers has the same chance.
    let mut picked = BTreeSet::new();
    for last in total - wanted..total {
        let number = random.bits() % (last + 1);
        if !picked.insert(number) {
            picked.insert(last);
        }
    }
    picked.into_iter().collect()
}

/// The numbers below `n` in random order.
pub(super) fn shuffled(n: usize, random: &mut Random) -> Vec<usize> {
    let mut order: Vec<usize> = (0..n).collect();
    for last in (1..n).rev() {
        order.swap(last, (random.bits() % (last as u64 + 1)) as usize);
    }
    order
}

/// A place with a chance proportional to its number; any place where all are 0.
fn pick(chances: &[f64], random: &mut Random) -> usize {
    let total: f64 = chances.iter().sum();
    let mut left = random.unit() * total;
    if !(total > 0.0 && total.is_finite()) {
        return (random.bits() % chances.len().max(1) as u64) as usize;
    }
    let mut last = 0;
    for (i, chance) in chances.iter().enumerate().filter(|(_, chance)| **chance > 0.0) {
        last = i;
        left -= chance;
        if left < 0.0 {
            break;
        }
    }
    last
}
