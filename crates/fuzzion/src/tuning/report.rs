//! What a fit tells about itself.

/// How a fit went.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// √(Σ w·(ŷ − y)² / Σ w / outputs) over the training rows, at the parameters that are kept, in the targets' units.
    pub rmse: f64,
    /// The same over the validation rows.
    pub validation_rmse: Option<f64>,
    /// The share of rows whose class is found, over the training rows, for classifiers.
    pub accuracy: Option<f64>,
    /// The same over the validation rows.
    pub validation_accuracy: Option<f64>,
    /// How many iterations were made.
    pub iterations: usize,
    /// Why they ended.
    pub stop: Stop,
    /// Every iteration from the least-squares start on.
    pub history: Vec<Point>,
    /// How many rules the system has.
    pub rules: usize,
    /// How many consequents were solved for, all outputs together.
    pub unknowns: usize,
    /// What the user should know.
    pub warnings: Vec<Warning>,
    /// The processor that did the work.
    pub device: String,
    /// Seconds of learning, without reading the rows.
    pub seconds: f64,
}

/// One iteration.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// The error over the training rows.
    pub rmse: f64,
    /// The error over the validation rows.
    pub validation_rmse: Option<f64>,
    /// The rate of the step that follows.
    pub rate: f64,
}

/// Why a fit ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Stop {
    /// The gradient or the step vanished.
    Converged,
    /// All iterations were made.
    MaxIterations,
    /// The validation error has not improved for long.
    Validation,
}

/// What a user should know about a fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Warning {
    /// The equations were too near singular for Cholesky; the pseudo-inverse was taken.
    IllConditioned,
    /// So many rows are covered by no rule.
    Uncovered(usize),
    /// So many rules apply to next to no row.
    Idle(usize),
}
