//! Uploaded files: temporary files in the start folder, deleted as soon as they have been read.

use crate::api::ApiError;
use crate::api::jobs::lock;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::process;
use std::sync::{Arc, Mutex};

/// Maximum size of an uploaded file.
pub(crate) const MAX_UPLOAD_BYTES: usize = 1 << 30;
/// Maximum number of uploads at the same time.
const MAX_UPLOADS: usize = 2;
/// Maximum number of names that are tried for a temporary file.
const MAX_NAMES: usize = 1000;
/// Endings of table files. Other files get a name without an ending, for which the library lists the supported formats.
const ENDINGS: [&str; 12] = [
    ".csv", ".tsv", ".txt", ".dat", ".data", ".csv.gz", ".tsv.gz", ".txt.gz", ".dat.gz", ".data.gz", ".npy",
    ".parquet",
];

/// The temporary files of uploads.
#[derive(Clone, Debug, Default)]
pub(crate) struct Uploads(Arc<Mutex<Vec<PathBuf>>>);

/// A temporary file, deleted on drop.
#[derive(Debug)]
pub(crate) struct Upload {
    pub(crate) file: File,
    pub(super) path: PathBuf,
    /// Name of the file that the user chose.
    pub(super) name: String,
    uploads: Uploads,
}

impl Uploads {
    /// Creates a temporary file in `folder` for a file with this name.
    pub(crate) fn create(&self, folder: &Path, name: String) -> Result<Upload, ApiError> {
        let mut paths = lock(&self.0);
        if paths.len() >= MAX_UPLOADS {
            return Err(ApiError::new(format!(
                "{MAX_UPLOADS} files are being read; wait until one of them is open"
            )));
        }
        let lower = name.to_ascii_lowercase();
        let ending = ENDINGS.iter().filter(|ending| lower.ends_with(*ending)).max_by_key(|e| e.len());
        let ending = ending.copied().unwrap_or_default();
        for number in 0..MAX_NAMES {
            let path = folder.join(format!(".fuzzion-upload-{}-{number}{ending}", process::id()));
            // An existing file, also a link, is never opened.
            match File::create_new(&path) {
                Ok(file) => {
                    paths.push(path.clone());
                    return Ok(Upload { file, path, name, uploads: self.clone() });
                }
                Err(cause) if cause.kind() == io::ErrorKind::AlreadyExists => {}
                Err(cause) => {
                    let problem =
                        format!("cannot create a temporary file in the folder of the Studio: {cause}");
                    return Err(ApiError::new(format!(
                        "{problem}; open the table from a folder with write access"
                    )));
                }
            }
        }
        Err(ApiError::new(
            "the folder of the Studio contains many files named `.fuzzion-upload-…`; delete them",
        ))
    }

    /// Deletes all temporary files, for the end of the program.
    pub(crate) fn remove_all(&self) {
        lock(&self.0).drain(..).for_each(|path| drop(fs::remove_file(path)));
    }
}

impl Drop for Upload {
    fn drop(&mut self) {
        let mut paths = lock(&self.uploads.0);
        if let Some(i) = paths.iter().position(|path| *path == self.path) {
            paths.swap_remove(i);
            // A drop must not fail, so a failed removal is ignored.
            let _ = fs::remove_file(&self.path);
        }
    }
}
