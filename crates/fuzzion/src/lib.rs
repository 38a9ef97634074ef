//! Fuzzy computing at scale.

mod bench;
pub mod data;
pub mod device;
mod error;
#[cfg(test)]
mod kernels;
pub mod plot;
mod progress;
mod random;
mod selftest;
pub mod sets;

pub use bench::{bench, bench_names};
pub use data::{Images, Table};
pub use device::Device;
pub use error::{Error, Result};
pub use progress::Progress;
pub use selftest::selftest;
