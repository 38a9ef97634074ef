//! Report of a fit.

pub(super) mod build;
#[cfg(feature = "plot")]
mod plot;

use crate::base::count_are;
use crate::data::ignored_constants;
use crate::stop::Stop;
use crate::tuning::settings::InitialRules;
use serde::{Deserialize, Deserializer, Serialize};
use std::fmt;

/// Report of a fit.
///
/// ```
/// use fuzzion::{Device, Stop, Table, tuning::Tuner};
/// let rows: Vec<f64> = (0..=10).flat_map(|i| [f64::from(i), f64::from(i * i)]).collect();
/// let tuned = Tuner::grid(&[3]).iterations(5).fit(&Table::new(["x", "y"], rows)?, &["y"], &Device::cpu()?)?;
/// let report = &tuned.report;
/// assert_eq!((report.rules, report.unknowns), (3, 6)); // three linear functions of x
/// assert_eq!((report.iterations, report.stop), (5, Stop::MaxIterations));
/// assert!(report.rmse < 0.5 * report.history[0].rmse); // that of the initial sets
/// # Ok::<(), fuzzion::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct TuningReport {
    /// Root mean squared error of the result over the training rows, √(Σ w·(ŷ − y)² / Σ w / outputs), in the targets'
    /// units.
    #[serde(deserialize_with = "null_as_infinite")]
    pub rmse: f64,
    /// RMSE over the validation rows.
    pub validation_rmse: Option<f64>,
    /// Fraction of training rows classified correctly, for classifiers.
    pub accuracy: Option<f64>,
    /// Fraction of validation rows classified correctly, for classifiers.
    pub validation_accuracy: Option<f64>,
    /// Number of completed iterations.
    pub iterations: usize,
    /// Reason training stopped.
    pub stop: Stop,
    /// History, starting with the least-squares solution.
    pub history: Vec<TuningIteration>,
    /// Whether predictions are bounded to the range of the target in the training data.
    #[serde(default)]
    pub bounded: bool,
    /// Number of rules.
    pub rules: usize,
    /// Number of consequent coefficients, over all outputs.
    pub unknowns: usize,
    /// Warnings.
    pub warnings: Vec<TuningWarning>,
    /// Device used for training.
    pub device: String,
    /// Training time in seconds, excluding reading the data; not saved, so that equal models have equal files.
    #[serde(default, skip_serializing)]
    pub seconds: f64,
    /// Trials of [`Tuner::auto`](super::Tuner::auto), in order.
    pub trials: Vec<TuningTrial>,
    /// Cross-validation errors of all numbers of rules, for [`InitialRules::Tree`].
    #[serde(default)]
    pub path: Vec<PathPoint>,
}

/// Size and cross-validation error of a rule base.
///
/// ```
/// use fuzzion::{Device, Table, tuning::Tuner};
/// let rows: Vec<f64> = (0..200i32).flat_map(|i| [f64::from(i), f64::from((i - 100).abs())]).collect();
/// let tuned = Tuner::tree(4).fit(&Table::new(["x", "y"], rows)?, &["y"], &Device::cpu()?)?;
/// let (one, two) = (&tuned.report.path[0], &tuned.report.path[1]);
/// assert!(one.rules == 1 && one.rmse > 20.0 && two.rmse < 5.0); // y = |x − 100| is not linear
/// # Ok::<(), fuzzion::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct PathPoint {
    /// Number of rules.
    pub rules: usize,
    /// Number of conditions in all rules.
    pub conditions: usize,
    /// Number of inputs in the conditions.
    pub inputs: usize,
    /// Cross-validation RMSE in the targets' units, or mean cross-entropy of a classifier that is trained with it.
    #[serde(deserialize_with = "null_as_infinite")]
    pub rmse: f64,
    /// Standard error over the folds.
    #[serde(deserialize_with = "null_as_infinite")]
    pub standard_error: f64,
    /// Whether this number of rules was chosen.
    pub chosen: bool,
}

