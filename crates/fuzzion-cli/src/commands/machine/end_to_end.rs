//! `fuzzion bench end-to-end`: times whole commands, from the file to the result.

use crate::console::Bar;
use crate::format::{format_seconds, table};
use crate::interrupt;
use fuzzion::data::{Chroma, DataError, Frame, Labels, Pixels, VideoHeader, VideoWriter};
use fuzzion::tuning::truck;
use fuzzion::{Device, Error, Result, Table};
use serde::Serialize;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

/// Name of the benchmark.
pub(super) const NAME: &str = "end-to-end";

const TIPPER: &str = "\
Engine: tipper
InputVariable: service
  range: 0 10
  term: poor Gaussian 0 1.5
  term: good Gaussian 5 1.5
  term: excellent Gaussian 10 1.5
InputVariable: food
  range: 0 10
  term: rancid Trapezoid 0 0 1 3
  term: delicious Trapezoid 7 9 10 10
OutputVariable: tip
  range: 0 30
  aggregation: Maximum
  defuzzifier: Centroid 200
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

/// One run of a command.
#[derive(Serialize)]
pub(super) struct EndToEnd {
    job: &'static str,
    device: String,
    /// Whether the kernels had to be compiled.
    cold: bool,
    /// Seconds from the start of the process to its end.
    seconds: f64,
    /// Seconds that the stages worked; transfers to and from a GPU are part of `compute`.
    read: f64,
    compute: f64,
    write: f64,
}

/// A command with its arguments; relative paths are in the folder of the inputs.
struct Job {
    name: &'static str,
    args: &'static str,
}

const JOBS: [Job; 6] = [
    Job {
        name: "cluster, 32 columns, 64 clusters",
        args: "cluster rows.npy --clusters 64 --max-iter 50 --seed 1 --labels labels.npy",
    },
    Job { name: "infer, 2 inputs, 3 rules", args: "infer tipper.fll --data meals.npy --out tips.npy" },
    Job { name: "edges, 640 × 480", args: "edges video.y4m edges.y4m" },
    Job {
        name: "tune, 8 inputs, 32 linear rules",
        args: "tune regression.npy --target c9 --rules 32 --init fcm --order 1 --iterations 20",
    },
    Job {
        name: "tune, 2 inputs, 35 rules",
        args: "tune truck.npy --target c3 --sets 5,7 --order 0 --untied --iterations 100",
    },
    Job {
        name: "sonfin, 16 inputs, 26 classes",
        args: "sonfin fit classes.csv --target label --classify --auto --seed 0 --model model.json",
    },
];

/// Runs all commands on the CPU and, if `device` has a GPU, on `device`, first with an empty kernel cache. The number of
/// rows and frames is multiplied by `scale`.
pub(super) fn run(scale: f64, device: &Device, bar: &Bar) -> Result<Vec<EndToEnd>> {
    let folder = Folder::create()?;
    bar.set_message("writing the inputs".into());
    write_inputs(&folder.0, scale)?;
    let mut devices = vec![("cpu".to_owned(), false)];
    if device.has_gpu() {
        devices.extend([(device.to_string(), true), (device.to_string(), false)]);
    }
    let total = (JOBS.len() * devices.len()) as u64;
    let mut runs = Vec::new();
    for job in &JOBS {
        for (name, cold) in &devices {
            if bar.step(runs.len() as u64, total).is_break() {
                return Err(Error::Interrupted);
            }
            bar.set_message(job.name.into());
            let cache = folder.0.join("kernels");
            if *cold && cache.exists() {
                fs::remove_dir_all(&cache).map_err(|cause| file_error("delete", &cache, cause))?;
            }
            runs.push(job.run(&folder.0, &cache, name, *cold, device.threads())?);
        }
    }
    Ok(runs)
}

impl Job {
    fn run(&self, folder: &Path, cache: &Path, device: &str, cold: bool, threads: usize) -> Result<EndToEnd> {
        let program = crate::program();
        let mut command = Command::new(&program);
        command.args(self.args.split(' ')).args(["--json", "--device", device]);
        command.args(["--threads", &threads.to_string()]);
        command.current_dir(folder).env("FUZZION_CACHE_DIR", cache).stderr(Stdio::inherit());
        let started = Instant::now();
        let output = command.output().map_err(|cause| file_error("run", &program, cause))?;
        let seconds = started.elapsed().as_secs_f64();
        if interrupt::check().is_break() {
            return Err(Error::Interrupted);
        }
        let summary: Value = serde_json::from_slice(&output.stdout).unwrap_or_default();
        let stage = |name: &str| summary[name].as_f64();
        let stages = (stage("read_seconds"), stage("compute_seconds"), stage("write_seconds"));
        let (true, (Some(read), Some(compute), Some(write))) = (output.status.success(), stages) else {
            let cause = std::io::Error::other(format!("`fuzzion {}` failed", self.args));
            return Err(file_error("run", &program, cause));
        };
        Ok(EndToEnd { job: self.name, device: device.to_owned(), cold, seconds, read, compute, write })
    }
}

