//! The clusters' own metrics from their covariances: Gustafson-Kessel, equation (7), and Gath-Geva, equation (8).

use super::linear::{cholesky, compose, eigen, invert_lower, ln_determinant, regular_cholesky};
use super::prototypes::{Prototypes, Shapes};
use super::sums::Sums;

/// The largest ratio of eigenvalues that a regularised covariance may have (Babuska's β).
const CONDITION: f64 = 1e15;
/// γ where a covariance is singular and the user asked for none.
const RESCUE: f64 = 1e-6;

/// How the clusters' metrics follow from their covariances.
#[derive(Clone, Debug)]
pub(super) enum Shaping {
    /// `volumes` are 1 where none are given.
    GustafsonKessel {
        volumes: Option<Vec<f64>>,
        regularize: f64,
    },
    GathGeva,
}

impl Shaping {
    /// The metrics for the covariances in `sums` about the centers `next`; `size` is det^(1/p) of the data's covariance.
    ///
    /// Clusters whose covariance had to be regularised without being asked for are added to `rescued`.
    pub(super) fn shapes(
        &self,
        sums: &Sums,
        old: &Prototypes,
        next: &[f64],
        size: f64,
        rescued: &mut Vec<usize>,
    ) -> Shapes {
        let n = old.columns();
        let clusters = old.clusters();
        let mut shapes = Shapes { maps: Vec::new(), offsets: Vec::new(), covariances: Vec::new() };
        for k in 0..clusters {
            let covariance = covariance(sums, old, next, k);
            let (covariance, l) = self.mend(covariance, n, size, k, rescued);
            let ln_determinant = ln_determinant(&l, n);
            let mut map = invert_lower(&l, n);
            let offset = match self {
                Shaping::GustafsonKessel { volumes, .. } => {
                    let volume = volumes.as_ref().map_or(1.0, |volumes| volumes[k]);
                    let factor = ((volume.ln() + ln_determinant) / n as f64 * 0.5).exp();
                    map.iter_mut().for_each(|r| *r *= factor);
                    0.0
                }
                Shaping::GathGeva => {
                    let total = sums.statistics.as_ref().map_or(0.0, |s| s.memberships[k]);
                    let prior = (total / sums.weight).max(f64::MIN_POSITIVE);
                    0.5 * ln_determinant - prior.ln()
                }
            };
            shapes.maps.extend(map);
            shapes.offsets.push(offset);
            shapes.covariances.extend(covariance);
        }
        shapes
    }

    /// The covariance, regularised where that was asked for or must be, and its triangle.
    fn mend(
        &self,
        covariance: Vec<f64>,
        n: usize,
        size: f64,
        k: usize,
        rescued: &mut Vec<usize>,
    ) -> (Vec<f64>, Vec<f64>) {
        let asked = match self {
            Shaping::GustafsonKessel { regularize, .. } => *regularize,
            Shaping::GathGeva => 0.0,
        };
        let covariance = if asked > 0.0 { regularized(&covariance, n, size, asked) } else { covariance };
        if let Some(l) = regular_cholesky(&covariance, n) {
            return (covariance, l);
        }
        if !rescued.contains(&k) {
            rescued.push(k);
        }
        let mut gamma = RESCUE;
        loop {
            let mended = regularized(&covariance, n, size, gamma);
            match cholesky(&mended, n) {
                Some(l) => return (mended, l),
                // γ = 1 is a sphere, which always has a triangle.
                None if gamma < 1.0 => gamma = (gamma * 100.0).min(1.0),
                None => {
                    let mut sphere = vec![0.0; n * n];
                    (0..n).for_each(|i| sphere[i * n + i] = size.max(f64::MIN_POSITIVE));
                    let root = sphere.iter().map(|x| x.sqrt()).collect();
                    return (sphere, root);
                }
            }
        }
    }
}

/// F of one cluster about its next center, from the scatter about the old one.
pub(super) fn covariance(sums: &Sums, old: &Prototypes, next: &[f64], k: usize) -> Vec<f64> {
    let n = old.columns();
    let move_of = |i: usize| next[k * n + i] - old.centers[k * n + i];
    let mass = sums.masses[k].max(f64::MIN_POSITIVE);
    let entry = |at: usize| sums.scatter[k * n * n + at] / mass - move_of(at / n) * move_of(at % n);
    (0..n * n).map(entry).collect()
}

/// (1 − γ)F + γ·size·I with eigenvalues no smaller than the largest over [`CONDITION`].
///
/// Source: R. Babuska, P. J. van der Veen, U. Kaymak, "Improved covariance estimation for Gustafson-Kessel
/// clustering", 2002.
fn regularized(covariance: &[f64], n: usize, size: f64, gamma: f64) -> Vec<f64> {
    let mut mixed: Vec<f64> = covariance.iter().map(|x| (1.0 - gamma) * x).collect();
    (0..n).for_each(|i| mixed[i * n + i] += gamma * size);
    let (mut values, vectors) = eigen(&mixed, n);
    let most = values.iter().copied().fold(0.0, f64::max);
    values.iter_mut().for_each(|x| *x = x.max(most / CONDITION));
    compose(&values, &vectors, n)
}
