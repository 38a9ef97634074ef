//! Back ends: the CPU with threads and SIMD instructions, and NVIDIA GPUs through CUDA. A [`Device`] is a value that
//! the caller chooses once and passes to each operation.

pub(crate) mod backend;
mod cpu;
#[cfg(feature = "cuda")]
pub(crate) mod cuda;
mod distribute;
pub(crate) mod error;
mod list;
pub(crate) mod math;
pub mod policy;
pub(crate) mod program;
pub(crate) mod simd;
pub(crate) mod storage;
#[cfg(test)]
pub(crate) mod testing;

pub use backend::Device;
pub(crate) use backend::Processor;
pub use cpu::Cpu;
#[cfg(feature = "cuda")]
#[doc(hidden)] // for the Ctrl-C handler of the command line
pub use cuda::exit;
#[cfg(feature = "cuda")]
pub use cuda::{Cuda, CudaArrayView};
#[cfg(feature = "cuda")]
pub(crate) use distribute::concurrently;
pub(crate) use distribute::distribute;
pub use error::DeviceError;
pub use list::{DeviceInfo, list};
#[cfg(feature = "cuda")]
pub use list::{KernelTools, kernel_tools};
pub(crate) use policy::Operation;
pub(crate) use simd::{
    Aligned, ElementaryVector, LOOKUP_ENTRIES, Narrow, Nearest, PLANE, Plane, Rounded, Vector, Vectors,
    copy_non_temporal, look_up, mul_add_f32, mul_add_f64, rounded, simd, vectors, zeros_in_huge_pages,
};
#[cfg(target_arch = "x86_64")]
pub(crate) use simd::{
    Avx2Detected, Avx512Detected, NearestF32, NearestF64, RegisterTable, RoundedVectors, has_vbmi, load_64,
    store_64, vbmi,
};
pub use simd::{Simd, SimdLevel};

#[cfg(feature = "cuda")]
pub(crate) use cuda::Element;

/// Element types that a GPU can process, in builds without CUDA.
#[cfg(not(feature = "cuda"))]
pub(crate) trait Element: bytemuck::Pod + Default + Send + Sync {}

#[cfg(not(feature = "cuda"))]
impl<T: bytemuck::Pod + Default + Send + Sync> Element for T {}
