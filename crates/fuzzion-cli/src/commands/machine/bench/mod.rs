//! `fuzzion bench`

mod opencv;

use crate::console::Console;
use crate::format::{format_seconds, table, with_prefix};
use fuzzion::arithmetic::{Overestimation, overestimation_table};
use fuzzion::device::Measurement;
use fuzzion::{Device, bench, bench_names};
use opencv::Peer;
use std::process::ExitCode;

/// Benchmark the kernels against the hardware limits measured in the same run
#[derive(clap::Args)]
#[command(
    after_help = "Each line reports the median of 9 runs after a warm-up. `of ceiling` is the minimum possible time \
(bytes divided by the copy or bus bandwidth, or operations divided by the multiply-add rate) divided by the measured time. \
If `python3` has cv2, `image` on a CPU also times OpenCV's Sobel (both directions) and Canny on one thread.

Examples:
  fuzzion bench                            run all benchmarks on the CPU
  fuzzion bench ceilings --device cuda     measure the copy bandwidth and multiply-add rate of the GPU"
)]
pub(crate) struct Bench {
    /// Benchmarks to run [default: all]
    #[arg(value_name = "NAME", value_parser = clap::builder::PossibleValuesParser::new(bench_names()))]
    names: Vec<String>,
}

impl Bench {
    pub(crate) fn run(&self, device: &Device, console: &Console) -> fuzzion::Result<ExitCode> {
        let all = bench_names();
        let names: Vec<&str> =
            if self.names.is_empty() { all } else { self.names.iter().map(String::as_str).collect() };
        let mut measurements: Vec<Measurement> = Vec::new();
        for name in names {
            let bar = console.bar("bench");
            // The argument parser accepts only names from `bench_names`.
            measurements.extend(bench(name, &bar.watch(device))?.unwrap_or_default());
        }
        let has_images =
            measurements.iter().any(|m| m.name.starts_with("image/") && m.device.starts_with("cpu"));
        let peers = if has_images { opencv::peers() } else { vec![] };
        let has_numbers = measurements.iter().any(|m| m.name.starts_with("arithmetic/"));
        let widths = if has_numbers { overestimation_table(&Device::cpu()?)? } else { vec![] };
        if console.json() {
            let device = device.to_string();
            console.print_json(&serde_json::json!({
                "device": device, "measurements": measurements, "peers": peers, "widenings": widths,
            }))?;
        } else {
            console.print(&text(&measurements, &peers))?;
            if !widths.is_empty() {
                console.print(&widening_text(&widths))?;
            }
        }
        Ok(ExitCode::SUCCESS)
    }
}

fn text(measurements: &[Measurement], peers: &[Peer]) -> String {
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
    let peer = |peer: &Peer| {
        let device = format!("OpenCV {}", peer.version);
        let frames = format!("{}frames/s", with_prefix(1.0 / peer.seconds));
        vec![
            peer.name.clone(),
            device,
            format_seconds(peer.seconds),
            frames,
            String::new(),
            String::new(),
            String::new(),
        ]
    };
    let mut rows: Vec<Vec<String>> = measurements.iter().map(row).chain(peers.iter().map(peer)).collect();
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
