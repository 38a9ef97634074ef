//! Conversion of CUDA driver errors.

use crate::device::error::{DeviceError, Result};
use cudarc::driver::result::DriverError;

/// Adds the failed operation to a driver error.
pub(crate) trait WhileDoing<T> {
    /// Converts a driver error to [`DeviceError::Cuda`] with the operation `doing`.
    fn while_doing(self, doing: &'static str) -> Result<T>;
}

impl<T> WhileDoing<T> for std::result::Result<T, DriverError> {
    fn while_doing(self, doing: &'static str) -> Result<T> {
        self.map_err(|failure| DeviceError::Cuda { doing, reason: reason(failure) })
    }
}

/// Name and description of a driver error.
pub(super) fn reason(failure: DriverError) -> String {
    let text = |message: std::result::Result<&std::ffi::CStr, DriverError>| {
        message.map_or_else(|_| format!("{:?}", failure.0), |message| message.to_string_lossy().into_owned())
    };
    format!("{} ({})", text(failure.error_name()), text(failure.error_string()))
}
