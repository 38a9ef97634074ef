//! Adaptive metrics from fuzzy covariances: Gustafson-Kessel, Equation (7), and Gath-Geva, Equation (8).

use crate::clustering::numerics::linear::{
    cholesky, compose, eigen, invert_lower, ln_determinant, regular_cholesky,
};
use crate::clustering::prototypes::{ClusterMetrics, Prototypes};
use crate::clustering::rows::sums::Sums;

/// Largest ratio of the eigenvalues of a regularized covariance (Babuska's β).
const CONDITION: f64 = 1e15;
/// γ for singular covariances if the user requested no regularization.
const MIN_GAMMA: f64 = 1e-6;

/// Metric of each cluster, computed from its covariance.
#[derive(Clone, Debug)]
pub(in crate::clustering) enum AdaptiveMetric {
    /// Missing `volumes` default to 1.
    GustafsonKessel {
        volumes: Option<Vec<f64>>,
        regularize: f64,
    },
    GathGeva,
}

impl AdaptiveMetric {
    /// Computes the metrics from the covariances in `sums` about the centers `next`.
    ///
    /// Clusters regularized without a request by the user are added to `regularized_clusters`.
    pub(in crate::clustering) fn cluster_metrics(
        &self,
        sums: &Sums,
        old: &Prototypes,
        next: &[f64],
        mean_eigenvalue: f64,
        regularized_clusters: &mut Vec<usize>,
    ) -> ClusterMetrics {
        let n = old.columns();
        let clusters = old.clusters();
        let mut metrics =
            ClusterMetrics { factors: Vec::new(), offsets: Vec::new(), covariances: Vec::new() };
        for k in 0..clusters {
            let covariance = covariance(sums, old, next, k);
            let (covariance, l) = self.regularize(covariance, n, mean_eigenvalue, k, regularized_clusters);
            let ln_determinant = ln_determinant(&l, n);
            let mut factor = invert_lower(&l, n);
            let offset = match self {
                AdaptiveMetric::GustafsonKessel { volumes, .. } => {
                    let volume = volumes.as_ref().map_or(1.0, |volumes| volumes[k]);
                    let scale = ((volume.ln() + ln_determinant) / n as f64 * 0.5).exp();
                    factor.iter_mut().for_each(|r| *r *= scale);
                    0.0
                }
                AdaptiveMetric::GathGeva => {
                    let total = sums.quality().memberships[k];
                    let prior = (total / sums.weight).max(f64::MIN_POSITIVE);
                    0.5 * ln_determinant - prior.ln()
                }
            };
            metrics.factors.extend(factor);
            metrics.offsets.push(offset);
            metrics.covariances.extend(covariance);
        }
        metrics
    }

    /// Returns the covariance, regularized if requested or necessary, and its Cholesky factor.
    fn regularize(
        &self,
        covariance: Vec<f64>,
        n: usize,
        mean_eigenvalue: f64,
        k: usize,
        regularized_clusters: &mut Vec<usize>,
    ) -> (Vec<f64>, Vec<f64>) {
        let requested = match self {
            AdaptiveMetric::GustafsonKessel { regularize, .. } => *regularize,
            AdaptiveMetric::GathGeva => 0.0,
        };
        let covariance = if requested > 0.0 {
            regularized(&covariance, n, mean_eigenvalue, requested)
        } else {
            covariance
        };
        if let Some(l) = regular_cholesky(&covariance, n) {
            return (covariance, l);
        }
        if !regularized_clusters.contains(&k) {
            regularized_clusters.push(k);
        }
        let mut gamma = MIN_GAMMA;
        loop {
            let regular = regularized(&covariance, n, mean_eigenvalue, gamma);
            match cholesky(&regular, n) {
                Some(l) => return (regular, l),
                // γ = 1 is a sphere, which has a Cholesky factor.
                None if gamma < 1.0 => gamma = (gamma * 100.0).min(1.0),
                None => {
                    let mut sphere = vec![0.0; n * n];
                    (0..n).for_each(|i| sphere[i * n + i] = mean_eigenvalue.max(f64::MIN_POSITIVE));
                    let root = sphere.iter().map(|x| x.sqrt()).collect();
                    return (sphere, root);
                }
            }
        }
    }
}

/// F of one cluster about its next center, from the scatter about the old center.
pub(in crate::clustering) fn covariance(sums: &Sums, old: &Prototypes, next: &[f64], k: usize) -> Vec<f64> {
    let n = old.columns();
    let shift = |i: usize| next[k * n + i] - old.centers[k * n + i];
    let mass = sums.masses[k].max(f64::MIN_POSITIVE);
    let entry = |at: usize| sums.scatter[k * n * n + at] / mass - shift(at / n) * shift(at % n);
    (0..n * n).map(entry).collect()
}

/// (1 − γ)F + γ·mean_eigenvalue·I, with all eigenvalues at least the largest one divided by [`CONDITION`].
///
/// Source: R. Babuska, P. J. van der Veen, U. Kaymak, "Improved covariance estimation for Gustafson-Kessel
/// clustering", 2002.
fn regularized(covariance: &[f64], n: usize, mean_eigenvalue: f64, gamma: f64) -> Vec<f64> {
    let mut mixed: Vec<f64> = covariance.iter().map(|x| (1.0 - gamma) * x).collect();
    (0..n).for_each(|i| mixed[i * n + i] += gamma * mean_eigenvalue);
    let (mut values, vectors) = eigen(&mixed, n);
    let largest = values.iter().copied().fold(0.0, f64::max);
    values.iter_mut().for_each(|x| *x = x.max(largest / CONDITION));
    compose(&values, &vectors, n)
}
