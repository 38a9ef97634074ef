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
use std::io::{self, BufWriter, Seek, SeekFrom, Stdout, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

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
struct Temporary(PathBuf);

impl Drop for Temporary {
    fn drop(&mut self) {
        TEMPORARIES.forget(&self.0, |path| {
            // Nothing can be done about a file that will not go, and a drop must not fail.
            let _ = fs::remove_file(path);
        });
    }
}

static TEMPORARIES: Temporaries = Temporaries(Mutex::new(Vec::new()));

/// The temporary files under way in this process.
struct Temporaries(Mutex<Vec<PathBuf>>);

impl Temporaries {
    fn lock(&self) -> MutexGuard<'_, Vec<PathBuf>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner) // a list of paths is never half changed
    }

    /// Makes a file and remembers it; nothing can come between.
    fn make(&self, make: impl FnOnce() -> io::Result<(PathBuf, File)>) -> io::Result<(PathBuf, File)> {
        let mut paths = self.lock();
        let made = make()?;
        paths.push(made.0.clone());
        Ok(made)
    }

    /// Ends a file in the way `end` says, unless that was done; nothing can come between.
    fn forget<R>(&self, path: &Path, end: impl FnOnce(&Path) -> R) -> Option<R> {
        let mut paths = self.lock();
        let place = paths.iter().position(|p| p == path)?;
        let ended = end(path);
        paths.swap_remove(place);
        Some(ended)
    }

    fn remove_all(&self) -> Abandoned<'_> {
        let mut paths = self.lock();
        paths.drain(..).for_each(|path| drop(fs::remove_file(path)));
        Abandoned(paths)
    }
}

/// While this is held, no file gets its name and no new one begins.
#[must_use = "files may get their names again as soon as this is dropped"]
#[derive(Debug)]
pub struct Abandoned<'a>(#[allow(dead_code)] MutexGuard<'a, Vec<PathBuf>>); // it is only held

/// Removes every file under way, for a program that is about to end while others of its threads still write.
///
/// A file that is just being given its name is waited for.
pub fn abandon_all() -> Abandoned<'static> {
    TEMPORARIES.remove_all()
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
        let (temporary, file) = TEMPORARIES.make(|| create_beside(&target)).map_err(fail)?;
        let guard = Temporary(temporary);
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
            Sink::Temporary { mut file, guard, target } => file.flush().and_then(|()| {
                // A full disk may show only now, and a file of that name must not be half there after a crash.
                file.get_ref().sync_all()?;
                drop(file); // some systems do not rename an open file
                match TEMPORARIES.forget(&guard.0, |temporary| fs::rename(temporary, &target)) {
                    Some(Err(cause)) => {
                        let _ = fs::remove_file(&guard.0); // it is forgotten, so that nobody else would
                        Err(cause)
                    }
                    _ => Ok(()),
                }
            }),
        };
        done.map_err(|cause| Error::File { doing: "write", path, cause })
    }

    /// `cause` as the error of writing this file.
    pub fn error(&self, cause: io::Error) -> Error {
        Error::File { doing: "write", path: self.path.clone(), cause }
    }

    /// Writes `bytes` over the first ones of a file under its temporary name; what is no such file cannot be gone back in.
    pub(crate) fn put_first(&mut self, bytes: &[u8]) -> Result<()> {
        let done = match &mut self.sink {
            Sink::Temporary { file, .. } => file
                .seek(SeekFrom::Start(0))
                .and_then(|_| file.write_all(bytes))
                .and_then(|()| file.seek(SeekFrom::End(0)).map(drop)),
            _ => {
                Err(io::Error::new(io::ErrorKind::NotSeekable, "its beginning cannot be mended; name a file"))
            }
        };
        done.map_err(|e| self.error(e))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_under_way_can_be_removed_at_once_and_a_finished_file_stays() {
        // A list of its own: the common one is in use by other tests.
        let (list, folder) = (Temporaries(Mutex::new(Vec::new())), tempfile::tempdir().unwrap());
        let at = |name: &str| folder.path().join(name);
        let make =
            |name: &str| list.make(|| File::create_new(at(name)).map(|file| (at(name), file))).unwrap();
        let (done, half) = (make("done.tmp").0, make("half.tmp").0);
        assert!(list.forget(&done, |path| fs::rename(path, at("done"))).is_some_and(|r| r.is_ok()));
        drop(list.remove_all());
        assert!(at("done").exists() && !half.exists());
        assert!(list.forget(&half, |_| panic!("it is gone already")).is_none());
    }
}
