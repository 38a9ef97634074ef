//! Back ends: the CPU with threads and SIMD instructions, and NVIDIA GPUs through CUDA. A [`Device`] is a value that
//! the caller chooses once and passes to each operation.

mod backend;
pub(crate) mod ceilings;
mod check;
mod cpu;
pub(crate) mod cuda;
pub(crate) mod error;
mod list;
pub(crate) mod math;
pub(crate) mod measure;
mod simd;
#[cfg(test)]
pub(crate) mod testing;

pub use backend::Device;
pub(crate) use backend::Processor;
pub use check::Check;
pub use cpu::Cpu;
pub use cuda::Cuda;
pub use error::DeviceError;
pub use list::{DeviceInfo, list};
pub(crate) use measure::Ceilings;
pub use measure::Measurement;
pub(crate) use simd::{
    Aligned, Double, LOOKUP_ENTRIES, Narrow, Nearest, PLANE, Plane, Rounded, Vector, Vectors,
    copy_non_temporal, look_up, mul_add_f32, mul_add_f64, rounded, simd, vectors,
};
#[cfg(target_arch = "x86_64")]
pub(crate) use simd::{
    NearestF32, NearestF64, RegisterTable, RoundedVectors, has_vbmi, load_64, store_64, vbmi,
};
pub use simd::{Simd, SimdLevel};
