//! Cluster validity indices; N is the sum of the sample weights.

use crate::clustering::numerics::linear::{cholesky, ln_determinant, squared_distance};
use crate::clustering::prototypes::Prototypes;
use crate::clustering::rows::sums::Sums;
use serde::{Deserialize, Serialize};

/// Cluster validity indices. Packages that compute the same value for the same partition are in parentheses (fclust
/// 2.1, e1071 1.7, scikit-fuzzy 0.5, fuzzy-c-means 2.3; Octave according to its source code).
///
/// u are the [memberships](crate::clustering::Partition::memberships): typicalities for possibilistic clustering, and
/// without the noise cluster. XB and FS use Euclidean distances if each cluster has its own metric.
///
/// ```
/// use fuzzion::{Device, Samples, Table, clustering::{FuzzyCMeans, InitialCenters}};
/// let centers = InitialCenters::Centers(Table::unnamed(1, vec![0.0, 4.0])?);
/// let settings = FuzzyCMeans::new(2).initial_centers(centers).max_iterations(0);
/// let indices = settings.fit(Samples::new(1, &[0.0, 4.0])?, &Device::cpu()?)?.report.indices;
/// // All memberships are 0 or 1, and every row is a center.
/// assert_eq!((indices.partition_coefficient, indices.partition_entropy), (1.0, 0.0));
/// assert_eq!((indices.modified_partition_coefficient, indices.xie_beni), (Some(1.0), Some(0.0)));
/// # Ok::<(), fuzzion::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Indices {
    /// PC = Σₖᵢ uₖᵢ² / N, from 1/C (all memberships equal) to 1 (crisp) (scikit-fuzzy's `fpc`, fuzzy-c-means, e1071,
    /// fclust).
    pub partition_coefficient: f64,
    /// PE = −Σₖᵢ uₖᵢ ln uₖᵢ / N, from 0 (crisp) to ln C (all memberships equal) (e1071, fclust; fuzzy-c-means uses
    /// log₂).
    pub partition_entropy: f64,
    /// MPC = 1 − C/(C − 1)·(1 − PC), from 0 to 1 for every C (fclust); `None` for one cluster.
    pub modified_partition_coefficient: Option<f64>,
    /// XB = Σₖᵢ uₖᵢᵐ ‖xᵢ − vₖ‖² / (N · min ‖vⱼ − vₖ‖²), small for compact, separated clusters (fuzzy-c-means, fclust;
    /// Octave multiplies it by C, e1071 divides it by N); `None` for one cluster or coincident centers.
    pub xie_beni: Option<f64>,
    /// FS = Σₖᵢ uₖᵢᵐ (‖xᵢ − vₖ‖² − ‖vₖ − x̄‖²) with x̄ the mean of the data; lower is better (fuzzy-c-means and e1071
    /// use the mean of the centers as x̄); clamped to the range of finite numbers.
    pub fukuyama_sugeno: f64,
    /// FHV = Σₖ √det Fₖ with the fuzzy covariances of Equation (7), in which uᵐ are the degrees of Equation (10) for
    /// possibilistic-fuzzy clustering; lower is better (e1071 weights F by u instead of uᵐ). As for the other indices, the
    /// coordinates are those of the metric: standardized columns for the diagonal metric, whitened ones for Mahalanobis.
    /// `None` for missing values, if it is not finite, and above 16 columns unless the metric computes covariances.
    pub fuzzy_hypervolume: Option<f64>,
}

/// Largest number of columns for which covariances are computed only for the hypervolume.
pub(in crate::clustering) const HYPERVOLUME_COLUMNS: usize = 16;

/// Computes the indices from the final `sums`; `masses` are Σᵢ uₖᵢᵐ of the memberships.
pub(in crate::clustering) fn indices(
    prototypes: &Prototypes,
    sums: &Sums,
    masses: &[f64],
    mean: &[f64],
) -> Indices {
    let quality = sums.quality();
    let clusters = prototypes.clusters() as f64;
    let pc = quality.squares / sums.weight;
    let compactness: f64 = match &prototypes.cluster_metrics {
        None => quality.spreads.iter().sum(),
        Some(_) => trace(&sums.scatter, prototypes.columns()),
    };
    let separation: f64 =
        (0..prototypes.clusters()).map(|k| masses[k] * squared_distance(prototypes.center(k), mean)).sum();
    let nearest = nearest_pair(prototypes).map(|(d, _, _)| d);
    Indices {
        partition_coefficient: pc,
        partition_entropy: quality.entropy / sums.weight,
        modified_partition_coefficient: (clusters > 1.0)
            .then(|| 1.0 - clusters / (clusters - 1.0) * (1.0 - pc)),
        xie_beni: nearest
            .filter(|d| *d > 0.0)
            .map(|d| compactness / (sums.weight * d))
            .filter(|xb| xb.is_finite()),
        fukuyama_sugeno: in_units(compactness - separation, prototypes.space.unit),
        fuzzy_hypervolume: hypervolume(prototypes, sums),
    }
}

/// `value` · `unit`, clamped to the range of finite numbers.
fn in_units(value: f64, unit: f64) -> f64 {
    if value == 0.0 { 0.0 } else { (value * unit).clamp(f64::MIN, f64::MAX) }
}

/// Sum of the traces of n × n matrices.
fn trace(matrices: &[f64], n: usize) -> f64 {
    let diagonal = |matrix: &[f64]| matrix.iter().step_by(n + 1).sum::<f64>();
    matrices.chunks_exact(n * n).map(diagonal).sum()
}

/// Squared distance and indices of the two nearest centers.
pub(in crate::clustering) fn nearest_pair(prototypes: &Prototypes) -> Option<(f64, usize, usize)> {
    let pairs = (0..prototypes.clusters()).flat_map(|b| (0..b).map(move |a| (a, b)));
    pairs
        .map(|(a, b)| (squared_distance(prototypes.center(a), prototypes.center(b)), a, b))
        .min_by(|x, y| x.0.total_cmp(&y.0))
}

fn hypervolume(prototypes: &Prototypes, sums: &Sums) -> Option<f64> {
    let n = prototypes.columns();
    if sums.scatter.is_empty() {
        return None;
    }
    let space = &prototypes.space;
    // Cluster metrics do not depend on the scales of the columns, so that their volumes are those of the data.
    let unit: f64 = match &prototypes.cluster_metrics {
        None => n as f64 * space.length_unit().ln(),
        Some(_) => space.scale.iter().map(|s| -s.ln()).sum(),
    };
    let volume = |k: usize| {
        let covariance: Vec<f64> =
            sums.scatter[k * n * n..][..n * n].iter().map(|s| s / sums.masses[k]).collect();
        // A degenerate cluster has no volume.
        cholesky(&covariance, n).map_or(0.0, |l| (0.5 * ln_determinant(&l, n) + unit).exp())
    };
    let volumes: f64 = (0..prototypes.clusters()).map(volume).sum();
    volumes.is_finite().then_some(volumes)
}
