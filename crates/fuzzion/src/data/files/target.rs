//! The file that an output replaces or creates: links, permissions, owner, and temporary files of processes that ended.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// Maximum length of a chain of symbolic links.
const MAX_LINKS: usize = 40;
/// Age after which an unlocked temporary file belongs to a process that ended; a new one is not locked yet.
const ABANDONED: Duration = Duration::from_secs(60);

/// The file that an output at `path` replaces or creates: the target of a symbolic link, which need not exist.
///
/// ```
/// # let folder = tempfile::tempdir().unwrap();
/// # let path = folder.path().join("answer.txt");
/// assert_eq!(fuzzion::data::output::target_of(&path).unwrap(), path); // not a link
/// ```
///
/// # Errors
/// An error of the operating system for a chain of links without an end.
pub fn target_of(path: impl AsRef<Path>) -> io::Result<PathBuf> {
    let path = path.as_ref();
    if fs::metadata(path).is_ok() {
        return Ok(fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf()));
    }
    let mut target = path.to_path_buf();
    for _ in 0..MAX_LINKS {
        let Ok(next) = fs::read_link(&target) else { return Ok(target) };
        target = target.parent().unwrap_or(Path::new("")).join(next);
    }
    Err(io::Error::other("its symbolic links form a loop; remove the link"))
}

/// The error for a folder that does not exist if this is the cause, else `cause`.
fn or_missing_folder(cause: io::Error, target: &Path) -> io::Error {
    match target.parent() {
        Some(folder) if !folder.as_os_str().is_empty() && !folder.exists() => {
            io::Error::new(io::ErrorKind::NotFound, "its folder does not exist; create the folder first")
        }
        _ => cause,
    }
}

/// Fails if the file at `target` exists and must not be written. Renaming another file to it would ignore its permissions.
pub(super) fn require_writable(target: &Path, existing: &Metadata) -> io::Result<()> {
    let read_only = || {
        let advice = "it is read-only; change its permissions or specify another file";
        io::Error::new(io::ErrorKind::PermissionDenied, advice)
    };
    // The superuser can open every file.
    if existing.permissions().readonly() {
        return Err(read_only());
    }
    let opened = OpenOptions::new().append(true).open(target);
    if opened.is_err_and(|error| error.kind() == io::ErrorKind::PermissionDenied) {
        return Err(read_only());
    }
    Ok(())
}

/// Gives `file` the owner, the group and the permissions of the `existing` file that it will replace.
pub(super) fn keep_attributes(file: &File, existing: &Metadata) -> io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::{MetadataExt, fchown};
        let new = file.metadata()?;
        let differs = |old: u32, new: u32| (old != new).then_some(old);
        let (user, group) = (differs(existing.uid(), new.uid()), differs(existing.gid(), new.gid()));
        // Only the superuser can give a file to another user, but a user can choose among the own groups.
        if (user.is_some() || group.is_some()) && fchown(file, user, group).is_err() && group.is_some() {
            let _ = fchown(file, None, group);
        }
    }
    file.set_permissions(existing.permissions()) // after the owner, whose change removes special permissions
}

/// Creates a locked file with a unique name in the folder of `target`. The first one in a folder removes the temporary files of
/// processes that ended without removing them.
pub(super) fn create_temporary(target: &Path) -> io::Result<(PathBuf, File)> {
    use std::sync::atomic::{AtomicU64, Ordering};
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let Some(name) = target.file_name() else {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "the path has no file name"));
    };
    remove_abandoned(target.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new(".")));
    loop {
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        // Truncated, so that the temporary name does not exceed the limit of the file system.
        let stem: String = name.to_string_lossy().chars().take(40).collect();
        let path = target.with_file_name(format!(".{stem}.{}-{number}.tmp", std::process::id()));
        match File::create_new(&path) {
            Err(e) if e.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(or_missing_folder(error, target)),
            Ok(file) => {
                // The lock ends with the process, even if it is killed. Not every file system supports locks.
                let _ = file.try_lock();
                return Ok((path, file));
            }
        }
    }
}

/// Removes the temporary files in `folder` that no process has locked, once per folder.
fn remove_abandoned(folder: &Path) {
    static SEEN: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());
    {
        let mut seen = SEEN.lock().unwrap_or_else(PoisonError::into_inner);
        if seen.iter().any(|known| known == folder) {
            return;
        }
        seen.push(folder.to_path_buf());
    }
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let is_temporary = entry.file_name().to_str().is_some_and(is_temporary_name);
        if is_temporary && is_abandoned(&entry.path()) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Whether a file has a name of [`create_temporary`]: `.name.123-4.tmp`.
