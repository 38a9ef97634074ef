//! Checks of the source structure: dependencies between modules, the location of `unsafe` code, and the use of the CUDA
//! binding.

use crate::imports::Imports;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Allowed dependencies of each top-level module.
const ALLOWED_DEPENDENCIES: [(&str, &[&str]); 19] = [
    ("base", &[]),
    ("macros", &["base"]),
    ("stop", &["base", "macros"]),
    ("random", &[]),
    ("progress", &["base"]),
    ("device", &["base", "macros", "progress"]),
    ("linear", &["device", "random"]),
    ("data", &["base", "macros", "progress", "device"]),
    ("plot", &["data"]),
    ("sets", &["base", "macros", "progress", "device", "data", "random"]),
    ("arithmetic", &["base", "macros", "progress", "device", "data", "sets", "random"]),
    ("clustering", &["base", "macros", "stop", "progress", "device", "data", "random"]),
    ("inference", &["base", "macros", "progress", "device", "data", "sets", "plot", "random"]),
    (
        "tuning",
        &[
            "base",
            "macros",
            "stop",
            "progress",
            "device",
            "linear",
            "data",
            "sets",
            "clustering",
            "inference",
            "plot",
            "random",
        ],
    ),
    (
        "sonfin",
        &["base", "macros", "progress", "device", "linear", "data", "sets", "inference", "plot", "random"],
    ),
    (
        "error",
        &["base", "device", "data", "sets", "arithmetic", "clustering", "inference", "tuning", "sonfin"],
    ),
    ("precompile", &["device", "arithmetic", "clustering", "inference", "error"]),
    (
        "kernels", // tests of all kernels
        &["error", "device", "data", "sets", "arithmetic", "clustering", "inference", "tuning", "sonfin"],
    ),
    (
        "internals", // for the benchmarks
        &["random", "device", "data", "sets", "arithmetic", "clustering", "inference", "tuning", "sonfin"],
    ),
];

/// Whether a file may contain `unsafe` code: SIMD, CUDA, and memory-mapped files.
fn may_be_unsafe(file: &str) -> bool {
    file.starts_with("device/simd")
        || (file.starts_with("data/") && file.ends_with("/mapped.rs"))
        || file.starts_with("device/cuda/")
        || file.ends_with("/cuda.rs")
        || file.split('/').skip(1).any(|folder| folder == "cuda")
}

fn source() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

/// All Rust files of the library as (path relative to src, text without comments).
fn files() -> Vec<(String, String)> {
    fn walk(folder: &Path, found: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                walk(&path, found);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                found.push(path);
            }
        }
    }
    let mut paths = Vec::new();
    walk(&source(), &mut paths);
    paths.sort();
    let without_comments = |text: String| {
        let code = |line: &str| line.split("//").next().unwrap_or_default().to_owned();
        text.lines().map(code).collect::<Vec<_>>().join("\n")
    };
    let relative = |path: &Path| path.strip_prefix(source()).unwrap().to_string_lossy().replace('\\', "/");
    paths.into_iter().map(|p| (relative(&p), without_comments(fs::read_to_string(&p).unwrap()))).collect()
}

fn module_of(file: &str) -> &str {
    file.split('/').next().unwrap().trim_end_matches(".rs")
}

/// The top-level modules used through `crate::` paths, including groups: `crate::{error::Error, device}`.
fn used_modules(text: &str) -> BTreeSet<String> {
    let word =
        |text: &str| text.trim_start().chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
    let mut used = BTreeSet::new();
    for (at, _) in text.match_indices("crate::") {
        // `othercrate::` is not a path of this crate.
        if text[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_') {
            continue;
        }
        let rest = &text[at + "crate::".len()..];
        let Some(group) = rest.strip_prefix('{') else {
            used.insert(word(rest));
            continue;
        };
        let mut depth = 0;
        let mut start = 0;
        for (i, c) in group.char_indices() {
            match c {
                '{' => depth += 1,
                '}' if depth > 0 => depth -= 1,
                ',' | '}' if depth == 0 => {
                    used.insert(word(&group[start..i]));
                    start = i + 1;
                    if c == '}' {
                        break;
                    }
                }
                _ => {}
            }
        }
    }
    // Re-exports at the crate root belong to their defining module.
    let exports = root_names();
    let module_of_export = |name: String| {
        exports.iter().find(|(export, _)| *export == name).map_or(name, |(_, module)| module.clone())
    };
    used.into_iter().map(module_of_export).collect()
}

/// The re-exports of the crate root and their modules, from the `pub use module::{…};` lines.
fn root_names() -> Vec<(String, String)> {
    let text = fs::read_to_string(source().join("lib.rs")).unwrap();
    let lines =
        text.lines().filter_map(|line| line.strip_prefix("pub use ")?.strip_suffix(';')?.split_once("::"));
    let names = |(module, names): (&str, &str)| {
        let names = names.trim_matches(['{', '}']).split(',').map(|name| name.trim().to_owned());
        names.map(|name| (name, module.to_owned())).collect::<Vec<_>>()
    };
    lines.flat_map(names).collect()
}

