//! Files in the start folder. No other file is read or written.

use crate::api::ApiError;
use fuzzion::Table;
use fuzzion::data::DataError;
use fuzzion::data::output::AtomicFile;
use std::fs;
use std::io::{Read as _, Write as _};
use std::path::{Component, Path, PathBuf};

/// Maximum number of files that are listed.
const MAX_LISTED: usize = 500;
/// Maximum depth of listed folders.
const MAX_DEPTH: usize = 3;

/// The start folder.
pub(crate) struct Folder {
    /// Absolute, without symbolic links.
    root: PathBuf,
}

impl Folder {
    pub(crate) fn new(root: &Path) -> Result<Self, DataError> {
        let failed = |cause| DataError::File { doing: "open", path: root.to_path_buf(), cause };
        Ok(Folder { root: root.canonicalize().map_err(failed)? })
    }

    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// Reads a file of at most `limit` bytes.
    pub(crate) fn read(&self, path: &str, limit: usize) -> Result<Vec<u8>, ApiError> {
        let file = self.resolve(path)?;
        let failed = |cause: std::io::Error| ApiError::new(format!("cannot read `{path}`: {cause}"));
        // Opening a pipe would wait for its writer.
        if !fs::metadata(&file).map_err(failed)?.is_file() {
            return Err(ApiError::new(format!("`{path}` is not a file; choose a file")));
        }
        let mut bytes = Vec::new();
        fs::File::open(&file)
            .map_err(failed)?
            .take(limit as u64 + 1)
            .read_to_end(&mut bytes)
            .map_err(failed)?;
        if bytes.len() > limit {
            return Err(ApiError::new(format!(
                "`{path}` is larger than {} MiB; use a smaller file",
                limit >> 20
            )));
        }
        Ok(bytes)
    }

    /// The absolute path of a file.
    pub(crate) fn file(&self, path: &str) -> Result<PathBuf, ApiError> {
        let file = self.resolve(path)?;
        if !file.is_file() {
            return Err(ApiError::new(format!("there is no file `{path}`; choose another file")));
        }
        Ok(file)
    }

    /// Writes a file, which appears only when it is complete.
    pub(crate) fn write(&self, path: &str, bytes: &[u8]) -> Result<(), ApiError> {
        let mut file = AtomicFile::create(self.target(path)?).map_err(ApiError::from)?;
        file.write_all(bytes).map_err(|cause| ApiError::new(format!("cannot write `{path}`: {cause}")))?;
        Ok(file.finish()?)
    }

    /// Writes a table in the format of the extension; the file appears only when it is complete.
    pub(crate) fn write_table(&self, path: &str, table: &Table) -> Result<(), ApiError> {
        Ok(table.write(self.target(path)?)?)
    }

    /// The absolute path of a file that is to be written.
    fn target(&self, path: &str) -> Result<PathBuf, ApiError> {
        let target = self.resolve(path)?;
        if target.exists() && !target.is_file() {
            return Err(ApiError::new(format!("`{path}` is not a file; choose another name")));
        }
        Ok(target)
    }

    pub(crate) fn exists(&self, path: &str) -> Result<bool, ApiError> {
        Ok(self.resolve(path)?.exists())
    }

    /// Paths of the files with one of the extensions, relative to the folder, sorted.
    pub(crate) fn list(&self, extensions: &[&str]) -> Vec<String> {
        let mut found = Vec::new();
        self.collect(&self.root, 0, extensions, &mut found);
        found.sort();
        found.truncate(MAX_LISTED);
        found
    }

    fn collect(&self, folder: &Path, depth: usize, extensions: &[&str], found: &mut Vec<String>) {
        let Ok(entries) = fs::read_dir(folder) else { return };
        for entry in entries.flatten() {
            let (path, Ok(kind)) = (entry.path(), entry.file_type()) else { continue };
            let hidden = entry.file_name().to_string_lossy().starts_with('.');
            if hidden || found.len() >= 2 * MAX_LISTED {
                continue;
            }
            let extension = path.extension().map(|e| e.to_string_lossy().to_ascii_lowercase());
            if kind.is_dir() && depth < MAX_DEPTH {
                self.collect(&path, depth + 1, extensions, found);
            } else if kind.is_file() && extension.is_some_and(|e| extensions.contains(&e.as_str())) {
                let relative = path.strip_prefix(&self.root).unwrap_or(&path);
                found.push(relative.to_string_lossy().replace('\\', "/"));
            }
        }
    }

    /// The absolute path of `path`, which must be in the folder, also after symbolic links are followed.
    fn resolve(&self, path: &str) -> Result<PathBuf, ApiError> {
        let outside = || {
            ApiError::forbidden(format!(
                "`{path}` is not in the folder of the Studio; use a path inside of it"
            ))
        };
        let relative = Path::new(path);
        let plain = relative.components().all(|part| matches!(part, Component::Normal(_)));
        let (true, Some(name), false) = (plain, relative.file_name(), path.contains('\0')) else {
            return Err(outside());
        };
        let target = self.root.join(relative);
        // A file that does not exist yet is in a folder that does. A dangling link exists, but has no canonical path.
        let parent = target.parent().unwrap_or(&self.root);
        let missing = |_| ApiError::new(format!("the folder of `{path}` does not exist; create it first"));
        let parent = parent.canonicalize().map_err(missing)?;
        let resolved = match fs::symlink_metadata(&target) {
            Ok(_) => target.canonicalize().map_err(|_| outside())?,
            Err(_) => parent.join(name),
        };
        if parent.starts_with(&self.root) && resolved.starts_with(&self.root) {
            Ok(resolved)
        } else {
            Err(outside())
        }
    }
}
