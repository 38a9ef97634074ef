//! Python packages that tests compare with, installed into the build folder at test time.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The interpreter of an environment with pyfuzzylite 8.0.6; if unavailable, prints a message and returns `None`.
pub(crate) fn pyfuzzylite() -> Option<PathBuf> {
    required("pyfuzzylite-8.0.6", &["pyfuzzylite==8.0.6", "numpy<2"])
}

/// The interpreter of an environment with scikit-fuzzy, fuzzy-c-means and scikit-learn's data sets.
pub(crate) fn clustering() -> Option<PathBuf> {
    required(
        "clustering-peers-1",
        &["scikit-fuzzy==0.5.0", "fuzzy-c-means==2.3.1", "scikit-learn", "packaging"],
    )
}

/// The interpreter of an environment; if unavailable, prints a message and returns `None`.
///
/// # Panics
/// With `CI=true`, if it is unavailable.
fn required(name: &str, packages: &[&str]) -> Option<PathBuf> {
    match environment(name, packages) {
        Ok(python) => Some(python),
        Err(reason) if std::env::var("CI").is_ok_and(|ci| ci == "true") => {
            panic!("CI must compare with {name}: {reason}")
        }
        Err(reason) => {
            eprintln!("skipped the comparison with {name}: {reason}");
            None
        }
    }
}

/// Creates a virtual environment with `packages`, once.
fn environment(name: &str, packages: &[&str]) -> Result<PathBuf, String> {
    let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let python = |folder: &Path| {
        if cfg!(windows) { folder.join("Scripts/python.exe") } else { folder.join("bin/python") }
    };
    if root.join("complete").exists() {
        return Ok(python(&root));
    }
    // Virtual environments cannot be moved, so it is created in place, under a lock.
    fs::create_dir_all(env!("CARGO_TARGET_TMPDIR")).map_err(|e| e.to_string())?;
    let lock = fs::File::create(root.with_extension("lock")).map_err(|e| e.to_string())?;
    lock.lock().map_err(|e| e.to_string())?;
    if !root.join("complete").exists() {
        let _ = fs::remove_dir_all(&root);
        let base = if cfg!(windows) { "python" } else { "python3" };
        run(Command::new(base).args(["-m", "venv"]).arg(&root))?;
        let install = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"];
        run(Command::new(python(&root)).args(install).args(packages))?;
        fs::write(root.join("complete"), "").map_err(|e| e.to_string())?;
    }
    Ok(python(&root))
}

fn run(command: &mut Command) -> Result<(), String> {
    let output = command.output().map_err(|e| format!("{command:?}: {e}"))?;
    if output.status.success() {
        return Ok(());
    }
    Err(format!("{command:?}: {}", String::from_utf8_lossy(&output.stderr).trim()))
}

/// Runs `script` with `input` on its standard input and returns its standard output.
pub(crate) fn run_script(python: &Path, script: &str, input: &str) -> String {
    let mut child = Command::new(python)
        .args(["-W", "ignore", "-c", script])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_owned();
    let writer = std::thread::spawn(move || stdin.write_all(input.as_bytes()));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap().unwrap();
    assert!(output.status.success(), "the script failed");
    String::from_utf8(output.stdout).unwrap()
}

/// Reads `[[fll, [input column, …]], …]` and prints the output columns of each system.
const OUTPUTS_OF_FLL: &str = r#"
import json, sys
import numpy as np
import fuzzylite as fl

results = []
for fll, inputs in json.load(sys.stdin):
    engine = fl.FllImporter().from_string(fll)
    for variable, column in zip(engine.input_variables, inputs):
        variable.value = np.array(column)
    engine.process()
    results.append([np.asarray(v.value).tolist() for v in engine.output_variables])
print(json.dumps(results))
"#;

/// The output columns, computed by pyfuzzylite, of systems given as FLL with their input columns.
pub(crate) fn outputs_of_fll(python: &Path, systems: Vec<(String, Vec<Vec<f64>>)>) -> Vec<Vec<f64>> {
    let output = run_script(python, OUTPUTS_OF_FLL, &serde_json::to_string(&systems).unwrap());
    let output: Vec<Vec<Vec<f64>>> = serde_json::from_str(&output).unwrap();
    output.into_iter().flatten().collect()
}
