//! Runs the very text of our CUDA kernels on the CPU, so that kernels are tested where there is no GPU.
//!
//! The text is compiled by the system's C++ compiler together with `emulator.h`, which gives it CUDA's words:
//! each CUDA thread of a block is a fibre, `__syncthreads` hands over to the next, and blocks run one after
//! another. The caller chooses the [`Order`] of threads and blocks: a kernel that lacks a barrier gives another
//! result in another order.
//!
//! A launch fails, with a sentence, when
//! - threads of a block wait at different barriers, or some have ended while others wait;
//! - lanes named by a warp operation's mask do something else;
//! - a kernel writes outside an argument, or outside its dynamic shared memory, or into what it may only read;
//! - an index leaves a shared or local array, an address is misaligned, an integer is divided by zero, a shift is
//!   too wide;
//! - an argument's type or the launch's shape is not the kernel's.
//!
//! Memory that nobody wrote (shared memory, beyond the ends of arguments, lanes that take no part in a shuffle)
//! reads as NaN.
//!
//! What it cannot show: inline PTX, tensor cores, textures, clusters; the GPU's approximations (`__expf`, `rsqrtf`
//! are exact here), its fused multiply-adds (here only those that are spelled out fuse), its saturating `(int)x`,
//! and its speed. Kernels are `extern "C" __global__ void name(…)`; shared memory sized by the launch is
//! `DYNAMIC_SHARED`; a cooperative kernel's grid barrier is `grid_barrier(…)`, whatever its arguments; a loop
//! that waits for another thread must call `__nanosleep`.
#![allow(unsafe_code)] // loads what the C++ compiler made and calls into it
#![allow(dead_code)] // the rooms' tests use what they need

mod compile;
mod launch;
mod memory;
mod text;

mod tests;

pub(crate) use launch::{Emulator, Order, or_skip};
pub(crate) use memory::Arg;

/// What the emulator refuses, or has found wrong with a kernel.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Failure {
    #[error("no C++ compiler: none of {tried} can be run; install one or name it in CXX")]
    NoCompiler { tried: String },
    #[error("the emulator runs on Linux only")]
    Unsupported,
    #[error("{program}: the C++ compiler refuses it:\n{log}")]
    Compile { program: &'static str, log: String },
    #[error("cannot {doing}: {reason}")]
    System { doing: String, reason: String },
    #[error("{program} has no kernel `{kernel}`; it has {known}")]
    NoKernel { program: &'static str, kernel: String, known: String },
    #[error("{kernel}: {problem}")]
    Shape { kernel: String, problem: String },
    #[error("{kernel}: argument {index}, `{name}`, {problem}")]
    Argument { kernel: String, index: usize, name: String, problem: String },
    #[error("{kernel}: {problem}")]
    Launch { kernel: String, problem: String },
}
