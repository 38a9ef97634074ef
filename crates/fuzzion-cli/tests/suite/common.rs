//! Helpers to run the binary, and sample data.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output};
use tempfile::TempDir;

/// The iris data set with the species, from the tour.
pub(crate) const IRIS: &str = include_str!("../../src/commands/tour/iris.csv");

/// The tipping system of MATLAB's documentation.
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

/// A temporary folder in which the binary runs.
pub(crate) struct TestDir(TempDir);

impl TestDir {
    pub(crate) fn new() -> Self {
        TestDir(tempfile::tempdir().unwrap())
    }

    /// A folder with one file.
    pub(crate) fn with(name: &str, content: impl AsRef<[u8]>) -> Self {
        let dir = TestDir::new();
        dir.write(name, content);
        dir
    }

    pub(crate) fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        std::fs::write(self.join(name), content).unwrap();
    }

    pub(crate) fn join(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    pub(crate) fn read(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.join(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
    }

    /// The names of all files, sorted.
    pub(crate) fn files(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.path()).unwrap();
        let mut files: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        files.sort();
        files
    }

    pub(crate) fn command(&self, args: &str) -> Command {
        let mut command = with_default_signals(env!("CARGO_BIN_EXE_fuzzion"));
        command.args(args.split_whitespace()).current_dir(self.path()).env_remove("FUZZION_THREADS");
        command
    }

    /// Runs `fuzzion` with these arguments.
    pub(crate) fn run(&self, args: &str) -> Output {
        self.command(args).output().unwrap()
    }

    /// Standard output of a successful run.
    pub(crate) fn output_of(&self, args: &str) -> String {
        let output = self.run(args);
        assert!(output.status.success(), "{args}: {}", text(&output.stderr));
        assert!(output.stderr.is_empty(), "{args}: {}", text(&output.stderr));
        text(&output.stdout)
    }

    pub(crate) fn json(&self, args: &str) -> serde_json::Value {
        let printed = self.output_of(&format!("{args} --json"));
        assert_eq!(printed.lines().count(), 1, "{args}");
        serde_json::from_str(&printed).unwrap_or_else(|e| panic!("{args}: {e}: {printed}"))
    }

    /// The values of a CSV file, row by row, without the header.
    pub(crate) fn read_values(&self, name: &str) -> Vec<Vec<f64>> {
        let content = String::from_utf8(self.read(name)).unwrap();
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

/// Three groups of points, with weights and a text column: `x,y,w,kind`.
pub(crate) fn groups(rows: usize) -> String {
    let mut out = String::from("x,y,w,kind\n");
    for i in 0..rows {
        let noise = |k: usize| ((i * k) as f64 * 1.3).sin();
        let (x, y) = [(0.0, 0.0), (10.0, 2.0), (4.0, 9.0)][i % 3];
        out += &format!("{:.4},{:.4},{},{}\n", x + noise(3), y + noise(5), 1 + i % 4, ["a", "b"][i % 2]);
    }
    out
}

/// Sends SIGINT to `child` as soon as it handles the signal and has used `cpu_seconds` of CPU time.
#[cfg(target_os = "linux")]
pub(crate) fn interrupt(child: &Child, cpu_seconds: f64) {
    poll_until("the child handles SIGINT", || {
        signals(child.id(), "SigCgt") & 0b10 != 0 && cpu_time(child.id()).0 >= cpu_seconds
    });
    send_signal(child.id(), "INT");
}

/// A command that does not inherit ignored signals: shells start background jobs with them, and the program keeps them.
pub(crate) fn with_default_signals(program: &str) -> Command {
    if cfg!(not(target_os = "linux")) {
        return Command::new(program);
    }
    let mut command = Command::new("env");
    command.args(["--default-signal=HUP,INT,TERM", program]);
    command
}

/// Sends a signal to a process, or to a process group if `id` is negative.
#[cfg(target_os = "linux")]
pub(crate) fn send_signal(id: impl Into<i64>, name: &str) {
    let id = id.into().to_string();
    assert!(Command::new("kill").args(["-s", name, "--", &id]).status().unwrap().success());
}

/// A mask of signals of a process, such as `SigCgt` (those with a handler); the first signal is the lowest bit.
#[cfg(target_os = "linux")]
pub(crate) fn signals(id: u32, mask: &str) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{id}/status")).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix(&format!("{mask}:"))).unwrap();
    u64::from_str_radix(line.trim(), 16).unwrap()
}

/// Waits until a process blocks, that is until its CPU time stands still while it sleeps.
#[cfg(target_os = "linux")]
pub(crate) fn wait_until_blocked(id: u32) {
    let (mut before, mut unchanged) = (cpu_time(id), 0);
    poll_until("the process waits for input", || {
        let now = cpu_time(id);
        unchanged = if now == before && now.1 == 'S' { unchanged + 1 } else { 0 };
        before = now;
        unchanged == 25
    });
}

/// CPU seconds used by a process, and its state.
#[cfg(target_os = "linux")]
fn cpu_time(id: u32) -> (f64, char) {
    let stat = std::fs::read_to_string(format!("/proc/{id}/stat")).unwrap();
    // Fields after the command in parentheses: the state, and at 11 and 12 the user and system time in ticks of 10 ms.
    let fields: Vec<&str> = stat.rsplit_once(')').unwrap().1.split_whitespace().collect();
    let ticks = |at: usize| fields[at].parse::<f64>().unwrap();
    ((ticks(11) + ticks(12)) / 100.0, fields[0].chars().next().unwrap())
}

/// Polls `condition` for at most a minute.
#[cfg(target_os = "linux")]
pub(crate) fn poll_until(what: &str, mut condition: impl FnMut() -> bool) {
    let begun = std::time::Instant::now();
    while !condition() {
        assert!(begun.elapsed().as_secs() < 60, "timed out: {what}");
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
}
