//! Exceptions for the errors of the library.

use fuzzion::{Error, ErrorKind};
use pyo3::PyErr;
use pyo3::exceptions::{
    PyFileNotFoundError, PyIsADirectoryError, PyKeyboardInterrupt, PyMemoryError, PyNotImplementedError,
    PyOSError, PyPermissionError, PyRuntimeError, PyValueError,
};
use std::io;

/// The built-in exception of the category of an error, with the library's message.
pub(crate) fn exception(error: impl Into<Error>) -> PyErr {
    let error = error.into();
    let message = error.message();
    match error.kind() {
        ErrorKind::Setting | ErrorKind::Input => PyValueError::new_err(message),
        ErrorKind::File => match io_error_kind(&error) {
            Some(io::ErrorKind::NotFound) => PyFileNotFoundError::new_err(message),
            Some(io::ErrorKind::PermissionDenied) => PyPermissionError::new_err(message),
            Some(io::ErrorKind::IsADirectory) => PyIsADirectoryError::new_err(message),
            _ => PyOSError::new_err(message),
        },
        ErrorKind::OutOfMemory => PyMemoryError::new_err(message),
        ErrorKind::Unsupported => PyNotImplementedError::new_err(message),
        ErrorKind::Interrupted => PyKeyboardInterrupt::new_err(message),
        _ => PyRuntimeError::new_err(message),
    }
}

/// The kind of the first error of the operating system among the sources of `error`.
fn io_error_kind(error: &Error) -> Option<io::ErrorKind> {
    let mut source = std::error::Error::source(error);
    while let Some(error) = source {
        if let Some(error) = error.downcast_ref::<io::Error>() {
            return Some(error.kind());
        }
        source = error.source();
    }
    None
}

/// The exception for invalid JSON.
pub(crate) fn json_exception(error: serde_json::Error) -> PyErr {
    PyValueError::new_err(error.to_string())
}
