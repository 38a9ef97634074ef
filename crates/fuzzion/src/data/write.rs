//! Writing tables by the ending of their name.

use super::csv::write_csv;
use super::npy::write_npy;
use super::output::Output;
use super::read::{Format, KNOWN};
use super::table::Table;
use crate::device::Cpu;
use crate::error::{Error, Result};
use flate2::Compression;
use flate2::write::GzEncoder;
use std::io::Write;
use std::path::Path;

impl Table {
    /// Writes the table to `path`, in the format its ending names; `-` is CSV on standard output.
    ///
    /// Numbers are written so that reading them back gives the same bits; a missing value is `NaN`.
    ///
    /// # Errors
    /// [`Error::File`], [`Error::UnknownFormat`], [`Error::WithoutParquet`], and [`Error::LabelsNotHeld`] where
    /// the format holds numbers only.
    pub fn write(&self, path: impl AsRef<Path>) -> Result<()> {
        let path = path.as_ref();
        let format = if path == Path::new("-") { Some(Format::Csv) } else { Format::of_name(path) };
        let format = format.ok_or(Error::UnknownFormat { path: path.to_path_buf(), known: KNOWN })?;
        if format == Format::Npy
            && let Some(labels) = self.labels().first()
        {
            return Err(Error::LabelsNotHeld { format: "NPY", name: labels.name().to_owned() });
        }
        #[cfg(not(feature = "parquet"))]
        if format == Format::Parquet {
            return Err(Error::WithoutParquet { path: path.to_path_buf() });
        }
        let name = path.to_string_lossy().to_ascii_lowercase();
        let mut output = Output::create(path)?;
        match name.strip_suffix(".gz") {
            None => self.write_into(&mut output, format, &name, path)?,
            Some(name) => {
                let mut packed = GzEncoder::new(&mut output, Compression::default());
                self.write_into(&mut packed, format, name, path)?;
                let done = packed.finish().map(drop);
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
        let put = |bytes: &[u8]| {
            let path = path.to_path_buf();
            out.write_all(bytes).map_err(|cause| Error::File { doing: "write", path, cause })
        };
        match format {
            Format::Csv => {
                let separator = if name.ends_with(".tsv") { b'\t' } else { b',' };
                write_csv(self, separator, &Cpu::new()?, put)
            }
            Format::Npy => write_npy(self, put),
            #[cfg(feature = "parquet")]
            Format::Parquet => super::parquet::write_parquet(self, out, path),
            #[cfg(not(feature = "parquet"))]
            Format::Parquet => Err(Error::WithoutParquet { path: path.to_path_buf() }),
        }
    }
}
