//! Reading tables in chunks, in one or more passes.

use crate::data::csv::Records;
use crate::data::error::Result;
use crate::data::tables::{Precision, Table};
use crate::progress::Progress;
use std::fmt;

/// Chunked reader of a file format.
pub(crate) trait ChunkReader: Send {
    /// Names of the numeric columns.
    fn names(&self) -> &[String];
    /// Precision of the values.
    fn precision(&self) -> Precision;
    /// Total number of rows, if the file header specifies it.
    fn rows(&self) -> Option<u64> {
        None
    }
    /// The next chunk of `rows` rows; only the last chunk may be shorter. `None` after the last chunk.
    fn next(&mut self, rows: usize, progress: &Progress) -> Result<Option<Table>>;
    /// The next rows, at least one and at most `rows`: those that arrive before a live pipe pauses,
    /// or within a second.
    fn next_available(&mut self, rows: usize, progress: &Progress) -> Result<Option<Table>> {
        self.next(rows, progress)
    }
    /// At most `rows` rows that were read but not returned, because of an error.
    fn pending(&mut self, _rows: usize) -> Option<Table> {
        None
    }
    /// All rows as a memory-mapped table, if the file can be mapped.
    fn map(&self) -> Result<Option<Table>> {
        Ok(None)
    }
    /// The next rows: those that are available without a copy, otherwise `rows` rows. The memory of `chunk`, earlier rows
    /// of this reader, can be reused. `None` after the last row.
    fn next_into(&mut self, chunk: &mut Option<Table>, rows: usize, progress: &Progress) -> Result<()> {
        *chunk = None; // before the next rows need memory
        *chunk = self.next(rows, progress)?;
        Ok(())
    }
    /// The text of the rows returned last, if it is kept.
    fn take_records(&mut self) -> Option<Records> {
        None
    }
    /// Returns to the first row.
    fn rewind(&mut self) -> Result<()>;
}

/// A table that is read in chunks; see [`ReadTable::open`](super::ReadTable::open).
///
/// ```
/// # fn main() -> fuzzion::Result<()> {
/// # let folder = tempfile::tempdir().unwrap();
/// # let path = folder.path().join("x.csv");
/// # std::fs::write(&path, "x\n1\n2\n3\n").unwrap();
/// use fuzzion::data::ReadTable;
/// let mut reader = ReadTable::new().open(&path)?;
/// let mut sum = 0.0;
/// while let Some(rows) = reader.next(2)? {
///     sum += rows.to_f64().iter().sum::<f64>();
/// }
/// assert_eq!(sum, 6.0);
/// reader.rewind()?; // for a second pass
/// assert_eq!(reader.next(2)?.map(|t| t.rows()), Some(2));
/// # Ok(())
/// # }
/// ```
pub struct TableReader {
    pub(crate) reader: Box<dyn ChunkReader>,
    pub(crate) progress: Progress,
}

impl TableReader {
    /// Names of the numeric columns.
    pub fn names(&self) -> &[String] {
        self.reader.names()
    }

    /// Number of numeric columns.
    pub fn columns(&self) -> usize {
        self.names().len()
    }

    /// Precision of the values.
    pub fn precision(&self) -> Precision {
        self.reader.precision()
    }

    /// Total number of rows, if it is known before reading.
    ///
    /// ```
    /// # let folder = tempfile::tempdir().unwrap();
    /// # let path = folder.path().join("x.npy");
    /// use fuzzion::{Table, data::ReadTable};
    /// Table::new(["x"], vec![1.0, 2.0, 3.0])?.write(&path)?; // an NPY file, whose header has the number of rows
    /// assert_eq!(ReadTable::new().open(&path)?.rows(), Some(3));
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    pub fn rows(&self) -> Option<u64> {
        self.reader.rows()
    }

    /// The next chunk of `rows` rows; only the last chunk may be shorter. `None` after the last chunk.
    ///
    /// A label has the same code in all chunks.
    ///
    /// ```
    /// # let folder = tempfile::tempdir().unwrap();
    /// # let path = folder.path().join("trees.csv");
    /// # std::fs::write(&path, "height,kind\n12,oak\n8,elm\n9,oak\n").unwrap();
    /// use fuzzion::data::ReadTable;
    /// let mut reader = ReadTable::new().labels(["kind"]).open(&path)?; // kinds: oak, elm, oak
    /// let first = reader.next(2)?.map(|chunk| chunk.labels()[0].codes().to_vec());
    /// let second = reader.next(2)?.map(|chunk| chunk.labels()[0].codes().to_vec());
    /// assert_eq!((first, second), (Some(vec![0, 1]), Some(vec![0])));
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    ///
    /// # Errors
    /// The errors of [`ReadTable::read`](super::ReadTable::read).
    #[allow(clippy::should_implement_trait)] // takes an argument and can fail
    pub fn next(&mut self, rows: usize) -> Result<Option<Table>> {
        self.reader.next(rows.max(1), &self.progress)
    }

