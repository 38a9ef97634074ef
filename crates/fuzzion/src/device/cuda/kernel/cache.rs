//! Disk cache of compiled kernels: one file per program, architecture and compiler version.
//!
//! An entry contains the complete key and a SHA-256 digest, so a hash collision or a damaged file is a cache miss. Entries
//! are written to a new temporary file and renamed, so several processes can share a folder. Because entries are executed,
//! a folder or an entry that another user owns or can write is not used. Least recently used entries are removed.

use super::sha256::sha256;
use std::fs::{DirBuilder, File, Metadata, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime};
use std::{env, fs, process};

/// Environment variable that sets the folder.
const FOLDER_VARIABLE: &str = "FUZZION_CACHE_DIR";

/// First bytes of every entry; they change with the layout.
const MAGIC: &[u8; 8] = b"fuzzion2";
const DIGEST_BYTES: usize = 32;

/// Maximum size of all entries in bytes; a kernel has some ten to some hundred kilobytes.
const MAX_BYTES: u64 = 256 << 20;
/// Age after which a temporary file belongs to a process that was killed.
const ABANDONED: Duration = Duration::from_secs(24 * 60 * 60);

/// A folder of compiled kernels; without a usable folder every lookup is a miss.
#[derive(Clone, Debug)]
pub(crate) struct KernelCache {
    folder: Option<PathBuf>,
    max_bytes: u64,
}

impl KernelCache {
    /// The folder `FUZZION_CACHE_DIR`, by default `fuzzion/kernels` in the platform's cache folder.
    pub(crate) fn new() -> Self {
        let chosen = env::var_os(FOLDER_VARIABLE).filter(|folder| !folder.is_empty()).map(PathBuf::from);
        let folder = chosen.or_else(|| {
            let folder = platform_folder()?.join("fuzzion").join("kernels");
            make_private(&folder); // earlier versions used the default permissions
            Some(folder)
        });
        KernelCache { folder, max_bytes: MAX_BYTES }
    }

    /// The cache in `folder`.
    #[cfg(test)]
    pub(crate) fn at(folder: &Path) -> Self {
        KernelCache { folder: Some(folder.to_owned()), max_bytes: MAX_BYTES }
    }

    /// The folder, which is created, or why entries cannot be stored and how to fix that.
    pub(crate) fn check(&self) -> Result<PathBuf, String> {
        let no_folder =
            || format!("no folder for compiled kernels is known; set {FOLDER_VARIABLE} to a folder");
        let folder = self.folder.clone().ok_or_else(no_folder)?;
        let shown = folder.display();
        let unusable = |problem: String| {
            format!(
                "compiled kernels cannot be stored in {shown} ({problem}); set {FOLDER_VARIABLE} to another folder"
            )
        };
        let failed = |error: std::io::Error| match error.kind() {
            std::io::ErrorKind::AlreadyExists => unusable("it is a file".into()),
            kind => unusable(kind.to_string()),
        };
        private(DirBuilder::new().recursive(true)).create(&folder).map_err(failed)?;
        if !is_private(&fs::metadata(&folder).map_err(failed)?) {
            return Err(unusable("other users own it or can write to it".into()));
        }
        let probe = folder.join(format!("{}-check.tmp", process::id()));
        create_new(&probe).and_then(|_| fs::remove_file(&probe)).map_err(failed)?;
        Ok(folder)
    }

    /// The payload stored under `key`; `None` if it is missing, damaged, or could have been written by another user.
    pub(crate) fn get(&self, key: &str) -> Option<Vec<u8>> {
        let path = self.path(key)?;
        if !is_private(&fs::metadata(self.folder.as_ref()?).ok()?) {
            return None;
        }
        let metadata = fs::symlink_metadata(&path).ok()?;
        if !metadata.is_file() || !is_private(&metadata) {
            return None;
        }
        let mut bytes = fs::read(&path).ok()?;
        let (magic, rest) = bytes.split_at_checked(MAGIC.len())?;
        let (digest, content) = rest.split_at_checked(DIGEST_BYTES)?;
        if magic != MAGIC || digest != sha256(&[content]) {
            return None;
        }
        let (key_length, content) = content.split_first_chunk()?;
        let (stored_key, payload) =
            content.split_at_checked(usize::try_from(u64::from_le_bytes(*key_length)).ok()?)?;
        if stored_key != key.as_bytes() {
            return None;
        }
        // The time of the last use.
        let _ = OpenOptions::new().append(true).open(&path).and_then(|f| f.set_modified(SystemTime::now()));
        let start = bytes.len() - payload.len();
        bytes.drain(..start);
        Some(bytes)
    }

    /// Stores `payload` under `key`. Failures are ignored: the next run compiles again.
    pub(crate) fn put(&self, key: &str, payload: &[u8]) {
        let (Some(folder), Some(path)) = (&self.folder, self.path(key)) else { return };
        let key_length = (key.len() as u64).to_le_bytes();
        let digest = sha256(&[&key_length, key.as_bytes(), payload]);
        let entry = [&MAGIC[..], &digest, &key_length, key.as_bytes(), payload].concat();
        if write_and_rename(folder, &path, &entry).is_some() {
            self.trim(folder);
        }
    }

