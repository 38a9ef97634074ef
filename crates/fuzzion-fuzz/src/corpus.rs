//! Valid files, and inputs that once caused a failure.

use crate::crate_folder;
use crate::targets::{TARGETS, Target};
use std::path::PathBuf;
use std::{fs, io};

/// Folders with files of the corpus, relative to this crate.
const FOLDERS: [&str; 5] = [
    "corpus",
    "../fuzzion/examples/systems",
    "../fuzzion/src/inference/image/systems",
    "../fuzzion-cli/tests/saved",
    "../../examples/data",
];
/// Larger files are skipped: they would be read too few times.
const MAX_BYTES: u64 = 64 << 10;

/// The files that one target reads.
pub(crate) struct Corpus {
    pub(crate) target: &'static Target,
    pub(crate) files: Vec<CorpusFile>,
}

pub(crate) struct CorpusFile {
    pub(crate) path: PathBuf,
    pub(crate) bytes: Vec<u8>,
}

/// The files of all targets whose name contains `only`; an error if a target has none.
pub(crate) fn load(only: &str) -> io::Result<Vec<Corpus>> {
    let mut files = Vec::new();
    for folder in FOLDERS {
        for entry in fs::read_dir(crate_folder().join(folder))? {
            let path = entry?.path();
            if path.is_file() && path.metadata()?.len() <= MAX_BYTES {
                files.push(path);
            }
        }
    }
    files.sort(); // the order of a folder differs between file systems
    let selected = TARGETS.iter().filter(|target| target.name.contains(only));
    let corpora: Vec<Corpus> = selected
        .map(|target| {
            let files = files.iter().filter(|path| target.reads(path));
            let read = |path: &PathBuf| Ok(CorpusFile { path: path.clone(), bytes: fs::read(path)? });
            Ok(Corpus { target, files: files.map(read).collect::<io::Result<_>>()? })
        })
        .collect::<io::Result<_>>()?;
    match corpora.iter().find(|corpus| corpus.files.is_empty()) {
        Some(corpus) => Err(io::Error::other(format!("the corpus has no file for {}", corpus.target.name))),
        None if corpora.is_empty() => Err(io::Error::other(format!("no target contains `{only}`"))),
        None => Ok(corpora),
    }
}
