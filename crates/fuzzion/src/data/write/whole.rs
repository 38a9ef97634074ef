//! Writing whole tables.

use crate::data::csv::write_csv;
use crate::data::error::{DataError, Result};
use crate::data::files::output::AtomicFile;
use crate::data::npy::write_npy;
use crate::data::read::{Format, SUPPORTED};
use crate::data::tables::Table;
use crate::device::Cpu;
use flate2::Compression;
use flate2::write::GzEncoder;
use std::io::Write;
use std::path::Path;

impl Table {
    /// Writes the table to `path`, in the format of the file extension; `-` is CSV on standard output.
    ///
    /// Reading the file back gives bit-identical values; a missing value is written as `NaN`.
    ///
    /// ```
    /// # let folder = tempfile::tempdir().unwrap();
    /// # let path = folder.path().join("xy.csv");
    /// use fuzzion::Table;
    /// Table::new(["x", "y"], vec![0.5, f64::NAN])?.write(&path)?;
    /// assert_eq!(std::fs::read_to_string(&path).unwrap(), "x,y\n0.5,NaN\n");
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`DataError::File`], [`DataError::UnknownFormat`], [`DataError::NoParquetSupport`], and [`DataError::LabelsNotSupported`] if the
    /// format stores numbers only.
    pub fn write(&self, path: impl AsRef<Path>) -> Result<()> {
        let path = path.as_ref();
        let format = if path == Path::new("-") { Some(Format::Csv) } else { Format::from_path(path) };
        let format = format.ok_or_else(|| DataError::unknown_format("write", path, SUPPORTED))?;
        if format == Format::Npy
            && let Some(labels) = self.labels().first()
        {
            return Err(DataError::LabelsNotSupported { format: "NPY", name: labels.name().to_owned() });
        }
        #[cfg(not(feature = "parquet"))]
        if format == Format::Parquet {
            return Err(DataError::NoParquetSupport { path: path.to_path_buf() });
        }
        let name = path.to_string_lossy().to_ascii_lowercase();
        let mut output = AtomicFile::create(path)?;
        match name.strip_suffix(".gz") {
            None => self.write_into(&mut output, format, &name, path)?,
            Some(name) => {
                let mut compressed = GzEncoder::new(&mut output, Compression::default());
                self.write_into(&mut compressed, format, name, path)?;
                let done = compressed.finish().map(drop);
                done.map_err(|e| output.error(e))?;
            }
        }
        output.finish()
    }

    fn write_into(
        &self,
        out: &mut (impl Write + Send),
        format: Format,
        name: &str,
        path: &Path,
    ) -> Result<()> {
        let write = |bytes: &[u8]| {
            let path = path.to_path_buf();
            out.write_all(bytes).map_err(|cause| DataError::File { doing: "write", path, cause })
        };
        match format {
            Format::Csv => {
                let separator = if name.ends_with(".tsv") { b'\t' } else { b',' };
                write_csv(self, separator, &Cpu::new()?, write)
            }
            Format::Npy => write_npy(self, write),
            #[cfg(feature = "parquet")]
            Format::Parquet => crate::data::parquet::write_parquet(self, out, path),
            #[cfg(not(feature = "parquet"))]
            Format::Parquet => Err(DataError::NoParquetSupport { path: path.to_path_buf() }),
        }
    }
}
