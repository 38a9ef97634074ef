//! Text in memory, filled from its source block by block.

use super::dialect::Separator;
use super::field::record_end;
use crate::data::input::Source;
use crate::error::Result;
use memchr::{memchr, memrchr};

/// Bytes held and parsed together for each thread, which fit its cache; few under test, so that small texts cross the
/// borders of blocks.
const BLOCK: usize = if cfg!(test) { 96 * 1024 } else { 1024 * 1024 };
/// The most threads that are given a block each.
const MAX_THREADS: usize = 32;
/// Bytes from which separator, header and label columns are found.
pub(crate) const SAMPLE: usize = 64 * 1024;

/// A block of text.
pub(crate) struct Text {
    /// How many bytes make a full block.
    block: usize,
    buffer: Vec<u8>,
    /// How much of `buffer` is text.
    pub(crate) filled: usize,
    /// Whether it is read as it comes, instead of until it is full.
    live: bool,
    /// Whether the source has no more.
    pub(crate) ended: bool,
    /// Whether there is a quote in it; without one, every newline ends a record.
    pub(crate) quotes: bool,
}

impl Text {
    /// An empty block for as many threads.
    pub(crate) fn new(threads: usize, live: bool) -> Self {
        let block = BLOCK * threads.clamp(1, MAX_THREADS);
        Text { block, buffer: Vec::new(), filled: 0, live, ended: false, quotes: false }
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        &self.buffer[..self.filled]
    }

    /// Reads until a block is full or there is no more, or what there is; a block that is full already becomes twice as
    /// large.
    pub(crate) fn fill(&mut self, source: &mut Source) -> Result<()> {
        // A small file needs no large buffer; one byte more lets the first read see that it has ended.
        let known = if source.file.is_some() { source.size as usize + 1 } else { self.block };
        let wanted =
            if self.filled < self.block { self.block.min(known.max(SAMPLE)) } else { self.filled * 2 };
        let wanted = wanted.max(self.filled + 1);
        if self.buffer.len() < wanted {
            self.buffer.resize(wanted, 0);
        }
        let free = &mut self.buffer[self.filled..];
        let read = if self.live { source.some(free)? } else { source.fill(free)? };
        let fresh = &self.buffer[self.filled..self.filled + read];
        self.quotes |= memchr(b'"', fresh).is_some();
        self.filled += read;
        self.ended = if self.live { read == 0 } else { self.filled < self.buffer.len() };
        Ok(())
    }

    /// Forgets the first `bytes` bytes.
    pub(crate) fn drop_front(&mut self, bytes: usize) {
        self.buffer.copy_within(bytes..self.filled, 0);
        self.filled -= bytes;
    }

    /// Begins anew with what `before` holds from `at` on.
    pub(crate) fn restart(&mut self, before: &Text, at: usize) {
        let rest = &before.bytes()[at..];
        if self.buffer.len() < rest.len() {
            self.buffer.resize(before.buffer.len(), 0);
        }
        self.buffer[..rest.len()].copy_from_slice(rest);
        (self.filled, self.ended) = (rest.len(), before.ended);
        self.quotes = before.quotes && memchr(b'"', rest).is_some();
    }

    /// The end of the last whole record; 0 where there is none.
    pub(crate) fn whole_records(&self, separator: Separator) -> usize {
        let text = self.bytes();
        if self.ended {
            return text.len();
        }
        if !self.quotes {
            return memrchr(b'\n', text).map_or(0, |n| n + 1);
        }
        let mut end = 0;
        while let Some(next) = record_end(text, end, end, separator) {
            end = next;
        }
        end
    }
}
