//! Input and target columns for training.

mod classes;
mod columns;
mod indicators;

pub use classes::Classify;
pub(crate) use classes::{argmax_rows, softmax};
pub use columns::MissingInputs;
pub(crate) use columns::{
    NO_VALUES, check_targets, column, column_error, ignored_constants, input_names, target_columns,
    targets_of_model,
};
pub(crate) use indicators::{check_values, input_column, with_indicators};
