//! What a sweep gives back: sums over rows, which add up over chunks, files and machines.

use crate::error::{Error, Result};
use serde::{Deserialize, Serialize};

/// Sums over rows at fixed prototypes, enough to take one step of the iteration.
///
/// Sums of disjoint rows merge to the sums of all of them, so several machines can share a fit: each computes
/// [`Partition::sums`](super::Partition::sums) of its own rows at the same partition, one merges them and takes
/// the step with [`Partition::update`](super::Partition::update).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sums {
    pub(super) columns: usize,
    /// How many rows were summed.
    pub rows: u64,
    /// The sum of their sample weights.
    pub weight: f64,
    /// J, equation (1), in the units of the fit's coordinates.
    pub objective: f64,
    /// Σᵢ uₖᵢᵐ of each cluster.
    pub masses: Vec<f64>,
    /// Σᵢ uₖᵢᵐ xᵢ, clusters × columns, in the fit's coordinates.
    pub moments: Vec<f64>,
    /// Σᵢ uₖᵢᵐ over the rows that have the column, clusters × columns; empty where no value may be missing.
    pub seen: Vec<f64>,
    /// Σᵢ uₖᵢᵐ (xᵢ − vₖ)(xᵢ − vₖ)ᵀ, clusters × columns × columns; empty where covariances are not needed.
    pub scatter: Vec<f64>,
    /// What only the report needs; absent while iterating.
    pub statistics: Option<Statistics>,
}

/// Sums that the report is made of.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Statistics {
    /// Σᵢ uₖᵢ of each cluster.
    pub memberships: Vec<f64>,
    /// How many rows (by weight) belong to this cluster more than to any other.
    pub sizes: Vec<f64>,
    /// Σᵢ uₖᵢᵐ dₖᵢ of each cluster.
    pub spreads: Vec<f64>,
    /// Σₖᵢ uₖᵢ².
    pub squares: f64,
    /// −Σₖᵢ uₖᵢ ln uₖᵢ.
    pub entropy: f64,
    /// Σₖᵢ dₖᵢ.
    pub distances: f64,
}

/// Which sums a sweep makes beyond those of every step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Want {
    pub(super) scatter: bool,
    pub(super) statistics: bool,
}

impl Sums {
    pub(super) fn zero(clusters: usize, columns: usize, partial: bool, want: Want) -> Self {
        let zeros = |n: usize| vec![0.0; n];
        Sums {
            columns,
            rows: 0,
            weight: 0.0,
            objective: 0.0,
            masses: zeros(clusters),
            moments: zeros(clusters * columns),
            seen: zeros(if partial { clusters * columns } else { 0 }),
            scatter: zeros(if want.scatter { clusters * columns * columns } else { 0 }),
            statistics: want.statistics.then(|| Statistics {
                memberships: zeros(clusters),
                sizes: zeros(clusters),
                spreads: zeros(clusters),
                ..Statistics::default()
            }),
        }
    }

    /// Adds the sums of other rows at the same prototypes.
    ///
    /// # Errors
    /// [`Error::SumsShape`] when the two are not of the same clusters and columns.
    pub fn merge(&mut self, other: &Sums) -> Result<()> {
        self.require_shape((self.masses.len(), self.columns))?;
        other.require_shape((self.masses.len(), self.columns))?;
        let kinds = |s: &Sums| (s.seen.len(), s.scatter.len(), s.statistics.is_some());
        if kinds(self) != kinds(other) {
            let shape = |s: &Sums| (s.masses.len(), s.columns);
            return Err(Error::SumsShape { found: shape(other), expected: shape(self) });
        }
        self.add(other);
        Ok(())
    }

    /// Refuses sums that are not of these clusters and columns, or whose parts do not fit together.
    pub(super) fn require_shape(&self, expected: (usize, usize)) -> Result<()> {
        let (clusters, columns) = expected;
        let each = |list: &[f64], n: usize| list.len() == n;
        let all_or_none = |list: &[f64], n: usize| list.is_empty() || list.len() == n;
        let statistics = self.statistics.as_ref().is_none_or(|s| {
            [&s.memberships, &s.sizes, &s.spreads].into_iter().all(|list| each(list, clusters))
        });
        let fits = self.columns == columns
            && each(&self.masses, clusters)
            && each(&self.moments, clusters * columns)
            && all_or_none(&self.seen, clusters * columns)
            && all_or_none(&self.scatter, clusters * columns * columns)
            && statistics;
        if fits {
            Ok(())
        } else {
            Err(Error::SumsShape { found: (self.masses.len(), self.columns), expected })
        }
    }

    pub(super) fn add(&mut self, other: &Sums) {
        let add = |a: &mut [f64], b: &[f64]| a.iter_mut().zip(b).for_each(|(a, b)| *a += b);
        self.rows += other.rows;
        self.weight += other.weight;
        self.objective += other.objective;
        add(&mut self.masses, &other.masses);
        add(&mut self.moments, &other.moments);
        add(&mut self.seen, &other.seen);
        add(&mut self.scatter, &other.scatter);
        if let (Some(a), Some(b)) = (&mut self.statistics, &other.statistics) {
            add(&mut a.memberships, &b.memberships);
            add(&mut a.sizes, &b.sizes);
            add(&mut a.spreads, &b.spreads);
            a.squares += b.squares;
            a.entropy += b.entropy;
            a.distances += b.distances;
        }
    }

    /// The centers these sums ask for, equation (3); a cluster that nothing belongs to stays where it is in `old`.
    pub(super) fn centers(&self, old: &[f64]) -> Vec<f64> {
        let center = |(i, old): (usize, &f64)| {
            let mass = if self.seen.is_empty() { self.masses[i / self.columns] } else { self.seen[i] };
            if mass > 0.0 { self.moments[i] / mass } else { *old }
        };
        old.iter().enumerate().map(center).collect()
    }
}
