//! Training report.

use crate::data::ignored_constants;
use crate::sonfin::types::options::{Classify, Growth, Mapping, Optimizer};
use serde::{Deserialize, Serialize};
use std::fmt;

/// Training report. The error is the fraction of misclassified rows for classes and the root mean square error for
/// numeric targets: in the target's unit, or in standard deviations for several targets.
///
/// ```
/// use fuzzion::{Device, Table, sonfin::{Growth, Sonfin}};
/// let rows = Table::new(["x", "always", "y"], vec![0.0, 1.0, 10.0, 1.0, 1.0, 20.0])?;
/// let model = Sonfin::new().growth(Growth::Budget(2)).epochs(3).fit(&rows, &["y"], &Device::cpu()?)?;
/// let report = &model.report;
/// assert_eq!((report.rules, report.epochs, report.history.len()), (2, 3, 3));
/// let warning = "`always` has the same value in every row and is ignored";
/// assert_eq!(report.warnings[0].to_string(), warning);
/// # Ok::<(), fuzzion::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct SonfinReport {
    /// Number of rules.
    pub rules: usize,
    /// Number of epochs.
    pub epochs: usize,
    /// Epoch of the selected network, from 1.
    pub best_epoch: usize,
    /// Error of the selected network on the training rows.
    pub train_error: f64,
    /// Error of the selected network on the validation rows.
    pub validation_error: Option<f64>,
    /// Microseconds per sample, including structure learning and validation; not saved, so that equal models have equal files.
    #[serde(default, skip_serializing)]
    pub us_per_sample: f64,
    /// Training time in seconds, without reading the rows; not saved, so that equal models have equal files.
    #[serde(default, skip_serializing)]
    pub seconds: f64,
    /// Mapping used on a GPU.
    pub mapping: Mapping,
    /// Device used for training.
    pub device: String,
    /// One point for each completed epoch.
    pub history: Vec<SonfinEpoch>,
    /// Warnings.
    pub warnings: Vec<SonfinWarning>,
    /// Trials of [`Sonfin::fit_auto`](crate::sonfin::Sonfin::fit_auto), or of a network that chooses its number of rules, in
    /// order.
    pub trials: Vec<SonfinTrial>,
}

/// One epoch.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct SonfinEpoch {
    /// Error on the training rows, each predicted just before its update.
    pub train_error: f64,
    /// Error on the validation rows after the epoch.
    pub validation_error: Option<f64>,
    /// Mean loss over the training rows, each predicted just before its update, in scaled targets.
    pub loss: f64,
    /// Number of rules after the epoch.
    pub rules: usize,
}

/// One trial of a settings search.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct SonfinTrial {
    /// Criterion for adding rules.
    pub growth: Growth,
    /// Training algorithm.
    pub optimizer: Optimizer,
    /// Learning rate η_w = η_m = η_σ of online learning.
    pub rate: f64,
    /// Whether gates were learned.
    pub gates: bool,
    /// Encoding and loss of the classes.
    pub classify: Option<Classify>,
    /// β of Equation (3).
    pub beta: f64,
    /// Number of epochs.
    pub epochs: usize,
    /// Whether all rules share the slopes of a linear part; with a single rule, the model is linear. A rate of 0 stands for
    /// rules that are not trained.
    #[serde(default)]
    pub linear: bool,
    /// Smallest error on the held-out rows.
    pub error: f64,
    /// Whether the final network was trained with these settings.
    pub chosen: bool,
}

/// Warning about a training run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum SonfinWarning {
    /// Columns with the same value in every row; they are not used as inputs.
    Constant(Vec<String>),
    /// The rule limit was reached; the value is the number of rules.
    #[serde(rename = "Full")] // as in files of version 0.1
    RuleLimit(usize),
}

impl fmt::Display for SonfinWarning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SonfinWarning::Constant(names) => f.write_str(&ignored_constants(names)),
            SonfinWarning::RuleLimit(rules) => {
                write!(
                    f,
                    "the limit of {rules} rules was reached, so some samples may not be covered; increase the maximum number \
                     of rules or gamma, or lower the threshold"
                )
            }
        }
    }
}
