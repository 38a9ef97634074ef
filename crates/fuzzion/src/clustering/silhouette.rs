//! How much nearer rows are to their own cluster than to the next one, on a sample.

use super::indices::squared_distance;
use super::partition::Partition;
use super::starts::draw;
use crate::data::Table;
use crate::device::Device;
use crate::error::Result;
use crate::random::Random;

impl Partition {
    /// The fuzzy silhouette of at most `sample` rows drawn for `seed`, from −1 to 1; large is good.
    ///
    /// FSI = Σᵢ (u₁ᵢ − u₂ᵢ) sᵢ / Σᵢ (u₁ᵢ − u₂ᵢ) with u₁ and u₂ the two largest memberships of a row, and sᵢ = (b − a)/max(a, b),
    /// where a is its mean distance to the other rows of its cluster and b the smallest mean distance to those of another
    /// one, rows being assigned to their largest membership (the same number as fuzzy-c-means's `fuzzy_silhouette` and
    /// fclust's `SIL.F` where all rows are taken). Distances are those of the space in which a diagonal or Mahalanobis
    /// metric is Euclidean, and Euclidean ones for clusters with metrics of their own; weights of rows do not count. The time
    /// grows with `sample` squared. `None` where fewer than two clusters have rows.
    ///
    /// Source: R. J. G. B. Campello, E. R. Hruschka, "A fuzzy extension of the silhouette width criterion", 2006.
    ///
    /// # Errors
    /// As [`Partition::memberships`].
    pub fn silhouette(
        &self,
        samples: &Table,
        sample: usize,
        seed: u64,
        device: &Device,
    ) -> Result<Option<f64>> {
        let picked = draw(samples.rows() as u64, sample.max(2) as u64, &mut Random::new(seed));
        let row = |row: &u64| {
            (0..samples.columns()).map(move |i| samples.get(*row as usize, i).unwrap_or(f64::NAN)).collect()
        };
        let rows: Vec<Vec<f64>> = picked.iter().map(row).collect();
        let table = Table::new(samples.names(), rows.concat())?;
        let top = self.top_memberships(&table, 2, device)?;
        let points: Vec<Vec<f64>> = rows.iter().map(|row| self.prototypes.space.enter(row)).collect();
        let label = |i: usize| top.clusters[i * top.top] as usize;
        let (mut up, mut down) = (0.0, 0.0);
        for (i, point) in points.iter().enumerate() {
            let mut sums = vec![(0.0, 0usize); self.clusters()];
            for (j, other) in points.iter().enumerate().filter(|(j, _)| *j != i) {
                if let Some(distance) = self.distance(point, other) {
                    let (sum, count) = &mut sums[label(j)];
                    *sum += distance;
                    *count += 1;
                }
            }
            let mean = |(sum, count): &(f64, usize)| (*count > 0).then(|| sum / *count as f64);
            let others = sums.iter().enumerate().filter(|(k, _)| *k != label(i));
            let Some(next) = others.filter_map(|(_, sum)| mean(sum)).min_by(f64::total_cmp) else {
                return Ok(None);
            };
            // A row alone in its cluster has silhouette 0.
            let s = mean(&sums[label(i)]).map_or(0.0, |own| (next - own) / next.max(own));
            let second = if top.top > 1 { top.memberships[i * top.top + 1] } else { 0.0 };
            let weight = top.memberships[i * top.top] - second;
            up += if s.is_nan() { 0.0 } else { weight * s };
            down += weight;
        }
        Ok((down > 0.0).then(|| up / down))
    }
    /// How far two points are apart, over the columns that both have; `None` where there is none.
    fn distance(&self, a: &[f64], b: &[f64]) -> Option<f64> {
        if !self.prototypes.space.partial {
            return Some(squared_distance(a, b).sqrt());
        }
        let squares = a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).filter(|square| !square.is_nan());
        let (sum, seen) = squares.fold((0.0, 0usize), |(sum, seen), square| (sum + square, seen + 1));
        (seen > 0).then(|| (sum * a.len() as f64 / seen as f64).sqrt())
    }
}
