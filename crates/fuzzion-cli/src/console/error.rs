//! Prints error messages and warnings to standard error.

use crate::format::escape_controls;
use std::io::{self, Write};

/// Prints a one-sentence error message to standard error.
pub(crate) fn print_error(message: &str) {
    let _ = writeln!(io::stderr(), "fuzzion: {}", escape_controls(message, &['\n']));
}

/// Prints a one-sentence warning to standard error.
pub(crate) fn print_warning(message: &str) {
    print_error(&format!("warning: {message}"));
}
