//! Reading tables: the settings, then the verb.

use super::csv::{CsvReader, Separator};
use super::input::Source;
use super::npy::NpyReader;
use super::reader::{Chunks, TableReader};
use super::scalar::Precision;
use super::table::Table;
use crate::device::Cpu;
use crate::error::{Error, Result};
use crate::progress::Progress;
use std::path::Path;

/// The kinds of files that hold a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Format {
    /// Text with separators: CSV, TSV and their kin.
    Csv,
    /// NumPy's array file.
    Npy,
    /// Apache Parquet, with the cargo feature `parquet`.
    Parquet,
}

/// The endings that say what a file holds.
#[cfg(feature = "parquet")]
pub(crate) const KNOWN: &str =
    "`.csv`, `.tsv`, `.txt`, `.dat`, `.data` (each also with `.gz`), `.npy` and `.parquet`";
#[cfg(not(feature = "parquet"))]
pub(crate) const KNOWN: &str = "`.csv`, `.tsv`, `.txt`, `.dat`, `.data` (each also with `.gz`) and `.npy`";

impl Format {
    /// The format that a file's name promises.
    pub fn of_name(path: &Path) -> Option<Format> {
        let name = path.file_name()?.to_string_lossy().to_ascii_lowercase();
        let name = name.strip_suffix(".gz").unwrap_or(&name);
        match name.rsplit_once('.')?.1 {
            "csv" | "tsv" | "txt" | "dat" | "data" => Some(Format::Csv),
            "npy" => Some(Format::Npy),
            "parquet" => Some(Format::Parquet),
            _ => None,
        }
    }

    /// The format of what is open: its first bytes where they are unmistakable, or else its name.
    fn of(source: &Source) -> Result<Format> {
        if source.head.starts_with(super::npy::MAGIC) {
            return Ok(Format::Npy);
        }
        if let Some(format) = Format::of_name(&source.path) {
            return Ok(format);
        }
        if source.head.starts_with(b"PAR1") {
            return Ok(Format::Parquet);
        }
        if source.nameless {
            return Ok(Format::Csv); // a pipe has no ending to go by
        }
        Err(Error::UnknownFormat { path: source.path.clone(), known: KNOWN })
    }
}

/// How to read a table.
///
/// ```
/// # fn main() -> fuzzion::Result<()> {
/// # let folder = tempfile::tempdir().unwrap();
/// # let path = folder.path().join("x.csv");
/// # std::fs::write(&path, "1;2;3\n4;5;6\n").unwrap();
/// use fuzzion::data::{Precision, ReadTable};
/// let table = ReadTable::new().precision(Precision::F32).header(false).columns(["c3", "c1"]).read(&path)?;
/// assert_eq!(*table.to_f32(), [3.0, 1.0, 6.0, 4.0]);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, Default)]
pub struct ReadTable<'a> {
    /// How precisely to hold the numbers; the file's own precision (of text: double) if not set.
    pub precision: Option<Precision>,
    /// Whether the first line of a text names the columns; found out if not set.
    pub header: Option<bool>,
    /// What separates the fields of a text; found out if not set.
    pub separator: Option<Separator>,
    /// Whether numbers have a decimal comma, as in `-1,5`; found out from the first lines if not set.
    pub decimal_comma: Option<bool>,
    /// The columns to read, in this order; all if not set.
    pub columns: Option<Vec<String>>,
    /// The columns that hold text; every other one must hold numbers.
    pub labels: Vec<String>,
    /// Whether every column that holds text is kept as labels, instead of being an error.
    pub keep_text: bool,
    /// Whether every column of a text file is kept as labels, those of numbers too.
    pub all_text: bool,
    /// Whether rows of a text are handed out as they come, from a pipe that may fall silent; else blocks are filled first, which
    /// is quicker.
    pub live: bool,
    /// What the file holds; found out from its name or its first bytes if not set.
    pub format: Option<Format>,
    /// The threads to use; [`Cpu::new`] if not set.
    pub cpu: Option<Cpu>,
    /// Who is told how many bytes of the file were read, of how many.
    pub progress: Progress<'a>,
}

impl<'a> ReadTable<'a> {
    /// Reads all columns as numbers and finds out the rest by itself.
    pub fn new() -> Self {
        ReadTable::default()
    }

    /// Sets [`ReadTable::precision`].
    #[must_use]
    pub fn precision(mut self, precision: Precision) -> Self {
        self.precision = Some(precision);
        self
    }

