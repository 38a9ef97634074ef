//! Atomic output files: a file appears under its name only when it is complete.
//!
//! ```
//! # fn main() -> fuzzion::Result<()> {
//! # let folder = tempfile::tempdir().unwrap();
//! # let path = folder.path().join("answer.txt");
//! use fuzzion::data::output::AtomicFile;
//! use std::io::Write;
//!
//! let mut output = AtomicFile::create(&path)?;
//! output.write_all(b"42\n").map_err(|e| output.error(e))?;
//! assert!(!path.exists());
//! output.finish()?;
//! assert!(path.exists());
//! # Ok(())
//! # }
//! ```

pub use super::target::target_of;
use super::target::{create_temporary, keep_attributes, require_writable};
use super::write_back::WriteBack;
use crate::data::error::{DataError, Result};
use std::fs::{self, File};
use std::io::{self, BufWriter, Seek, SeekFrom, Stdout, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

const BUFFER_BYTES: usize = 256 * 1024;

/// A file that is written under a temporary name in its target folder and renamed by [`AtomicFile::finish`].
///
/// Dropping it before that removes the temporary file. `-` is standard output.
///
/// ```
/// # let folder = tempfile::tempdir().unwrap();
/// # let folder = folder.path();
/// use fuzzion::data::output::AtomicFile;
/// let output = AtomicFile::create(folder.join("answer.txt"))?;
/// assert_eq!(folder.read_dir().unwrap().count(), 1); // the temporary file
/// drop(output);
/// assert_eq!(folder.read_dir().unwrap().count(), 0);
/// # Ok::<(), fuzzion::Error>(())
/// ```
#[derive(Debug)]
pub struct AtomicFile {
    path: PathBuf,
    sink: Sink,
}

#[derive(Debug)]
enum Sink {
    Stdout(BufWriter<Stdout>),
    /// An existing pipe or device, which a rename cannot replace.
    Direct(BufWriter<File>),
    Temporary {
        file: BufWriter<File>,
        guard: TemporaryFile,
        target: PathBuf,
        write_back: WriteBack,
    },
}

/// A temporary file, removed on drop unless it was renamed.
#[derive(Debug)]
struct TemporaryFile(PathBuf);

impl Drop for TemporaryFile {
    fn drop(&mut self) {
        TEMPORARY_FILES.release(&self.0, |path| {
            // A drop must not fail, so a failed removal is ignored.
            let _ = fs::remove_file(path);
        });
    }
}

static TEMPORARY_FILES: TemporaryFiles = TemporaryFiles(Mutex::new(Vec::new()));

/// Registry of the temporary files of this process.
struct TemporaryFiles(Mutex<Vec<PathBuf>>);

impl TemporaryFiles {
    fn lock(&self) -> MutexGuard<'_, Vec<PathBuf>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner) // every update of the list is atomic
    }

    /// Creates a file and registers it under one lock.
    fn create(&self, create: impl FnOnce() -> io::Result<(PathBuf, File)>) -> io::Result<(PathBuf, File)> {
        let mut paths = self.lock();
        let created = create()?;
        paths.push(created.0.clone());
        Ok(created)
    }

    /// Applies `end` to a registered file and unregisters it under one lock; `None` if it is not registered.
    fn release<R>(&self, path: &Path, end: impl FnOnce(&Path) -> R) -> Option<R> {
        let mut paths = self.lock();
        let index = paths.iter().position(|p| p == path)?;
        let result = end(path);
        paths.swap_remove(index);
        Some(result)
    }

    fn remove_all(&self) -> DiscardGuard<'_> {
        let mut paths = self.lock();
        paths.drain(..).for_each(|path| drop(fs::remove_file(path)));
        DiscardGuard(paths)
    }
}

/// Guard of [`discard_unfinished`]: while it is alive, creating, finishing or dropping an [`AtomicFile`] blocks.
///
/// ```
/// # let folder = tempfile::tempdir().unwrap();
/// # let path = folder.path().join("answer.txt");
/// use fuzzion::data::output::{AtomicFile, discard_unfinished};
/// let guard = discard_unfinished();
/// let writer = std::thread::spawn(move || AtomicFile::create(path).map(drop)); // waits for the guard
/// drop(guard);
/// assert!(writer.join().unwrap().is_ok());
/// ```
#[must_use = "files can be created and finished again as soon as the guard is dropped"]
#[derive(Debug)]
pub struct DiscardGuard<'a>(#[allow(dead_code)] MutexGuard<'a, Vec<PathBuf>>); // only its lifetime matters

