//! Writing tables in chunks.

use crate::data::csv::{self, Records, RowFormat};
use crate::data::error::{DataError, Result};
use crate::data::files::output::AtomicFile;
use crate::data::npy;
#[cfg(feature = "parquet")]
use crate::data::parquet::ParquetWriter;
use crate::data::read::{Format, SUPPORTED};
use crate::data::tables::{Precision, Table};
use crate::device::{Cpu, Device};
use flate2::Compression;
use flate2::write::GzEncoder;
use std::fmt;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// A table that is written in chunks and need not fit in memory; the file appears when it is finished.
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
    /// Columns, label columns and precision, which all chunks share.
    schema: Option<(Vec<String>, Vec<String>, Precision)>,
    rows: u64,
    /// Formats text; created when it is first needed.
    cpu: Option<Cpu>,
    sink: Sink,
}

enum Sink {
    Csv(CsvOutput, u8),
    Npy(AtomicFile),
    #[cfg(feature = "parquet")]
    Parquet(ParquetSink),
}

/// A Parquet file; its schema is known once the first chunk is written.
#[cfg(feature = "parquet")]
enum ParquetSink {
    Pending(AtomicFile),
    Open(Box<ParquetWriter<AtomicFile>>),
    /// The file could not be opened.
    Failed,
}

enum CsvOutput {
    Plain(AtomicFile),
    Gzip(Box<GzEncoder<AtomicFile>>),
}

impl Write for CsvOutput {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            CsvOutput::Plain(out) => out.write(bytes),
            CsvOutput::Gzip(out) => out.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            CsvOutput::Plain(out) => out.flush(),
            CsvOutput::Gzip(out) => out.flush(),
        }
    }
}

impl TableWriter {
    /// Creates the table at `path`, in the format of the file extension; `-` is CSV on standard output, and a device or a pipe
    /// without an extension receives CSV, too.
    ///
    /// ```
    /// use fuzzion::data::{DataError, TableWriter};
    /// assert!(matches!(TableWriter::create("x.xlsx"), Err(DataError::UnknownFormat { .. })));
    /// ```
    ///
    /// # Errors
    /// [`DataError::File`], [`DataError::UnknownFormat`] and [`DataError::NoParquetSupport`].
    pub fn create(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref().to_path_buf();
        let unknown = || DataError::unknown_format("write", &path, SUPPORTED);
        let name = path.to_string_lossy().to_ascii_lowercase();
        // Devices and pipes have no extension.
        let is_device = || fs::metadata(&path).is_ok_and(|found| !found.is_file() && !found.is_dir());
        let format = match Format::from_path(&path) {
            None if path == Path::new("-") || is_device() => Some(Format::Csv),
            format => format,
        };
        let sink = match (format.ok_or_else(unknown)?, name.strip_suffix(".gz")) {
            (Format::Csv, None) => Sink::Csv(CsvOutput::Plain(AtomicFile::create(&path)?), separator(&name)),
            (Format::Csv, Some(name)) => {
                let compressed = GzEncoder::new(AtomicFile::create(&path)?, Compression::default());
                Sink::Csv(CsvOutput::Gzip(Box::new(compressed)), separator(name))
            }
            (Format::Npy, None) => Sink::Npy(AtomicFile::create(&path)?),
            #[cfg(feature = "parquet")]
            (Format::Parquet, None) => Sink::Parquet(ParquetSink::Pending(AtomicFile::create(&path)?)),
            #[cfg(not(feature = "parquet"))]
            (Format::Parquet, None) => return Err(DataError::NoParquetSupport { path }),
            _ => return Err(unknown()), // the row count in an NPY header cannot be updated in a gzip file
        };
        Ok(TableWriter { path, schema: None, rows: 0, cpu: None, sink })
    }

    /// Sets the device whose CPU threads format text; [`Device::cpu`] by default.
    ///
    /// ```
    /// # let folder = tempfile::tempdir().unwrap();
    /// # let path = folder.path().join("x.csv");
    /// use fuzzion::{Device, Table, data::TableWriter, device::Cpu};
    /// let device = Device::named("cpu", Cpu::with_threads(2)?)?;
    /// let mut writer = TableWriter::create(&path)?.device(&device); // format with two threads
    /// writer.write(&Table::new(["x"], vec![1.0])?)?;
    /// writer.finish()?;
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    #[must_use]
    pub fn device(mut self, device: &Device) -> Self {
        self.cpu = Some(device.host_cpu().clone());
        self
    }

