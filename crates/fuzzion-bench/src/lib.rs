//! Benchmarks and self-tests of [`fuzzion`], for the commands `fuzzion bench` and `fuzzion selftest`.
//!
//! Kernels are compared with their oracles and timed one by one, so this crate uses the internals of the library.
//!
//! ```
//! let checks = fuzzion_bench::selftest_of(&["device"], &fuzzion::Device::cpu()?)?;
//! for check in checks {
//!     assert!(check.passed && check.error <= check.bound, "{}", check.kernel);
//! }
//! # Ok::<(), fuzzion::Error>(())
//! ```

mod arithmetic;
mod bench;
mod clustering;
mod concurrent;
mod device;
mod image;
mod inference;
#[doc(hidden)]
pub mod learners;
mod selftest;
mod sets;
mod sonfin;
mod tuning;

pub use bench::{bench, bench_names};
pub use device::{Check, Measurement};
pub use selftest::{selftest, selftest_modules, selftest_of};