/// The runs as a table.
pub(super) fn text(runs: &[EndToEnd]) -> String {
    let row = |run: &EndToEnd| {
        let device = if run.cold { format!("{}, first use", run.device) } else { run.device.clone() };
        let times = [run.seconds, run.read, run.compute, run.write].map(format_seconds);
        [run.job.to_owned(), device].into_iter().chain(times).collect()
    };
    let rows: Vec<Vec<String>> = runs.iter().map(row).collect();
    table(&["command", "device", "total", "read", "compute", "write"], &rows)
}

/// A temporary folder, deleted when dropped.
struct Folder(PathBuf);

impl Folder {
    fn create() -> Result<Self> {
        let path = std::env::temp_dir().join(format!("fuzzion-bench-{}", std::process::id()));
        fs::create_dir_all(&path).map_err(|cause| file_error("create", &path, cause))?;
        Ok(Folder(path))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0); // nothing can be done about it
    }
}

fn file_error(doing: &'static str, path: &Path, cause: std::io::Error) -> Error {
    Error::Data(DataError::File { doing, path: path.to_path_buf(), cause })
}

/// Uniformly distributed numbers in [0, 1): Marsaglia's xorshift.
struct Uniform(u64);

impl Uniform {
    fn next(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Approximately normally distributed, with mean 0 and variance 1.
    fn normal(&mut self) -> f64 {
        (0..4).map(|_| self.next() - 0.5).sum::<f64>() * 3f64.sqrt()
    }
}

fn write_inputs(folder: &Path, scale: f64) -> Result<()> {
    let count = |full: f64| (full * scale).round().max(1.0) as usize;
    let random = &mut Uniform(0x9E37_79B9_7F4A_7C15);
    let rows = grouped_rows(count(1e7).max(64), 32, 64, random).1;
    Table::unnamed(32, rows)?.write(folder.join("rows.npy"))?;
    let meals: Vec<f32> = (0..2 * count(5e7)).map(|_| 10.0 * random.next() as f32).collect();
    Table::unnamed(2, meals)?.write(folder.join("meals.npy"))?;
    fs::write(folder.join("tipper.fll"), TIPPER).map_err(|cause| file_error("write", folder, cause))?;
    write_video(&folder.join("video.y4m"), count(2000.0), random)?;
    let mut regression: Vec<f64> = Vec::new();
    for _ in 0..count(1e6).max(1000) {
        let x: [f64; 8] = std::array::from_fn(|_| random.next());
        regression.extend(x);
        let y = (6.0 * x[0]).sin() * x[1] + x[2] * x[2] - (x[3] - 0.5).abs();
        regression.push(y + 0.05 * random.normal());
    }
    Table::unnamed(9, regression)?.write(folder.join("regression.npy"))?;
    let side = ((1024.0 * scale.sqrt()).round() as usize).max(16);
    truck(side)?.write(folder.join("truck.npy"))?;
    let (labels, inputs) = grouped_rows(count(16_000.0).max(520), 16, 26, random);
    let names = (1..=16).map(|i| format!("x{i}"));
    let letters = labels.iter().map(|label| char::from(b'A' + *label as u8).to_string());
    let classes = Table::new(names, inputs)?.with_labels(Labels::new("label", letters))?;
    Ok(classes.write(folder.join("classes.csv"))?)
}

/// Rows around random centers, and the index of the center of each.
fn grouped_rows(rows: usize, columns: usize, groups: usize, random: &mut Uniform) -> (Vec<usize>, Vec<f32>) {
    let centers: Vec<f64> = (0..groups * columns).map(|_| 3.0 * random.normal()).collect();
    let mut values = Vec::with_capacity(rows * columns);
    let mut labels = Vec::with_capacity(rows);
    for row in 0..rows {
        let center = &centers[row % groups * columns..][..columns];
        labels.push(row % groups);
        values.extend(center.iter().map(|c| (c + random.normal()) as f32));
    }
    (labels, values)
}

/// A moving pattern of random pixels.
fn write_video(path: &Path, frames: usize, random: &mut Uniform) -> Result<()> {
    let (width, height) = (640, 480);
    let header = VideoHeader::new(width, height, Chroma::Mono, 8, (30, 1))?;
    let mut writer = VideoWriter::create(path, &header)?;
    let mut pixels: Vec<u8> = (0..width * height).map(|_| (255.0 * random.next()) as u8).collect();
    for _ in 0..frames {
        pixels.rotate_right(1);
        writer.write(&Frame { planes: vec![Pixels::U8(pixels.clone())], parameters: String::new() })?;
    }
    Ok(writer.finish()?)
}
