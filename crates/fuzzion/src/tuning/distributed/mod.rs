//! Fits whose rows are distributed over processes or machines, which exchange only additive statistics.

mod fit;
mod state;
mod statistics;

pub use fit::DistributedTuning;
pub use state::TuningState;
pub use statistics::TuningStatistics;

use crate::tuning::error::TuningError;

fn problem(problem: String) -> TuningError {
    TuningError::Distributed { problem }
}
