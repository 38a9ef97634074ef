//! Tables written a piece at a time.

use super::csv;
use super::npy;
use super::output::Output;
#[cfg(feature = "parquet")]
use super::parquet::ParquetWriter;
use super::read::{Format, KNOWN};
use super::scalar::Precision;
use super::table::Table;
use crate::device::Cpu;
use crate::error::{Error, Result};
use flate2::Compression;
use flate2::write::GzEncoder;
use std::fmt;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// A table written in pieces, so that all of it is never in memory; it appears under its name when it is finished.
///
/// ```
/// # fn main() -> fuzzion::Result<()> {
/// # let folder = tempfile::tempdir().unwrap();
/// # let path = folder.path().join("x.csv");
/// use fuzzion::{Table, data::TableWriter};
/// let mut writer = TableWriter::create(&path)?;
/// writer.write(&Table::new(["x"], vec![1.0, 2.0])?)?;
/// writer.write(&Table::new(["x"], vec![3.0])?)?;
/// writer.finish()?;
/// assert_eq!(Table::read(&path)?.column("x")?, [1.0, 2.0, 3.0]);
/// # Ok(())
/// # }
/// ```
pub struct TableWriter {
    path: PathBuf,
    /// Columns, label columns and precision of the first piece, which all pieces have.
    shape: Option<(Vec<String>, Vec<String>, Precision)>,
    rows: u64,
    sink: Sink,
}

enum Sink {
    Csv(Packed, u8),
    Npy(Output),
    #[cfg(feature = "parquet")]
    Parquet(Start),
}

/// A Parquet file names its columns before anything else: it begins with the first piece.
#[cfg(feature = "parquet")]
enum Start {
    Waiting(Output),
    Begun(Box<ParquetWriter<Output>>),
    /// While one becomes the other.
    Neither,
}

enum Packed {
    Plain(Output),
    Gzip(Box<GzEncoder<Output>>),
}

impl Write for Packed {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Packed::Plain(out) => out.write(bytes),
            Packed::Gzip(out) => out.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Packed::Plain(out) => out.flush(),
            Packed::Gzip(out) => out.flush(),
        }
    }
}

impl TableWriter {
    /// Begins the table at `path`, in the format its ending names; `-` is CSV on standard output.
    ///
    /// # Errors
    /// [`Error::File`], [`Error::UnknownFormat`] and [`Error::WithoutParquet`].
    pub fn create(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref().to_path_buf();
        let unknown = || Error::UnknownFormat { path: path.clone(), known: KNOWN };
        let name = path.to_string_lossy().to_ascii_lowercase();
        let format = if path == Path::new("-") { Some(Format::Csv) } else { Format::of_name(&path) };
        let sink = match (format.ok_or_else(unknown)?, name.strip_suffix(".gz")) {
            (Format::Csv, None) => Sink::Csv(Packed::Plain(Output::create(&path)?), separator(&name)),
            (Format::Csv, Some(name)) => {
                let packed = GzEncoder::new(Output::create(&path)?, Compression::default());
                Sink::Csv(Packed::Gzip(Box::new(packed)), separator(name))
            }
            (Format::Npy, None) => Sink::Npy(Output::create(&path)?),
            #[cfg(feature = "parquet")]
            (Format::Parquet, None) => Sink::Parquet(Start::Waiting(Output::create(&path)?)),
            #[cfg(not(feature = "parquet"))]
            (Format::Parquet, None) => return Err(Error::WithoutParquet { path }),
            _ => return Err(unknown()), // the number of rows stands at the beginning, which gzip does not let us mend
        };
        Ok(TableWriter { path, shape: None, rows: 0, sink })
    }

    /// Adds the rows of `piece`, which has the columns and the precision of the first one.
    ///
    /// # Errors
    /// [`Error::File`], [`Error::PieceShape`], and [`Error::LabelsNotHeld`] where the format holds numbers only.
    pub fn write(&mut self, piece: &Table) -> Result<()> {
        let labels = piece.labels().iter().map(|l| l.name().to_owned()).collect();
        let shape = (piece.names().to_vec(), labels, piece.precision());
        let first = self.shape.is_none();
        if self.shape.get_or_insert_with(|| shape.clone()) != &shape {
            return Err(Error::PieceShape { path: self.path.clone() });
        }
        let path = &self.path;
        let refused = |cause| Error::File { doing: "write", path: path.clone(), cause };
        match &mut self.sink {
            Sink::Csv(out, separator) => {
                if first {
                    out.write_all(&csv::header(piece, *separator)).map_err(refused)?;
                }
                csv::write_lines(piece, *separator, &Cpu::new()?, |b| out.write_all(b).map_err(refused))?;
            }
            Sink::Npy(out) => {
                if let Some(labels) = piece.labels().first() {
                    return Err(Error::LabelsNotHeld { format: "NPY", name: labels.name().to_owned() });
                }
                if first {
                    out.put(&npy::header(piece.precision(), 0, piece.columns()))?;
                }
                npy::write_numbers(piece, |bytes| out.put(bytes))?;
            }
            #[cfg(feature = "parquet")]
            Sink::Parquet(start) => start.write(piece, path)?,
        }
        self.rows += piece.rows() as u64;
        Ok(())
    }

    /// Completes the table and gives it its name.
    ///
    /// # Errors
    /// [`Error::File`], and [`Error::NoData`] where no piece was written.
    pub fn finish(self) -> Result<()> {
        let TableWriter { path, shape, rows, sink } = self;
        let Some((names, _, precision)) = shape else {
            return Err(Error::NoData { path, what: "rows" });
        };
        match sink {
            Sink::Csv(Packed::Plain(out), _) => out.finish(),
            Sink::Csv(Packed::Gzip(out), _) => {
                out.finish().map_err(|cause| Error::File { doing: "write", path, cause })?.finish()
            }
            Sink::Npy(mut out) => {
                out.put_first(&npy::header(precision, rows, names.len()))?;
                out.finish()
            }
            #[cfg(feature = "parquet")]
            Sink::Parquet(Start::Begun(writer)) => writer.finish()?.finish(),
            #[cfg(feature = "parquet")]
            Sink::Parquet(_) => Err(Error::NoData { path, what: "rows" }),
        }
    }
}

#[cfg(feature = "parquet")]
impl Start {
    fn write(&mut self, piece: &Table, path: &Path) -> Result<()> {
        *self = match std::mem::replace(self, Start::Neither) {
            Start::Waiting(out) => Start::Begun(Box::new(ParquetWriter::new(piece, out, path)?)),
            begun => begun,
        };
        match self {
            Start::Begun(writer) => writer.write(piece),
            _ => Err(Error::PieceShape { path: path.to_path_buf() }),
        }
    }
}

impl fmt::Debug for TableWriter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TableWriter").field("path", &self.path).field("rows", &self.rows).finish()
    }
}

fn separator(name: &str) -> u8 {
    if name.ends_with(".tsv") { b'\t' } else { b',' }
}