    /// The next rows, at least one and at most `rows`: with [`ReadTable::live`](super::ReadTable::live), those that arrive before
    /// the pipe pauses, or within a second; otherwise as [`TableReader::next`].
    ///
    /// ```
    /// # let folder = tempfile::tempdir().unwrap();
    /// # let path = folder.path().join("x.csv");
    /// # std::fs::write(&path, "x\n1\n2\n3\n").unwrap();
    /// use fuzzion::data::ReadTable;
    /// let mut reader = ReadTable::new().live(true).open(&path)?; // three rows
    /// assert_eq!(reader.next_available(2)?.map(|chunk| chunk.rows()), Some(2)); // a file does not pause
    /// assert_eq!(reader.next_available(2)?.map(|chunk| chunk.rows()), Some(1));
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    ///
    /// # Errors
    /// The errors of [`ReadTable::read`](super::ReadTable::read).
    pub fn next_available(&mut self, rows: usize) -> Result<Option<Table>> {
        self.reader.next_available(rows.max(1), &self.progress)
    }

    /// At most `rows` complete rows of text that were read before an error or an interruption and were not returned.
    ///
    /// ```
    /// # let folder = tempfile::tempdir().unwrap();
    /// # let path = folder.path().join("x.csv");
    /// # std::fs::write(&path, "x\n1\n2\n3\n").unwrap();
    /// use fuzzion::data::{DataError, ReadTable};
    /// use fuzzion::Device;
    /// use std::ops::ControlFlow;
    /// let device = Device::cpu()?.with_progress(|_, _| ControlFlow::Break(())); // interrupts the first read
    /// let mut reader = ReadTable::new().device(&device).open(&path)?;
    /// assert!(matches!(reader.next(9), Err(DataError::Interrupted)));
    /// assert_eq!(reader.pending(9).map(|chunk| chunk.rows()), Some(3));
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    pub fn pending(&mut self, rows: usize) -> Option<Table> {
        self.reader.pending(rows.max(1))
    }

    /// All rows as a memory-mapped table, whatever has been read before; `None` unless the file is a large NPY file with
    /// the memory layout of a table. The file must not be changed while it is mapped.
    ///
    /// ```
    /// # let folder = tempfile::tempdir().unwrap();
    /// # let path = folder.path().join("x.csv");
    /// # std::fs::write(&path, "x\n1\n2\n3\n").unwrap();
    /// use fuzzion::data::ReadTable;
    /// assert!(ReadTable::new().open(&path)?.map()?.is_none()); // text is not mapped
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`DataError::File`](crate::data::DataError::File).
    pub fn map(&self) -> Result<Option<Table>> {
        self.reader.map()
    }

    /// Replaces `chunk`, earlier rows of this table, with the next rows and reuses its memory if possible; `None` after the
    /// last row. Unlike [`TableReader::next`], it returns rows of text in the blocks in which they are parsed, whatever their
    /// number, and rows of other formats in chunks of `rows` rows.
    ///
    /// ```
    /// # let folder = tempfile::tempdir().unwrap();
    /// # let path = folder.path().join("x.csv");
    /// # std::fs::write(&path, "x\n1\n2\n3\n").unwrap();
    /// use fuzzion::data::ReadTable;
    /// let mut reader = ReadTable::new().open(&path)?;
    /// let (mut chunk, mut sum) = (None, 0.0);
    /// loop {
    ///     reader.next_into(&mut chunk, 2)?;
    ///     let Some(rows) = &chunk else { break };
    ///     sum += rows.to_f64().iter().sum::<f64>();
    /// }
    /// assert_eq!(sum, 6.0);
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    ///
    /// # Errors
    /// The errors of [`TableReader::next`].
    pub fn next_into(&mut self, chunk: &mut Option<Table>, rows: usize) -> Result<()> {
        self.reader.next_into(chunk, rows.max(1), &self.progress)
    }

    /// Takes the text of the rows returned last, with all columns of the file, to write it with
    /// [`TableWriter::append`](crate::data::TableWriter::append); `None` for formats other than text, and unless
    /// [`ReadTable::keep_records`](super::ReadTable::keep_records) is set.
    ///
    /// ```
    /// # let folder = tempfile::tempdir().unwrap();
    /// # let path = folder.path().join("x.csv");
    /// # std::fs::write(&path, "x;kind\n1,50;oak\n").unwrap();
    /// use fuzzion::data::ReadTable;
    /// let mut reader = ReadTable::new().columns(["x"]).keep_records(true).open(&path)?; // x;kind / 1,50;oak
    /// assert_eq!(reader.next(9)?.expect("a row").column("x")?, [1.5]);
    /// assert_eq!(reader.records().expect("a text file has records").text(0), b"1,50;oak");
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    pub fn records(&mut self) -> Option<Records> {
        self.reader.take_records()
    }

    /// Returns to the first row for another pass.
    ///
    /// ```
    /// # let folder = tempfile::tempdir().unwrap();
    /// # let path = folder.path().join("x.csv");
    /// # std::fs::write(&path, "x\n1\n2\n").unwrap();
    /// use fuzzion::data::ReadTable;
    /// let mut reader = ReadTable::new().open(&path)?;
    /// let first_pass = reader.next(2)?;
    /// reader.rewind()?;
    /// assert_eq!(reader.next(2)?, first_pass);
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`DataError::NotRewindable`](crate::data::DataError::NotRewindable) for standard input and pipes, and the errors of opening the file.
    pub fn rewind(&mut self) -> Result<()> {
        self.reader.rewind()
    }
}

impl fmt::Debug for TableReader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TableReader")
            .field("names", &self.names())
            .field("precision", &self.precision())
            .finish()
    }
}
