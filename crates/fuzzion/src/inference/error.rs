//! Errors of fuzzy systems.

use crate::base::{SettingError, count, count_were, escaped, from_lower};
use crate::data::DataError;
use crate::device::DeviceError;
use crate::sets::SetError;

/// Result type of this module.
pub(crate) type Result<T, E = InferenceError> = std::result::Result<T, E>;

/// Error in a fuzzy system or its inference.
///
/// ```
/// use fuzzion::ErrorKind;
/// use fuzzion::inference::{InferenceError, System};
/// let error = System::new("empty").check().unwrap_err();
/// assert!(matches!(error, InferenceError::InvalidSystem { .. }));
/// assert_eq!(error.kind(), ErrorKind::Input);
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum InferenceError {
    /// An unknown built-in system.
    #[error(
        "unknown system `{name}`; expected a built-in system ({known}) or the path of a `.fll`, `.fis`, `.fcl` or \
         `.json` file"
    )]
    UnknownOperator {
        /// The name given.
        name: String,
        /// The available operators.
        known: String,
    },

    /// A syntax error in a system file or a rule, with a caret under its position.
    #[error("{location}, line {line}, column {column}: {problem}\n  {text}\n  {mark:>width$}", problem = escaped(problem), mark = '^', width = caret)]
    Syntax {
        /// The file, or a description of the text.
        location: String,
        /// The line, from 1.
        line: usize,
        /// The column, in characters from 1.
        column: usize,
        /// The problem, and what was expected.
        problem: String,
        /// The line, or the part of it around the error.
        text: String,
        /// The position in `text`, in characters from 1.
        caret: usize,
    },

    /// An invalid fuzzy system.
    #[error("{} {}", escaped(location), escaped(problem))]
    InvalidSystem {
        /// The invalid part.
        location: String,
        /// The problem and how to fix it.
        problem: String,
    },

    /// A fuzzy system that cannot be exported as source code.
    #[error("the system cannot be exported to `{language}`: {problem}")]
    Export {
        /// The language.
        language: &'static str,
        /// The problem and how to fix it.
        problem: String,
    },

    /// A text column for a numeric input.
    #[error(
        "column `{}` contains text such as {}, but the input of that name needs numbers; fix the column, and leave missing \
         values empty",
        escaped(name),
        escaped(text)
    )]
    TextColumn {
        /// The column.
        name: String,
        /// Its first text, in backquotes and shortened.
        text: String,
    },

    /// An interval type-2 system where a type-1 system is required.
    #[error(
        "{location} contains an interval type-2 system, which can be evaluated for tables and written as `.fll` or \
         `.json`, but not applied to images, shown, explained, tabulated or exported; remove its upper sets and type reduction to make it a type-1 system"
    )]
    IntervalSystem {
        /// The file, or a description of the text.
        location: String,
    },

    /// An unknown function block, or none selected in an FCL file with several.
    #[error("{location} contains {}{available}", match block {
        None => "several function blocks; select one of ".to_owned(),
        Some(block) => format!("no function block `{block}`; available function blocks: "),
    })]
    FunctionBlock {
        /// The file, or a description of the text.
        location: String,
        /// The selected function block.
        block: Option<String>,
        /// The function blocks of the file.
        available: String,
    },

    /// A row with the wrong number of values.
    #[error(
        "the system has {}, but {} given; give one value per {what}",
        count(expected, &format!("{what}s")), count_were(found, "values")
    )]
    RowLength {
        /// `input`, `output` or `rule`.
        what: &'static str,
        /// Number of values given.
        found: usize,
        /// Expected number of values.
        expected: usize,
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

    /// The progress callback requested cancellation.
    #[error("interrupted")]
    Interrupted,
}

from_lower! {
    InferenceError,
    Device(DeviceError),
    Data(DataError: Device),
    Set(SetError: Device, Data, Setting);
    kind { UnknownOperator: Setting, IntervalSystem: Unsupported, Export: Unsupported }
}
