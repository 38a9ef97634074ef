//! Convergence, quality and warnings of a fit.

use super::indices::Indices;
use crate::stop::Stop;
use serde::{Deserialize, Serialize};
use std::fmt;

/// Convergence and quality of a fit.
///
/// ```
/// use fuzzion::{Device, Samples, clustering::{FuzzyCMeans, Stop}};
/// let report = FuzzyCMeans::new(1).fit(Samples::new(1, &[0.0, 2.0])?, &Device::cpu()?)?.report;
/// assert_eq!((report.stop, report.objective, report.sizes), (Stop::Converged, 2.0, vec![2.0]));
/// assert!(report.warnings.is_empty());
/// # Ok::<(), fuzzion::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ClusteringReport {
    /// J at the final centers, Equation (1), clamped to the largest finite number.
    pub objective: f64,
    /// J before each accepted step, in order.
    pub history: Vec<f64>,
    /// Number of sweeps over all rows.
    pub iterations: usize,
    /// Reason why the iteration ended.
    pub stop: Stop,
    /// Total weight of the rows whose largest membership is in each cluster.
    pub sizes: Vec<f64>,
    /// Cluster validity indices.
    pub indices: Indices,
    /// Warnings about the result.
    pub warnings: Vec<ClusteringWarning>,
}

/// Warning about a fitted partition.
///
/// ```
/// use fuzzion::{Device, Samples, clustering::{ClusteringWarning, FuzzyCMeans}};
/// let partition = FuzzyCMeans::new(2).fit(Samples::new(1, &[7.0, 7.0])?, &Device::cpu()?)?;
/// assert_eq!(partition.report.warnings, [ClusteringWarning::CoincidentCenters { clusters: (0, 1) }]);
/// # Ok::<(), fuzzion::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ClusteringWarning {
    /// All memberships are nearly equal.
    Collapsed {
        /// Fuzzifier of the fit.
        fuzzifier: f64,
    },
    /// Two centers coincide.
    #[serde(rename = "coincide")] // as in files of version 0.1
    CoincidentCenters {
        /// Indices of the two clusters, from 0.
        clusters: (usize, usize),
    },
    /// Singular covariances were regularized.
    Regularized {
        /// Indices of the clusters, from 0.
        clusters: Vec<usize>,
    },
}

impl fmt::Display for ClusteringWarning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ClusteringWarning::Collapsed { fuzzifier } => write!(
                f,
                "all memberships are nearly equal, so the clusters are not separated; use a fuzzifier smaller than \
                 {fuzzifier}, {}",
                if *fuzzifier > 2.0 { "such as 2" } else { "about 1.1 to 1.2 in many dimensions" }
            ),
            ClusteringWarning::CoincidentCenters { clusters: (a, b) } => {
                write!(
                    f,
                    "the centers of cluster{} and cluster{} coincide; use fewer clusters, another initialization or a \
                     smaller fuzzifier",
                    a + 1,
                    b + 1
                )
            }
            ClusteringWarning::Regularized { clusters } => {
                let names: Vec<String> = clusters.iter().map(|k| format!("cluster{}", k + 1)).collect();
                write!(
                    f,
                    "{} singular and regularized: {}; use fewer clusters or columns, or request regularization",
                    if names.len() == 1 {
                        "1 covariance is".to_owned()
                    } else {
                        format!("{} covariances are", names.len())
                    },
                    names.join(", ")
                )
            }
        }
    }
}
