//! Conflicts between input and output paths.

use crate::format::display_path;
use fuzzion::data::output::target_of;
use std::fs::{Metadata, canonicalize, metadata};
use std::path::{Path, PathBuf};

/// Error message for `--json` combined with an output file on `-`.
pub(crate) const JSON_AND_STANDARD_OUTPUT: &str =
    "`--json` and `-` cannot both use standard output; write the result to a file";

/// Error message for `--json` without `--out FILE`.
pub(crate) const JSON_NEEDS_OUT: &str =
    "`--json` and the table cannot both use standard output; write the table to a file with `--out`";

/// Whether two paths refer to the same file, which need not exist yet, also by links. Pipes, devices and folders never match.
pub(crate) fn is_same(a: &Path, b: &Path) -> bool {
    matches!((resolved(a), resolved(b)), (Some(a), Some(b)) if a == b) || has_same_content(a, b)
}

fn resolved(path: &Path) -> Option<PathBuf> {
    if path == Path::new("-") || metadata(path).is_ok_and(|found| !found.is_file()) {
        return None;
    }
    let target = target_of(path).ok()?;
    let folder = target.parent().filter(|folder| !folder.as_os_str().is_empty());
    Some(canonicalize(folder.unwrap_or(Path::new("."))).ok()?.join(target.file_name()?))
}

/// Whether both paths are names of one existing file (hard links).
#[cfg(unix)]
fn has_same_content(a: &Path, b: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let file =
        |path: &Path| metadata(path).ok().filter(Metadata::is_file).map(|found| (found.dev(), found.ino()));
    a != Path::new("-") && file(a).is_some_and(|found| Some(found) == file(b))
}

#[cfg(not(unix))]
fn has_same_content(_: &Path, _: &Path) -> bool {
    false
}

/// The error message for an output whose extension is that of another format; a path without an extension has any format.
pub(crate) fn wrong_extension(flag: &str, path: Option<&Path>, expected: &[&str]) -> Option<String> {
    let path = path?;
    let found = path.extension()?;
    let is_expected = expected.iter().any(|end| found.eq_ignore_ascii_case(end));
    let expected: Vec<String> = expected.iter().map(|end| format!("`.{end}`")).collect();
    let (path, expected) = (display_path(path), expected.join(" or "));
    (!is_expected).then(|| format!("`{flag} {path}`: expected a path that ends in {expected}"))
}

/// The error message for an output path equal to the input path.
pub(crate) fn same_file(path: &Path) -> String {
    format!("`{}` is the input file; choose a different output path", display_path(path))
}

/// The error message for an output that would overwrite an input or another output.
pub(crate) fn path_conflict(inputs: &[&Path], outputs: &[(&str, &Path)]) -> Option<String> {
    outputs.iter().enumerate().find_map(|(i, (flag, path))| {
        if inputs.iter().any(|other| is_same(other, path)) {
            return Some(format!(
                "`{}` is an input file; choose a different path for `{flag}`",
                display_path(path)
            ));
        }
        let is_standard_output = |path: &Path| path == Path::new("-");
        let conflicts =
            |other: &Path| is_same(other, path) || is_standard_output(other) && is_standard_output(path);
        let (first, _) = outputs[..i].iter().find(|(_, other)| conflicts(other))?;
        let target = if is_standard_output(path) {
            "standard output".into()
        } else {
            format!("`{}`", display_path(path))
        };
        Some(format!("`{first}` and `{flag}` both write {target}; choose a different path for one of them"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equivalent_paths_refer_to_the_same_file() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        std::fs::write(at("a"), "").unwrap();
        std::fs::create_dir(at("d")).unwrap();
        for (a, b, same) in [
            ("a", "a", true),
            ("a", "d/../a", true),
            ("new", "d/../new", true), // does not exist yet
            ("a", "new", false),
            ("a", "d/a", false),
            ("d", "d", false), // folders are rejected elsewhere
            ("none/x", "none/x", false),
        ] {
            assert_eq!(is_same(&at(a), &at(b)), same, "{a} {b}");
        }
        #[cfg(unix)]
        {
            std::fs::hard_link(at("a"), at("hard")).unwrap();
            for (link, to) in [("soft", "a"), ("dangling", "d/new"), ("other", "dangling")] {
                std::os::unix::fs::symlink(to, at(link)).unwrap();
            }
            for (a, b) in [("a", "hard"), ("soft", "hard"), ("dangling", "d/new"), ("other", "dangling")] {
                assert!(is_same(&at(a), &at(b)) && is_same(&at(b), &at(a)), "{a} {b}");
            }
            assert!(!is_same(&at("dangling"), &at("new")));
        }
        assert!(!is_same(Path::new("-"), Path::new("-")));
    }
}
