//! The scripts in `examples/shell`.

use crate::common::{TestDir, text};
use std::path::Path;
use std::process::Command;

/// Environment variable `PATH` with the folder of the binary first.
pub(crate) fn path_with_binary() -> std::ffi::OsString {
    let folder = Path::new(env!("CARGO_BIN_EXE_fuzzion")).parent().unwrap().to_path_buf();
    let path = std::env::var_os("PATH").unwrap();
    std::env::join_paths(std::iter::once(folder).chain(std::env::split_paths(&path))).unwrap()
}

#[test]
fn all_shell_scripts_run() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/shell").canonicalize().unwrap();
    let mut scripts: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    scripts.retain(|path| path.extension().is_some_and(|end| end == "sh"));
    assert!(scripts.len() >= 6);
    for script in scripts {
        let dir = TestDir::new();
        let mut command = Command::new("bash");
        command.arg(&script).arg("results").current_dir(dir.path()).env("PATH", path_with_binary());
        let output = command.output().unwrap();
        let printed = text(&output.stdout) + &text(&output.stderr);
        assert!(output.status.success(), "{}: {printed}", script.display());
        assert_eq!(dir.files(), ["results"], "{}", script.display());
    }
}
