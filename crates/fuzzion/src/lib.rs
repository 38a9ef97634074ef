//! Fuzzy computing on CPUs and NVIDIA GPUs: sets, inference, clustering, learning and certified arithmetic.
//!
//! Fuzzy methods handle categories and quantities without sharp boundaries: 18.5 °C is *warm* to a degree of 0.6, a row
//! of a table belongs to several clusters, a price is *about 5*. Fuzzion implements them for large data: the same call
//! runs on all CPU cores with SIMD instructions or, through CUDA, on GPUs, and CPU results are bit-identical for any
//! number of threads. Building does not require CUDA, which is loaded at run time.
//!
//! # Fuzzy sets
//!
//! [`sets`]: membership functions, t-norms and s-norms, hedges, α-cuts and expressions.
//!
//! ```
//! use fuzzion::{Device, Table, sets::Set};
//!
//! let day = Table::new(["temperature"], vec![12.0, 18.5, 22.0, 31.0])?;
//! let warm = Set::gaussian(22.0, 3.5)?;
//! let device: Device = "best".parse()?; // a GPU if one is usable, otherwise the CPU
//! let memberships = warm.memberships(&day.column("temperature")?, &device)?;
//! assert!((memberships[1] - (-0.5f64).exp()).abs() < 1e-15); // 18.5 is one σ below 22
//! # Ok::<(), fuzzion::Error>(())
//! ```
//!
//! # Inference
//!
//! [`inference`]: Mamdani, Takagi-Sugeno, Tsukamoto and interval type-2 systems, in the file formats of fuzzylite, MATLAB
//! and IEC 61131-7.
//!
//! ```
//! use fuzzion::inference::{Dialect, Output, System, Variable};
//! use fuzzion::sets::Set;
//!
//! let heating = System::new("heating")
//!     .input(Variable::new("room", 10.0, 30.0).set("cold", Set::ramp(20.0, 16.0)?).set("warm", Set::ramp(16.0, 20.0)?))
//!     .output(Output::new("valve", 0.0, 1.0).set("shut", Set::constant(0.0)?).set("open", Set::constant(1.0)?))
//!     .rule("if room is cold then valve is open")?
//!     .rule("if room is warm then valve is shut")?;
//! let row = heating.infer_row(&[17.0], Dialect::Fuzzylite8)?;
//! assert_eq!(row.outputs, [0.75]); // 17 °C is ¾ cold and ¼ warm
//! # Ok::<(), fuzzion::Error>(())
//! ```
//!
//! # Clustering
//!
//! [`clustering`]: fuzzy c-means and its variants for tables, images and files larger than memory.
//!
//! ```
//! use fuzzion::{Device, Table, clustering::FuzzyCMeans};
//!
//! let rows = Table::unnamed(1, vec![0.0, 0.1, 0.2, 9.8, 9.9, 10.0])?;
//! let partition = FuzzyCMeans::new(2).seed(42).fit(&rows, &Device::cpu()?)?;
//! let mut centers = partition.centers.to_f64().to_vec();
//! centers.sort_by(f64::total_cmp);
//! assert!((centers[0] - 0.1).abs() < 0.01 && (centers[1] - 9.9).abs() < 0.01);
//! # Ok::<(), fuzzion::Error>(())
//! ```
//!
//! # Learning rules from data
//!
//! [`tuning`] fits Takagi-Sugeno-Kang systems with least squares and gradients; [`sonfin`] trains networks that add
//! rules as samples arrive.
//!
//! ```
//! use fuzzion::{Device, Table, tuning::Tuner};
//!
//! let rows: Vec<f64> = (0..=20).flat_map(|i| [f64::from(i), f64::from(i * i)]).collect();
//! let rows = Table::new(["x", "y"], rows)?;
//! let device = Device::cpu()?;
//! let tuned = Tuner::grid(&[3]).fit(&rows, &["y"], &device)?; // y = x² as three linear rules
//! assert!(tuned.report.rmse < 1.0);
//! let predicted = tuned.predict(&rows, &device)?.column("y")?;
//! assert!((predicted[10] - 100.0).abs() < 5.0);
//! # Ok::<(), fuzzion::Error>(())
//! ```
//!
//! # Certified arithmetic
//!
//! [`arithmetic`]: fuzzy numbers whose α-cuts always enclose the exact result.
//!
//! ```
//! use fuzzion::arithmetic::FuzzyLu;
//!
//! let demand: FuzzyLu<f64, 3> = "tri(90, 100, 120)".parse()?; // about 100, at least 90, at most 120
//! let price = FuzzyLu::triangular(2.0, 2.5, 4.0)?;
//! let revenue = demand * price - 50.0;
//! assert_eq!(revenue.to_string(), "cuts([130, 430], [163.75, 307.5], [200, 200])");
//! # Ok::<(), fuzzion::Error>(())
//! ```
//!
//! # Infrastructure
//!
//! - [`device`]: CPU and GPU back ends; a [`Device`] is chosen once and passed to each operation
//! - [`data`]: reading and writing of tables, images and video
//! - [`plot`]: SVG plots

// Helpers of other features.
#![cfg_attr(not(feature = "internals"), allow(dead_code, unreachable_pub, unused_imports, unused_macros))]
// Items of `internals` are undocumented and contain private types; the stable interface is checked without them.
#![allow(private_bounds, private_interfaces)]
#![cfg_attr(feature = "internals", allow(missing_docs, rustdoc::private_intra_doc_links))]

#[cfg(feature = "arithmetic")]
pub mod arithmetic;
mod base;
#[cfg(feature = "clustering")]
pub mod clustering;
pub mod data;
pub mod device;
mod error;
pub mod inference;
#[cfg(test)]
extern crate self as fuzzion; // for files of `fuzzion-bench` in `kernels`
#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod internals;
#[cfg(test)]
#[cfg(all(
    feature = "arithmetic",
    feature = "cuda",
    feature = "images",
    feature = "sonfin",
    feature = "tuning"
))]
mod kernels;
#[cfg(any(feature = "sonfin", feature = "tuning"))]
mod linear;
mod macros;
#[cfg(feature = "plot")]
pub mod plot;
#[cfg(feature = "cuda")]
mod precompile;
mod progress;
mod random;
pub mod sets;
#[cfg(feature = "sonfin")]
pub mod sonfin;
mod stop;
#[cfg(feature = "tuning")]
pub mod tuning;

pub use base::{ErrorKind, Interrupted, SettingError, SyntaxError};
#[cfg(feature = "images")]
pub use data::Images;
pub use data::{DeviceSamples, Samples, Table};
pub use device::Device;
pub use error::{Error, Result};
#[cfg(feature = "cuda")]
pub use precompile::{PrecompiledKernels, precompile_kernels};
pub use progress::Progress;
pub use stop::Stop;
