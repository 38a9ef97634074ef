//! Numbers that say how good a partition is; N is the sum of the sample weights.

use super::linear::{cholesky, ln_determinant};
use super::prototypes::Prototypes;
use super::sums::Sums;
use serde::{Deserialize, Serialize};

/// Validity indices of a partition, each with its definition and, in brackets, the peers that have the same number for
/// the same partition (fclust 2.1, e1071 1.7, scikit-fuzzy 0.5, fuzzy-c-means 2.3; Octave's as the room's sources say).
///
/// u are [memberships](super::Partition::memberships): typicalities of possibilistic clusters, and without the noise
/// cluster's share. Where clusters have metrics of their own, XB and FS are Euclidean.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Indices {
    /// PC = Σₖᵢ uₖᵢ² / N, 1 for crisp and 1/C for no clusters at all (scikit-fuzzy's `fpc`, fuzzy-c-means, e1071,
    /// fclust).
    pub partition_coefficient: f64,
    /// PE = −Σₖᵢ uₖᵢ ln uₖᵢ / N, 0 for crisp and ln C for no clusters at all (e1071, fclust; fuzzy-c-means has base 2).
    pub partition_entropy: f64,
    /// MPC = 1 − C/(C − 1)·(1 − PC), from 0 to 1 whatever C is (fclust); absent for one cluster.
    pub modified_partition_coefficient: Option<f64>,
    /// XB = Σₖᵢ uₖᵢᵐ ‖xᵢ − vₖ‖² / (N · min ‖vⱼ − vₖ‖²), small for compact and separate clusters (fuzzy-c-means, fclust;
    /// Octave's is C times this, e1071's an N-th of it); absent for one cluster or where centers coincide.
    pub xie_beni: Option<f64>,
    /// FS = Σₖᵢ uₖᵢᵐ (‖xᵢ − vₖ‖² − ‖vₖ − x̄‖²) with x̄ the mean of the data, very negative is good (fuzzy-c-means and e1071
    /// take the mean of the centers for x̄).
    pub fukuyama_sugeno: f64,
    /// FHV = Σₖ √det Fₖ with the fuzzy covariances of equation (7), whose uᵐ are the degrees of equation (10) for
    /// possibilistic-fuzzy clusters; small is good (e1071 weighs rows in F with u instead of uᵐ); absent above 16 columns unless the metric needs covariances, and where values are missing.
    pub fuzzy_hypervolume: Option<f64>,
}

/// Columns up to which covariances are made for the hypervolume alone.
pub(super) const HYPERVOLUME_COLUMNS: usize = 16;

/// The indices from the final `sums`; `masses` are Σᵢ uₖᵢᵐ of the memberships.
pub(super) fn indices(prototypes: &Prototypes, sums: &Sums, masses: &[f64], mean: &[f64]) -> Indices {
    let Some(statistics) = &sums.statistics else { return Indices::default() };
    let clusters = prototypes.clusters() as f64;
    let pc = statistics.squares / sums.weight;
    let compact: f64 = match &prototypes.shapes {
        None => statistics.spreads.iter().sum(),
        Some(_) => trace(&sums.scatter, prototypes.columns()),
    };
    let separation: f64 =
        (0..prototypes.clusters()).map(|k| masses[k] * squared_distance(prototypes.center(k), mean)).sum();
    let nearest = nearest_pair(prototypes).map(|(d, _, _)| d);
    Indices {
        partition_coefficient: pc,
        partition_entropy: statistics.entropy / sums.weight,
        modified_partition_coefficient: (clusters > 1.0)
            .then(|| 1.0 - clusters / (clusters - 1.0) * (1.0 - pc)),
        xie_beni: nearest.filter(|d| *d > 0.0).map(|d| compact / (sums.weight * d)),
        fukuyama_sugeno: (compact - separation) * prototypes.space.unit,
        fuzzy_hypervolume: hypervolume(prototypes, sums),
    }
}

/// The sum of the diagonals of n × n matrices.
fn trace(matrices: &[f64], n: usize) -> f64 {
    let diagonal = |matrix: &[f64]| matrix.iter().step_by(n + 1).sum::<f64>();
    matrices.chunks_exact(n * n).map(diagonal).sum()
}

/// The squared distance of the two nearest centers and which they are.
pub(super) fn nearest_pair(prototypes: &Prototypes) -> Option<(f64, usize, usize)> {
    let pairs = (0..prototypes.clusters()).flat_map(|b| (0..b).map(move |a| (a, b)));
    pairs
        .map(|(a, b)| (squared_distance(prototypes.center(a), prototypes.center(b)), a, b))
        .min_by(|x, y| x.0.total_cmp(&y.0))
}

pub(super) fn squared_distance(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum()
}

fn hypervolume(prototypes: &Prototypes, sums: &Sums) -> Option<f64> {
    let n = prototypes.columns();
    if sums.scatter.is_empty() {
        return None;
    }
    let space = &prototypes.space;
    let mut unit: f64 = space.scale.iter().map(|s| -s.ln()).sum();
    if let Some(back) = &space.back {
        unit += 0.5 * ln_determinant(back, n);
    }
    let volume = |k: usize| {
        let covariance: Vec<f64> =
            sums.scatter[k * n * n..][..n * n].iter().map(|s| s / sums.masses[k]).collect();
        // A flat cluster has no volume.
        cholesky(&covariance, n).map_or(0.0, |l| (0.5 * ln_determinant(&l, n) + unit).exp())
    };
    Some((0..prototypes.clusters()).map(volume).sum())
}
