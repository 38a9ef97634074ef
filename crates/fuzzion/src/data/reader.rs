//! Tables read a piece at a time, as many passes as are wanted.

use super::scalar::Precision;
use super::table::Table;
use crate::error::Result;
use crate::progress::Progress;
use std::fmt;

/// What each format does to be read in pieces.
pub(crate) trait Chunks: Send {
    /// The names of the columns of numbers.
    fn names(&self) -> &[String];
    /// How precisely the numbers are held.
    fn precision(&self) -> Precision;
    /// How many rows there are in all, where the file says so at its beginning.
    fn rows(&self) -> Option<u64> {
        None
    }
    /// The next rows, at most `rows` of them and fewer only at the end; `None` after the end.
    fn next(&mut self, rows: usize, progress: Progress<'_>) -> Result<Option<Table>>;
    /// Goes back to the first row.
    fn rewind(&mut self) -> Result<()>;
}

/// A table on disk, read in pieces that fit memory; made by [`ReadTable::open`](super::ReadTable::open).
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
/// reader.rewind()?;                              // a second pass
/// assert_eq!(reader.next(2)?.map(|t| t.rows()), Some(2));
/// # Ok(())
/// # }
/// ```
pub struct TableReader<'a> {
    pub(crate) chunks: Box<dyn Chunks>,
    pub(crate) progress: Progress<'a>,
}

impl TableReader<'_> {
    /// The names of the columns of numbers.
    pub fn names(&self) -> &[String] {
        self.chunks.names()
    }

    /// How many columns of numbers there are.
    pub fn columns(&self) -> usize {
        self.names().len()
    }

    /// How precisely the numbers are held.
    pub fn precision(&self) -> Precision {
        self.chunks.precision()
    }

    /// How many rows there are in all, where that is known before they are read.
    pub fn rows(&self) -> Option<u64> {
        self.chunks.rows()
    }

    /// The next rows, at most `rows` of them and fewer only at the end; `None` after the end.
    ///
    /// A label keeps its code from one piece to the next.
    ///
    /// # Errors
    /// Those of reading the file, each naming the place, and [`Error::Interrupted`](crate::Error::Interrupted).
    #[allow(clippy::should_implement_trait)] // it fails and takes how many rows: no `Iterator` does
    pub fn next(&mut self, rows: usize) -> Result<Option<Table>> {
        self.chunks.next(rows.max(1), self.progress)
    }

    /// Goes back to the first row for another pass.
    ///
    /// # Errors
    /// [`Error::OnlyOnce`](crate::Error::OnlyOnce) for standard input and pipes, and those of opening the file.
    pub fn rewind(&mut self) -> Result<()> {
        self.chunks.rewind()
    }
}

impl fmt::Debug for TableReader<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TableReader")
            .field("names", &self.names())
            .field("precision", &self.precision())
            .finish()
    }
}
