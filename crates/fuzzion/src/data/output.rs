//! Writing that is all or nothing: a file appears under its name only when it is complete.
//!
//! ```
//! # fn main() -> fuzzion::Result<()> {
//! # let folder = tempfile::tempdir().unwrap();
//! # let path = folder.path().join("answer.txt");
//! use fuzzion::data::output::Output;
//! use std::io::Write;
//!
//! let mut output = Output::create(&path)?;
//! output.write_all(b"42\n").map_err(|e| output.error(e))?;
//! assert!(!path.exists());
//! output.finish()?;
//! assert!(path.exists());
//! # Ok(())
//! # }
//! ```

use crate::error::{Error, Result};
use std::fs::{self, File};
use std::io::{self, BufWriter, Stdout, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

const BUFFER: usize = 256 * 1024;

/// A file being written under a temporary name in its own folder; [`Output::finish`] gives it its name, and
/// dropping it before that leaves nothing behind. `-` is standard output.
#[derive(Debug)]
pub struct Output {
    path: PathBuf,
    sink: Sink,
}

#[derive(Debug)]
enum Sink {
    Stdout(BufWriter<Stdout>),
    /// A pipe or device that is there already: it cannot be replaced by a rename.
    Direct(BufWriter<File>),
    Temporary {
        file: BufWriter<File>,
        guard: Temporary,
        target: PathBuf,
    },
}

/// A temporary file that goes when this goes, unless it was renamed.
#[derive(Debug)]
struct Temporary(Option<PathBuf>);

impl Drop for Temporary {
    fn drop(&mut self) {
        if let Some(path) = &self.0 {
            // Nothing can be done about a file that will not go, and a drop must not fail.
            let _ = fs::remove_file(path);
        }
    }
}

impl Output {
    /// Begins to write the file at `path`.
    ///
    /// # Errors
    /// [`Error::File`] when nothing can be created beside it.
    pub fn create(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref().to_path_buf();
        let fail = |cause| Error::File { doing: "write", path: path.clone(), cause };
        if path == Path::new("-") {
            let sink = Sink::Stdout(BufWriter::with_capacity(BUFFER, io::stdout()));
            return Ok(Output { path, sink });
        }
        // A link stays a link: the file it points to is the one replaced.
        let target = fs::canonicalize(&path).unwrap_or_else(|_| path.clone());
        let existing = fs::metadata(&target).ok();
        if existing.as_ref().is_some_and(|m| m.is_dir()) {
            return Err(fail(io::Error::new(
                io::ErrorKind::IsADirectory,
                "it is a folder; name a file in it",
            )));
        }
        if existing.as_ref().is_some_and(|m| !m.is_file()) {
            let file = File::options().write(true).open(&target).map_err(fail)?;
            return Ok(Output { path, sink: Sink::Direct(BufWriter::with_capacity(BUFFER, file)) });
        }
        let (temporary, file) = create_beside(&target).map_err(fail)?;
        let guard = Temporary(Some(temporary));
        if let Some(existing) = existing {
            file.set_permissions(existing.permissions()).map_err(fail)?;
        }
        let file = BufWriter::with_capacity(BUFFER, file);
        Ok(Output { path, sink: Sink::Temporary { file, guard, target } })
    }

    /// Completes the file and gives it its name.
    ///
    /// # Errors
    /// [`Error::File`] when the last bytes cannot be written or the file cannot be renamed.
    pub fn finish(self) -> Result<()> {
        let Output { path, sink } = self;
        let done = match sink {
            Sink::Stdout(mut out) => out.flush(),
            Sink::Direct(mut file) => file.flush(),
            Sink::Temporary { mut file, mut guard, target } => file.flush().and_then(|()| {
                // A full disk may show only now, and a file of that name must not be half there after a crash.
                file.get_ref().sync_all()?;
                drop(file); // some systems do not rename an open file
                if let Some(temporary) = &guard.0 {
                    fs::rename(temporary, &target)?;
                }
                guard.0 = None;
                Ok(())
            }),
        };
        done.map_err(|cause| Error::File { doing: "write", path, cause })
    }

    /// `cause` as the error of writing this file.
    pub fn error(&self, cause: io::Error) -> Error {
        Error::File { doing: "write", path: self.path.clone(), cause }
    }

    /// Writes all of `bytes`.
    pub(crate) fn put(&mut self, bytes: &[u8]) -> Result<()> {
        self.write_all(bytes).map_err(|e| self.error(e))
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.sink {
            Sink::Stdout(out) => out.write(bytes),
            Sink::Direct(file) | Sink::Temporary { file, .. } => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.sink {
            Sink::Stdout(out) => out.flush(),
            Sink::Direct(file) | Sink::Temporary { file, .. } => file.flush(),
        }
    }
}

/// A new file in the folder of `target`, under a name nobody else uses.
fn create_beside(target: &Path) -> io::Result<(PathBuf, File)> {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let Some(name) = target.file_name() else {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "it names no file"));
    };
    loop {
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        // Long names are cut: the temporary one must not be longer than the system allows.
        let stem: String = name.to_string_lossy().chars().take(40).collect();
        let path = target.with_file_name(format!(".{stem}.{}-{number}.tmp", std::process::id()));
        match File::create_new(&path) {
            Err(e) if e.kind() == io::ErrorKind::AlreadyExists => {}
            made => return made.map(|file| (path, file)),
        }
    }
}
