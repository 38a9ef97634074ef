//! Models and systems saved by version 0.1 load and give the results that version 0.1 computed with them.
//!
//! `tests/saved/` holds what the binary of 0.1 wrote: models, systems, and the predictions of each for Fisher's irises
//! (or for `air.csv` and `meals.csv`). These files are never written again.

use std::path::{Path, PathBuf};
use std::process::Command;

/// Largest difference between numbers that were computed with different vector instructions.
const TOLERANCE: f64 = 1e-9;

fn saved(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/saved").join(name)
}

fn iris() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src/commands/tour/iris.csv")
}

/// Runs `fuzzion` with `args` followed by an output path, and compares that table with the saved `expected` one.
fn assert_output(args: &[&std::ffi::OsStr], expected: &str) {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out.csv");
    let output = Command::new(env!("CARGO_BIN_EXE_fuzzion")).args(args).arg(&out).output().unwrap();
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    let (found, expected) =
        (std::fs::read_to_string(out).unwrap(), std::fs::read_to_string(saved(expected)).unwrap());
    assert_eq!(found.lines().count(), expected.lines().count(), "{args:?}");
    for (line, (found, expected)) in found.lines().zip(expected.lines()).enumerate() {
        let pairs = found.split(',').zip(expected.split(','));
        let equal = |(a, b): (&str, &str)| match (a.parse::<f64>(), b.parse::<f64>()) {
            (Ok(a), Ok(b)) => (a - b).abs() <= TOLERANCE,
            _ => a == b,
        };
        assert!(pairs.clone().count() > 0 && pairs.into_iter().all(equal), "{args:?}, line {}", line + 1);
    }
}

#[test]
fn saved_partitions_give_the_memberships_of_version_0_1() {
    let iris = iris();
    for name in ["fcm", "gk", "gg", "pcm", "noise", "pfcm"] {
        let model = saved(&format!("cluster-{name}.json"));
        let args = ["cluster", "--apply"].map(AsRef::as_ref);
        let args = [&args[..], &[model.as_ref(), iris.as_ref(), "--memberships".as_ref()]].concat();
        assert_output(&args, &format!("cluster-{name}.csv"));
    }
}

#[test]
fn saved_sonfin_models_give_the_predictions_of_version_0_1() {
    let iris = iris();
    for name in ["classes", "adam", "two", "stream"] {
        let model = saved(&format!("sonfin-{name}.json"));
        let args = ["sonfin", "predict"].map(AsRef::as_ref);
        let args = [&args[..], &[model.as_ref(), iris.as_ref(), "--out".as_ref()]].concat();
        assert_output(&args, &format!("sonfin-{name}.csv"));
    }
}

#[test]
fn saved_systems_infer_the_outputs_of_version_0_1() {
    let (air, meals) = (saved("air.csv"), saved("meals.csv"));
    for (system, data, expected) in [
        ("tuned.json", iris(), "tuned-json.csv"),
        ("tuned.fll", iris(), "tuned-fll.csv"),
        ("tuned.fis", iris(), "tuned-fis.csv"),
        ("fan.json", air, "fan.csv"),
        ("tipper.json", meals, "tipper.csv"),
    ] {
        let system = saved(system);
        let args = ["infer".as_ref(), system.as_ref(), "--data".as_ref(), data.as_ref(), "--out".as_ref()];
        assert_output(&args, expected);
    }
}
