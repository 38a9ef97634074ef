//! The one place where processors are chosen: the CPU with its threads and vector instructions, NVIDIA GPUs
//! through CUDA. A [`Device`] is a value that the caller picks once and lends to each verb.

mod cpu;
pub(crate) mod cuda;
mod simd;

pub use cpu::{Cpu, MAX_THREADS};
pub use simd::{Simd, SimdLevel};
pub(crate) use simd::{mul_add_f32, mul_add_f64, simd};
