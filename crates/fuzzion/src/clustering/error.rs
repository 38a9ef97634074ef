//! Errors of clustering.

use crate::base::{SettingError, count, escaped, from_lower};
use crate::data::DataError;
use crate::device::DeviceError;

/// Result type of this module.
pub(crate) type Result<T, E = ClusteringError> = std::result::Result<T, E>;

/// Error in clustering.
///
/// ```
/// use fuzzion::{Device, Samples, clustering::{ClusteringError, FuzzyCMeans}};
/// let error = FuzzyCMeans::new(3).fit(Samples::new(1, &[1.0, 2.0])?, &Device::cpu()?).unwrap_err();
/// assert!(matches!(error, ClusteringError::TooFewRows { clusters: 3, rows: 2 }));
/// # Ok::<(), fuzzion::Error>(())
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ClusteringError {
    /// A table without a numeric column to cluster.
    #[error("no numeric column to cluster; select at least one besides labels and weights")]
    NoColumns,

    /// More clusters than rows.
    #[error(
        "cannot form {} from {}; use at most as many clusters as rows",
        count(clusters, "clusters"),
        count(rows, "rows")
    )]
    TooFewRows {
        /// Number of clusters.
        clusters: usize,
        /// Number of rows.
        rows: u64,
    },

    /// A table with the wrong shape.
    #[error(
        "the {what} are {} × {} (rows × columns), but they must be {} × {}",
        found.0, found.1, expected.0, expected.1
    )]
    Shape {
        /// The content of the table, such as `samples`.
        what: &'static str,
        /// Its numbers of rows and columns.
        found: (u64, usize),
        /// The expected numbers of rows and columns.
        expected: (u64, usize),
    },

    /// Initial values that are not finite.
    #[error("the {what} contain {value} in row {row}, column {column}; all values must be finite")]
    InitialNotFinite {
        /// The kind of initial values.
        what: &'static str,
        /// The row, from 1.
        row: u64,
        /// The column, from 1.
        column: usize,
        /// The value.
        value: f64,
    },

    /// A constant column with a metric that divides by the spread of each column.
    #[error(
        "column {column} (`{name}`) is constant up to rounding, so the metric cannot divide by its spread; drop the column or use the \
         Euclidean metric",
        name = escaped(name)
    )]
    ConstantColumn {
        /// The column, from 1.
        column: usize,
        /// Its name.
        name: String,
    },

    /// A singular covariance matrix.
    #[error(
        "the covariance matrix of the {whose} is singular, so it defines no distance; drop linearly dependent columns"
    )]
    SingularCovariance {
        /// The data it belongs to.
        whose: &'static str,
    },

    /// A column whose standard deviation has no finite inverse, with a metric that divides by it.
    #[error(
        "column {column} (`{name}`) has a standard deviation of only {deviation:e}, by which the metric cannot divide; \
         multiply the column by a constant such as 1e300",
        name = escaped(name)
    )]
    NarrowColumn {
        /// The column, from 1.
        column: usize,
        /// Its name.
        name: String,
        /// Its standard deviation.
        deviation: f64,
    },

    /// Sample weights whose sum is too large or too small.
    #[error(
        "the sample weights add up to {}, which is too {}; {} them by a constant, which does not change the clusters",
        if sum.is_finite() { format!("{sum:e}") } else { "more than 1.8e308".into() },
        if *sum < 1.0 { "small" } else { "large" },
        if *sum < 1.0 { "multiply" } else { "divide" }
    )]
    WeightSum {
        /// Their sum.
        sum: f64,
    },

    /// Centers that are not finite, because intermediate results exceed the range of the numbers.
    #[error(
        "the centers are not finite, because the values or sample weights are too large or too small; multiply them by a \
         constant, so that they are near 1"
    )]
    Overflow,

    /// A text column among the columns to cluster.
    #[error(
        "column `{}` contains text, but clustering needs numbers; select numeric columns only",
        escaped(name)
    )]
    TextColumn {
        /// The column.
        name: String,
    },

    /// Data whose columns differ from those of the model.
    #[error("the model was fitted to {model}, but the data has {data}; use data with the model's columns")]
    ModelColumns {
        /// The model's columns.
        model: String,
        /// The columns of the data.
        data: String,
    },

    /// Typicalities requested from a partition that has none.
    #[error(
        "only possibilistic and possibilistic-fuzzy partitions have typicalities; use memberships instead"
    )]
    NoTypicalities,

    /// Sums of different partitions.
    #[error(
        "cannot add sums of {} and {} to sums of {} and {}; compute both for the same partition",
        count(&found.0, "clusters"), count(&found.1, "columns"), count(&expected.0, "clusters"),
        count(&expected.1, "columns")
    )]
    SumsShape {
        /// Numbers of clusters and columns of the added sums.
        found: (usize, usize),
        /// Numbers of clusters and columns of the existing sums.
        expected: (usize, usize),
    },

    /// Statistics that do not fit the state of a distributed fit.
    #[error("cannot continue the distributed fit: {problem}")]
    Distributed {
        /// The problem, and how to fix it.
        problem: String,
    },

    /// An invalid setting.
    #[error(transparent)]
    Setting(#[from] SettingError),

    /// An error of the device.
    #[error(transparent)]
    Device(DeviceError),

    /// An error in reading, writing or the shape of data.
    #[error(transparent)]
    Data(DataError),

    /// The progress callback requested cancellation.
    #[error("interrupted")]
    Interrupted,
}

from_lower! {
    ClusteringError,
    Device(DeviceError),
    Data(DataError: Device);
    kind {}
}
