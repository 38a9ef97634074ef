//! Emulator that runs the unmodified CUDA kernels on the CPU, to test them without a GPU.
//!
//! The system's C++ compiler compiles the kernel source together with `emulator.h`, which defines the CUDA built-ins:
//! each CUDA thread of a block is a fiber, `__syncthreads` switches to the next one, and blocks run one after
//! another. The caller chooses the [`Order`] of threads and blocks: a kernel with a missing barrier gives different
//! results in different orders.
//!
//! A launch fails with an error message if
//! - threads of a block wait at different barriers, or some have exited while others wait;
//! - lanes in the mask of a warp operation execute a different operation;
//! - a kernel writes outside an argument or its dynamic shared memory, or to a read-only argument;
//! - an index of a shared or local array is out of bounds, an address is misaligned, an integer is divided by zero, or a
//!   shift is too wide;
//! - the argument types or the launch configuration do not match the kernel.
//!
//! [`Cuda::emulated`](crate::device::Cuda::emulated) is a GPU whose kernels run in the emulator: production code that
//! takes a [`Cuda`](crate::device::Cuda) runs on it unchanged, and every launch that fails, or whose arguments do not
//! match the kernel, panics.
//!
//! Uninitialized memory (shared memory, memory outside arguments, inactive lanes of a shuffle) reads as NaN.
//!
//! Not emulated: inline PTX, tensor cores, textures and clusters; the approximate functions of the GPU (`__expf` and
//! `rsqrtf` are exact here), implicit fused multiply-adds (only explicit ones are fused here), and the saturating
//! `(int)x`. Kernels are declared as `extern "C" __global__ void name(…)`; dynamic shared memory is `DYNAMIC_SHARED`;
//! the grid barrier of a cooperative kernel is `grid_barrier(…)` with any arguments; a loop that waits for another
//! thread must call `__nanosleep`.
#![allow(unsafe_code)] // calls the compiled library
#![allow(dead_code)] // the tests of each module use a part

mod compile;
pub(crate) mod coverage;
mod gpu;
mod guarded;
mod launch;
mod memory;
mod source;

mod tests;

pub(crate) use gpu::{
    DeviceArray, EmulatedGpu, EmulatedKernel, EmulatedStream, Faults, LaunchRecord, RecordedWork,
};
pub(crate) use guarded::GuardedMemory;
pub(crate) use launch::{Emulator, Order, emulator_or_skip};
pub(crate) use memory::Arg;

/// Error of the emulator, or in an emulated kernel.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum EmulatorError {
    #[error("no C++ compiler: none of {tried} can be run; install one, or set CXX")]
    NoCompiler { tried: String },
    #[error("the emulator supports only Linux")]
    Unsupported,
    #[error("{program}: C++ compiler error:\n{log}")]
    Compile { program: &'static str, log: String },
    #[error("cannot {doing}: {reason}")]
    System { doing: String, reason: String },
    #[error("{program}: unknown kernel `{kernel}`; available kernels: {known}")]
    NoKernel { program: &'static str, kernel: String, known: String },
    #[error("{kernel}: {problem}")]
    Shape { kernel: String, problem: String },
    #[error("{kernel}: argument {index}, `{name}`, {problem}")]
    Argument { kernel: String, index: usize, name: String, problem: String },
    #[error("{kernel}: {problem}")]
    Launch { kernel: String, problem: String },
}