/// Settings tried by cross-validation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct TuningTrial {
    /// Source of the initial rules.
    pub initial_rules: InitialRules,
    /// Degree of the consequent polynomials.
    pub order: usize,
    /// Learning rate.
    pub rate: f64,
    /// Number of iterations per fold.
    pub iterations: usize,
    /// Cross-validation RMSE over all folds.
    #[serde(deserialize_with = "null_as_infinite")]
    pub rmse: f64,
    /// Standard error of the RMSE over the folds.
    #[serde(default, deserialize_with = "null_as_infinite")]
    pub standard_error: f64,
    /// Whether these settings were chosen.
    pub chosen: bool,
}

/// One entry of the history.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct TuningIteration {
    /// RMSE over the training rows; RMSE of the class probabilities if trained with cross-entropy.
    #[serde(deserialize_with = "null_as_infinite")]
    pub rmse: f64,
    /// RMSE over the validation rows.
    pub validation_rmse: Option<f64>,
    /// Mean training loss for scaled targets: squared error or cross-entropy.
    #[serde(deserialize_with = "null_as_infinite")]
    pub loss: f64,
    /// Learning rate of the following step.
    pub rate: f64,
}

/// JSON represents numbers that are not finite as `null`.
fn null_as_infinite<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    Ok(Option::deserialize(deserializer)?.unwrap_or(f64::INFINITY))
}

/// Warning about a fit.
///
/// ```
/// use fuzzion::tuning::TuningWarning;
/// assert!(TuningWarning::Uncovered(3).to_string().starts_with("3 rows are not covered by any rule"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum TuningWarning {
    /// Columns with the same value in every row; they are not used as inputs.
    Constant(Vec<String>),
    /// The normal equations are nearly singular; the minimum-norm solution was used instead of Cholesky.
    IllConditioned,
    /// Number of rows not covered by any rule.
    Uncovered(usize),
    /// Number of rules that almost never fire on the training rows.
    Idle(usize),
    /// There are more parameters than training rows.
    TooManyParameters {
        /// Number of parameters of one output: consequents, and sets if they are tuned.
        parameters: usize,
        /// Number of training rows.
        rows: usize,
    },
    /// Number of classes with fewer than ten training rows.
    RareClasses(usize),
    /// The time limit of [`Tuner::auto`](super::Tuner::auto) ended before all candidates were tried.
    TimeLimit {
        /// Number of candidates that were tried.
        tried: usize,
        /// Number of candidates that were not tried.
        skipped: usize,
    },
}

impl fmt::Display for TuningWarning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TuningWarning::Constant(names) => f.write_str(&ignored_constants(names)),
            TuningWarning::IllConditioned => f.write_str(
                "the normal equations are nearly singular, so the minimum-norm solution was used; use fewer rules, a \
                 lower order or a larger ridge",
            ),
            TuningWarning::Uncovered(rows) => {
                let rows = count_are(rows, "rows");
                write!(f, "{rows} not covered by any rule; use wider sets, or a shape other than triangles")
            }
            TuningWarning::Idle(rules) => {
                let rules = match rules {
                    1 => "1 rule almost never fires".to_owned(),
                    rules => format!("{rules} rules almost never fire"),
                };
                write!(f, "{rules} on the training rows, so the consequents are unreliable; use fewer rules")
            }
            TuningWarning::TooManyParameters { parameters, rows } => write!(
                f,
                "{parameters} parameters were fitted to {rows} rows, so predictions for other rows are unreliable; use fewer \
                 rules, a lower order or a sparse rule base"
            ),
            TuningWarning::RareClasses(classes) => {
                let classes = match classes {
                    1 => "1 class has".to_owned(),
                    classes => format!("{classes} classes have"),
                };
                write!(f, "{classes} fewer than 10 training rows, so predictions of them are unreliable")
            }
            TuningWarning::TimeLimit { tried, skipped } => {
                let all = tried + skipped;
                write!(f, "the time limit ended after {tried} of {all} candidates; set a larger `budget` to try all")
            }
        }
    }
}
