//! Reading tables, and detection of the file type.

#[cfg(feature = "images")]
mod content;
mod format;
mod open;
mod reader;
mod settings;

#[cfg(feature = "images")]
pub use content::{Content, ImageOrVideo};
pub use format::Format;
pub(crate) use format::SUPPORTED;
pub(crate) use reader::ChunkReader;
pub use reader::TableReader;
pub use settings::ReadTable;
