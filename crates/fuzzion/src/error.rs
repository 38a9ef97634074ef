//! The error type of the library.

#[cfg(feature = "arithmetic")]
use crate::arithmetic::ArithmeticError;
use crate::base::{SettingError, from_lower, message};
#[cfg(feature = "clustering")]
use crate::clustering::ClusteringError;
use crate::data::DataError;
use crate::device::DeviceError;
use crate::inference::InferenceError;
use crate::sets::SetError;
#[cfg(feature = "sonfin")]
use crate::sonfin::SonfinError;
#[cfg(feature = "tuning")]
use crate::tuning::TuningError;

/// Result type of the library.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Error of any module; every module has its own error type, which converts into this one.
///
/// An error is always found under the module that raised it: a file that clustering cannot read is [`Error::Data`].
/// `Display` describes the error without its [source](std::error::Error::source); [`Error::message`] includes it.
///
/// ```
/// use fuzzion::{Error, ErrorKind, Table, data::DataError};
/// let error = Error::from(Table::read("missing.csv").unwrap_err());
/// assert!(matches!(error, Error::Data(DataError::File { .. })));
/// assert_eq!(error.kind(), ErrorKind::File);
/// assert_eq!(error.to_string(), "cannot read missing.csv");
/// assert!(error.message().starts_with("cannot read missing.csv: "));
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The progress callback requested cancellation.
    #[error("interrupted")]
    Interrupted,
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
    /// An error in fuzzy arithmetic.
    #[cfg(feature = "arithmetic")]
    #[error(transparent)]
    Arithmetic(ArithmeticError),
    /// An error in clustering.
    #[cfg(feature = "clustering")]
    #[error(transparent)]
    Clustering(ClusteringError),
    /// An error in a fuzzy system.
    #[error(transparent)]
    Inference(InferenceError),
    /// An error in tuning.
    #[cfg(feature = "tuning")]
    #[error(transparent)]
    Tuning(TuningError),
    /// An error in a self-constructing network.
    #[cfg(feature = "sonfin")]
    #[error(transparent)]
    Sonfin(SonfinError),
}

from_lower! {
    Error,
    Device(DeviceError),
    Data(DataError: Device),
    Set(SetError: Device, Data, Setting),
    #[cfg(feature = "arithmetic")]
    Arithmetic(ArithmeticError: Device, Setting),
    #[cfg(feature = "clustering")]
    Clustering(ClusteringError: Device, Data, Setting),
    Inference(InferenceError: Device, Data, Set, Setting),
    #[cfg(feature = "tuning")]
    Tuning(TuningError: Device, Data, Set, Clustering, Inference, Setting),
    #[cfg(feature = "sonfin")]
    Sonfin(SonfinError: Device, Data, Set, Setting);
    kind {}
}

impl Error {
    /// The complete message: what is wrong, where, and how to fix it, including the source of the error.
    pub fn message(&self) -> String {
        message(self)
    }
}
