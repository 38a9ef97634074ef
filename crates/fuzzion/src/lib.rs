//! Fuzzy computing at scale, on the CPU and on NVIDIA GPUs.
//!
//! ```
//! use fuzzion::{Device, Table, sets::Set};
//!
//! let day = Table::new(["temperature"], vec![12.0, 18.5, 22.0, 31.0])?;
//! let warm = Set::gaussian(22.0, 3.5)?;
//! let device: Device = "best".parse()?;               // a GPU if one is usable, else the CPU
//! let memberships = warm.memberships(&day.column("temperature")?, &device)?;
//! assert!((memberships[1] - (-0.5f64).exp()).abs() < 1e-15); // one σ away
//! # Ok::<(), fuzzion::Error>(())
//! ```
//!
//! The rooms:
//! - [`arithmetic`]: certified fuzzy numbers and expressions over them
//! - [`sets`]: membership functions, norms, hedges, α-cuts, expressions
//! - [`clustering`]: fuzzy c-means and its kin
//! - [`inference`]: fuzzy systems and their files, row by row
//! - [`tuning`]: Takagi-Sugeno-Kang systems learned from rows
//! - [`sonfin`]: networks whose rules grow while samples stream past
//!
//! and what they stand on:
//! - [`device`]: where work is done, chosen once and lent to each verb
//! - [`data`]: tables, images and video, in and out of files
//! - [`plot`]: pictures as SVG

pub mod arithmetic;
mod bench;
pub mod clustering;
pub mod data;
pub mod device;
mod error;
pub mod inference;
#[cfg(test)]
mod kernels;
mod linear;
pub mod plot;
mod progress;
mod random;
mod selftest;
pub mod sets;
pub mod sonfin;
pub mod tuning;

pub use bench::{bench, bench_names};
pub use data::{Images, Table};
pub use device::Device;
pub use error::{Error, Result};
pub use progress::Progress;
pub use selftest::{selftest, selftest_of, selftest_rooms};
