//! From the driver's error codes to our own errors.

use crate::error::{Error, Result};
use cudarc::driver::result::DriverError;

/// Adds to a driver's answer what we were doing when it failed.
pub(crate) trait While<T> {
    /// Turns a failure into [`Error::Cuda`] with `doing` in its sentence.
    fn while_(self, doing: &'static str) -> Result<T>;
}

impl<T> While<T> for std::result::Result<T, DriverError> {
    fn while_(self, doing: &'static str) -> Result<T> {
        self.map_err(|failure| Error::Cuda { doing, reason: reason(failure) })
    }
}

/// The driver's own words for a failure: its name and its explanation.
pub(super) fn reason(failure: DriverError) -> String {
    let text = |words: std::result::Result<&std::ffi::CStr, DriverError>| {
        words.map_or_else(|_| format!("{:?}", failure.0), |words| words.to_string_lossy().into_owned())
    };
    format!("{} ({})", text(failure.error_name()), text(failure.error_string()))
}
