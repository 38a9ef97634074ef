//! Errors of fuzzy sets and expressions.

use crate::base::{
    SettingError, SyntaxError, count, count_were, escaped, from_lower, most_similar, suggestion,
};
use crate::data::DataError;
use crate::device::DeviceError;

/// Result type of this module.
pub(crate) type Result<T, E = SetError> = std::result::Result<T, E>;

/// Error in a fuzzy set or an expression.
///
/// ```
/// use fuzzion::{ErrorKind, sets::{Set, SetError}};
/// let error = Set::from_parameters("Ramp", &[1.0]).unwrap_err();
/// assert!(matches!(error, SetError::ParameterCount { given: 1, .. }));
/// assert_eq!(error.kind(), ErrorKind::Input);
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SetError {
    /// An unknown shape of a fuzzy set.
    #[error(
        "unknown shape `{}`{}; available shapes: {known}",
        escaped(name),
        suggestion(&most_similar(name, known.split(", ")))
    )]
    UnknownShape {
        /// The name given.
        name: String,
        /// The available shapes.
        known: String,
    },

    /// The wrong number of parameters for a shape.
    #[error("{shape} takes {takes}, but {} given", count_were(given, "numbers"))]
    ParameterCount {
        /// The shape.
        shape: &'static str,
        /// The expected parameters.
        takes: String,
        /// Number of parameters given.
        given: usize,
    },

    /// Columns that do not match the variables of an expression.
    #[error(
        "the expression has {}, but {} given; give one column per variable, all of the same length",
        count(variables, "variables"),
        count_were(given, "columns")
    )]
    ExpressionColumns {
        /// Number of variables.
        variables: usize,
        /// Number of columns.
        given: usize,
    },

    /// A syntax error in an expression.
    #[error(transparent)]
    Syntax(#[from] SyntaxError),

    /// An invalid setting.
    #[error(transparent)]
    Setting(#[from] SettingError),

    /// An error of the device.
    #[error(transparent)]
    Device(DeviceError),

    /// An error in reading, writing or the shape of data.
    #[error(transparent)]
    Data(DataError),

    /// The progress callback requested cancellation.
    #[error("interrupted")]
    Interrupted,
}

from_lower! {
    SetError,
    Device(DeviceError),
    Data(DataError: Device);
    kind {}
}

impl SetError {
    /// The message in one line, for an expression within another text.
    pub(crate) fn one_line(&self) -> String {
        match self {
            SetError::Syntax(SyntaxError { problem, text, column }) => {
                format!("{}, at character {column} of `{}`", escaped(problem), escaped(text))
            }
            other => other.to_string(),
        }
    }
}
