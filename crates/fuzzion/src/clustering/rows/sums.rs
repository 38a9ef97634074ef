//! Sums over rows, the result of a sweep; they can be merged across chunks, files and machines.

use crate::clustering::error::{ClusteringError, Result};
use crate::data::encoded;
use serde::{Deserialize, Serialize};

/// Sums over rows at fixed prototypes, sufficient for one iteration.
///
/// Sums of disjoint rows can be merged, so several machines can share a fit: each computes
/// [`Partition::sums`](crate::clustering::Partition::sums) of its own rows at the same partition; one merges them and
/// performs the iteration with [`Partition::update`](crate::clustering::Partition::update).
///
/// ```
/// use fuzzion::{Device, Samples, clustering::FuzzyCMeans};
/// let device = Device::cpu()?;
/// let (some, others) = (Samples::new(1, &[1.0, 3.0])?, Samples::new(1, &[8.0])?);
/// let mut partition = FuzzyCMeans::new(1).fit(&some, &device)?; // the mean of some rows, 2
/// let mut sums = partition.sums(some, &device)?;
/// sums.merge(&partition.sums(others, &device)?)?;
/// partition.update(&sums)?;
/// assert_eq!((sums.rows, sums.masses[0]), (3, 3.0));
/// assert!((partition.centers.to_f64()[0] - 4.0).abs() < 1e-12); // the mean of all rows
/// # Ok::<(), fuzzion::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sums {
    pub(in crate::clustering) columns: usize,
    /// Number of rows.
    pub rows: u64,
    /// Sum of the sample weights.
    pub weight: f64,
    /// J, Equation (1), in internal units.
    pub objective: f64,
    /// Σᵢ uₖᵢᵐ of each cluster.
    pub masses: Vec<f64>,
    /// Σᵢ uₖᵢᵐ xᵢ, clusters × columns, in internal coordinates.
    pub moments: Vec<f64>,
    /// Σᵢ uₖᵢᵐ over the rows in which the column is present, clusters × columns; empty unless values may be missing.
    #[serde(rename = "seen")]
    pub column_masses: Vec<f64>,
    /// Σᵢ uₖᵢᵐ (xᵢ − vₖ)(xᵢ − vₖ)ᵀ, clusters × columns × columns; empty unless covariances are needed.
    pub scatter: Vec<f64>,
    /// Sums for the report; `None` while iterating.
    #[serde(rename = "statistics")]
    pub quality: Option<QualitySums>,
}

/// Sums for the quality measures of a report.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct QualitySums {
    /// Σᵢ uₖᵢ of each cluster.
    pub memberships: Vec<f64>,
    /// Total weight of the rows whose largest membership is in this cluster.
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

encoded! {
    Sums { columns, rows, weight, objective, masses, moments, column_masses, scatter, quality }
}
encoded! { QualitySums { memberships, sizes, spreads, squares, entropy, distances } }

/// Optional sums of a sweep.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct RequestedSums {
    pub(in crate::clustering) scatter: bool,
    pub(in crate::clustering) quality: bool,
}

encoded! { RequestedSums { scatter, quality } }

impl Sums {
    pub(in crate::clustering) fn zero(
        clusters: usize,
        columns: usize,
        partial: bool,
        requested: RequestedSums,
    ) -> Self {
        let zeros = |n: usize| vec![0.0; n];
        Sums {
            columns,
            rows: 0,
            weight: 0.0,
            objective: 0.0,
            masses: zeros(clusters),
            moments: zeros(clusters * columns),
            column_masses: zeros(if partial { clusters * columns } else { 0 }),
            scatter: zeros(if requested.scatter { clusters * columns * columns } else { 0 }),
            quality: requested.quality.then(|| QualitySums {
                memberships: zeros(clusters),
                sizes: zeros(clusters),
                spreads: zeros(clusters),
                ..QualitySums::default()
            }),
        }
    }

    /// Quality sums of a sweep that requested them.
    pub(in crate::clustering) fn quality(&self) -> &QualitySums {
        self.quality.as_ref().expect("invariant: quality sums were requested")
    }

    /// Adds the sums of other rows at the same prototypes.
    ///
    /// # Errors
    /// [`ClusteringError::SumsShape`] if the numbers of clusters or columns differ.
    pub fn merge(&mut self, other: &Sums) -> Result<()> {
        self.require_shape((self.masses.len(), self.columns))?;
        other.require_shape((self.masses.len(), self.columns))?;
        let kinds = |s: &Sums| (s.column_masses.len(), s.scatter.len(), s.quality.is_some());
        if kinds(self) != kinds(other) {
            let shape = |s: &Sums| (s.masses.len(), s.columns);
            return Err(ClusteringError::SumsShape { found: shape(other), expected: shape(self) });
        }
        self.add(other);
        Ok(())
    }

    /// Checks that the sums have the `expected` numbers of clusters and columns and consistent lengths.
    pub(in crate::clustering) fn require_shape(&self, expected: (usize, usize)) -> Result<()> {
        let (clusters, columns) = expected;
        let each = |list: &[f64], n: usize| list.len() == n;
        let all_or_none = |list: &[f64], n: usize| list.is_empty() || list.len() == n;
        let quality = self.quality.as_ref().is_none_or(|s| {
            [&s.memberships, &s.sizes, &s.spreads].into_iter().all(|list| each(list, clusters))
        });
        let fits = self.columns == columns
            && each(&self.masses, clusters)
            && each(&self.moments, clusters * columns)
            && all_or_none(&self.column_masses, clusters * columns)
            && all_or_none(&self.scatter, clusters * columns * columns)
            && quality;
        if fits {
            Ok(())
        } else {
            Err(ClusteringError::SumsShape { found: (self.masses.len(), self.columns), expected })
        }
    }

    /// Like [`Sums::merge`], for sums of the same shape.
    pub(in crate::clustering) fn add(&mut self, other: &Sums) {
        assert!(
            self.quality.is_some() == other.quality.is_some(),
            "invariant: both sums have the same parts"
        );
        let add = |a: &mut [f64], b: &[f64]| a.iter_mut().zip(b).for_each(|(a, b)| *a += b);
        self.rows += other.rows;
        self.weight += other.weight;
        self.objective += other.objective;
        add(&mut self.masses, &other.masses);
        add(&mut self.moments, &other.moments);
        add(&mut self.column_masses, &other.column_masses);
        add(&mut self.scatter, &other.scatter);
        if let (Some(a), Some(b)) = (&mut self.quality, &other.quality) {
            add(&mut a.memberships, &b.memberships);
            add(&mut a.sizes, &b.sizes);
            add(&mut a.spreads, &b.spreads);
            a.squares += b.squares;
            a.entropy += b.entropy;
            a.distances += b.distances;
        }
    }

    /// Centers by Equation (3); an empty cluster keeps its center from `old`.
    #[doc(hidden)]
    pub fn centers(&self, old: &[f64]) -> Vec<f64> {
        let center = |(i, old): (usize, &f64)| {
            let mass = if self.column_masses.is_empty() {
                self.masses[i / self.columns]
            } else {
                self.column_masses[i]
            };
            if mass > 0.0 { self.moments[i] / mass } else { *old }
        };
        old.iter().enumerate().map(center).collect()
    }
}
