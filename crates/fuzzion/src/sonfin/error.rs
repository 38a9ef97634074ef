//! Errors of self-constructing networks.

use crate::base::{ErrorKind, SettingError, count, from_lower};
use crate::data::DataError;
use crate::device::DeviceError;
use crate::inference::InferenceError;
use crate::sets::SetError;

/// Result type of this module.
pub(crate) type Result<T, E = SonfinError> = std::result::Result<T, E>;

/// Error in training or using a network.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SonfinError {
    /// More inputs than threads in a block.
    #[error(
        "the mapping `rule-per-block` uses one thread per input and supports at most {most} inputs, not {dims}; use the \
         mapping `atm`, `resident` or `auto`"
    )]
    TooManyInputs {
        /// Number of inputs.
        dims: usize,
        /// The maximum.
        most: usize,
    },

    /// Resuming a fit with different data.
    #[error(
        "the data ({}) is not that of the interrupted fit; resume with the same data, or start a new fit",
        count(rows, "rows")
    )]
    DifferentData {
        /// Number of rows.
        rows: usize,
    },

    /// A table without one of the model's input columns.
    #[error(
        "missing column `{name}`; available columns: {known}; the model needs all {inputs} input columns that it was \
         trained on"
    )]
    MissingColumn {
        /// The column.
        name: String,
        /// Number of inputs of the model.
        inputs: usize,
        /// The available columns.
        known: String,
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

    /// An error in a fuzzy system.
    #[error(transparent)]
    Inference(InferenceError),

    /// The progress callback requested cancellation.
    #[error("interrupted")]
    Interrupted,
}

from_lower! {
    SonfinError,
    Device(DeviceError),
    Data(DataError: Device),
    Set(SetError: Device, Data, Setting),
    Inference(InferenceError: Device, Data, Set, Setting),
}

impl SonfinError {
    /// Category of the error.
    pub fn kind(&self) -> ErrorKind {
        match self {
            SonfinError::Interrupted => ErrorKind::Interrupted,
            SonfinError::Setting(_) => ErrorKind::Setting,
            SonfinError::Device(error) => error.kind(),
            SonfinError::Data(error) => error.kind(),
            SonfinError::Set(error) => error.kind(),
            SonfinError::Inference(error) => error.kind(),
            SonfinError::TooManyInputs { .. } => ErrorKind::Setting,
            _ => ErrorKind::Input,
        }
    }
}
