//! Opening and reading tables.

use super::format::Format;
use super::reader::{ChunkReader, TableReader};
use super::settings::ReadTable;
use crate::data::csv::CsvReader;
use crate::data::error::{DataError, Result};
use crate::data::files::Source;
use crate::data::npy::{self, NpyReader};
use crate::data::tables::{Precision, Table};
use crate::device::Device;
use std::path::Path;

impl ReadTable {
    /// Reads the whole table at `path`; `-` is standard input.
    ///
    /// ```
    /// # let folder = tempfile::tempdir().unwrap();
    /// # let path = folder.path().join("trees.csv");
    /// # std::fs::write(&path, "height,kind\n12,oak\n8,elm\n").unwrap();
    /// use fuzzion::data::ReadTable;
    /// let table = ReadTable::new().labels(["kind"]).read(&path)?; // height,kind / 12,oak / 8,elm
    /// assert_eq!(table.column("height")?, [12.0, 8.0]);
    /// assert_eq!(table.label("kind")?.classes(), ["oak", "elm"]);
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`DataError::File`], [`DataError::UnknownFormat`], [`DataError::Malformed`], [`DataError::NotANumber`], [`DataError::FieldCount`],
    /// [`DataError::NotUtf8`], [`DataError::NoData`], [`DataError::UnknownColumn`], [`DataError::NoParquetSupport`] and
    /// [`DataError::Interrupted`].
    pub fn read(&self, path: impl AsRef<Path>) -> Result<Table> {
        let path = path.as_ref();
        let source = Source::open(path)?;
        if self.format.map_or_else(|| Format::detect(&source), Ok)? == Format::Npy {
            return npy::read_npy(source, self);
        }
        let mut reader = self.open_source(source)?;
        reader.next(usize::MAX)?.ok_or_else(|| DataError::NoData { path: path.to_path_buf(), what: "rows" })
    }

    /// Opens the table at `path` for reading in chunks.
    ///
    /// ```
    /// # let folder = tempfile::tempdir().unwrap();
    /// # let path = folder.path().join("x.csv");
    /// # std::fs::write(&path, "x\n1\n2\n3\n").unwrap();
    /// use fuzzion::data::ReadTable;
    /// let mut reader = ReadTable::new().open(&path)?; // three rows
    /// assert_eq!(reader.next(2)?.map(|chunk| chunk.rows()), Some(2));
    /// assert_eq!(reader.next(2)?.map(|chunk| chunk.rows()), Some(1));
    /// assert!(reader.next(2)?.is_none());
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`ReadTable::read`].
    pub fn open(&self, path: impl AsRef<Path>) -> Result<TableReader> {
        self.open_source(Source::open_with(path.as_ref(), self.live)?)
    }

    pub(crate) fn open_source(&self, source: Source) -> Result<TableReader> {
        let device = self.device.clone().map_or_else(Device::cpu, Ok)?;
        let cpu = device.host_cpu().clone();
        let double = self.precision != Some(Precision::F32);
        let reader: Box<dyn ChunkReader> = match self.format.map_or_else(|| Format::detect(&source), Ok)? {
            Format::Csv if double => Box::new(CsvReader::<f64>::open(source, self, cpu)?),
            Format::Csv => Box::new(CsvReader::<f32>::open(source, self, cpu)?),
            Format::Npy => Box::new(NpyReader::open(source, self)?),
            #[cfg(feature = "parquet")]
            Format::Parquet => Box::new(crate::data::parquet::ParquetReader::open(source, self)?),
            #[cfg(not(feature = "parquet"))]
            Format::Parquet => return Err(DataError::NoParquetSupport { path: source.path }),
        };
        Ok(TableReader { reader, progress: device.progress().clone() })
    }
}

impl Table {
    /// Reads the table at `path`, with all columns as numbers; for other settings see [`ReadTable`].
    ///
    /// ```
    /// # let folder = tempfile::tempdir().unwrap();
    /// # let path = folder.path().join("xy.csv");
    /// # std::fs::write(&path, "x,y\n1,2\n3,4\n").unwrap();
    /// use fuzzion::Table;
    /// let table = Table::read(&path)?; // x,y / 1,2 / 3,4
    /// assert_eq!(table.column("y")?, [2.0, 4.0]);
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`ReadTable::read`].
    pub fn read(path: impl AsRef<Path>) -> Result<Table> {
        ReadTable::new().read(path)
    }
}
