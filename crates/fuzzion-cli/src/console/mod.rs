//! Standard output, standard error and progress bars.

mod error;
mod output;

pub(crate) use error::print_error;
pub(crate) use output::{Bar, Console};