    /// Removes the least recently used entries that exceed the limit, and temporary files of killed processes.
    fn trim(&self, folder: &Path) {
        let Ok(files) = fs::read_dir(folder) else { return };
        let mut entries = Vec::new();
        for path in files.flatten().map(|file| file.path()) {
            let Ok(metadata) = fs::symlink_metadata(&path) else { continue };
            let Ok(used) = metadata.modified() else { continue };
            match path.extension().and_then(|extension| extension.to_str()) {
                Some("cubin") => entries.push((used, metadata.len(), path)),
                Some("tmp") if used.elapsed().is_ok_and(|age| age > ABANDONED) => {
                    let _ = fs::remove_file(path);
                }
                _ => {}
            }
        }
        entries.sort();
        let mut total: u64 = entries.iter().map(|(_, bytes, _)| bytes).sum();
        for (_, bytes, path) in entries {
            if total <= self.max_bytes {
                break;
            }
            if fs::remove_file(path).is_ok() {
                total -= bytes;
            }
        }
    }

    fn path(&self, key: &str) -> Option<PathBuf> {
        let name: String = sha256(&[key.as_bytes()])[..16].iter().map(|byte| format!("{byte:02x}")).collect();
        Some(self.folder.as_ref()?.join(format!("{name}.cubin")))
    }
}

/// Writes a new file in `folder`, which is created for this user only, and renames it.
fn write_and_rename(folder: &Path, path: &Path, entry: &[u8]) -> Option<()> {
    static UNIQUE: AtomicU64 = AtomicU64::new(0);
    private(DirBuilder::new().recursive(true)).create(folder).ok()?;
    if !is_private(&fs::metadata(folder).ok()?) {
        return None;
    }
    let unique = UNIQUE.fetch_add(1, Ordering::Relaxed);
    let time = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(0, |time| time.as_nanos());
    let temporary = path.with_extension(format!("{}-{unique}-{time:x}.tmp", process::id()));
    let mut file = create_new(&temporary).ok()?;
    let written = file.write_all(entry).and_then(|()| fs::rename(&temporary, path));
    if written.is_err() {
        let _ = fs::remove_file(&temporary);
    }
    written.ok()
}

/// Creates a file that does not exist; symbolic links are not followed.
fn create_new(path: &Path) -> std::io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

/// Folders that only this user can access.
fn private(builder: &mut DirBuilder) -> &mut DirBuilder {
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(builder, 0o700);
    builder
}

/// Whether only this user can write a file or folder.
#[cfg(unix)]
fn is_private(metadata: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    unsafe extern "C" {
        safe fn geteuid() -> u32;
    }
    metadata.uid() == geteuid() && metadata.mode() & 0o022 == 0
}

/// Denies other users access to a folder of this user.
#[cfg(unix)]
fn make_private(folder: &Path) {
    use std::os::unix::fs::PermissionsExt;
    if fs::metadata(folder).is_ok_and(|metadata| !is_private(&metadata)) {
        let _ = fs::set_permissions(folder, fs::Permissions::from_mode(0o700));
    }
}

/// Folders of a Windows user are private.
#[cfg(not(unix))]
fn is_private(_: &Metadata) -> bool {
    true
}

#[cfg(not(unix))]
fn make_private(_: &Path) {}

