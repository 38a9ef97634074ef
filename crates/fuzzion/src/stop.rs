//! Reasons why an iteration ends.

use crate::macros::named;
use serde::{Deserialize, Serialize};

named! {
    /// Reason why an iterative fit ended.
    ///
    /// ```
    /// use fuzzion::Stop;
    /// assert_eq!(Stop::MaxIterations.name(), "max_iterations");
    /// ```
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    #[non_exhaustive]
    pub enum Stop("reason to stop") {
        /// The convergence criterion was met.
        Converged = "converged",
        /// The maximum number of iterations was reached.
        MaxIterations = "max_iterations",
        /// The validation error did not improve for `patience` iterations.
        Validation = "validation",
    }
}