    /// Writes each row of `records` followed by the columns of `chunk`, with the decimal mark of the records. Tabs separate the
    /// fields in a `.tsv` file and commas in a `.csv` file, or semicolons if the records have semicolons or decimal commas; other
    /// files have the separator of the records. The records of all chunks must be from one file. A column of `chunk` whose name is
    /// the name of a column of that file gets the suffix `.2`.
    ///
    /// ```
    /// # let folder = tempfile::tempdir().unwrap();
    /// # let (path, out) = (folder.path().join("x.csv"), folder.path().join("y.csv"));
    /// # std::fs::write(&path, "x;kind\n1,50;oak\n").unwrap();
    /// use fuzzion::{Table, data::{ReadTable, TableWriter}};
    /// let mut reader = ReadTable::new().columns(["x"]).keep_records(true).open(&path)?; // x;kind / 1,50;oak
    /// let rows = reader.next(9)?.expect("a row");
    /// let squares: Vec<f64> = rows.column("x")?.iter().map(|x| x * x).collect();
    /// let mut writer = TableWriter::create(&out)?;
    /// writer.append(&reader.records().expect("a text file has records"), &Table::new(["square"], squares)?)?;
    /// writer.finish()?;
    /// assert_eq!(std::fs::read_to_string(&out).unwrap(), "x;kind;square\n1,50;oak;2,25\n");
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`TableWriter::write`], and [`DataError::Append`] if the file cannot contain the records, or if the numbers of rows
    /// differ.
    pub fn append(&mut self, records: &Records, chunk: &Table) -> Result<()> {
        let shown = self.path.display();
        let fail = |problem: String| Err(DataError::Append { problem });
        let Sink::Csv(_, separator) = &mut self.sink else {
            return fail(format!("{shown} is not a text file; use a `.csv` or `.tsv` file"));
        };
        *separator = records.separator_for(&self.path);
        if records.rows() != chunk.rows() {
            return fail(format!("there are {} rows of text and {} of values", records.rows(), chunk.rows()));
        }
        self.write_chunk(chunk, Some(records))
    }

    /// Appends the rows of `chunk`, which must have the columns and the precision of the first chunk.
    ///
    /// ```
    /// # let folder = tempfile::tempdir().unwrap();
    /// # let path = folder.path().join("x.csv");
    /// use fuzzion::{Table, data::{DataError, TableWriter}};
    /// let mut writer = TableWriter::create(&path)?;
    /// writer.write(&Table::new(["x"], vec![1.0])?)?;
    /// let error = writer.write(&Table::new(["y"], vec![2.0])?).unwrap_err(); // another column
    /// assert!(matches!(error, DataError::ChunkShape { .. }));
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`DataError::File`], [`DataError::ChunkShape`], and [`DataError::LabelsNotSupported`] if the format stores numbers only.
    pub fn write(&mut self, chunk: &Table) -> Result<()> {
        self.write_chunk(chunk, None)
    }

    fn write_chunk(&mut self, chunk: &Table, records: Option<&Records>) -> Result<()> {
        let labels = chunk.labels().iter().map(|l| l.name().to_owned()).collect();
        let schema = (chunk.names().to_vec(), labels, chunk.precision());
        let first = self.schema.is_none();
        if self.schema.get_or_insert_with(|| schema.clone()) != &schema {
            return Err(DataError::ChunkShape { path: self.path.clone() });
        }
        let path = &self.path;
        let write_error = |cause| DataError::File { doing: "write", path: path.clone(), cause };
        match &mut self.sink {
            Sink::Csv(out, separator) => {
                let format = RowFormat { separator: *separator, records };
                if first {
                    out.write_all(&csv::header(chunk, format)).map_err(write_error)?;
                }
                let cpu = match &mut self.cpu {
                    Some(cpu) => cpu,
                    none => none.insert(Cpu::new()?),
                };
                csv::write_rows(chunk, format, cpu, |b| out.write_all(b).map_err(write_error))?;
            }
            Sink::Npy(out) => {
                if let Some(labels) = chunk.labels().first() {
                    return Err(DataError::LabelsNotSupported {
                        format: "NPY",
                        name: labels.name().to_owned(),
                    });
                }
                if first {
                    out.write_bytes(&npy::header(chunk.precision(), 0, chunk.columns()))?;
                }
                npy::write_values(chunk, |bytes| out.write_bytes(bytes))?;
            }
            #[cfg(feature = "parquet")]
            Sink::Parquet(sink) => sink.write(chunk, path)?,
        }
        self.rows += chunk.rows() as u64;
        Ok(())
    }

    /// Completes the file and renames it to its target.
    ///
    /// ```
    /// # let folder = tempfile::tempdir().unwrap();
    /// # let path = folder.path().join("x.csv");
    /// use fuzzion::{Table, data::TableWriter};
    /// let mut writer = TableWriter::create(&path)?;
    /// writer.write(&Table::new(["x"], vec![1.0])?)?;
    /// assert!(!path.exists());
    /// writer.finish()?;
    /// assert!(path.exists());
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`DataError::File`], and [`DataError::NoData`] if no chunk was written.
    pub fn finish(self) -> Result<()> {
        let TableWriter { path, schema, rows, sink, .. } = self;
        let Some((names, _, precision)) = schema else {
            return Err(DataError::NoData { path, what: "rows" });
        };
        match sink {
            Sink::Csv(CsvOutput::Plain(out), _) => out.finish(),
            Sink::Csv(CsvOutput::Gzip(out), _) => {
                out.finish().map_err(|cause| DataError::File { doing: "write", path, cause })?.finish()
            }
            Sink::Npy(mut out) => {
                out.overwrite_start(&npy::header(precision, rows, names.len()))?;
                out.finish()
            }
            #[cfg(feature = "parquet")]
            Sink::Parquet(ParquetSink::Open(writer)) => writer.finish()?.finish(),
            #[cfg(feature = "parquet")]
            Sink::Parquet(_) => Err(DataError::NoData { path, what: "rows" }),
        }
    }
}

#[cfg(feature = "parquet")]
impl ParquetSink {
    fn write(&mut self, chunk: &Table, path: &Path) -> Result<()> {
        *self = match std::mem::replace(self, ParquetSink::Failed) {
            ParquetSink::Pending(out) => ParquetSink::Open(Box::new(ParquetWriter::new(chunk, out, path)?)),
            open => open,
        };
        match self {
            ParquetSink::Open(writer) => writer.write(chunk),
            _ => Err(DataError::ChunkShape { path: path.to_path_buf() }),
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