/// Removes all unfinished files, for a program that exits while other threads are still writing.
///
/// If a file is being renamed, this function waits for it.
///
/// ```
/// # let folder = tempfile::tempdir().unwrap();
/// # let folder = folder.path();
/// use fuzzion::data::output::{AtomicFile, discard_unfinished};
/// let output = AtomicFile::create(folder.join("answer.txt"))?;
/// let guard = discard_unfinished(); // a program would exit here
/// assert_eq!(folder.read_dir().unwrap().count(), 0);
/// # drop(guard);
/// # Ok::<(), fuzzion::Error>(())
/// ```
pub fn discard_unfinished() -> DiscardGuard<'static> {
    TEMPORARY_FILES.remove_all()
}

impl AtomicFile {
    /// Creates the temporary file for `path`.
    ///
    /// ```
    /// # let folder = tempfile::tempdir().unwrap();
    /// # let path = folder.path().join("missing").join("answer.txt");
    /// use fuzzion::data::{DataError, output::AtomicFile};
    /// let error = AtomicFile::create(&path).unwrap_err(); // the folder does not exist
    /// assert!(matches!(error, DataError::File { doing: "write", .. }));
    /// ```
    ///
    /// # Errors
    /// [`DataError::File`] if no file can be created in the target folder, or if the file exists and is read-only.
    pub fn create(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref().to_path_buf();
        let fail = |cause| DataError::File { doing: "write", path: path.clone(), cause };
        if path == Path::new("-") {
            let sink = Sink::Stdout(BufWriter::with_capacity(BUFFER_BYTES, io::stdout()));
            return Ok(AtomicFile { path, sink });
        }
        // A symbolic link is kept: its target is replaced or created.
        let target = target_of(&path).map_err(fail)?;
        let existing = fs::metadata(&target).ok();
        if existing.as_ref().is_some_and(|m| m.is_dir()) {
            return Err(fail(io::Error::new(io::ErrorKind::IsADirectory, "it is a folder; specify a file")));
        }
        if existing.as_ref().is_some_and(|m| !m.is_file()) {
            let file = File::options().write(true).open(&target).map_err(fail)?;
            return Ok(AtomicFile { path, sink: Sink::Direct(BufWriter::with_capacity(BUFFER_BYTES, file)) });
        }
        if let Some(existing) = &existing {
            require_writable(&target, existing).map_err(fail)?;
        }
        let (temporary, file) = TEMPORARY_FILES.create(|| create_temporary(&target)).map_err(fail)?;
        let guard = TemporaryFile(temporary);
        if let Some(existing) = &existing {
            keep_attributes(&file, existing).map_err(fail)?;
        }
        let file = BufWriter::with_capacity(BUFFER_BYTES, file);
        let write_back = WriteBack::default();
        Ok(AtomicFile { path, sink: Sink::Temporary { file, guard, target, write_back } })
    }

    /// Flushes the file and renames it to its target.
    ///
    /// ```
    /// # let folder = tempfile::tempdir().unwrap();
    /// # let path = folder.path().join("answer.txt");
    /// # std::fs::write(&path, "old").unwrap();
    /// use fuzzion::data::output::AtomicFile;
    /// use std::{fs, io::Write};
    /// let mut output = AtomicFile::create(&path)?;
    /// output.write_all(b"new").map_err(|e| output.error(e))?;
    /// assert_eq!(fs::read_to_string(&path).unwrap(), "old"); // still unchanged
    /// output.finish()?;
    /// assert_eq!(fs::read_to_string(&path).unwrap(), "new");
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`DataError::File`] if the remaining bytes cannot be written or the file cannot be renamed.
    pub fn finish(self) -> Result<()> {
        let AtomicFile { path, sink } = self;
        let done = match sink {
            Sink::Stdout(mut out) => out.flush(),
            Sink::Direct(mut file) => file.flush(),
            Sink::Temporary { mut file, guard, target, write_back } => file.flush().and_then(|()| {
                write_back.finish()?;
                // Reports a full disk, and prevents a partial file after a crash.
                file.get_ref().sync_all()?;
                // Some systems cannot rename an open file; on others, it stays locked.
                let _locked = cfg!(unix).then_some(file);
                match TEMPORARY_FILES.release(&guard.0, |temporary| fs::rename(temporary, &target)) {
                    Some(Err(cause)) => {
                        let _ = fs::remove_file(&guard.0); // it is no longer registered
                        Err(cause)
                    }
                    _ => Ok(()),
                }
            }),
        };
        done.map_err(|cause| DataError::File { doing: "write", path, cause })
    }

    /// The error for a failed write to this file.
    ///
    /// ```
    /// # let folder = tempfile::tempdir().unwrap();
    /// # let path = folder.path().join("answer.txt");
    /// use fuzzion::data::output::AtomicFile;
    /// let output = AtomicFile::create(&path)?;
    /// let error = output.error(std::io::Error::other("disk full"));
    /// assert_eq!(error.to_string(), format!("cannot write {}", path.display()));
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    pub fn error(&self, cause: io::Error) -> DataError {
        DataError::File { doing: "write", path: self.path.clone(), cause }
    }

    /// Overwrites the first bytes of the file; fails for standard output, pipes and devices.
    pub(crate) fn overwrite_start(&mut self, bytes: &[u8]) -> Result<()> {
        let done = match &mut self.sink {
            Sink::Temporary { file, .. } => file
                .seek(SeekFrom::Start(0))
                .and_then(|_| file.write_all(bytes))
                .and_then(|()| file.seek(SeekFrom::End(0)).map(drop)),
            _ => Err(io::Error::new(
                io::ErrorKind::NotSeekable,
                "the header cannot be updated on a pipe or standard output; specify a regular file",
            )),
        };
        done.map_err(|e| self.error(e))
    }

    /// Writes all of `bytes`.
    pub(crate) fn write_bytes(&mut self, bytes: &[u8]) -> Result<()> {
        self.write_all(bytes).map_err(|e| self.error(e))
    }
}

