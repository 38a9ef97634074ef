//! Disk cache of compiled kernels: one file per program, architecture and compiler version.
//!
//! An entry contains the complete key and a checksum, so a hash collision or a damaged file is a cache miss. Entries
//! are written to a temporary file and renamed, so several processes can share a folder.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::{env, fs, process};

/// Environment variable that sets the folder.
const FOLDER_VARIABLE: &str = "FUZZION_CACHE_DIR";

/// First bytes of every entry; they change with the layout.
const MAGIC: &[u8; 8] = b"fuzzion1";

/// A folder of compiled kernels; without a usable folder every lookup is a miss.
#[derive(Clone, Debug)]
pub(crate) struct KernelCache {
    folder: Option<PathBuf>,
}

impl KernelCache {
    /// The folder `FUZZION_CACHE_DIR`, by default `fuzzion/kernels` in the platform's cache folder.
    pub(crate) fn new() -> Self {
        let chosen = env::var_os(FOLDER_VARIABLE).filter(|folder| !folder.is_empty()).map(PathBuf::from);
        KernelCache { folder: chosen.or_else(|| Some(platform_folder()?.join("fuzzion").join("kernels"))) }
    }

    /// The cache in `folder`.
    #[cfg(test)]
    pub(crate) fn at(folder: &Path) -> Self {
        KernelCache { folder: Some(folder.to_owned()) }
    }

    /// The payload stored under `key`; `None` if it is missing or damaged.
    pub(crate) fn get(&self, key: &str) -> Option<Vec<u8>> {
        let bytes = fs::read(self.path(key)?).ok()?;
        let (magic, rest) = bytes.split_at_checked(MAGIC.len())?;
        let (key_length, rest) = rest.split_first_chunk()?;
        let (stored_key, rest) =
            rest.split_at_checked(usize::try_from(u64::from_le_bytes(*key_length)).ok()?)?;
        let (checksum, payload) = rest.split_first_chunk()?;
        let valid =
            magic == MAGIC && stored_key == key.as_bytes() && u64::from_le_bytes(*checksum) == hash(payload);
        valid.then(|| payload.to_vec())
    }

    /// Stores `payload` under `key`. Failures are ignored: the next run compiles again.
    pub(crate) fn put(&self, key: &str, payload: &[u8]) {
        let Some(path) = self.path(key) else { return };
        let mut entry = Vec::with_capacity(payload.len() + key.len() + 24);
        entry.extend_from_slice(MAGIC);
        entry.extend_from_slice(&(key.len() as u64).to_le_bytes());
        entry.extend_from_slice(key.as_bytes());
        entry.extend_from_slice(&hash(payload).to_le_bytes());
        entry.extend_from_slice(payload);
        let _ = write_and_rename(&path, &entry);
    }

    fn path(&self, key: &str) -> Option<PathBuf> {
        Some(self.folder.as_ref()?.join(format!("{:016x}.cubin", hash(key.as_bytes()))))
    }
}

fn write_and_rename(path: &Path, entry: &[u8]) -> Option<()> {
    static UNIQUE: AtomicU64 = AtomicU64::new(0);
    fs::create_dir_all(path.parent()?).ok()?;
    let unique = UNIQUE.fetch_add(1, Ordering::Relaxed);
    let temporary = path.with_extension(format!("{}-{unique}.tmp", process::id()));
    let written = fs::write(&temporary, entry).and_then(|()| fs::rename(&temporary, path));
    if written.is_err() {
        let _ = fs::remove_file(&temporary);
    }
    written.ok()
}

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

/// FNV-1a, which is stable between builds, unlike the hasher of `std`.
fn hash(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |h, b| (h ^ u64::from(*b)).wrapping_mul(0x0000_0100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn only_entry(folder: &Path) -> PathBuf {
        fs::read_dir(folder).unwrap().next().unwrap().unwrap().path()
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
        cache.put("key", b"cubin");
        assert_eq!(cache.get("key"), None);
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
        fn a_truncated_or_damaged_entry_is_a_miss(cut in 0usize..60, at in 0usize..60, flip in 1u8..) {
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
