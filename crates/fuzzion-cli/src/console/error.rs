//! Prints error messages to standard error.

use std::io::{self, Write};

/// Prints a one-sentence error message to standard error.
pub(crate) fn print_error(message: &str) {
    let _ = writeln!(io::stderr(), "fuzzion: {message}");
}
