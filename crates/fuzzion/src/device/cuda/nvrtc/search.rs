//! Search for NVRTC in CUDA toolkits, the system's loader path, and the Python packages `nvidia-cuda-nvrtc`.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Environment variable with the path of the library or its folder, which disables the search.
const VARIABLE: &str = "FUZZION_NVRTC";

/// Environment of the search, replaceable in tests.
#[derive(Debug, Default)]
pub(super) struct SearchEnvironment {
    /// Environment variables.
    pub(super) variables: HashMap<&'static str, String>,
    /// The folder of `usr` and `opt`.
    pub(super) root: PathBuf,
    /// Whether the system's loader is tried.
    pub(super) loader: bool,
}

impl SearchEnvironment {
    /// The environment of this process.
    pub(super) fn current() -> Self {
        let names =
            [VARIABLE, "CUDA_HOME", "CUDA_PATH", "VIRTUAL_ENV", "CONDA_PREFIX", "PYENV_ROOT", "HOME", "PATH"];
        let variables =
            names.into_iter().filter_map(|name| Some((name, std::env::var(name).ok()?))).collect();
        SearchEnvironment { variables, root: PathBuf::from("/"), loader: true }
    }

    fn path(&self, name: &str) -> Option<PathBuf> {
        self.variables.get(name).filter(|value| !value.is_empty()).map(PathBuf::from)
    }
}

/// A library to load.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Candidate {
    /// An existing file.
    File(PathBuf),
    /// A file name for the system's loader.
    Name(PathBuf),
}

impl Candidate {
    pub(super) fn path(&self) -> &Path {
        match self {
            Candidate::File(path) | Candidate::Name(path) => path,
        }
    }

    /// The major version in the file name, if any (`libnvrtc.so` is usually a link to a file name with a version).
    pub(super) fn major(&self) -> Option<i32> {
        let resolved = fs::canonicalize(self.path()).unwrap_or_else(|_| self.path().to_owned());
        let name = resolved.file_name()?.to_str()?;
        let digits = |text: &str| text.split(|c: char| !c.is_ascii_digit()).next()?.parse::<i32>().ok();
        match name.strip_prefix("nvrtc64_") {
            Some(rest) => digits(rest).map(|number| number / 10), // nvrtc64_120_0.dll
            None => digits(name.strip_prefix("libnvrtc.so.")?),
        }
    }
}

/// Search result.
#[derive(Debug, Default)]
pub(super) struct Found {
    /// Libraries in order of preference.
    pub(super) candidates: Vec<Candidate>,
    /// Number of folders and file names searched.
    pub(super) locations: usize,
}

/// All NVRTC libraries in `environment`, in order of preference.
pub(super) fn search(environment: &SearchEnvironment) -> Found {
    let mut list = Collector::default();
    if let Some(chosen) = environment.path(VARIABLE) {
        if chosen.is_file() {
            list.found.candidates.push(Candidate::File(absolute(&chosen)));
            list.found.locations += 1;
        } else {
            list.folder(&chosen);
            list.toolkit(&chosen);
        }
        return list.found;
    }
    for variable in ["CUDA_HOME", "CUDA_PATH"] {
        if let Some(toolkit) = environment.path(variable) {
            list.toolkit(&toolkit);
        }
    }
    for toolkit in newest_first(&environment.root.join("usr/local"), "cuda") {
        list.toolkit(&toolkit);
    }
    list.toolkit(&environment.root.join("opt/cuda"));
    if environment.loader {
        for name in NAMES {
            list.found.candidates.push(Candidate::Name(PathBuf::from(name)));
            list.found.locations += 1;
        }
    }
    if let Some(conda) = environment.path("CONDA_PREFIX") {
        list.toolkit(&conda);
    }
    for prefix in python_prefixes(environment) {
        list.python(&prefix);
    }
    list.found
}

#[cfg(windows)]
const NAMES: [&str; 2] = ["nvrtc64_130_0.dll", "nvrtc64_120_0.dll"];
#[cfg(not(windows))]
const NAMES: [&str; 3] = ["libnvrtc.so", "libnvrtc.so.13", "libnvrtc.so.12"];

/// Collects candidates; a file reachable by two paths is listed once.
#[derive(Default)]
struct Collector {
    found: Found,
    folders: HashSet<PathBuf>,
    files: HashSet<PathBuf>,
}

impl Collector {
    /// The libraries in `folder`, newest first.
    fn folder(&mut self, folder: &Path) {
        if !self.folders.insert(folder.to_owned()) {
            return;
        }
        self.found.locations += 1;
        let prefix = if cfg!(windows) { "nvrtc64_" } else { "libnvrtc." };
        for file in newest_first(folder, prefix) {
            let name = file.file_name().expect("invariant: folder entries have a name").to_string_lossy();
            // `libnvrtc.alt.so` is the same compiler with a different memory allocator.
            let library = [".so", ".dll", ".dylib"].iter().any(|extension| name.contains(extension));
            let resolved = fs::canonicalize(&file).unwrap_or_else(|_| file.clone());
            if library && !name.contains("alt") && file.is_file() && self.files.insert(resolved) {
                self.found.candidates.push(Candidate::File(absolute(&file)));
            }
        }
    }

