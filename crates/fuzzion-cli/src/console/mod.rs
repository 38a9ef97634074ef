//! Standard output, standard error and progress bars.

mod error;
mod output;
mod stages;

pub(crate) use error::print_error;
pub(crate) use output::{Bar, Console};
pub(crate) use stages::Stage;
