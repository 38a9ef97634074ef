//! Reasons why an iteration ends.

use crate::macros::named;
use serde::{Deserialize, Serialize};

/// Reason why an iterative fit ended.
///
/// ```
/// use fuzzion::Stop;
/// assert_eq!(Stop::MaxIterations.name(), "max_iterations");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Stop {
    /// The convergence criterion was met.
    Converged,
    /// The maximum number of iterations was reached.
    MaxIterations,
    /// The validation error did not improve for `patience` iterations.
    Validation,
}

named! {
    Stop("reason to stop") {
        Converged = "converged",
        MaxIterations = "max_iterations",
        Validation = "validation",
    }
}
