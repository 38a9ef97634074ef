//! Apache Parquet: flat columns of numbers, and of text as labels.

mod column;
mod read;
mod write;

pub(crate) use read::ParquetReader;
pub(crate) use write::{ParquetWriter, write_parquet};

#[cfg(test)]
mod tests;