/// The platform's cache folder.
fn platform_folder() -> Option<PathBuf> {
    let variable = |name| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    if cfg!(windows) {
        variable("LOCALAPPDATA")
    } else if cfg!(target_os = "macos") {
        Some(variable("HOME")?.join("Library").join("Caches"))
    } else {
        variable("XDG_CACHE_HOME").or_else(|| Some(variable("HOME")?.join(".cache")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Files in a folder, sorted.
    fn entries(folder: &Path) -> Vec<PathBuf> {
        let mut paths: Vec<PathBuf> =
            fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()).collect();
        paths.sort();
        paths
    }

    fn only_entry(folder: &Path) -> PathBuf {
        entries(folder).remove(0)
    }

    /// Marks the entry of `key` as used this many seconds ago.
    fn set_age(cache: &KernelCache, key: &str, seconds: u64) {
        let file = OpenOptions::new().append(true).open(cache.path(key).unwrap()).unwrap();
        file.set_modified(SystemTime::now() - Duration::from_secs(seconds)).unwrap();
    }

    #[test]
    fn stored_entries_are_found_and_other_keys_are_not() {
        let folder = tempfile::tempdir().unwrap();
        let cache = KernelCache::at(&folder.path().join("created").join("on demand"));
        assert_eq!(cache.get("key"), None);
        cache.put("key", b"cubin");
        assert_eq!(cache.get("key").as_deref(), Some(&b"cubin"[..]));
        assert_eq!(cache.get("another key"), None);
    }

    #[test]
    fn an_entry_of_another_key_in_the_same_file_is_a_miss() {
        let folder = tempfile::tempdir().unwrap();
        let cache = KernelCache::at(folder.path());
        cache.put("key", b"cubin");
        fs::rename(only_entry(folder.path()), cache.path("stale").unwrap()).unwrap();
        assert_eq!(cache.get("stale"), None);
    }

    #[test]
    fn an_unwritable_folder_is_not_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a file");
        fs::write(&file, b"").unwrap();
        let cache = KernelCache::at(&file);
        assert!(cache.check().unwrap_err().ends_with("; set FUZZION_CACHE_DIR to another folder"));
        assert_eq!(KernelCache::at(folder.path()).check().as_deref(), Ok(folder.path()));
        assert_eq!(entries(folder.path()), std::slice::from_ref(&file));
        cache.put("key", b"cubin");
        assert_eq!(cache.get("key"), None);
    }

    #[test]
    fn the_least_recently_used_entries_are_removed_beyond_the_limit() {
        let folder = tempfile::tempdir().unwrap();
        let cache = KernelCache { max_bytes: 3500, ..KernelCache::at(folder.path()) };
        for (age, key) in ["first", "second", "third"].into_iter().enumerate() {
            cache.put(key, &[7; 1000]);
            set_age(&cache, key, 100 - age as u64);
        }
        assert!(cache.get("first").is_some()); // used last
        cache.put("fourth", &[7; 1000]);
        let found = ["first", "second", "third", "fourth"].map(|key| cache.get(key).is_some());
        assert_eq!(found, [true, false, true, true]);
    }

    #[test]
    fn abandoned_temporary_files_are_removed_and_others_kept() {
        let folder = tempfile::tempdir().unwrap();
        let cache = KernelCache::at(folder.path());
        let create = |name: &str, age: Duration| {
            let file = File::create(folder.path().join(name)).unwrap();
            file.set_modified(SystemTime::now() - age).unwrap();
        };
        create("old.tmp", ABANDONED * 2);
        create("new.tmp", Duration::ZERO);
        create("notes.txt", ABANDONED * 2);
        cache.put("key", b"cubin");
        let names: Vec<_> =
            entries(folder.path()).iter().map(|path| path.file_name().unwrap().to_owned()).collect();
        assert_eq!(names.len(), 3, "{names:?}");
        assert!(!folder.path().join("old.tmp").exists());
    }

    #[cfg(unix)]
    #[test]
    fn folders_and_entries_are_private_and_others_are_not_used() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let created = folder.path().join("created");
        let cache = KernelCache::at(&created);
        cache.put("key", b"cubin");
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        let set_mode =
            |path: &Path, mode| fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
        let entry = only_entry(&created);
        assert_eq!((mode(&created), mode(&entry)), (0o700, 0o600));
        set_mode(&entry, 0o666);
        assert_eq!(cache.get("key"), None, "others can write the entry");
        set_mode(&entry, 0o644);
        assert!(cache.get("key").is_some());
        set_mode(&created, 0o777);
        assert_eq!(cache.get("key"), None, "others can write the folder");
        cache.put("another key", b"cubin");
        assert_eq!(entries(&created).len(), 1, "nothing is written to this folder");
        make_private(&created);
        assert_eq!(mode(&created), 0o700);
        // A link to an entry elsewhere.
        let elsewhere = folder.path().join("elsewhere");
        fs::rename(&entry, &elsewhere).unwrap();
        std::os::unix::fs::symlink(&elsewhere, &entry).unwrap();
        assert_eq!(cache.get("key"), None);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn files_of_another_user_are_not_private() {
        use std::os::unix::fs::MetadataExt;
        let uid = |path: &str| fs::metadata(path).unwrap().uid();
        // `/` belongs to root, and this folder to the user of this process.
        assert_eq!(is_private(&fs::metadata("/").unwrap()), uid("/") == uid("/proc/self"));
        assert!(is_private(&fs::metadata("/proc/self").unwrap()));
    }

    #[test]
    fn existing_files_are_not_overwritten() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        fs::write(&path, b"before").unwrap();
        assert_eq!(create_new(&path).unwrap_err().kind(), std::io::ErrorKind::AlreadyExists);
    }

    #[test]
    fn concurrent_writers_leave_one_valid_entry() {
        let folder = tempfile::tempdir().unwrap();
        let cache = KernelCache::at(folder.path());
        let payload = vec![7; 100_000];
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    for _ in 0..20 {
                        cache.put("key", &payload);
                        assert_eq!(cache.get("key").as_ref(), Some(&payload));
                    }
                });
            }
        });
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    proptest! {
        #[test]
        fn a_truncated_or_damaged_entry_is_a_miss(cut in 0usize..90, at in 0usize..90, flip in 1u8..) {
            let folder = tempfile::tempdir().unwrap();
            let cache = KernelCache::at(folder.path());
            cache.put("key", b"thirty-two bytes of machine code");
            let path = only_entry(folder.path());
            let whole = fs::read(&path).unwrap();
            let cut = cut.min(whole.len() - 1);
            fs::write(&path, &whole[..cut]).unwrap();
            prop_assert_eq!(cache.get("key"), None);
            let mut damaged = whole.clone();
            let at = at.min(whole.len() - 1);
            damaged[at] ^= flip;
            fs::write(&path, &damaged).unwrap();
            prop_assert_eq!(cache.get("key"), None);
        }
    }
}
