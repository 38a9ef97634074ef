//! Standard output, standard error and progress bars.

mod error;
mod output;
mod stages;

pub(crate) use error::{print_error, print_warning};
pub(crate) use output::{Bar, Console};
pub(crate) use stages::Stage;
