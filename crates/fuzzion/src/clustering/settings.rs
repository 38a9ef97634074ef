//! Settings of a fit and their builder methods.

use crate::data::Table;

/// Squared distance between a row and a center.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub enum Metric {
    /// Squared Euclidean distance.
    #[default]
    Euclidean,
    /// Squared differences divided by the column variances.
    Diagonal {
        /// One positive variance per column; defaults to the variances of the data.
        variances: Option<Vec<f64>>,
    },
    /// (x − v)ᵀ S⁻¹ (x − v) with one covariance S for all clusters.
    Mahalanobis {
        /// S, columns × columns in row-major order; defaults to the covariance of the data.
        covariance: Option<Vec<f64>>,
    },
    /// One ellipsoid of fixed volume per cluster, Equation (7).
    GustafsonKessel {
        /// ρ of each cluster; defaults to 1.
        volumes: Option<Vec<f64>>,
        /// Babuska's γ, from 0 (no regularization) to 1 (spheres): shrinks the covariances toward a multiple of the
        /// identity.
        regularize: f64,
    },
    /// One ellipsoid and prior per cluster, Equation (8).
    GathGeva,
}

/// Rule that converts distances to memberships.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub enum Variant {
    /// Fuzzy c-means, Equation (2).
    #[default]
    Fuzzy,
    /// Membership 1 in the nearest cluster, 0 elsewhere (k-means).
    Hard,
    /// Typicalities, Equation (9), which need not sum to 1; the widths are estimated by a preceding fuzzy fit.
    Possibilistic,
    /// Equation (2) with an additional noise cluster for outliers.
    Noise {
        /// δ, the distance of the noise cluster from every row; defaults to √(0.1 × mean squared distance of a fuzzy
        /// fit).
        distance: Option<f64>,
    },
    /// Memberships combined with typicalities, Equation (10).
    PossibilisticFuzzy {
        /// a, the weight of memberships.
        membership: f64,
        /// b, the weight of typicalities.
        typicality: f64,
        /// η, the fuzzifier of typicalities.
        typicality_fuzzifier: f64,
    },
}

/// Initialization of the centers.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub enum InitialCenters {
    /// k-means++: rows drawn one by one with probability proportional to the squared distance to the nearest previous
    /// one.
    #[default]
    KMeansPlusPlus,
    /// Rows drawn at random.
    Random,
    /// Fits of growing random samples, each initialized by the previous one.
    Sample,
    /// Given centers, one per row.
    Centers(Table),
    /// Centers computed from given memberships: one column per cluster, one row per row of the data.
    Memberships(Table),
}

/// Convergence criterion.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Criterion {
    /// Largest shift of a center, relative to the spread of the data.
    #[default]
    CenterShift,
    /// Relative change of the objective.
    Objective,
    /// Largest change of a membership.
    Memberships,
}

/// Handling of missing values (NaN).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum MissingValues {
    /// Return an error that reports the first missing value.
    #[default]
    Error,
    /// Compute distances over the columns present in a row, scaled to all columns, and centers over the rows with a
    /// value.
    Partial,
}

/// Fuzzy c-means and its variants: choose the settings, then call [`FuzzyCMeans::fit`].
///
/// ```
/// use fuzzion::{Device, Table, clustering::FuzzyCMeans};
/// let rows = Table::unnamed(1, vec![0.0, 0.1, 0.2, 9.8, 9.9, 10.0])?;
/// let partition = FuzzyCMeans::new(2).seed(42).fit(&rows, &Device::cpu()?)?;
/// let mut centers = partition.centers.to_f64().to_vec();
/// centers.sort_by(f64::total_cmp);
/// assert!((centers[0] - 0.1).abs() < 0.01 && (centers[1] - 9.9).abs() < 0.01);
/// # Ok::<(), fuzzion::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct FuzzyCMeans {
    /// C, the number of clusters.
    pub clusters: usize,
    /// m > 1; larger values give softer clusters. Default: 2.
    pub fuzzifier: f64,
    /// Squared distance between a row and a center.
    pub metric: Metric,
    /// Rule that converts distances to memberships.
    pub variant: Variant,
    /// Initialization of the centers.
    pub initial_centers: InitialCenters,
    /// Number of random initializations; the fit with the lowest objective is returned. Default: 1.
    pub n_init: usize,
    /// Random seed.
    pub seed: u64,
    /// Maximum number of sweeps over the data. Default: 300.
    pub max_iterations: usize,
    /// Tolerance of the convergence criterion. Default: 1e-5.
    pub tolerance: f64,
    /// Convergence criterion.
    pub criterion: Criterion,
    /// Whether to use plain alternating steps instead of accelerated ones; the fixed points are the same.
    pub plain: bool,
    /// Handling of missing values (NaN).
    pub missing: MissingValues,
}

impl FuzzyCMeans {
    /// Creates settings for `clusters` clusters with fuzzifier 2, the Euclidean metric and k-means++ initialization.
    pub fn new(clusters: usize) -> Self {
        FuzzyCMeans {
            clusters,
            fuzzifier: 2.0,
            metric: Metric::default(),
            variant: Variant::default(),
            initial_centers: InitialCenters::default(),
            n_init: 1,
            seed: 0,
            max_iterations: 300,
            tolerance: 1e-5,
            criterion: Criterion::default(),
            plain: false,
            missing: MissingValues::default(),
        }
    }

    /// Sets [`FuzzyCMeans::fuzzifier`].
    #[must_use]
    pub fn fuzzifier(mut self, fuzzifier: f64) -> Self {
        self.fuzzifier = fuzzifier;
        self
    }

    /// Sets [`FuzzyCMeans::metric`].
    #[must_use]
    pub fn metric(mut self, metric: Metric) -> Self {
        self.metric = metric;
        self
    }

    /// Sets [`FuzzyCMeans::variant`].
    #[must_use]
    pub fn variant(mut self, variant: Variant) -> Self {
        self.variant = variant;
        self
    }

    /// Sets [`FuzzyCMeans::initial_centers`].
    #[must_use]
    pub fn initial_centers(mut self, initial_centers: InitialCenters) -> Self {
        self.initial_centers = initial_centers;
        self
    }

    /// Sets [`FuzzyCMeans::n_init`].
    #[must_use]
    pub fn n_init(mut self, n_init: usize) -> Self {
        self.n_init = n_init;
        self
    }

    /// Sets [`FuzzyCMeans::seed`].
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// Sets [`FuzzyCMeans::max_iterations`].
    #[must_use]
    pub fn max_iterations(mut self, max_iterations: usize) -> Self {
        self.max_iterations = max_iterations;
        self
    }

    /// Sets [`FuzzyCMeans::tolerance`].
    #[must_use]
    pub fn tolerance(mut self, tolerance: f64) -> Self {
        self.tolerance = tolerance;
        self
    }

    /// Sets [`FuzzyCMeans::criterion`].
    #[must_use]
    pub fn criterion(mut self, criterion: Criterion) -> Self {
        self.criterion = criterion;
        self
    }

    /// Sets [`FuzzyCMeans::plain`].
    #[must_use]
    pub fn plain(mut self, plain: bool) -> Self {
        self.plain = plain;
        self
    }

    /// Sets [`FuzzyCMeans::missing`].
    #[must_use]
    pub fn missing(mut self, missing: MissingValues) -> Self {
        self.missing = missing;
        self
    }
}
