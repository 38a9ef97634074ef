//! Explicit vector types, for the few loops whose accumulators the compiler does not keep in registers.
//!
//! The macro [`vectors`] compiles a body that is generic over [`Vector`] once per level.

mod levels;
#[cfg(target_arch = "aarch64")]
mod neon;
mod operations;
#[cfg(any(test, not(any(target_arch = "x86_64", target_arch = "aarch64"))))]
mod portable;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
mod register;
#[cfg(test)]
mod tests;
#[cfg(target_arch = "x86_64")]
mod x86;

pub(crate) use levels::{Vectors, vectors};
pub(crate) use operations::Vector;
