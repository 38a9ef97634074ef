//! Errors of devices.

use crate::base::{ErrorKind, Interrupted, count};

/// Result type of this module.
pub(crate) type Result<T, E = DeviceError> = std::result::Result<T, E>;

/// Error of a device.
///
/// ```
/// use fuzzion::{Device, device::DeviceError};
/// let error = "gpu".parse::<Device>().unwrap_err();
/// assert!(matches!(error, DeviceError::UnknownDevice(name) if name == "gpu"));
/// ```
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DeviceError {
    /// An unknown device name.
    #[error("unknown device `{0}`; expected `cpu`, `cuda`, `cuda:N`, `cuda:N,M`, `cuda:all` or `best`")]
    UnknownDevice(String),

    /// An invalid number of threads.
    #[error("invalid number of threads `{found}`; expected an integer from 1 to {most}")]
    ThreadCount {
        /// The requested number.
        found: String,
        /// The maximum.
        most: usize,
    },

    /// The threads of a CPU device could not be started.
    #[error("cannot start {} ({reason}); use fewer threads", count(threads, "threads"))]
    ThreadPool {
        /// The requested number of threads.
        threads: usize,
        /// The operating system's error message.
        reason: String,
    },

    /// An operation without CUDA kernels.
    #[error("{what} is not yet supported on a GPU; use the device `cpu`")]
    NotOnGpu {
        /// The operation.
        what: &'static str,
    },

    /// Data in the memory of another device.
    #[error(
        "the {what} are in the memory of `{memory}`, but the operation runs on `{device}`; use the same device for both"
    )]
    OtherDevice {
        /// The data: `rows`, `numbers` or `images`.
        what: &'static str,
        /// The device in whose memory they are.
        memory: String,
        /// The device of the operation.
        device: String,
    },

    /// A GPU in a build without CUDA support.
    #[error("this build has no CUDA support; build with the feature `cuda`, or use the device `cpu`")]
    NoCudaSupport,

    /// No NVIDIA driver is installed.
    #[error("no NVIDIA driver found; install one, or use the device `cpu`")]
    NoDriver,

    /// The NVIDIA driver is too old.
    #[error(
        "the NVIDIA driver supports CUDA {}.{}, but {}.{} or later is required; update the driver, or use the device `cpu`",
        found.0, found.1, needed.0, needed.1
    )]
    OldDriver {
        /// The CUDA version of the driver, (major, minor).
        found: (i32, i32),
        /// The minimum version.
        needed: (i32, i32),
    },

    /// The driver reports an error, or no GPU.
    #[error("no usable GPU found ({reason}); check `nvidia-smi`, or use the device `cpu`")]
    NoGpu {
        /// The driver's error message.
        reason: String,
    },

    /// A GPU index out of range.
    #[error("unknown device `cuda:{index}`; available GPUs: {}", gpu_names(*count))]
    NoSuchGpu {
        /// The index given.
        index: usize,
        /// The number of GPUs.
        count: usize,
    },

    /// Not enough free GPU memory.
    #[error(
        "out of GPU memory: {asked} bytes requested, {free} bytes free; reduce the size of the problem, or use \
         another GPU or the device `cpu`"
    )]
    OutOfMemory {
        /// Number of bytes requested.
        asked: u64,
        /// Number of bytes free at the time.
        free: u64,
    },

    /// A CUDA driver call failed.
    #[error("CUDA error while {doing}: {reason}")]
    Cuda {
        /// The operation.
        doing: &'static str,
        /// The name of the CUDA error and its description.
        reason: String,
    },

    /// NVRTC, the run-time compiler of the CUDA kernels, was not found.
    #[error(
        "the CUDA run-time compiler NVRTC was not found in any of {searched} locations{}; \
         install a CUDA toolkit or `pip install nvidia-cuda-nvrtc`, or set FUZZION_NVRTC to its path",
        refused.as_ref().map(|why| format!(" ({why})")).unwrap_or_default()
    )]
    NoNvrtc {
        /// Number of paths searched.
        searched: usize,
        /// Why the first library found could not be loaded.
        refused: Option<String>,
    },

    /// A CUDA program that failed to compile.
    #[error("NVRTC failed to compile {program} for {architecture}:\n{log}")]
    Compile {
        /// The program.
        program: &'static str,
        /// The GPU architecture, such as `sm_90`.
        architecture: String,
        /// The compiler log.
        log: String,
    },

    /// The progress callback requested cancellation.
    #[error("interrupted")]
    Interrupted,
}

impl From<Interrupted> for DeviceError {
    fn from(_: Interrupted) -> Self {
        DeviceError::Interrupted
    }
}

impl DeviceError {
    /// Category of the error.
    ///
    /// ```
    /// use fuzzion::{ErrorKind, device::Cpu};
    /// assert_eq!(Cpu::with_threads(0).unwrap_err().kind(), ErrorKind::Setting);
    /// ```
    pub fn kind(&self) -> ErrorKind {
        match self {
            DeviceError::Interrupted => ErrorKind::Interrupted,
            DeviceError::OutOfMemory { .. } => ErrorKind::OutOfMemory,
            DeviceError::UnknownDevice(_)
            | DeviceError::ThreadCount { .. }
            | DeviceError::OtherDevice { .. } => ErrorKind::Setting,
            DeviceError::NotOnGpu { .. } | DeviceError::NoCudaSupport => ErrorKind::Unsupported,
            _ => ErrorKind::Device,
        }
    }
}

/// The names of `count` GPUs.
fn gpu_names(count: usize) -> String {
    (0..count).map(|index| format!("`cuda:{index}`")).collect::<Vec<_>>().join(", ")
}