impl Write for AtomicFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.sink {
            Sink::Stdout(out) => out.write(bytes),
            Sink::Direct(file) => file.write(bytes),
            Sink::Temporary { file, write_back, .. } => {
                let written = file.write(bytes)?;
                write_back.add(file.get_ref(), written);
                Ok(written)
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.sink {
            Sink::Stdout(out) => out.flush(),
            Sink::Direct(file) | Sink::Temporary { file, .. } => file.flush(),
        }
    }
}

/// Writes a whole file atomically.
pub(crate) fn write_file(path: impl AsRef<Path>, bytes: &[u8]) -> Result<()> {
    let mut output = AtomicFile::create(path)?;
    output.write_bytes(bytes)?;
    output.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_is_transferred_while_it_is_written_is_complete_or_removed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("long.bin");
        let bytes: Vec<u8> = (0..100_000u32).map(|i| (i % 251) as u8).collect();
        for finished in [false, true] {
            let mut output = AtomicFile::create(&path).unwrap();
            bytes.chunks(777).for_each(|part| output.write_bytes(part).unwrap());
            assert!(format!("{output:?}").contains("JoinHandle"), "the file is longer than the interval");
            if finished {
                output.finish().unwrap();
                assert_eq!(fs::read(&path).unwrap(), bytes);
            } else {
                drop(output);
                assert_eq!(folder.path().read_dir().unwrap().count(), 0);
            }
        }
    }

    #[test]
    fn discarding_removes_unfinished_files_and_keeps_finished_files() {
        // Not the global registry, which other tests use.
        let (list, folder) = (TemporaryFiles(Mutex::new(Vec::new())), tempfile::tempdir().unwrap());
        let at = |name: &str| folder.path().join(name);
        let create =
            |name: &str| list.create(|| File::create_new(at(name)).map(|file| (at(name), file))).unwrap();
        let (done, half) = (create("done.tmp").0, create("half.tmp").0);
        assert!(list.release(&done, |path| fs::rename(path, at("done"))).is_some_and(|r| r.is_ok()));
        drop(list.remove_all());
        assert!(at("done").exists() && !half.exists());
        assert!(list.release(&half, |_| panic!("the file is not registered")).is_none());
    }

    #[cfg(unix)]
    #[test]
    fn concurrent_writers_replace_a_file_atomically_and_follow_no_planted_links() {
        let folder = tempfile::tempdir().unwrap();
        let (path, victim) = (folder.path().join("m.json"), folder.path().join("victim"));
        fs::write(&victim, "unchanged").unwrap();
        for number in 0..2000 {
            let planted = folder.path().join(format!(".m.json.{}-{number}.tmp", std::process::id()));
            std::os::unix::fs::symlink(&victim, planted).unwrap();
        }
        write_file(&path, &[0; 50_000]).unwrap();
        let is_complete = |bytes: &[u8]| bytes.len() == 50_000 && bytes.iter().all(|byte| *byte == bytes[0]);
        std::thread::scope(|scope| {
            for writer in 1..4 {
                let path = &path;
                scope.spawn(move || (0..100).for_each(|_| write_file(path, &[writer; 50_000]).unwrap()));
            }
            (0..300).for_each(|_| assert!(is_complete(&fs::read(&path).unwrap())));
        });
        assert!(is_complete(&fs::read(&path).unwrap()) && fs::read(&path).unwrap()[0] > 0);
        assert_eq!(fs::read(&victim).unwrap(), b"unchanged");
        assert_eq!(folder.path().read_dir().unwrap().count(), 2 + 2000); // no other temporary files
    }
}
