//! Keeps the house in order: who may look into whom, where `unsafe` lives, and where the CUDA binding is named.

#![allow(clippy::unwrap_used, clippy::panic)] // a helper outside a test function is still a test

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// What each module at the top of the library may use of the others. Foundations know no room; rooms look down only.
const MAY_USE: [(&str, &[&str]); 16] = [
    ("error", &[]),
    ("random", &[]),
    ("progress", &["error"]),
    ("device", &["error", "progress"]),
    ("linear", &["device", "random"]),
    ("data", &["error", "progress", "device"]),
    ("sets", &["error", "progress", "device", "data", "random"]),
    ("arithmetic", &["error", "progress", "device", "sets", "random"]),
    ("clustering", &["error", "progress", "device", "data", "random"]),
    ("inference", &["error", "progress", "device", "data", "sets", "plot", "random"]),
    (
        "tuning",
        &["error", "progress", "device", "linear", "data", "sets", "clustering", "inference", "plot", "random"],
    ),
    ("sonfin", &["error", "progress", "device", "data", "sets", "inference", "plot", "random"]),
    ("plot", &["error", "data"]),
    (
        "selftest",
        &["error", "progress", "device", "sets", "arithmetic", "clustering", "inference", "tuning", "sonfin"],
    ),
    (
        "bench",
        &[
            "error",
            "random",
            "progress",
            "device",
            "data",
            "sets",
            "arithmetic",
            "clustering",
            "inference",
            "tuning",
            "sonfin",
        ],
    ),
    ("kernels", &["device", "sets", "arithmetic", "clustering", "inference", "tuning", "sonfin"]), // the test of all kernels
];

/// Where `unsafe` may stand: vector instructions, CUDA, and the one line that maps a file.
fn may_be_unsafe(file: &str) -> bool {
    file.starts_with("device/simd") // the folder holds the vectors as values
        || file == "data/mapped.rs"
        || file.starts_with("device/cuda/")
        || file.ends_with("/cuda.rs")
        || file.split('/').skip(1).any(|folder| folder == "cuda")
}

fn source() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

/// Every Rust file of the library as (path from src, text without comments).
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

/// The top modules a text names through `crate::`, braces included: `crate::{error::Error, device}`.
fn used_modules(text: &str) -> BTreeSet<String> {
    let word =
        |text: &str| text.trim_start().chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
    let mut used = BTreeSet::new();
    for (at, _) in text.match_indices("crate::") {
        // `$crate::` in a macro and `othercrate::` are no paths from here.
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
    // What the library re-exports at its root belongs to the module it comes from.
    let homes = root_names();
    let home =
        |name: String| homes.iter().find(|(root, _)| *root == name).map_or(name, |(_, home)| home.clone());
    used.into_iter().map(home).collect()
}

/// The names at the library's root and their modules, from its `pub use module::{…};` lines.
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
fn arrows_between_modules_point_down() {
    let mut wrong = Vec::new();
    for (file, text) in files() {
        let module = module_of(&file);
        if module == "lib" {
            continue;
        }
        let Some((_, allowed)) = MAY_USE.iter().find(|(name, _)| *name == module) else {
            wrong.push(format!("{file}: module `{module}` has no line in MAY_USE"));
            continue;
        };
        if text.contains("crate::*") || text.contains("super::super::super") {
            wrong.push(format!("{file}: name what you use, from `crate::`"));
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
fn the_reader_of_paths_sees_groups_and_single_names() {
    let text =
        "use crate::error::Result; use crate::{device::{cpu, cuda}, sets}; macro $crate::x; crate::Error";
    let expected = ["device", "error", "sets", "x"].map(str::to_owned);
    assert_eq!(used_modules(text), BTreeSet::from(expected));
}

#[test]
fn unsafe_code_lives_where_the_house_says() {
    for (file, text) in files() {
        let has_unsafe = text.contains("unsafe");
        assert!(!has_unsafe || may_be_unsafe(&file), "{file} holds unsafe code");
    }
}

#[test]
fn the_cuda_binding_is_named_in_the_device_folder_alone() {
    for (file, text) in files() {
        assert!(
            !text.contains("cudarc") || file.starts_with("device/cuda/"),
            "{file} names the CUDA binding"
        );
    }
}

#[test]
fn the_library_never_prints() {
    for (file, text) in files() {
        let test_file = ["tests", "testing", "emulator"].iter().any(|word| file.contains(word));
        let prints = ["println!", "eprintln!", "print!(", "dbg!("].iter().any(|word| text.contains(word));
        assert!(!prints || test_file, "{file} prints");
    }
}
