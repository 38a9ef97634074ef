//! `fuzzion bench`

use super::end_to_end;
use crate::console::{Console, print_error};
use crate::format::{format_seconds, table, with_prefix};
use fuzzion::Device;
use fuzzion::arithmetic::{Overestimation, overestimation_table};
use fuzzion_bench::{Measurement, bench, bench_names};
use std::process::ExitCode;

/// Default scale of the inputs of end-to-end.
const SCALE: f64 = 0.1;

/// Benchmark the kernels against the hardware limits measured in the same run
#[derive(clap::Args)]
#[command(
    after_help = "Each line reports the median of 9 runs after a warm-up. `of ceiling` is the minimum possible time \
(bytes divided by the copy or bus bandwidth, or operations divided by the multiply-add rate) divided by the measured time. \
`end-to-end` times whole commands, from the file to the result, on generated files in the folder for temporary files.

Examples:
  fuzzion bench                            run all benchmarks on the CPU
  fuzzion bench ceilings --device cuda     measure the copy bandwidth and multiply-add rate of the GPU
  fuzzion bench end-to-end --device cuda   time whole commands on the CPU and on the GPU"
)]
pub(crate) struct Bench {
    /// Benchmarks to run [default: all but end-to-end]
    #[arg(value_name = "NAME", value_parser = clap::builder::PossibleValuesParser::new(names()))]
    names: Vec<String>,
    /// Sizes of the inputs of end-to-end; 1 is 10 million rows to cluster, 50 million to infer, and 2000 frames [default: 0.1]
    #[arg(long, value_name = "F", value_parser = scale)]
    scale: Option<f64>,
}

impl Bench {
    pub(crate) fn run(&self, device: &Device, console: &Console) -> fuzzion::Result<ExitCode> {
        if self.scale.is_some() && !self.names.iter().any(|name| name == end_to_end::NAME) {
            print_error(&format!("`--scale` requires the benchmark `{}`", end_to_end::NAME));
            return Ok(ExitCode::from(2));
        }
        let kernels = bench_names();
        let names: Vec<&str> =
            if self.names.is_empty() { kernels } else { self.names.iter().map(String::as_str).collect() };
        let (mut measurements, mut runs): (Vec<Measurement>, _) = (Vec::new(), Vec::new());
        for name in names {
            let bar = console.bar("bench");
            if name == end_to_end::NAME {
                runs = end_to_end::run(self.scale.unwrap_or(SCALE), device, &bar)?;
                continue;
            }
            // The argument parser accepts only names from `bench_names`.
            measurements.extend(bench(name, &bar.watch(device))?.unwrap_or_default());
        }
        let has_numbers = measurements.iter().any(|m| m.name.starts_with("arithmetic/"));
        let widths = if has_numbers { overestimation_table(&Device::cpu()?)? } else { vec![] };
        if console.json() {
            let device = device.to_string();
            console.print_json(&serde_json::json!({
                "device": device, "measurements": measurements, "widenings": widths, "end_to_end": runs,
            }))?;
        } else {
            if !runs.is_empty() {
                console.print(&end_to_end::text(&runs))?;
            }
            if !measurements.is_empty() {
                console.print(&text(&measurements))?;
            }
            if !widths.is_empty() {
                console.print(&widening_text(&widths))?;
            }
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// Names of all benchmarks.
fn names() -> Vec<&'static str> {
    bench_names().into_iter().chain([end_to_end::NAME]).collect()
}

/// Parses a scale factor.
fn scale(text: &str) -> Result<f64, String> {
    let scale = text.parse().ok().filter(|scale: &f64| *scale > 0.0 && *scale <= 100.0);
    scale.ok_or_else(|| "expected a number above 0 and at most 100".into())
}

fn text(measurements: &[Measurement]) -> String {
    let row = |m: &Measurement| {
        vec![
            m.name.clone(),
            m.device.clone(),
            format_seconds(m.seconds),
            format!("{}{}", with_prefix(m.throughput), m.unit),
            format!("{:.0} %", m.fraction * 100.0),
            m.ceiling.to_owned(),
            m.note.clone().unwrap_or_default(),
        ]
    };
    let mut rows: Vec<Vec<String>> = measurements.iter().map(row).collect();
    let mut headers = vec!["benchmark", "device", "median", "throughput", "of ceiling", "ceiling", "note"];
    if rows.iter().all(|row| row.last().is_some_and(String::is_empty)) {
        headers.pop();
        rows.iter_mut().for_each(|row| row.truncate(headers.len()));
    }
    table(&headers, &rows)
}

/// The width of results in midpoint-radius form relative to their width in lower-upper form.
fn widening_text(widths: &[Overestimation]) -> String {
    let row = |w: &Overestimation| {
        vec![
            w.name.clone(),
            format!("{:.3}", w.spread),
            w.cuts.to_string(),
            format!("{:.3}", w.support),
            format!("{:.3}", w.mean),
        ]
    };
    let rows: Vec<Vec<String>> = widths.iter().map(row).collect();
    let headers = ["midpoint-radius / lower-upper width", "relative radius", "cuts", "support", "mean"];
    format!("\n{}", table(&headers, &rows))
}
