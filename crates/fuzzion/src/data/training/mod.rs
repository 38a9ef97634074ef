//! Input and target columns for training.

mod classes;
mod columns;

pub use classes::Classify;
pub(crate) use classes::{Classes, argmax_rows, softmax};
pub use columns::MissingInputs;
pub(crate) use columns::{column, column_error, input_names, require_unique};
