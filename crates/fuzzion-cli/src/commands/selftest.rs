//! `fuzzion selftest`

use crate::console::{Console, table};
use fuzzion::{Device, Progress, selftest_of, selftest_rooms};
use std::process::ExitCode;

/// Compare every kernel with its oracle on random inputs of many shapes
#[derive(clap::Args)]
#[command(after_help = "Exit code 1 when any kernel exceeds its bound.

Examples:
  fuzzion selftest                    does this CPU compute what it should?
  fuzzion selftest --device cuda      does this GPU?
  fuzzion selftest inference          one room alone")]
pub(crate) struct Selftest {
    /// Whose kernels (default: everyone's)
    #[arg(value_name = "ROOM", value_parser = clap::builder::PossibleValuesParser::new(selftest_rooms()))]
    rooms: Vec<String>,
}

impl Selftest {
    pub(crate) fn run(&self, device: &Device, console: &Console) -> fuzzion::Result<ExitCode> {
        let bar = console.bar("selftest");
        let step = |done, total| bar.step(done, total);
        let rooms: Vec<&str> = match self.rooms.as_slice() {
            [] => selftest_rooms(),
            some => some.iter().map(String::as_str).collect(),
        };
        let checks = selftest_of(&rooms, device, Progress::new(&step))?;
        drop(bar);
        let failed = checks.iter().filter(|check| !check.passed).count();
        if console.json() {
            let device = device.to_string();
            console.say_json(
                &serde_json::json!({ "device": device, "passed": failed == 0, "checks": checks }),
            )?;
        } else {
            let row = |check: &fuzzion::device::Check| {
                vec![
                    check.kernel.clone(),
                    check.cases.to_string(),
                    format!("{:.2e}", check.error),
                    format!("{:.2e}", check.bound),
                    if check.passed { "ok".into() } else { "FAILED".into() },
                ]
            };
            let rows: Vec<Vec<String>> = checks.iter().map(row).collect();
            if !console.quiet() {
                console.say(&(table(&["kernel", "cases", "error", "bound", ""], &rows) + "\n"))?;
            }
            console.say(&format!("{device}: {} kernels passed, {failed} failed", checks.len() - failed))?;
        }
        Ok(if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
    }
}
