//! Fuzzy silhouette of a random sample of rows.

use crate::clustering::error::Result;
use crate::clustering::model::Partition;
use crate::clustering::numerics::linear::squared_distance;
use crate::clustering::numerics::sampling::sample_indices;
use crate::data::{Samples, host_samples};
use crate::device::Device;
use crate::random::Random;

impl Partition {
    /// Returns the fuzzy silhouette of at most `sample` random rows, from −1 to 1; higher is better.
    ///
    /// FSI = Σᵢ (u₁ᵢ − u₂ᵢ) sᵢ / Σᵢ (u₁ᵢ − u₂ᵢ) with u₁ and u₂ the two largest memberships of a row, and sᵢ = (b −
    /// a)/max(a, b), where a is the mean distance to the other rows of its cluster and b the smallest mean distance
    /// to the rows of another cluster; rows are assigned to their largest membership. For all rows, it equals
    /// fuzzy-c-means's `fuzzy_silhouette` and fclust's `SIL.F`. Distances are Euclidean, after whitening for a
    /// diagonal or Mahalanobis metric; sample weights are ignored. The run time is quadratic in `sample`. `None` if
    /// fewer than two clusters have rows.
    ///
    /// ```
    /// use fuzzion::{Device, Samples, clustering::FuzzyCMeans};
    /// let (samples, device) = (Samples::new(1, &[0.0, 0.0, 4.0, 4.0])?, Device::cpu()?);
    /// let partition = FuzzyCMeans::new(2).fit(&samples, &device)?;
    /// // a = 0 and b = 4 for every row
    /// assert_eq!(partition.silhouette(&samples, 1000, 0, &device)?, Some(1.0));
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    ///
    /// Source: R. J. G. B. Campello, E. R. Hruschka, "A fuzzy extension of the silhouette width criterion", 2006.
    ///
    /// # Errors
    /// Those of [`Partition::memberships`].
    pub fn silhouette<'a>(
        &self,
        samples: impl Into<Samples<'a>>,
        sample: usize,
        seed: u64,
        device: &Device,
    ) -> Result<Option<f64>> {
        self.sampled_silhouette(&host_samples(samples)?, sample, seed, device)
    }

    fn sampled_silhouette(
        &self,
        samples: &Samples<'_>,
        sample: usize,
        seed: u64,
        device: &Device,
    ) -> Result<Option<f64>> {
        let indices = sample_indices(samples.rows() as u64, sample.max(2) as u64, &mut Random::new(seed));
        let row = |row: &u64| {
            (0..samples.columns())
                .map(move |i| samples.get(*row as usize, i).expect("invariant: sampled rows exist"))
                .collect()
        };
        let rows: Vec<Vec<f64>> = indices.iter().map(row).collect();
        let values = rows.concat();
        let sampled = Samples::new(samples.columns(), &values)?.with_names(samples.names())?;
        let top = self.top_memberships(sampled, 2, device)?;
        let points: Vec<Vec<f64>> = rows.iter().map(|row| self.prototypes.space.to_internal(row)).collect();
        let label = |i: usize| top.clusters[i * top.top] as usize;
        let (mut numerator, mut denominator) = (0.0, 0.0);
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
            let Some(nearest) = others.filter_map(|(_, sum)| mean(sum)).min_by(f64::total_cmp) else {
                return Ok(None);
            };
            // A row alone in its cluster has silhouette 0 by definition.
            let s = mean(&sums[label(i)]).map_or(0.0, |own| (nearest - own) / nearest.max(own));
            let second = if top.top > 1 { top.memberships[i * top.top + 1] } else { 0.0 };
            let weight = top.memberships[i * top.top] - second;
            numerator += if s.is_nan() { 0.0 } else { weight * s };
            denominator += weight;
        }
        Ok((denominator > 0.0).then(|| numerator / denominator))
    }

    /// Distance over the columns present in both points; `None` if there is no such column.
    fn distance(&self, a: &[f64], b: &[f64]) -> Option<f64> {
        if !self.prototypes.space.partial {
            return Some(squared_distance(a, b).sqrt());
        }
        let squares = a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).filter(|square| !square.is_nan());
        let (sum, present) =
            squares.fold((0.0, 0usize), |(sum, present), square| (sum + square, present + 1));
        (present > 0).then(|| (sum * a.len() as f64 / present as f64).sqrt())
    }
}
