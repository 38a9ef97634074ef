//! Writing of small files and creation of folders.

use fuzzion::data::DataError;
use fuzzion::data::output::AtomicFile;
use fuzzion::{Error, Result};
use std::io::{self, ErrorKind, Write as _};
use std::path::Path;

/// The supported format of plots, in error messages.
pub(crate) const PLOT_FORMAT: &str =
    "`.svg`, which `rsvg-convert --zoom 2 plot.svg --output plot.png` converts to PNG";

/// Writes a whole file atomically; `-` is standard output.
pub(crate) fn write_file(path: &Path, bytes: &[u8]) -> Result<()> {
    let mut out = AtomicFile::create(path)?;
    out.write_all(bytes).map_err(|cause| out.error(cause))?;
    Ok(out.finish()?)
}

/// Creates a folder and its parents if they do not exist.
pub(crate) fn create_folder(path: &Path) -> Result<()> {
    let failed = |cause: io::Error| {
        // Parents are created, except in folders such as `/proc`.
        let cause = match cause.kind() {
            ErrorKind::NotFound => {
                io::Error::other("its parent folder cannot be written to; choose another path")
            }
            _ => cause,
        };
        Error::Data(DataError::File { doing: "create the folder", path: path.to_path_buf(), cause })
    };
    std::fs::create_dir_all(path).map_err(failed)
}

/// Reads a text file.
pub(crate) fn read_text(path: &Path) -> Result<String> {
    let failed = |cause| Error::Data(DataError::File { doing: "read", path: path.to_path_buf(), cause });
    std::fs::read_to_string(path).map_err(failed)
}
