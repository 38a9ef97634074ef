//! Errors of tuning.

use crate::base::{SettingError, count, count_are, from_lower};
use crate::clustering::ClusteringError;
use crate::data::DataError;
use crate::device::DeviceError;
use crate::inference::InferenceError;
use crate::sets::SetError;

/// Result type of this module.
pub(crate) type Result<T, E = TuningError> = std::result::Result<T, E>;

/// Error in tuning a system.
///
/// ```
/// use fuzzion::{Device, ErrorKind, Table, tuning::Tuner};
/// let rows = Table::new(["x", "y"], vec![0.0, 0.0, 1.0, 1.0])?;
/// let error = Tuner::grid(&[9]).fit(&rows, &["y"], &Device::cpu()?).unwrap_err();
/// assert_eq!(error.kind(), ErrorKind::Input);
/// assert!(error.to_string().starts_with("2 training rows are too few for 18 coefficients per target"));
/// # Ok::<(), fuzzion::Error>(())
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TuningError {
    /// Normal equations of different systems.
    #[error(
        "cannot add normal equations of {} and {} to those of {} and {}; compute both with the same rules, order and \
         targets",
        count(&found.0, "unknowns"), count(&found.1, "outputs"), count(&expected.0, "unknowns"),
        count(&expected.1, "outputs")
    )]
    NormalEquationsShape {
        /// Numbers of unknowns and outputs of the added equations.
        found: (usize, usize),
        /// Numbers of unknowns and outputs of the existing equations.
        expected: (usize, usize),
    },

    /// Normal equations with the wrong number of values.
    #[error(
        "normal equations of {} and {} cannot have {} in `{part}`; compute them again from the data",
        count(unknowns, "unknowns"),
        count(outputs, "outputs"),
        count(found, "values")
    )]
    NormalEquationsParts {
        /// The invalid part.
        part: &'static str,
        /// Its number of values.
        found: usize,
        /// Number of unknowns of each output.
        unknowns: usize,
        /// Number of outputs.
        outputs: usize,
    },

    /// More consequent parameters than training rows.
    #[error(
        "{} too few for {unknowns} coefficients per target; use fewer sets or a lower order, or set a ridge of at \
         least 1e-6",
        count_are(rows, "training rows")
    )]
    TooFewRows {
        /// Number of training rows.
        rows: usize,
        /// Number of coefficients per target.
        unknowns: usize,
    },

    /// Too few training rows for a tree.
    #[error("{} too few for a tree of rules; give at least {min}", count_are(rows, "training rows"))]
    TooFewRowsForTree {
        /// Number of training rows.
        rows: usize,
        /// The minimum.
        min: usize,
    },

    /// Too many rules or coefficients of consequents.
    #[error(
        "{rules} rules with {} each exceed the limit of {most} coefficients; use fewer sets or rules, or a lower order",
        count(terms, "coefficients")
    )]
    TooManyRules {
        /// Number of rules.
        rules: u128,
        /// Number of coefficients per rule and target.
        terms: u128,
        /// Maximum number of coefficients per target.
        most: usize,
    },

    /// The wrong number of set counts.
    #[error(
        "{given} set counts were given for {}; give one per input, or one for all",
        count(inputs, "inputs")
    )]
    SetCount {
        /// Number of set counts given.
        given: usize,
        /// Number of inputs.
        inputs: usize,
    },

    /// A problem too large for Levenberg-Marquardt.
    #[error(
        "Levenberg-Marquardt is limited to {most} parameters, but this system has {parameters}; use the hybrid method \
         or fewer rules"
    )]
    TooManyParameters {
        /// Number of parameters.
        parameters: usize,
        /// The maximum.
        most: usize,
    },

    /// Prediction intervals that are not available.
    #[error("{problem}")]
    Intervals {
        /// The problem, and how to fix it.
        problem: String,
    },

    /// Statistics that do not fit the state of a distributed fit.
    #[error("cannot continue the distributed fit: {problem}")]
    Distributed {
        /// The problem, and how to fix it.
        problem: String,
    },

    /// An invalid setting.
    #[error(transparent)]
    Setting(#[from] SettingError),

    /// An error of the device.
    #[error(transparent)]
    Device(DeviceError),

    /// An error in reading, writing or the shape of data.
    #[error(transparent)]
    Data(DataError),

    /// An invalid fuzzy set or expression.
    #[error(transparent)]
    Set(SetError),

    /// An error in clustering.
    #[error(transparent)]
    Clustering(ClusteringError),

    /// An error in a fuzzy system.
    #[error(transparent)]
    Inference(InferenceError),

    /// The progress callback requested cancellation.
    #[error("interrupted")]
    Interrupted,
}

from_lower! {
    TuningError,
    Device(DeviceError),
    Data(DataError: Device),
    Set(SetError: Device, Data, Setting),
    Clustering(ClusteringError: Device, Data, Setting),
    Inference(InferenceError: Device, Data, Set, Setting);
    kind { TooManyParameters: Setting, SetCount: Setting }
}
