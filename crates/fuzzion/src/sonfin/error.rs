//! Errors of self-constructing networks.

use crate::base::{SettingError, count, escaped, from_lower, suggestion};
use crate::data::DataError;
use crate::device::DeviceError;
use crate::sets::SetError;

/// Result type of this module.
pub(crate) type Result<T, E = SonfinError> = std::result::Result<T, E>;

/// Error in training or using a network.
///
/// ```
/// use fuzzion::{Device, Table, sonfin::{Sonfin, SonfinError}};
/// let (rows, device) = (Table::new(["x", "y"], vec![0.0, 10.0, 1.0, 20.0])?, Device::cpu()?);
/// let model = Sonfin::new().fit(&rows, &["y"], &device)?;
/// let error = model.predict(&Table::new(["z"], vec![0.0])?, &device).unwrap_err();
/// assert!(matches!(error, SonfinError::MissingColumn { name, .. } if name == "x"));
/// # Ok::<(), fuzzion::Error>(())
/// ```
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
        "missing column `{}`{}; available columns: {}; the model needs {} that it was trained on",
        escaped(name),
        escaped(&suggestion(similar)),
        escaped(known),
        if *inputs == 1 { "the input column".into() } else { format!("all {inputs} input columns") }
    )]
    MissingColumn {
        /// The column.
        name: String,
        /// The available column with the most similar name, if one is similar.
        similar: Option<String>,
        /// Number of inputs of the model.
        inputs: usize,
        /// The available columns.
        known: String,
    },

    /// A plot of the input plane of a model without exactly two inputs.
    #[error(
        "the plot requires exactly two inputs, but the model has {inputs}; plot the training history instead"
    )]
    PlotInputs {
        /// Number of inputs of the model.
        inputs: usize,
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
    SonfinError,
    Device(DeviceError),
    Data(DataError: Device),
    Set(SetError: Device, Data, Setting);
    kind { TooManyInputs: Setting }
}
