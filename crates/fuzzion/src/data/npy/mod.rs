//! NumPy's array files: a line of text that says what follows, and the numbers as they lie in memory.

mod header;
mod read;
mod write;

pub(crate) use header::MAGIC;
pub(crate) use read::{NpyReader, read_npy};
pub(crate) use write::{header, write_npy, write_numbers};

#[cfg(test)]
mod tests;