#[test]
fn modules_use_only_their_allowed_dependencies() {
    let mut wrong = Vec::new();
    for (file, text) in files() {
        let module = module_of(&file);
        if module == "lib" {
            continue;
        }
        let Some((_, allowed)) = ALLOWED_DEPENDENCIES.iter().find(|(name, _)| *name == module) else {
            wrong.push(format!("{file}: module `{module}` is missing in ALLOWED_DEPENDENCIES"));
            continue;
        };
        if text.contains("crate::*") || text.contains("super::super::super") {
            wrong.push(format!("{file}: import items explicitly, with paths from `crate::`"));
        }
        for used in used_modules(&text) {
            if used != module && !allowed.contains(&used.as_str()) {
                wrong.push(format!("{file}: `{module}` may not use `{used}`"));
            }
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn files_of_a_module_do_not_import_each_other_in_cycles() {
    let imports = Imports::read(&source());
    let cycles: Vec<String> = ALLOWED_DEPENDENCIES.iter().flat_map(|(top, _)| imports.cycles(top)).collect();
    assert!(cycles.is_empty(), "\n{}", cycles.join("\n"));
}

/// Files and folders of every learning module; a folder can replace a file of the same name.
const LAYOUT: [&str; 8] =
    ["mod.rs", "settings.rs", "model.rs", "algorithm.rs", "error.rs", "cpu", "cuda", "tests"];

#[test]
fn learning_modules_have_the_same_layout() {
    for module in ["clustering", "tuning", "sonfin"] {
        for part in LAYOUT {
            let path = source().join(module).join(part);
            assert!(path.exists() || path.with_extension("").is_dir(), "{module} has no {part}");
        }
    }
}

/// Maximum number of entries of a folder, and of lines of a file.
const MAX_ENTRIES: usize = 18;
const MAX_LINES: usize = 450;

#[test]
fn folders_and_files_stay_small() {
    let mut entries: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (file, text) in files() {
        let (folder, name) = file.rsplit_once('/').unwrap_or(("", &file));
        // A file and a folder of the same name count as one entry.
        entries.entry(folder.to_owned()).or_default().insert(name.trim_end_matches(".rs").to_owned());
        if let Some((parent, folder)) = folder.rsplit_once('/') {
            entries.entry(parent.to_owned()).or_default().insert(folder.to_owned());
        }
        assert!(text.lines().count() <= MAX_LINES, "{file} is too long");
    }
    for (folder, entries) in
        entries.iter().filter(|(folder, _)| !folder.is_empty() && !folder.contains("tests"))
    {
        assert!(entries.len() <= MAX_ENTRIES, "{folder} has {} entries; group them", entries.len());
    }
}

#[test]
fn public_types_have_unique_names() {
    let mut defined: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (file, text) in files() {
        let names = text.lines().filter_map(|line| {
            // The macro `named!` contains definitions.
            let item = line.strip_prefix("    ").unwrap_or(line).strip_prefix("pub ")?;
            let kinds = ["struct ", "enum ", "trait ", "type "];
            let name = kinds.iter().find_map(|kind| item.strip_prefix(kind))?;
            Some(name.chars().take_while(|c| c.is_alphanumeric()).collect::<String>())
        });
        names.for_each(|name| defined.entry(name).or_default().push(file.clone()));
    }
    assert!(defined.contains_key("FuzzyCMeans"));
    // Types for the benchmarks are not part of the interface.
    let internals = fs::read_to_string(source().join("internals.rs")).unwrap();
    let internal: BTreeSet<&str> = internals.split(|c: char| !c.is_alphanumeric()).collect();
    defined.retain(|name, _| !internal.contains(name.as_str()));
    for (name, files) in defined {
        assert!(files.len() == 1, "`{name}` is defined in {}", files.join(" and "));
    }
}

#[test]
fn impossible_states_name_their_invariant() {
    for (file, text) in files() {
        let test_file = ["tests", "testing", "emulator", "kernels.rs"].iter().any(|word| file.contains(word));
        let code = text.split("#[cfg(test)]\nmod ").next().unwrap_or_default();
        // A parser has a method of that name.
        let expects = code
            .match_indices(".expect(\"")
            .filter(|(at, _)| !["self", "lexer"].iter().any(|name| code[..*at].ends_with(name)));
        let unnamed = expects.filter(|(at, _)| !code[*at..].starts_with(".expect(\"invariant: ")).count();
        assert!(test_file || unnamed == 0, "{file}: `expect` must begin with `invariant: `");
    }
}

#[test]
fn groups_and_single_paths_are_recognized() {
    let text =
        "use crate::error::Result; use crate::{device::{cpu, cuda}, sets}; macro $crate::x; crate::Error";
    let expected = ["device", "error", "sets", "x"].map(str::to_owned);
    assert_eq!(used_modules(text), BTreeSet::from(expected));
}

#[test]
fn unsafe_code_is_confined_to_allowed_files() {
    for (file, text) in files() {
        let has_unsafe = text.contains("unsafe");
        assert!(!has_unsafe || may_be_unsafe(&file), "{file} contains unsafe code");
    }
}

#[test]
fn the_cuda_binding_is_used_only_in_the_device_folder() {
    for (file, text) in files() {
        assert!(!text.contains("cudarc") || file.starts_with("device/cuda/"), "{file} uses the CUDA binding");
    }
}

#[test]
fn the_library_never_prints() {
    for (file, text) in files() {
        let test_file = ["tests", "testing", "emulator", "kernels/"].iter().any(|word| file.contains(word));
        let prints = ["println!", "eprintln!", "print!(", "dbg!("].iter().any(|word| text.contains(word));
        assert!(!prints || test_file, "{file} prints");
    }
}
