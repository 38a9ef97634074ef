//! `fuzzion sonfin plan`

use crate::commands::words::digits;
use crate::console::{self, Console};
use fuzzion::sonfin::{Candidate, plan};
use fuzzion::{Device, Result};
use serde_json::json;
use std::process::ExitCode;

/// Print the ways in which a network of a size can be laid out on a GPU, the one that `fit` takes first
#[derive(clap::Args)]
#[command(
    after_help = "Measured times are remembered for the GPU, and `fit --mapping auto` goes by them from then on.

Examples:
  fuzzion sonfin plan --dims 256 --rules 512 --device cuda
  fuzzion sonfin plan --dims 16 --rules 642 --outputs 26 --device cuda --measure"
)]
pub(super) struct Plan {
    /// How many inputs
    #[arg(long, value_name = "D")]
    dims: usize,
    /// How many rules
    #[arg(long, value_name = "R")]
    rules: usize,
    /// How many outputs
    #[arg(long, value_name = "L", default_value_t = 1)]
    outputs: usize,
    /// Measure each of them, and remember the times
    #[arg(long)]
    measure: bool,
}

impl Plan {
    pub(super) fn run(&self, device: &Device, console: &Console) -> Result<ExitCode> {
        let bar = console.bar("measuring");
        let candidates = plan(self.dims, self.rules, self.outputs, device, self.measure)?;
        drop(bar);
        if console.json() {
            console.say_json(&json!({
                "dims": self.dims,
                "rules": self.rules,
                "outputs": self.outputs,
                "device": device.to_string(),
                "candidates": candidates,
            }))?;
        } else if candidates.is_empty() {
            console.say(
                "on the CPU there is one way, rules side by side in vectors; `--device cuda` plans for a GPU",
            )?;
        } else {
            console.say(&self.told(&candidates, device))?;
        }
        Ok(ExitCode::SUCCESS)
    }

    fn told(&self, candidates: &[Candidate], device: &Device) -> String {
        let percent = |share: f64| format!("{:.0} %", 100.0 * share);
        let line = |c: &Candidate| {
            vec![
                if c.chosen { "→" } else { "" }.to_owned(),
                c.mapping.name().to_owned(),
                c.layout.clone(),
                c.blocks.to_string(),
                c.threads.to_string(),
                format!("{:.1}", c.shared as f64 / 1024.0),
                percent(c.occupancy),
                percent(c.on_chip),
                digits(c.predicted_us, 3),
                c.measured_us.map_or_else(String::new, |us| digits(us, 3)),
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
        let table = console::table(&headers, &lines);
        let (dims, rules, outputs) = (self.dims, self.rules, self.outputs);
        format!(
            "{dims} inputs, {rules} rules, {outputs} outputs on {device}; times are for one sample\n\n{table}"
        )
    }
}
