//! Opening what is to be read: a file, a gzip file or standard input, with its first bytes looked at.

use crate::error::{Error, Result};
use flate2::bufread::GzDecoder;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// How many of the first bytes are looked at.
const HEAD: usize = 64;
const BUFFER: usize = 256 * 1024;

/// Something open for reading.
pub(crate) struct Source {
    pub(crate) path: PathBuf,
    /// The first bytes, which `reader` will still return; fewer than [`HEAD`] only if there are no more.
    pub(crate) head: Vec<u8>,
    pub(crate) reader: Box<dyn Read + Send>,
    /// The file itself, where it is regular and not compressed: it can be mapped and sought in.
    pub(crate) file: Option<File>,
    /// The file's length in bytes as it lies on disk; 0 where that is unknown.
    pub(crate) size: u64,
    /// Whether its name says nothing about what it holds: standard input, or a pipe.
    pub(crate) nameless: bool,
    gzip: bool,
    taken: Arc<AtomicU64>,
}

impl Source {
    /// Opens `path`; `-` is standard input.
    pub(crate) fn open(path: &Path) -> Result<Self> {
        let fail = |cause| Error::File { doing: "read", path: path.to_path_buf(), cause };
        if path == Path::new("-") {
            return Source::new(path, Box::new(io::stdin()), None, 0);
        }
        let file = File::open(path).map_err(fail)?;
        let about = file.metadata().map_err(fail)?;
        if about.is_dir() {
            return Err(fail(io::Error::new(
                io::ErrorKind::IsADirectory,
                "it is a folder; name a file in it",
            )));
        }
        let again = about.is_file().then(|| File::open(path)).transpose().map_err(fail)?;
        Source::new(path, Box::new(file), again, if about.is_file() { about.len() } else { 0 })
    }

    /// What `reader` yields, under the name `path`.
    pub(crate) fn new(
        path: &Path,
        reader: Box<dyn Read + Send>,
        file: Option<File>,
        size: u64,
    ) -> Result<Self> {
        let taken = Arc::new(AtomicU64::new(0));
        let reader = Counted { inner: reader, taken: taken.clone() };
        let mut source = Source {
            path: path.into(),
            head: Vec::new(),
            reader: Box::new(reader),
            file,
            size,
            nameless: size == 0 || is_standard_input(path),
            gzip: false,
            taken,
        };
        source.peek()?;
        if source.head.starts_with(&[0x1f, 0x8b]) {
            source.gzip = true;
            source.file = None;
            let packed = std::mem::replace(&mut source.reader, Box::new(io::empty()));
            source.reader = Box::new(Members(Some(GzDecoder::new(BufReader::with_capacity(BUFFER, packed)))));
            source.peek()?;
        }
        Ok(source)
    }

    /// The same source from its beginning.
    pub(crate) fn reopen(&self) -> Result<Self> {
        if self.size == 0 && !self.path.is_file() {
            return Err(Error::OnlyOnce { path: self.path.clone() });
        }
        Source::open(&self.path)
    }

    /// How many bytes of the file have been read so far.
    pub(crate) fn taken(&self) -> u64 {
        self.taken.load(Ordering::Relaxed)
    }

    /// Reads until `buffer` is full or there is no more, and says how much was read.
    pub(crate) fn fill(&mut self, buffer: &mut [u8]) -> Result<usize> {
        let mut filled = 0;
        while filled < buffer.len() {
            match self.reader.read(&mut buffer[filled..]) {
                Ok(0) => break,
                Ok(n) => filled += n,
                Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                Err(e) => return Err(self.error(e)),
            }
        }
        Ok(filled)
    }

    /// Reads what there is, waiting only where there is nothing, and says how much was read: 0 at the end.
    pub(crate) fn some(&mut self, buffer: &mut [u8]) -> Result<usize> {
        loop {
            match self.reader.read(buffer) {
                Ok(n) => return Ok(n),
                Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                Err(e) => return Err(self.error(e)),
            }
        }
    }

    /// All the bytes that are left; `None` where there are more than `most`.
    pub(crate) fn rest(&mut self, most: u64) -> Result<Option<Vec<u8>>> {
        let mut bytes = Vec::new();
        let read = self.reader.by_ref().take(most.saturating_add(1)).read_to_end(&mut bytes);
        read.map_err(|e| self.error(e))?;
        Ok((bytes.len() as u64 <= most).then_some(bytes))
    }

    /// `cause` as the error of reading this.
    pub(crate) fn error(&self, cause: io::Error) -> Error {
        let reason = match cause.kind() {
            _ if self.gzip && cause.to_string() == AFTER => {
                format!("{AFTER}; cut them off, or compress it again")
            }
            io::ErrorKind::UnexpectedEof if self.gzip => {
                "it ends too early; fetch or compress it again".into()
            }
            io::ErrorKind::InvalidInput | io::ErrorKind::InvalidData if self.gzip => {
                format!("it is damaged ({cause}); fetch or compress it again")
            }
            _ => return Error::File { doing: "read", path: self.path.clone(), cause },
        };
        Error::Malformed { path: self.path.clone(), format: "gzip", reason }
    }

    /// Looks at the first bytes without losing them.
    fn peek(&mut self) -> Result<()> {
        let mut head = vec![0; HEAD];
        let found = self.fill(&mut head)?;
        head.truncate(found);
        let rest = std::mem::replace(&mut self.reader, Box::new(io::empty()));
        self.reader = Box::new(Cursor::new(head.clone()).chain(rest));
        self.head = head;
        Ok(())
    }
}

/// What is wrong with a gzip file that goes on after its end.
const AFTER: &str = "bytes that are no gzip follow its compressed data";

/// The members of a gzip file, one after the other.
struct Members(Option<GzDecoder<BufReader<Box<dyn Read + Send>>>>);

impl Read for Members {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while let Some(member) = &mut self.0 {
            let n = member.read(buffer)?;
            if n > 0 || buffer.is_empty() {
                return Ok(n);
            }
            let Some(mut packed) = self.0.take().map(GzDecoder::into_inner) else { break };
            match packed.fill_buf()? {
                [] => break,
                [0x1f] | [0x1f, 0x8b, ..] => self.0 = Some(GzDecoder::new(packed)),
                _ => return Err(io::Error::new(io::ErrorKind::InvalidData, AFTER)),
            }
        }
        Ok(0)
    }
}

/// Whether `path` is another name of standard input.
fn is_standard_input(path: &Path) -> bool {
    path == Path::new("-") || path == Path::new("/dev/stdin") || path.starts_with("/dev/fd")
}

/// A reader that counts what is taken from it.
struct Counted {
    inner: Box<dyn Read + Send>,
    taken: Arc<AtomicU64>,
}

impl Read for Counted {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n = self.inner.read(buffer)?;
        self.taken.fetch_add(n as u64, Ordering::Relaxed);
        Ok(n)
    }
}