    /// The folders of a CUDA toolkit, or of a conda environment with the same layout.
    fn toolkit(&mut self, toolkit: &Path) {
        let folders: &[&str] = if cfg!(windows) { &["bin", "bin/x64"] } else { &["lib64", "lib"] };
        for folder in folders {
            self.folder(&toolkit.join(folder));
        }
        let target = if cfg!(target_arch = "aarch64") { "sbsa-linux" } else { "x86_64-linux" };
        self.folder(&toolkit.join("targets").join(target).join("lib"));
    }

    /// The packages of the Python installation at `prefix`: `nvidia/cu13` since CUDA 13, `nvidia/cuda_nvrtc` before.
    fn python(&mut self, prefix: &Path) {
        let mut sites = if cfg!(windows) { vec![prefix.join("Lib/site-packages")] } else { Vec::new() };
        for library in newest_first(&prefix.join("lib"), "python3") {
            sites.extend(["site-packages", "dist-packages"].map(|name| library.join(name)));
        }
        for site in sites {
            let packages = newest_first(&site.join("nvidia"), "cu");
            let by_version = packages.iter().filter(|path| package_version(path).is_some());
            for package in by_version.cloned().chain([site.join("nvidia/cuda_nvrtc")]) {
                let folders: &[&str] = if cfg!(windows) { &["bin", "bin/x86_64"] } else { &["lib"] };
                for folder in folders {
                    self.folder(&package.join(folder));
                }
            }
        }
    }
}

/// The version in a package folder: 13 for `nvidia/cu13`.
fn package_version(path: &Path) -> Option<u32> {
    path.file_name()?.to_str()?.strip_prefix("cu")?.parse().ok()
}

/// Prefixes of Python installations: active environments, the user's, the system's, pyenv's, and those on PATH.
fn python_prefixes(environment: &SearchEnvironment) -> Vec<PathBuf> {
    let mut prefixes: Vec<PathBuf> = ["VIRTUAL_ENV", "CONDA_PREFIX"]
        .into_iter()
        .filter_map(|variable| environment.path(variable))
        .collect();
    let home = environment.path("HOME");
    prefixes.extend(home.iter().map(|home| home.join(".local")));
    prefixes.extend(["usr", "usr/local"].map(|prefix| environment.root.join(prefix)));
    let pyenv = environment.path("PYENV_ROOT").or(home.map(|home| home.join(".pyenv")));
    prefixes.extend(pyenv.iter().flat_map(|pyenv| newest_first(&pyenv.join("versions"), "")));
    if let Some(path) = environment.variables.get("PATH") {
        for folder in std::env::split_paths(path) {
            for python in newest_first(&folder, "python3") {
                // The python of a virtual environment is a link to another installation; both have packages.
                let resolved = fs::canonicalize(&python).ok();
                let prefix = |python: &Path| python.parent()?.parent().map(Path::to_owned);
                prefixes
                    .extend([Some(python), resolved].iter().flatten().filter_map(|python| prefix(python)));
            }
        }
    }
    prefixes
}

/// The entries of `folder` whose names start with `prefix`: names without numbers first, then by descending numbers.
fn newest_first(folder: &Path, prefix: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut named: Vec<(bool, Reverse<Vec<u64>>, PathBuf)> = entries
        .filter_map(|entry| {
            let name = entry.file_name().into_string().ok()?;
            let numbers: Vec<u64> =
                name.split(|c: char| !c.is_ascii_digit()).filter_map(|digits| digits.parse().ok()).collect();
            name.starts_with(prefix).then(|| (!numbers.is_empty(), Reverse(numbers), entry.path()))
        })
        .collect();
    named.sort();
    named.into_iter().map(|(_, _, path)| path).collect()
}

fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}

/// The `libnvrtc-builtins` of the library at `path`: the one with the same version, otherwise any in the same folder.
pub(super) fn find_builtins(path: &Path, (major, minor): (i32, i32)) -> Option<PathBuf> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty())?;
    // The library may be a link into the folder that contains both.
    let resolved = fs::canonicalize(path).ok();
    let folders = [Some(folder), resolved.as_deref().and_then(Path::parent)];
    let names =
        [format!("libnvrtc-builtins.so.{major}.{minor}"), format!("nvrtc-builtins64_{major}{minor}.dll")];
    let exact = folders.iter().flatten().flat_map(|folder| names.iter().map(|name| folder.join(name)));
    let others = folders.iter().flatten().flat_map(|folder| {
        let prefix = if cfg!(windows) { "nvrtc-builtins64_" } else { "libnvrtc-builtins.so" };
        newest_first(folder, prefix)
    });
    exact.chain(others).find(|file| file.is_file()).map(|file| absolute(&file))
}
