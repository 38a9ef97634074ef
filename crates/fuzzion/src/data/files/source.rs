//! Input sources: files, gzip files and standard input, with a look-ahead at the first bytes.

use super::pausing::PausingReader;
use crate::data::error::{DataError, Result, read_error};
use flate2::bufread::GzDecoder;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Size of the look-ahead.
const HEAD_BYTES: usize = 64;
const BUFFER_BYTES: usize = 256 * 1024;

/// An open input.
pub(crate) struct Source {
    pub(crate) path: PathBuf,
    /// The first bytes, which `reader` also returns; shorter than [`HEAD_BYTES`] only if the input is, or a live pipe so far.
    pub(crate) head: Vec<u8>,
    pub(crate) reader: Box<dyn Read + Send>,
    /// The file, if it is regular and not compressed, for memory mapping and seeking.
    pub(crate) file: Option<File>,
    /// Size of the file on disk in bytes; 0 if unknown.
    pub(crate) size: u64,
    /// Standard input, a pipe or an empty file: the path does not determine the format.
    pub(crate) is_stream: bool,
    gzip: bool,
    bytes_read: Arc<AtomicU64>,
}

impl Source {
    /// Opens `path`; `-` is standard input.
    pub(crate) fn open(path: &Path) -> Result<Self> {
        Source::open_with(path, false)
    }

    /// Opens `path`; if `live`, [`Source::read_available`] does not block on a pipe.
    pub(crate) fn open_with(path: &Path, live: bool) -> Result<Self> {
        let fail = read_error(path);
        let pipe = |reader: Box<dyn Read + Send>| -> Box<dyn Read + Send> {
            if live { Box::new(PausingReader::new(reader)) } else { reader }
        };
        if path == Path::new("-") {
            return Source::new(path, pipe(Box::new(io::stdin())), None, 0);
        }
        let file = File::open(path).map_err(fail)?;
        let metadata = file.metadata().map_err(fail)?;
        if metadata.is_dir() {
            return Err(fail(io::Error::new(io::ErrorKind::IsADirectory, "it is a folder; specify a file")));
        }
        if !metadata.is_file() {
            return Source::new(path, pipe(Box::new(file)), None, 0);
        }
        let reopened = File::open(path).map_err(fail)?;
        Source::new(path, Box::new(file), Some(reopened), metadata.len())
    }

    /// An input that reads from `reader`; errors name it `path`.
    pub(crate) fn new(
        path: &Path,
        reader: Box<dyn Read + Send>,
        file: Option<File>,
        size: u64,
    ) -> Result<Self> {
        let bytes_read = Arc::new(AtomicU64::new(0));
        let reader = CountingReader { inner: reader, bytes_read: bytes_read.clone() };
        let mut source = Source {
            path: path.into(),
            head: Vec::new(),
            reader: Box::new(reader),
            file,
            size,
            is_stream: size == 0 || is_standard_input(path),
            gzip: false,
            bytes_read,
        };
        source.peek()?;
        if source.head.starts_with(&[0x1f, 0x8b]) {
            source.gzip = true;
            source.file = None;
            let compressed = std::mem::replace(&mut source.reader, Box::new(io::empty()));
            source.reader = Box::new(GzipMembers(Some(GzDecoder::new(BufReader::with_capacity(
                BUFFER_BYTES,
                compressed,
            )))));
            source.peek()?;
        }
        Ok(source)
    }

    /// Opens the input again at its start.
    pub(crate) fn reopen(&self) -> Result<Self> {
        if self.size == 0 && !self.path.is_file() {
            return Err(DataError::NotRewindable { path: self.path.clone() });
        }
        Source::open(&self.path)
    }

    /// Number of bytes of the file read so far.
    pub(crate) fn bytes_read(&self) -> u64 {
        self.bytes_read.load(Ordering::Relaxed)
    }

    /// Reads until `buffer` is full or the input ends; returns the number of bytes read.
    pub(crate) fn fill(&mut self, buffer: &mut [u8]) -> Result<usize> {
        let mut filled = 0;
        while filled < buffer.len() {
            match self.reader.read(&mut buffer[filled..]) {
                Ok(0) => break,
                Ok(n) => filled += n,
                Err(e) if matches!(e.kind(), io::ErrorKind::Interrupted | io::ErrorKind::TimedOut) => {}
                Err(e) => return Err(self.error(e)),
            }
        }
        Ok(filled)
    }

