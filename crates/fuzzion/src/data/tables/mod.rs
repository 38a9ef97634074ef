//! Tables: numeric columns and label columns.

mod device_samples;
#[cfg(feature = "cuda")]
mod gpu_rows;
mod labels;
mod samples;
pub(crate) mod scalar;
mod storage;
mod summary;
mod table;

pub use device_samples::DeviceSamples;
#[cfg(feature = "cuda")]
pub(crate) use gpu_rows::GpuValues;
pub use labels::Labels;
pub use samples::Samples;
pub(crate) use samples::{numbered_names, unknown_column};
pub use scalar::Precision;
pub(crate) use scalar::Scalar;
pub(crate) use storage::Storage;
pub use storage::Values;
pub use summary::Summary;
pub(crate) use table::MAX_COLUMNS;
pub use table::Table;
