//! Text tables: fields between separators, one row a line.
//!
//! A block of text that ends with a line is cut at fixed places into chunks, each chunk is parsed on its own, and
//! the results are joined in order; a whole file is a sequence of such blocks, so that any size can be streamed.

mod block;
mod decimal;
mod dialect;
mod field;
mod layout;
mod number;
mod reader;
mod text;
mod write;

pub use dialect::Separator;
pub(crate) use reader::CsvReader;
pub(crate) use write::{header, write_csv, write_lines};

#[cfg(test)]
mod oddities;
#[cfg(test)]
mod tests;