fn is_temporary_name(name: &str) -> bool {
    let inner = name.strip_prefix('.').and_then(|name| name.strip_suffix(".tmp"));
    let numbers = inner.and_then(|inner| inner.rsplit_once('.')?.1.split_once('-'));
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    numbers.is_some_and(|(process, number)| is_number(process) && is_number(number))
}

fn is_abandoned(path: &Path) -> bool {
    let is_old = |found: Metadata| {
        found.is_file() && found.modified().is_ok_and(|time| time.elapsed().is_ok_and(|age| age > ABANDONED))
    };
    let unlocked = || OpenOptions::new().append(true).open(path).is_ok_and(|file| file.try_lock().is_ok());
    fs::symlink_metadata(path).is_ok_and(is_old) && unlocked()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::output::{AtomicFile, write_file};
    use std::time::SystemTime;

    #[test]
    fn temporary_files_of_processes_that_ended_are_removed_and_those_of_running_ones_are_not() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let age = |path: &Path| {
            let file = OpenOptions::new().append(true).open(path).unwrap();
            file.set_modified(SystemTime::now() - 2 * ABANDONED).unwrap();
            file
        };
        let ended = [".m.json.1-0.tmp", ".other.csv.4000000-12.tmp"].map(at);
        let others = [".m.json.tmp", ".m.1-x.tmp", "m.json.1-0.tmp", ".m.json.1-0"].map(at);
        let (new, locked) = (at(".m.json.1-1.tmp"), at(".m.json.1-2.tmp"));
        for path in ended.iter().chain(&others).chain([&new, &locked]) {
            fs::write(path, "partial").unwrap();
        }
        ended.iter().chain(&others).for_each(|path| drop(age(path)));
        let lock = age(&locked);
        lock.try_lock().unwrap();
        write_file(at("m.json"), b"{}").unwrap();
        assert!(ended.iter().all(|path| !path.exists()));
        assert!(others.iter().chain([&new, &locked, &at("m.json")]).all(|path| path.exists()));
    }

    #[cfg(unix)]
    #[test]
    fn an_output_replaces_the_target_of_a_link_and_not_the_link() {
        use std::os::unix::fs::symlink;
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::create_dir(at("d")).unwrap();
        fs::write(at("d/old"), "old").unwrap();
        for (link, to) in [("existing", "d/old"), ("dangling", "d/new"), ("chain", "dangling")] {
            symlink(to, at(link)).unwrap();
            write_file(at(link), link.as_bytes()).unwrap();
            assert!(fs::symlink_metadata(at(link)).unwrap().is_symlink(), "{link}");
            assert_eq!(fs::read_to_string(at(link)).unwrap(), link);
        }
        assert_eq!(fs::read_to_string(at("d/old")).unwrap(), "existing");
        assert_eq!(fs::read_to_string(at("d/new")).unwrap(), "chain");
        symlink("loop", at("loop")).unwrap();
        let error = AtomicFile::create(at("loop")).unwrap_err();
        assert!(crate::base::message(&error).contains("its symbolic links form a loop"), "{error:?}");
    }

    #[cfg(unix)]
    #[test]
    fn a_read_only_file_is_not_replaced() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("precious.csv");
        fs::write(&path, "old").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o444)).unwrap();
        let error = crate::base::message(&AtomicFile::create(&path).unwrap_err());
        assert!(
            error.ends_with("it is read-only; change its permissions or specify another file"),
            "{error}"
        );
        assert_eq!(fs::read_to_string(&path).unwrap(), "old");
        assert_eq!(folder.path().read_dir().unwrap().count(), 1);
    }

    #[cfg(unix)]
    #[test]
    fn a_replaced_file_keeps_its_owner_and_permissions() {
        use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("m.json");
        fs::write(&path, "old").unwrap();
        let _ = chown(&path, Some(12345), Some(12346)); // only the superuser can
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
        let of = |found: Metadata| (found.uid(), found.gid(), found.mode());
        let before = of(fs::metadata(&path).unwrap());
        write_file(&path, b"new").unwrap();
        assert_eq!(of(fs::metadata(&path).unwrap()), before);
        assert_eq!(fs::read_to_string(&path).unwrap(), "new");
    }
}
