//! `fuzzion sonfin plan`

use crate::console::Console;
use crate::format::{format_digits, table};
use fuzzion::sonfin::{LayoutCandidate, plan};
use fuzzion::{Device, Result};
use serde_json::json;
use std::process::ExitCode;

/// Compare the GPU mappings for a network size; `fit` uses the first one
#[derive(clap::Args)]
#[command(after_help = "Measured times are cached per GPU, and `fit --mapping auto` uses them.

Examples:
  fuzzion sonfin plan --dims 256 --rules 512 --device cuda
  fuzzion sonfin plan --dims 16 --rules 642 --outputs 26 --device cuda --measure")]
pub(super) struct Plan {
    /// Number of inputs
    #[arg(long, value_name = "D")]
    dims: usize,
    /// Number of rules
    #[arg(long, value_name = "R")]
    rules: usize,
    /// Number of outputs
    #[arg(long, value_name = "L", default_value_t = 1)]
    outputs: usize,
    /// Benchmark every mapping and cache the times
    #[arg(long)]
    measure: bool,
}

impl Plan {
    pub(super) fn run(&self, device: &Device, console: &Console) -> Result<ExitCode> {
        let device = &device.with_first_gpu();
        let bar = console.bar("measuring");
        let candidates = plan(self.dims, self.rules, self.outputs, device, self.measure)?;
        drop(bar);
        if console.json() {
            console.print_json(&json!({
                "dims": self.dims,
                "rules": self.rules,
                "outputs": self.outputs,
                "device": device.to_string(),
                "candidates": candidates,
            }))?;
        } else if candidates.is_empty() {
            console.print(
                "the CPU has a single mapping (rules in vector lanes); use `--device cuda` to compare GPU mappings",
            )?;
        } else {
            console.print(&self.text(&candidates, device))?;
        }
        Ok(ExitCode::SUCCESS)
    }

    fn text(&self, candidates: &[LayoutCandidate], device: &Device) -> String {
        let percent = |fraction: f64| format!("{:.0} %", 100.0 * fraction);
        let line = |c: &LayoutCandidate| {
            vec![
                if c.chosen { "→" } else { "" }.to_owned(),
                c.mapping.name().to_owned(),
                c.layout.clone(),
                c.blocks.to_string(),
                c.threads.to_string(),
                format!("{:.1}", c.shared as f64 / 1024.0),
                percent(c.occupancy),
                percent(c.on_chip),
                format_digits(c.predicted_us, 3),
                c.measured_us.map_or_else(String::new, |us| format_digits(us, 3)),
            ]
        };
        let headers = [
            "",
            "mapping",
            "layout",
            "blocks",
            "threads",
            "KiB shared",
            "occupancy",
            "on chip",
            "predicted µs",
            "measured µs",
        ];
        let lines: Vec<Vec<String>> = candidates.iter().map(line).collect();
        let table = table(&headers, &lines);
        let (dims, rules, outputs) = (self.dims, self.rules, self.outputs);
        format!("{dims} inputs, {rules} rules, {outputs} outputs on {device}; times per sample\n\n{table}")
    }
}
