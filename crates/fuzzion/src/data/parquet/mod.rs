//! Apache Parquet: flat numeric columns, and text columns as labels.

mod column;
mod pages;
mod read;
mod write;

pub(crate) use read::ParquetReader;
pub(crate) use write::{ParquetWriter, write_parquet};

#[cfg(test)]
mod tests;
