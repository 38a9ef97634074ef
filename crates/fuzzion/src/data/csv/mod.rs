//! CSV and other delimited text.
//!
//! A file is read as a sequence of blocks of whole records, so that files of any size can be streamed. A block is
//! split into chunks at positions that depend on the text only; the chunks are parsed in parallel and their rows are
//! concatenated in order.

mod block;
mod buffer;
mod decimal;
mod dialect;
mod field;
mod layout;
mod number;
mod reader;
mod records;
mod separator;
mod write;

pub(crate) use reader::CsvReader;
pub use records::Records;
pub use separator::Separator;
pub(crate) use write::{RowFormat, header, write_csv, write_rows};

#[cfg(test)]
mod tests;
