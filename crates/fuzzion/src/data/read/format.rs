//! File formats of tables.

use crate::data::error::{DataError, Result};
use crate::data::files::Source;
use crate::data::npy::MAGIC;
use std::path::Path;

/// File format of a table.
///
/// ```
/// # let folder = tempfile::tempdir().unwrap();
/// # let path = folder.path().join("values");
/// # std::fs::write(&path, "1 2\n3 4\n").unwrap();
/// use fuzzion::data::{Format, ReadTable};
/// assert!(ReadTable::new().read(&path).is_err()); // a file named `values`, without an extension
/// assert_eq!(ReadTable::new().format(Format::Csv).read(&path)?.columns(), 2);
/// # Ok::<(), fuzzion::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Format {
    /// Delimited text, such as CSV and TSV.
    Csv,
    /// NumPy array file.
    Npy,
    /// Apache Parquet; requires the Cargo feature `parquet`.
    Parquet,
}

/// Supported file extensions.
#[cfg(feature = "parquet")]
pub(crate) const SUPPORTED: &str =
    "`.csv`, `.tsv`, `.txt`, `.dat`, `.data` (each also with `.gz`), `.npy` and `.parquet`";
#[cfg(not(feature = "parquet"))]
pub(crate) const SUPPORTED: &str =
    "`.csv`, `.tsv`, `.txt`, `.dat`, `.data` (each also with `.gz`) and `.npy`";

impl Format {
    /// The format indicated by the file extension.
    ///
    /// ```
    /// use fuzzion::data::Format;
    /// use std::path::Path;
    /// assert_eq!(Format::from_path(Path::new("data.CSV.gz")), Some(Format::Csv));
    /// assert_eq!(Format::from_path(Path::new("photo.png")), None);
    /// ```
    pub fn from_path(path: &Path) -> Option<Format> {
        let name = path.file_name()?.to_string_lossy().to_ascii_lowercase();
        let name = name.strip_suffix(".gz").unwrap_or(&name);
        match name.rsplit_once('.')?.1 {
            "csv" | "tsv" | "txt" | "dat" | "data" => Some(Format::Csv),
            "npy" => Some(Format::Npy),
            "parquet" => Some(Format::Parquet),
            _ => None,
        }
    }

    /// Detects the format from the first bytes and the file extension.
    pub(crate) fn detect(source: &Source) -> Result<Format> {
        if source.head.starts_with(MAGIC) {
            return Ok(Format::Npy);
        }
        if let Some(format) = Format::from_path(&source.path) {
            return Ok(format);
        }
        if source.head.starts_with(b"PAR1") {
            return Ok(Format::Parquet);
        }
        if source.is_stream {
            return Ok(Format::Csv); // a pipe has no extension
        }
        Err(DataError::UnknownFormat { path: source.path.clone(), known: SUPPORTED })
    }
}
