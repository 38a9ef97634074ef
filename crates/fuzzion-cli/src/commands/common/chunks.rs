//! Chunks of a table for [`pipeline`](fuzzion::data::pipeline).

use fuzzion::data::{ChunkState, TableReader};
use fuzzion::{Result, Table};

/// Sizes of chunks.
#[derive(Clone, Copy)]
pub(crate) enum ChunkRows {
    /// This number of rows; only the last chunk may be shorter.
    Exactly(usize),
    /// About this number of rows, or the blocks in which text is parsed, which need no copy.
    About(usize),
}

/// The reading stage of a pipeline.
pub(crate) fn chunks_of(
    mut reader: TableReader,
    rows: ChunkRows,
) -> impl FnMut(&mut Option<Table>) -> Result<ChunkState> + Send + 'static {
    move |chunk| {
        match rows {
            ChunkRows::About(rows) => reader.next_into(chunk, rows)?,
            ChunkRows::Exactly(rows) => {
                *chunk = None; // before the next rows need memory
                *chunk = reader.next(rows)?;
            }
        }
        Ok(if chunk.is_some() { ChunkState::Full } else { ChunkState::End })
    }
}

/// The rows of a chunk that was passed on by another stage.
pub(crate) fn rows_of(chunk: &Option<Table>) -> &Table {
    chunk.as_ref().expect("invariant: only chunks with rows are passed on")
}
