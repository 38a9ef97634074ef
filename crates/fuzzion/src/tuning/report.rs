//! What a fit tells about itself.

use super::settings::Start;
use std::fmt;

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
    /// What was tried by [`Tuner::auto`](super::Tuner::auto), in that order.
    pub trials: Vec<Trial>,
}

/// One choice of settings, tried by cross-validation.
#[derive(Clone, Debug, PartialEq)]
pub struct Trial {
    /// Where the rules came from.
    pub start: Start,
    /// The degree of the consequents.
    pub order: usize,
    /// The rate of the step.
    pub rate: f64,
    /// How many iterations each fit made at most.
    pub iterations: usize,
    /// The error over rows that were not learned from, all folds together.
    pub rmse: f64,
    /// Whether the system was learned with these settings.
    pub chosen: bool,
}

/// One iteration.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// The error over the training rows; that of probabilities where a softmax follows.
    pub rmse: f64,
    /// The error over the validation rows.
    pub validation_rmse: Option<f64>,
    /// The mean of what is made small, in scaled targets: the squared error, or the cross-entropy.
    pub loss: f64,
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

impl Stop {
    /// Its name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Stop::Converged => "converged",
            Stop::MaxIterations => "max_iterations",
            Stop::Validation => "validation",
        }
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Warning::IllConditioned => f.write_str(
                "the equations of the consequents are nearly singular, and the smallest of many solutions was taken; \
                 use fewer rules, a lower order or a larger ridge",
            ),
            Warning::Uncovered(rows) => {
                write!(f, "{rows} rows are covered by no rule; use wider sets, or sets without ends")
            }
            Warning::Idle(rules) => {
                write!(f, "{rules} rules apply to next to no row, so that nothing was learned for them; use fewer rules")
            }
        }
    }
}
