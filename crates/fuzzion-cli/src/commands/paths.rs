//! Files that two words of a command name.

use super::words::shown;
use std::fs::{canonicalize, metadata};
use std::path::{Path, PathBuf};

/// Whether two paths lead to one file, which need not be there yet; standard input and output and devices are none.
pub(crate) fn is_same(a: &Path, b: &Path) -> bool {
    matches!((resolved(a), resolved(b)), (Some(a), Some(b)) if a == b)
}

fn resolved(path: &Path) -> Option<PathBuf> {
    if path == Path::new("-") || metadata(path).is_ok_and(|found| !found.is_file()) {
        return None;
    }
    let beside = || {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        Some(canonicalize(folder.unwrap_or(Path::new("."))).ok()?.join(path.file_name()?))
    };
    canonicalize(path).ok().or_else(beside)
}

/// The sentence that refuses a file to write which is to be read, or which is named twice.
pub(crate) fn clash(read: &[&Path], written: &[(&str, &Path)]) -> Option<String> {
    written.iter().enumerate().find_map(|(i, (flag, path))| {
        if read.iter().any(|other| is_same(other, path)) {
            return Some(format!("`{}` is a file to read; name another one for `{flag}`", shown(path)));
        }
        let (first, _) = written[..i].iter().find(|(_, other)| is_same(other, path))?;
        Some(format!("`{first}` and `{flag}` both name `{}`; name another file for one of them", shown(path)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_the_same_by_whatever_way_it_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        std::fs::write(at("a"), "").unwrap();
        std::fs::create_dir(at("d")).unwrap();
        for (a, b, same) in [
            ("a", "a", true),
            ("a", "d/../a", true),
            ("new", "d/../new", true), // not there yet
            ("a", "new", false),
            ("a", "d/a", false),
            ("d", "d", false), // a folder, which is refused elsewhere
            ("none/x", "none/x", false),
        ] {
            assert_eq!(is_same(&at(a), &at(b)), same, "{a} {b}");
        }
        assert!(!is_same(Path::new("-"), Path::new("-")));
    }
}
