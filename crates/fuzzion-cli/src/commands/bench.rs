//! `fuzzion bench`

mod opencv;

use crate::console::{Console, seconds, table, with_prefix};
use fuzzion::arithmetic::{Widening, widenings};
use fuzzion::device::Measurement;
use fuzzion::{Device, Progress, bench, bench_names};
use opencv::Peer;
use std::process::ExitCode;

/// Time the kernels, each beside the ceiling measured in the same run
#[derive(clap::Args)]
#[command(
    after_help = "Each line is the median of 9 runs after warm-up; `of ceiling` is the least possible time \
(bytes over copy bandwidth or over the bus, or operations over multiply-add rate) over the time taken. Where \
`python3` has cv2, `image` on a CPU ends with OpenCV's Sobel (both directions) and Canny on one thread.

Examples:
  fuzzion bench                            everything, on the CPU
  fuzzion bench ceilings --device cuda     how fast the GPU copies and multiplies"
)]
pub(crate) struct Bench {
    /// What to time (default: everything)
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
            let step = |done, total| bar.step(done, total);
            // Every name was checked against `bench_names`, so each is known.
            measurements.extend(bench(name, device, Progress::new(&step))?.unwrap_or_default());
        }
        let pictures =
            measurements.iter().any(|m| m.name.starts_with("image/") && m.device.starts_with("cpu"));
        let peers = if pictures { opencv::peers() } else { vec![] };
        let numbers = measurements.iter().any(|m| m.name.starts_with("arithmetic/"));
        let widths = if numbers { widenings(&Device::cpu()?)? } else { vec![] };
        if console.json() {
            let device = device.to_string();
            let told = serde_json::json!({
                "device": device, "measurements": measurements, "peers": peers, "widenings": widths,
            });
            console.say_json(&told)?;
        } else {
            console.say(&text(&measurements, &peers))?;
            if !widths.is_empty() {
                console.say(&widening_text(&widths))?;
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
            seconds(m.seconds),
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
            seconds(peer.seconds),
            frames,
            String::new(),
            String::new(),
            String::new(),
        ]
    };
    let mut rows: Vec<Vec<String>> = measurements.iter().map(row).chain(peers.iter().map(peer)).collect();
    let mut head = vec!["benchmark", "device", "median", "throughput", "of ceiling", "ceiling", "note"];
    if rows.iter().all(|row| row.last().is_some_and(String::is_empty)) {
        head.pop();
        rows.iter_mut().for_each(|row| row.truncate(head.len()));
    }
    table(&head, &rows)
}

/// How many times as wide results are by midpoint and radii as by bounds.
fn widening_text(widths: &[Widening]) -> String {
    let row = |w: &Widening| {
        vec![
            w.name.clone(),
            format!("{:.3}", w.spread),
            w.cuts.to_string(),
            format!("{:.3}", w.support),
            format!("{:.3}", w.mean),
        ]
    };
    let rows: Vec<Vec<String>> = widths.iter().map(row).collect();
    let head = ["midpoint-radius over lower-upper width", "relative radius", "cuts", "support", "mean"];
    format!("\n{}", table(&head, &rows))
}
