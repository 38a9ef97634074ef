//! What happened during a fit.

use super::indices::Indices;
use serde::{Deserialize, Serialize};
use std::fmt;

/// Why an iteration ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Stop {
    /// What the criterion watches became as small as the tolerance.
    Converged,
    /// The allowed iterations were used up.
    MaxIterations,
}

/// The course and the quality of a fit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Report {
    /// J at the final centers, equation (1); the largest number there is where it is larger than that.
    pub objective: f64,
    /// J before each accepted step, first to last.
    pub history: Vec<f64>,
    /// Sweeps over all rows that the iteration took.
    pub iterations: usize,
    /// Why it ended.
    pub stop: Stop,
    /// How many rows (by weight) belong to each cluster most: what labels count to.
    pub sizes: Vec<f64>,
    /// How good the partition is, in numbers.
    pub indices: Indices,
    /// What the user should know.
    pub warnings: Vec<Warning>,
}

/// Something about a fit that its user should know.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Warning {
    /// All memberships are nearly the same.
    Collapsed {
        /// The fuzzifier that led there.
        fuzzifier: f64,
    },
    /// Two centers lie on each other.
    Coincide {
        /// The two clusters, from 0.
        clusters: (usize, usize),
    },
    /// A covariance could not be inverted and was regularised.
    Regularized {
        /// The clusters, from 0.
        clusters: Vec<usize>,
    },
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Warning::Collapsed { fuzzifier } => write!(
                f,
                "all centers collapsed onto the mean of the data (every membership is nearly the same); \
                 use a fuzzifier smaller than {fuzzifier}, about 1.1 to 1.2 in many dimensions"
            ),
            Warning::Coincide { clusters: (a, b) } => {
                write!(
                    f,
                    "the centers of cluster{} and cluster{} lie on each other; use fewer clusters, another start or, where memberships are shared, a smaller fuzzifier",
                    a + 1,
                    b + 1
                )
            }
            Warning::Regularized { clusters } => {
                let names: Vec<String> = clusters.iter().map(|k| format!("cluster{}", k + 1)).collect();
                write!(
                    f,
                    "the covariance of {} is singular and was regularised; use fewer clusters or columns, \
                     or ask for regularisation",
                    names.join(", ")
                )
            }
        }
    }
}
