//! Tables: numeric columns and label columns.

mod labels;
mod scalar;
mod storage;
mod summary;
mod table;

pub use labels::Labels;
pub use scalar::Precision;
pub(crate) use scalar::Scalar;
pub(crate) use storage::Storage;
pub use storage::Values;
pub use summary::Summary;
pub use table::Table;
pub(crate) use table::{MAX_COLUMNS, numbered_names, unknown_column};
