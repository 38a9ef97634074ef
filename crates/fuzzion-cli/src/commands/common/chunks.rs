//! Chunks of a table for [`pipeline`](fuzzion::data::pipeline).

use crate::format::display_path;
use fuzzion::data::{ChunkState, DataError, ReadTable, Records, TableReader, TableWriter};
use fuzzion::{Result, Table};
use std::path::Path;

/// Sizes of chunks.
#[derive(Clone, Copy)]
pub(crate) enum ChunkRows {
    /// This number of rows; only the last chunk may be shorter.
    Exactly(usize),
    /// About this number of rows, or the blocks in which text is parsed, which need no copy.
    About(usize),
}

/// Rows of a table.
#[derive(Default)]
pub(crate) struct Chunk {
    pub(crate) table: Option<Table>,
    /// The text of the rows, if it is kept.
    pub(crate) records: Option<Records>,
}

impl Chunk {
    /// The rows of a chunk that was passed on by another stage.
    pub(crate) fn rows(&self) -> &Table {
        self.table.as_ref().expect("invariant: only chunks with rows are passed on")
    }

    /// Writes the rows, after their text if it is kept.
    pub(crate) fn write(&self, writer: &mut TableWriter) -> Result<()> {
        write_appended(writer, self.records.as_ref(), self.rows())
    }
}

/// Writes the rows of `table`, after their text if given.
pub(crate) fn write_appended(
    writer: &mut TableWriter,
    records: Option<&Records>,
    table: &Table,
) -> Result<()> {
    match records {
        Some(records) => writer.append(records, table)?,
        None => writer.write(table)?,
    }
    Ok(())
}

/// The reading stage of a pipeline.
pub(crate) fn chunks_of(
    mut reader: TableReader,
    rows: ChunkRows,
) -> impl FnMut(&mut Chunk) -> Result<ChunkState> + Send + 'static {
    move |chunk| {
        match rows {
            ChunkRows::About(rows) => reader.next_into(&mut chunk.table, rows)?,
            ChunkRows::Exactly(rows) => {
                chunk.table = None; // before the next rows need memory
                chunk.table = reader.next(rows)?;
            }
        }
        chunk.records = reader.records();
        Ok(if chunk.table.is_some() { ChunkState::Full } else { ChunkState::End })
    }
}

/// Opens a table. Fails if the text of its rows is to be kept, but the file is not a text file.
pub(crate) fn open(settings: &ReadTable, path: &Path) -> Result<TableReader, DataError> {
    let mut reader = settings.open(path)?;
    require_text(settings, &mut reader, path)?;
    Ok(reader)
}

/// Fails if the text of the rows of `reader` is to be kept, but the file at `path` is not a text file.
pub(crate) fn require_text(
    settings: &ReadTable,
    reader: &mut TableReader,
    path: &Path,
) -> Result<(), DataError> {
    if settings.keep_records && reader.records().is_none() {
        let problem =
            format!("{} is not a text file; convert it to CSV, or leave out `--append`", display_path(path));
        return Err(DataError::Append { problem });
    }
    Ok(())
}
