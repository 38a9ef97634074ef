//! Errors of plots.

use crate::base::{ErrorKind, from_lower};
use crate::data::DataError;

/// Result type of this module.
pub(crate) type Result<T, E = PlotError> = std::result::Result<T, E>;

/// Error in a plot.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PlotError {
    /// Pixels that do not form an image.
    #[error("cannot draw the image: {reason}")]
    InvalidImage {
        /// The problem.
        reason: String,
    },

    /// An error in reading, writing or the shape of data.
    #[error(transparent)]
    Data(DataError),

    /// The progress callback requested cancellation.
    #[error("interrupted")]
    Interrupted,
}

from_lower! {
    PlotError,
    Data(DataError),
}

impl PlotError {
    /// Category of the error.
    pub fn kind(&self) -> ErrorKind {
        match self {
            PlotError::Interrupted => ErrorKind::Interrupted,
            PlotError::Data(error) => error.kind(),
            _ => ErrorKind::Input,
        }
    }
}
