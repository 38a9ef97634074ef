//! Buffer for a block of text.

use super::field::record_end;
use super::separator::Separator;
use crate::data::error::Result;
use crate::data::files::Source;
use memchr::{memchr, memrchr};

/// Bytes of a block per thread, which fit in the cache; small in tests, so that short inputs span several blocks.
const BLOCK_BYTES: usize = if cfg!(test) { 96 * 1024 } else { 1024 * 1024 };
/// Maximum number of threads that increase the block size.
const MAX_THREADS: usize = 32;
/// Bytes used to detect separator, header and label columns.
pub(crate) const SAMPLE_BYTES: usize = 64 * 1024;

/// A block of text.
pub(crate) struct TextBuffer {
    /// Size of a full block.
    block_bytes: usize,
    buffer: Vec<u8>,
    /// Number of bytes of `buffer` that contain text.
    pub(crate) filled: usize,
    /// Whether to read only the available bytes instead of a full block.
    live: bool,
    /// Whether the source has ended.
    pub(crate) ended: bool,
    /// Whether the text contains a quote; otherwise every newline ends a record.
    pub(crate) quotes: bool,
}

impl TextBuffer {
    /// An empty buffer for `threads` threads.
    pub(crate) fn new(threads: usize, live: bool) -> Self {
        let block_bytes = BLOCK_BYTES * threads.clamp(1, MAX_THREADS);
        TextBuffer { block_bytes, buffer: Vec::new(), filled: 0, live, ended: false, quotes: false }
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        &self.buffer[..self.filled]
    }

    /// Reads a full block, or the available bytes if `live`; doubles a block that is already full. Returns false if a live
    /// pipe has no bytes for a while.
    pub(crate) fn fill(&mut self, source: &mut Source) -> Result<bool> {
        // Limits the buffer for small files; the extra byte lets the first read detect the end.
        let available = if source.file.is_some() { source.size as usize + 1 } else { self.block_bytes };
        let target = if self.filled < self.block_bytes {
            self.block_bytes.min(available.max(SAMPLE_BYTES))
        } else {
            self.filled * 2
        };
        let target = target.max(self.filled + 1);
        if self.buffer.len() < target {
            self.buffer.resize(target, 0);
        }
        let free = &mut self.buffer[self.filled..];
        let read = if self.live { source.read_available(free)? } else { Some(source.fill(free)?) };
        let Some(read) = read else { return Ok(false) };
        let added = &self.buffer[self.filled..self.filled + read];
        self.quotes |= memchr(b'"', added).is_some();
        self.filled += read;
        self.ended = if self.live { read == 0 } else { self.filled < self.buffer.len() };
        Ok(true)
    }

    /// Removes the first `bytes` bytes.
    pub(crate) fn drop_front(&mut self, bytes: usize) {
        self.buffer.copy_within(bytes..self.filled, 0);
        self.filled -= bytes;
    }

    /// Replaces the content with that of `before` from `at` on.
    pub(crate) fn restart(&mut self, before: &TextBuffer, at: usize) {
        let rest = &before.bytes()[at..];
        if self.buffer.len() < rest.len() {
            self.buffer.resize(before.buffer.len(), 0);
        }
        self.buffer[..rest.len()].copy_from_slice(rest);
        (self.filled, self.ended) = (rest.len(), before.ended);
        self.quotes = before.quotes && memchr(b'"', rest).is_some();
    }

    /// Offset after the last complete record; 0 if there is none.
    pub(crate) fn complete_records_end(&self, separator: Separator) -> usize {
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