    /// Reads the available bytes; returns the number of bytes read, 0 at the end, or `None` if a live pipe has none for a while.
    pub(crate) fn read_available(&mut self, buffer: &mut [u8]) -> Result<Option<usize>> {
        loop {
            match self.reader.read(buffer) {
                Ok(n) => return Ok(Some(n)),
                Err(e) if e.kind() == io::ErrorKind::TimedOut => return Ok(None),
                Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                Err(e) => return Err(self.error(e)),
            }
        }
    }

    /// The remaining bytes; `None` if there are more than `max_bytes`.
    pub(crate) fn read_rest(&mut self, max_bytes: u64) -> Result<Option<Vec<u8>>> {
        let mut bytes = Vec::new();
        let read = self.reader.by_ref().take(max_bytes.saturating_add(1)).read_to_end(&mut bytes);
        read.map_err(|e| self.error(e))?;
        Ok((bytes.len() as u64 <= max_bytes).then_some(bytes))
    }

    /// The error for a failed read from this input.
    pub(crate) fn error(&self, cause: io::Error) -> DataError {
        let reason = match cause.kind() {
            _ if self.gzip && cause.to_string() == TRAILING_BYTES => {
                format!("{TRAILING_BYTES}; remove them, or compress the file again")
            }
            io::ErrorKind::UnexpectedEof if self.gzip => {
                "the file is truncated; download it or compress it again".into()
            }
            io::ErrorKind::InvalidInput | io::ErrorKind::InvalidData if self.gzip => {
                format!("the file is damaged ({cause}); download it or compress it again")
            }
            _ => return DataError::File { doing: "read", path: self.path.clone(), cause },
        };
        DataError::Malformed { path: self.path.clone(), format: "gzip", reason }
    }

    /// Fills `head` without consuming the bytes.
    fn peek(&mut self) -> Result<()> {
        let (mut head, mut found) = (vec![0; HEAD_BYTES], 0);
        while found < HEAD_BYTES {
            match self.read_available(&mut head[found..])? {
                Some(0) => break,
                Some(bytes) => found += bytes,
                None if head[..found].contains(&b'\n') => break, // short lines of text
                None => {}
            }
        }
        head.truncate(found);
        let rest = std::mem::replace(&mut self.reader, Box::new(io::empty()));
        self.reader = Box::new(Cursor::new(head.clone()).chain(rest));
        self.head = head;
        Ok(())
    }
}

/// Error for a gzip file with trailing bytes.
const TRAILING_BYTES: &str = "the compressed data is followed by other bytes";

/// Decompresses the concatenated members of a gzip file.
struct GzipMembers(Option<GzDecoder<BufReader<Box<dyn Read + Send>>>>);

impl Read for GzipMembers {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while let Some(member) = &mut self.0 {
            let n = member.read(buffer)?;
            if n > 0 || buffer.is_empty() {
                return Ok(n);
            }
            let Some(mut compressed) = self.0.take().map(GzDecoder::into_inner) else { break };
            match compressed.fill_buf()? {
                [] => break,
                [0x1f] | [0x1f, 0x8b, ..] => self.0 = Some(GzDecoder::new(compressed)),
                _ => return Err(io::Error::new(io::ErrorKind::InvalidData, TRAILING_BYTES)),
            }
        }
        Ok(0)
    }
}

/// Whether `path` refers to standard input.
fn is_standard_input(path: &Path) -> bool {
    path == Path::new("-") || path == Path::new("/dev/stdin") || path.starts_with("/dev/fd")
}

/// A reader that counts the bytes read.
struct CountingReader {
    inner: Box<dyn Read + Send>,
    bytes_read: Arc<AtomicU64>,
}

impl Read for CountingReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n = self.inner.read(buffer)?;
        self.bytes_read.fetch_add(n as u64, Ordering::Relaxed);
        Ok(n)
    }
}
