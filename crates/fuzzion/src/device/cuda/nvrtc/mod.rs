//! NVRTC, the CUDA run-time compiler, found in toolkits and Python packages and loaded by its absolute path.
//!
//! It needs neither a GPU nor a driver. NVRTC loads its second library, `libnvrtc-builtins`, by file name at the first
//! compilation, so it is loaded beforehand from the folder of the first one.

mod library;
mod resources;
mod search;
#[cfg(test)]
pub(crate) mod testing;
#[cfg(test)]
mod tests;

pub(crate) use library::Nvrtc;
pub use library::exit;
