use crate::data::error::DataError;
use crate::data::{ReadTable, Table};
use flate2::Compression;
use flate2::write::GzEncoder;
use std::io::Write;
use std::path::PathBuf;
use tempfile::TempDir;

mod malformed;
mod numbers;
mod reading;

/// A temporary folder with one file.
fn file(name: &str, content: &[u8]) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    std::fs::write(&path, content).unwrap();
    (folder, path)
}

fn read_as(settings: ReadTable, content: impl AsRef<[u8]>) -> Result<Table, DataError> {
    let (_folder, path) = file("data.csv", content.as_ref());
    settings.read(path)
}

fn read(content: impl AsRef<[u8]>) -> Result<Table, DataError> {
    read_as(ReadTable::new(), content)
}

/// Error message with the folder removed from the path.
fn message(settings: ReadTable, content: impl AsRef<[u8]>) -> String {
    let (folder, path) = file("data.csv", content.as_ref());
    let text = settings.read(&path).unwrap_err().to_string();
    text.replace(&format!("{}/", folder.path().display()), "")
}

fn gz(content: &[u8]) -> Vec<u8> {
    let mut compressed = GzEncoder::new(Vec::new(), Compression::fast());
    compressed.write_all(content).unwrap();
    compressed.finish().unwrap()
}

fn bits(values: &[f64]) -> Vec<u64> {
    values.iter().map(|x| x.to_bits()).collect()
}
