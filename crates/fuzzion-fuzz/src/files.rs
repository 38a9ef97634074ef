//! Starts processes that read damaged files, restarts those that end early, and prints a summary.

use crate::crate_folder;
use crate::targets::TARGETS;
use crate::worker::{TOO_SLOW, keep};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Instant, SystemTime};
use std::{fs, io, thread};

/// Address space of a process in KiB: 1 GiB.
const MEMORY: usize = 1 << 20;
/// Findings that are printed.
const MAX_PRINTED: usize = 20;

#[derive(clap::Args)]
pub(crate) struct FilesArgs {
    /// Time limit in seconds
    #[arg(long, default_value_t = 60.0)]
    seconds: f64,
    /// Number of inputs per process
    #[arg(long, default_value_t = u64::MAX)]
    inputs: u64,
    /// Number of processes [default: one per core]
    #[arg(long)]
    jobs: Option<usize>,
    /// Random seed [default: from the clock]
    #[arg(long)]
    seed: Option<u64>,
    /// Only the formats whose name contains TEXT
    #[arg(long, value_name = "TEXT", default_value = "")]
    only: String,
}

/// What the processes have printed.
#[derive(Default)]
struct Summary {
    /// Inputs and valid inputs of each target.
    counts: BTreeMap<String, [u64; 2]>,
    findings: Vec<String>,
}

impl Summary {
    fn add(&mut self, output: &str) {
        for line in output.lines() {
            let fields: Vec<&str> = line.split('\t').collect();
            match fields.as_slice() {
                ["finding", rest @ ..] => self.findings.push(rest.join("\n  ")),
                [target, inputs, accepted] => {
                    let count = self.counts.entry((*target).to_owned()).or_default();
                    count[0] += inputs.parse::<u64>().unwrap_or(0);
                    count[1] += accepted.parse::<u64>().unwrap_or(0);
                }
                _ => self.findings.push(format!("unexpected output: {line}")),
            }
        }
    }

    fn merge(&mut self, other: Summary) {
        for (target, [inputs, accepted]) in other.counts {
            let count = self.counts.entry(target).or_default();
            *count = [count[0] + inputs, count[1] + accepted];
        }
        self.findings.extend(other.findings);
    }
}

/// Whether there were no findings.
pub(crate) fn run(args: &FilesArgs) -> io::Result<bool> {
    let from_clock = || SystemTime::UNIX_EPOCH.elapsed().map_or(0, |elapsed| elapsed.as_nanos() as u64);
    let seed = args.seed.unwrap_or_else(from_clock);
    let jobs = args.jobs.unwrap_or_else(|| thread::available_parallelism().map_or(1, usize::from)).max(1);
    println!("seed {seed}, {jobs} processes, at most 10 seconds and 1 GiB per input");
    let start = Instant::now();
    let results: Vec<io::Result<Summary>> = thread::scope(|scope| {
        let run = |job: usize| {
            scope.spawn(move || run_job(args, seed.wrapping_add((job as u64) << 32), job == 0, start))
        };
        let threads: Vec<_> = (0..jobs).map(run).collect();
        let failed = || Err(io::Error::other("a thread failed"));
        threads.into_iter().map(|thread| thread.join().unwrap_or_else(|_| failed())).collect()
    });
    let mut summary = Summary::default();
    for result in results {
        summary.merge(result?);
    }
    let seconds = start.elapsed().as_secs_f64();
    println!("{:24} {:>12} {:>12}", "", "inputs", "valid");
    for target in &TARGETS {
        if let Some([inputs, accepted]) = summary.counts.get(target.name) {
            println!("{:24} {inputs:12} {accepted:12}", target.name);
        }
    }
    let inputs: u64 = summary.counts.values().map(|count| count[0]).sum();
    println!("{inputs} inputs in {seconds:.0} s, {} findings", summary.findings.len());
    for finding in summary.findings.iter().take(MAX_PRINTED) {
        println!("{finding}");
    }
    Ok(summary.findings.is_empty())
}

/// Runs processes one after another until the time or the inputs are used up.
fn run_job(args: &FilesArgs, mut seed: u64, corpus: bool, start: Instant) -> io::Result<Summary> {
    let memory = Path::new("/dev/shm");
    let folder = if memory.is_dir() { tempfile::tempdir_in(memory)? } else { tempfile::tempdir()? };
    let findings = crate_folder().join("findings");
    let mut summary = Summary::default();
    let mut corpus = corpus;
    loop {
        let seconds = args.seconds - start.elapsed().as_secs_f64();
        if seconds <= 0.0 {
            return Ok(summary);
        }
        let mut command = with_limited_memory(std::env::current_exe()?);
        command.args(["worker", &format!("--seed={seed}"), &format!("--seconds={seconds}")]);
        command.args([format!("--inputs={}", args.inputs), format!("--only={}", args.only)]);
        command.arg("--folder").arg(folder.path()).arg("--findings").arg(&findings);
        command.args(corpus.then_some("--corpus"));
        // Every thread of the allocator reserves address space, although one thread does almost all work.
        command.env("MALLOC_ARENA_MAX", "2").env("RAYON_NUM_THREADS", "1");
        let output = command
            .stdin(Stdio::null())
            .stderr(Stdio::inherit())
            .stdout(Stdio::piped())
            .spawn()?
            .wait_with_output()?;
        summary.add(&String::from_utf8_lossy(&output.stdout));
        if matches!(output.status.code(), Some(0 | 1)) {
            return Ok(summary);
        }
        let kept = keep_current_input(folder.path(), &findings)?;
        summary.findings.push(format!("{}\n  {}", describe(output.status), kept.display()));
        seed = seed.wrapping_add(1);
        corpus = false;
    }
}

/// A command with a limit of its address space, where the shell can set one.
fn with_limited_memory(program: PathBuf) -> Command {
    if !cfg!(target_os = "linux") {
        return Command::new(program);
    }
    let mut command = Command::new("sh");
    command.args(["-c", &format!("ulimit -v {MEMORY}; exec \"$0\" \"$@\"")]).arg(program);
    command
}

fn describe(status: ExitStatus) -> String {
    match status.code() {
        Some(TOO_SLOW) => "reading takes more than 10 seconds".into(),
        _ => format!("the process ends ({status}), for example because it needs more than 1 GiB"),
    }
}

/// Keeps the input that was last written.
fn keep_current_input(folder: &Path, findings: &Path) -> io::Result<PathBuf> {
    let mut newest: Option<(SystemTime, PathBuf)> = None;
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let modified = path.metadata()?.modified()?;
        let is_input = path.file_stem().is_some_and(|stem| stem.to_string_lossy().starts_with("input"));
        if is_input && newest.as_ref().is_none_or(|(time, _)| modified > *time) {
            newest = Some((modified, path));
        }
    }
    let (_, path) = newest.ok_or_else(|| io::Error::other("a process ended before its first input"))?;
    keep(&path, &fs::read(&path)?, "process", findings)
}
