//! The binary, and tables to give it.

#![allow(dead_code, clippy::unwrap_used, clippy::panic)] // a helper outside a test function is still a test

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use tempfile::TempDir;

/// Fisher's irises with their species, as the tour has them.
pub(crate) const IRIS: &str = include_str!("../../src/commands/tour/iris.csv");

/// The tipper of MATLAB's documentation.
pub(crate) const TIPPER: &str = "Engine: tipper
InputVariable: service
  range: 0 10
  term: poor Gaussian 0 1.5
  term: good Gaussian 5 1.5
  term: excellent Gaussian 10 1.5
InputVariable: food
  range: 0 10
  term: rancid Trapezoid -2 0 1 3
  term: delicious Trapezoid 7 9 10 12
OutputVariable: tip
  range: 0 30
  aggregation: Maximum
  defuzzifier: Centroid
  term: cheap Triangle 0 5 10
  term: average Triangle 10 15 20
  term: generous Triangle 20 25 30
RuleBlock:
  conjunction: Minimum
  disjunction: Maximum
  implication: Minimum
  activation: General
  rule: if service is poor or food is rancid then tip is cheap
  rule: if service is good then tip is average
  rule: if service is excellent or food is delicious then tip is generous
";

/// A folder of its own, in which the binary runs.
pub(crate) struct Place(TempDir);

impl Place {
    pub(crate) fn new() -> Self {
        Place(tempfile::tempdir().unwrap())
    }

    /// A place with a file in it.
    pub(crate) fn with(name: &str, content: impl AsRef<[u8]>) -> Self {
        let place = Place::new();
        place.put(name, content);
        place
    }

    pub(crate) fn put(&self, name: &str, content: impl AsRef<[u8]>) {
        std::fs::write(self.at(name), content).unwrap();
    }

    pub(crate) fn at(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    pub(crate) fn bytes(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.at(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
    }

    /// The names of all files, in order.
    pub(crate) fn files(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.path()).unwrap();
        let mut files: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        files.sort();
        files
    }

    pub(crate) fn command(&self, words: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_fuzzion"));
        command.args(words.split_whitespace()).current_dir(self.path()).env_remove("FUZZION_THREADS");
        command
    }

    /// Runs `fuzzion` with these words.
    pub(crate) fn run(&self, words: &str) -> Output {
        self.command(words).output().unwrap()
    }

    /// What it says, when it succeeds.
    pub(crate) fn said(&self, words: &str) -> String {
        let output = self.run(words);
        assert!(output.status.success(), "{words}: {}", text(&output.stderr));
        assert!(output.stderr.is_empty(), "{words}: {}", text(&output.stderr));
        text(&output.stdout)
    }

    pub(crate) fn json(&self, words: &str) -> serde_json::Value {
        let said = self.said(&format!("{words} --json"));
        assert_eq!(said.lines().count(), 1, "{words}");
        serde_json::from_str(&said).unwrap_or_else(|e| panic!("{words}: {e}: {said}"))
    }

    /// The numbers of a table it wrote, row by row, without the header.
    pub(crate) fn numbers(&self, name: &str) -> Vec<Vec<f64>> {
        let content = String::from_utf8(self.bytes(name)).unwrap();
        let row = |line: &str| line.split(',').map(|cell| cell.parse().unwrap()).collect();
        content.lines().skip(1).map(row).collect()
    }
}

pub(crate) fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// A JSON array of numbers.
pub(crate) fn floats(value: &serde_json::Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect()
}

/// The centers in JSON, ordered by their first column.
pub(crate) fn centers(value: &serde_json::Value) -> Vec<Vec<f64>> {
    let mut centers: Vec<Vec<f64>> = value["centers"].as_array().unwrap().iter().map(floats).collect();
    centers.sort_by(|a, b| a[0].total_cmp(&b[0]));
    centers
}

/// Three groups of points with two columns, weights and text: `x,y,w,kind`.
pub(crate) fn groups(rows: usize) -> String {
    let mut out = String::from("x,y,w,kind\n");
    for i in 0..rows {
        let flutter = |k: usize| ((i * k) as f64 * 1.3).sin();
        let (x, y) = [(0.0, 0.0), (10.0, 2.0), (4.0, 9.0)][i % 3];
        out += &format!("{:.4},{:.4},{},{}\n", x + flutter(3), y + flutter(5), 1 + i % 4, ["a", "b"][i % 2]);
    }
    out
}
