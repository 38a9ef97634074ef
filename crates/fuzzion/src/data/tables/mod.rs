//! Tables: numeric columns and label columns.

#[cfg(feature = "cuda")]
mod cuda;
mod device_samples;
mod indicators;
mod labels;
mod row_values;
mod samples;
pub(crate) mod scalar;
mod storage;
mod summary;
mod table;
mod unknown;

#[cfg(feature = "cuda")]
pub(crate) use cuda::{GpuScalar, GpuValues, GpuView};
pub use device_samples::DeviceSamples;
pub(in crate::data) use indicators::indicator;
pub(crate) use indicators::{has_indicator, indicator_value};
pub use labels::Labels;
pub use samples::Samples;
pub(crate) use samples::host_samples;
pub use scalar::Precision;
pub(crate) use scalar::Scalar;
pub use storage::Values;
pub(crate) use storage::{Storage, numbered_names};
pub use summary::Summary;
pub(crate) use table::MAX_COLUMNS;
pub use table::Table;
pub(crate) use unknown::unknown_column;
