//! NumPy array files (NPY): a text header followed by the raw values.

mod header;
mod read;
mod write;

pub(crate) use header::MAGIC;
pub(crate) use read::{NpyReader, read_npy};
pub(crate) use write::{header, write_npy, write_values};

#[cfg(test)]
mod tests;
