//! Peer packages that tests compare with, installed at test time into the build folder; nothing of them is kept here.
#![allow(clippy::print_stderr, clippy::panic, clippy::unwrap_used)] // tests; a skipped comparison says so
#![allow(dead_code)] // each test asks one peer

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The interpreter of an environment with pyfuzzylite 8.0.6; `None`, with a message, where it cannot be had.
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

/// An environment, or `None` with a message where it cannot be had.
///
/// # Panics
/// Where it cannot be had and `CI` is `true`: there the comparison must run.
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

/// Makes a virtual environment with `packages` once, and moves it into place complete.
fn environment(name: &str, packages: &[&str]) -> Result<PathBuf, String> {
    let home = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let python = |folder: &Path| {
        if cfg!(windows) { folder.join("Scripts/python.exe") } else { folder.join("bin/python") }
    };
    if home.join("complete").exists() {
        return Ok(python(&home));
    }
    // An environment knows its own path, so it is made in place, under a lock that a second test waits for.
    fs::create_dir_all(env!("CARGO_TARGET_TMPDIR")).map_err(|e| e.to_string())?;
    let lock = fs::File::create(home.with_extension("lock")).map_err(|e| e.to_string())?;
    lock.lock().map_err(|e| e.to_string())?;
    if !home.join("complete").exists() {
        let _ = fs::remove_dir_all(&home);
        let base = if cfg!(windows) { "python" } else { "python3" };
        run(Command::new(base).args(["-m", "venv"]).arg(&home))?;
        let install = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"];
        run(Command::new(python(&home)).args(install).args(packages))?;
        fs::write(home.join("complete"), "").map_err(|e| e.to_string())?;
    }
    Ok(python(&home))
}

fn run(command: &mut Command) -> Result<(), String> {
    let output = command.output().map_err(|e| format!("{command:?}: {e}"))?;
    if output.status.success() {
        return Ok(());
    }
    Err(format!("{command:?}: {}", String::from_utf8_lossy(&output.stderr).trim()))
}

/// Runs `script` with `input` on its standard input and returns what it prints.
pub(crate) fn ask(python: &Path, script: &str, input: &str) -> String {
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

/// Reads `[[fll, [column of an input]]]`, answers with the outputs' columns of each.
const OUTPUTS_OF_FLL: &str = r#"
import json, sys
import numpy as np
import fuzzylite as fl

answers = []
for fll, inputs in json.load(sys.stdin):
    engine = fl.FllImporter().from_string(fll)
    for variable, column in zip(engine.input_variables, inputs):
        variable.value = np.array(column)
    engine.process()
    answers.append([np.asarray(v.value).tolist() for v in engine.output_variables])
print(json.dumps(answers))
"#;

/// The outputs of systems, FLL texts with the columns of their inputs, as pyfuzzylite computes them: column by column.
pub(crate) fn outputs_of_fll(python: &Path, systems: Vec<(String, Vec<Vec<f64>>)>) -> Vec<Vec<f64>> {
    let answer = ask(python, OUTPUTS_OF_FLL, &serde_json::to_string(&systems).unwrap());
    let answer: Vec<Vec<Vec<f64>>> = serde_json::from_str(&answer).unwrap();
    answer.into_iter().flatten().collect()
}
