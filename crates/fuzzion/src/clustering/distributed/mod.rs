//! Fits whose rows are distributed over processes or machines, which exchange only additive statistics.

mod fit;
mod state;
mod statistics;

pub use fit::DistributedFit;
pub use state::ClusteringState;
pub use statistics::ClusteringStatistics;

use crate::clustering::error::ClusteringError;

fn problem(problem: String) -> ClusteringError {
    ClusteringError::Distributed { problem }
}
