//! Errors of fuzzy arithmetic.

use crate::base::{SettingError, SyntaxError, count, count_were, from_lower};
use crate::device::DeviceError;

/// Result type of this module.
pub(crate) type Result<T, E = ArithmeticError> = std::result::Result<T, E>;

/// Error in fuzzy arithmetic.
///
/// ```
/// use fuzzion::arithmetic::{ArithmeticError, FuzzyLu};
/// let error = FuzzyLu::<f64, 1>::interval(2.0, 1.0).unwrap_err();
/// assert!(matches!(error, ArithmeticError::InvalidCut { cut: 0, .. }));
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ArithmeticError {
    /// Bounds that are not the alpha-cuts of a fuzzy number.
    #[error("alpha-cut {cut} is [{lower}, {upper}], but {problem}")]
    InvalidCut {
        /// Index of the alpha-cut, 0 for the support.
        cut: usize,
        /// Its lower bound.
        lower: f64,
        /// Its upper bound.
        upper: f64,
        /// The violated condition.
        problem: &'static str,
    },

    /// A midpoint and radii that do not form a fuzzy number.
    #[error("alpha-cut {cut} has midpoint {midpoint} and radius {radius}, but {problem}")]
    InvalidRadius {
        /// Index of the alpha-cut, 0 for the support.
        cut: usize,
        /// The midpoint of all alpha-cuts.
        midpoint: f64,
        /// Its radius.
        radius: f64,
        /// The violated condition.
        problem: &'static str,
    },

    /// Arrays of fuzzy numbers with incompatible lengths.
    #[error(
        "cannot combine arrays of lengths {first} and {second}; lengths must match, or one of them must be 1"
    )]
    ArrayLengths {
        /// Length of the first array.
        first: usize,
        /// Length of the second array.
        second: usize,
    },

    /// Arrays of fuzzy numbers with different numbers of alpha-cuts.
    #[error(
        "cannot combine fuzzy numbers with {first} and {second} alpha-cuts; the numbers of alpha-cuts must match"
    )]
    ArrayCuts {
        /// Number of alpha-cuts of the first array.
        first: usize,
        /// Number of alpha-cuts of the second array.
        second: usize,
    },

    /// A fuzzy number written with the wrong number of alpha-cuts.
    #[error("expected {wanted} alpha-cuts, or 1 for all levels, but {given} were given")]
    CutCount {
        /// Number of alpha-cuts given.
        given: usize,
        /// Number of alpha-cuts expected.
        wanted: usize,
    },

    /// A number of sort keys that differs from the length of the array.
    #[error(
        "{} given for an array of {}; give one key per number",
        count_were(keys, "sort keys"),
        count(numbers, "numbers")
    )]
    KeyCount {
        /// Number of keys.
        keys: usize,
        /// Length of the array.
        numbers: usize,
    },

    /// More keys than a 32-bit index can address.
    #[error("cannot sort {keys} keys at once; sort at most {most} at a time")]
    TooManyKeys {
        /// Number of keys.
        keys: usize,
        /// The maximum.
        most: u32,
    },

    /// An order with an index out of range.
    #[error(
        "entry {at} of the order is {number}, which is out of range for an array of {}; indices start at 0",
        count(numbers, "numbers")
    )]
    IndexOutOfRange {
        /// The position in the order, from 0.
        at: usize,
        /// The index at that position.
        number: u32,
        /// Length of the array.
        numbers: usize,
    },

    /// An order in the memory of a device with an index out of range.
    #[error(
        "the largest index of the order is {index}, which is out of range for an array of {}; indices start at 0",
        count(numbers, "numbers")
    )]
    LargestIndex {
        /// The index.
        index: usize,
        /// Length of the array.
        numbers: usize,
    },

    /// A syntax error in one of many fuzzy numbers, with a caret under its position.
    #[error("{location}: {problem}\n  {text}\n  {caret:>width$}", caret = '^', width = column)]
    InvalidNumber {
        /// Description of the number's location.
        location: String,
        /// Index of the number, from 0.
        number: usize,
        /// The problem, and what was expected.
        problem: String,
        /// The text of the number, or the part of it around the error.
        text: String,
        /// The position in `text`, in characters from 1.
        column: usize,
    },

    /// Columns of fuzzy numbers with incompatible shapes.
    #[error("the variable `{name}` has {}, but {expected} are needed; {advice}", count(found, what))]
    ColumnShape {
        /// The variable.
        name: String,
        /// The mismatched quantity: `numbers` or `alpha-cuts`.
        what: &'static str,
        /// Its value.
        found: usize,
        /// Its expected value.
        expected: usize,
        /// How to fix it.
        advice: &'static str,
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

    /// The progress callback requested cancellation.
    #[error("interrupted")]
    Interrupted,
}

from_lower! {
    ArithmeticError,
    Device(DeviceError);
    kind {}
}
