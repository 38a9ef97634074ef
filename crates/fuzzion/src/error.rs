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
    #[error("`{found}` is not a number of threads; use a whole number from 1 to {most}")]
    Threads {
        /// What was asked for.
        found: String,
        /// The most that can be had.
        most: usize,
    },

    /// The threads of a CPU device could not be started.
    #[error("cannot start {threads} threads ({reason}); ask for fewer")]
    ThreadPool {
        /// How many were asked for.
        threads: usize,
        /// What the system said.
        reason: String,
    },

    // ---- CUDA ----
    /// The machine has no NVIDIA driver.
    #[error("CUDA needs an NVIDIA driver, and this machine has none; install one, or use the device `cpu`")]
    NoDriver,

    /// The driver is too old for us.
    #[error(
        "the NVIDIA driver supports CUDA {}.{} and we need {}.{}; update the driver, or use the device `cpu`",
        found.0, found.1, needed.0, needed.1
    )]
    OldDriver {
        /// What the driver supports, (major, minor).
        found: (i32, i32),
        /// The least we can use.
        needed: (i32, i32),
    },

    /// The driver is there but answers with an error, or shows no GPU.
    #[error("the NVIDIA driver finds no usable GPU ({reason}); check `nvidia-smi`, or use the device `cpu`")]
    NoGpu {
        /// What the driver said.
        reason: String,
    },

    /// A GPU number past the last one.
    #[error("there is no device `cuda:{index}`; this machine has {count}, numbered from `cuda:0`")]
    NoSuchGpu {
        /// The number asked for.
        index: usize,
        /// How many GPUs there are.
        count: usize,
    },

    /// The GPU's memory is full.
    #[error(
        "the GPU has no room for {asked} more bytes ({free} are free); use a smaller problem, another GPU, or the device `cpu`"
    )]
    OutOfDeviceMemory {
        /// Bytes asked for.
        asked: u64,
        /// Bytes free at that moment.
        free: u64,
    },

    /// A call of the CUDA driver failed.
    #[error("CUDA failed while {doing}: {reason}")]
    Cuda {
        /// What was being done.
        doing: &'static str,
        /// The driver's name for the failure and its explanation.
        reason: String,
    },

    // ---- data ----
    /// The system refused to read or write a file.
    #[error("cannot {doing} {path}: {cause}", path = path.display())]
    File {
        /// What was being done: `read`, `write`, …
        doing: &'static str,
        /// The file.
        path: PathBuf,
        /// What the system said.
        cause: io::Error,
    },

    // ---- plot ----
    /// Pixels that make no picture.
    #[error("cannot draw the picture: {reason}")]
    Picture {
        /// What is wrong with them.
        reason: String,
    },
}
