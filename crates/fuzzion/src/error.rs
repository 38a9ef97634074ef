//! Every way to fail: what, where, and how to mend it.

use std::io;
use std::path::PathBuf;

/// The result of every fallible call of this library.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// What went wrong, where, and how to mend it; each variant displays as one sentence.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    // ---- settings ----
    /// A setting outside the values it may take.
    #[error("{algorithm}: `{name}` is {value}, but it must be {must}")]
    Parameter {
        /// The algorithm that refuses it.
        algorithm: &'static str,
        /// The setting.
        name: &'static str,
        /// What it was set to.
        value: f64,
        /// What it may be.
        must: &'static str,
    },

    /// The progress callback asked to stop.
    #[error("interrupted; nothing was half-written")]
    Interrupted,

    // ---- devices ----
    /// A word that names no device.
    #[error("no device is called `{0}`; use `cpu`, `cuda`, `cuda:N` or `best`")]
    UnknownDevice(String),

    /// A thread count that cannot be used.
    #[error("`{0}` is not a number of threads; use a whole number from 1 to {max}", max = crate::device::MAX_THREADS)]
    Threads(String),

    /// The threads of a CPU device could not be started.
    #[error("cannot start {threads} threads ({reason}); ask for fewer")]
    ThreadPool {
        /// How many were asked for.
        threads: usize,
        /// What the system said.
        reason: String,
    },

    // ---- data ----
    /// The system refused to read or write a file.
    #[error("cannot {doing} {path}: {source}", path = path.display())]
    File {
        /// What was being done: `read`, `write`, …
        doing: &'static str,
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}