    /// Sets [`ReadTable::header`].
    #[must_use]
    pub fn header(mut self, header: bool) -> Self {
        self.header = Some(header);
        self
    }

    /// Sets [`ReadTable::separator`].
    #[must_use]
    pub fn separator(mut self, separator: Separator) -> Self {
        self.separator = Some(separator);
        self
    }

    /// Sets [`ReadTable::decimal_comma`].
    #[must_use]
    pub fn decimal_comma(mut self, decimal_comma: bool) -> Self {
        self.decimal_comma = Some(decimal_comma);
        self
    }

    /// Sets [`ReadTable::columns`].
    #[must_use]
    pub fn columns<S: Into<String>>(mut self, names: impl IntoIterator<Item = S>) -> Self {
        self.columns = Some(names.into_iter().map(Into::into).collect());
        self
    }

    /// Sets [`ReadTable::labels`].
    #[must_use]
    pub fn labels<S: Into<String>>(mut self, names: impl IntoIterator<Item = S>) -> Self {
        self.labels = names.into_iter().map(Into::into).collect();
        self
    }

    /// Sets [`ReadTable::keep_text`].
    #[must_use]
    pub fn keep_text(mut self, keep_text: bool) -> Self {
        self.keep_text = keep_text;
        self
    }

    /// Sets [`ReadTable::live`].
    #[must_use]
    pub fn live(mut self, live: bool) -> Self {
        self.live = live;
        self
    }

    /// Sets [`ReadTable::all_text`].
    #[must_use]
    pub fn all_text(mut self, all_text: bool) -> Self {
        self.all_text = all_text;
        self
    }

    /// Sets [`ReadTable::format`].
    #[must_use]
    pub fn format(mut self, format: Format) -> Self {
        self.format = Some(format);
        self
    }

    /// Sets [`ReadTable::cpu`].
    #[must_use]
    pub fn cpu(mut self, cpu: Cpu) -> Self {
        self.cpu = Some(cpu);
        self
    }

    /// Sets [`ReadTable::progress`].
    #[must_use]
    pub fn progress(mut self, progress: Progress<'a>) -> Self {
        self.progress = progress;
        self
    }

    /// Reads the whole table at `path`; `-` is standard input.
    ///
    /// # Errors
    /// [`Error::File`], [`Error::UnknownFormat`], [`Error::Malformed`], [`Error::NotANumber`], [`Error::Ragged`],
    /// [`Error::NotUtf8`], [`Error::NoData`], [`Error::UnknownColumn`], [`Error::WithoutParquet`] and
    /// [`Error::Interrupted`].
    pub fn read(&self, path: impl AsRef<Path>) -> Result<Table> {
        let path = path.as_ref();
        let source = Source::open(path)?;
        if self.format.map_or_else(|| Format::of(&source), Ok)? == Format::Npy {
            return super::npy::read_npy(source, self);
        }
        let mut reader = self.open_source(source)?;
        reader.next(usize::MAX)?.ok_or_else(|| Error::NoData { path: path.to_path_buf(), what: "rows" })
    }

    /// Opens the table at `path` to be read in pieces.
    ///
    /// # Errors
    /// As [`ReadTable::read`].
    pub fn open(&self, path: impl AsRef<Path>) -> Result<TableReader<'a>> {
        self.open_source(Source::open(path.as_ref())?)
    }

    pub(crate) fn open_source(&self, source: Source) -> Result<TableReader<'a>> {
        let cpu = self.cpu.clone().map_or_else(Cpu::new, Ok)?;
        let precise = self.precision != Some(Precision::F32);
        let chunks: Box<dyn Chunks> = match self.format.map_or_else(|| Format::of(&source), Ok)? {
            Format::Csv if precise => Box::new(CsvReader::<f64>::open(source, self, cpu)?),
            Format::Csv => Box::new(CsvReader::<f32>::open(source, self, cpu)?),
            Format::Npy => Box::new(NpyReader::open(source, self)?),
            #[cfg(feature = "parquet")]
            Format::Parquet => Box::new(super::parquet::ParquetReader::open(source, self)?),
            #[cfg(not(feature = "parquet"))]
            Format::Parquet => return Err(Error::WithoutParquet { path: source.path }),
        };
        Ok(TableReader { chunks, progress: self.progress })
    }
}

impl Table {
    /// Reads the table at `path`, all columns as numbers; [`ReadTable`] has the settings.
    ///
    /// # Errors
    /// As [`ReadTable::read`].
    pub fn read(path: impl AsRef<Path>) -> Result<Table> {
        ReadTable::new().read(path)
    }
}
