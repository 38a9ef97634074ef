//! `fuzzion selftest`

use crate::console::Console;
use crate::format::table;
use fuzzion::Device;
use fuzzion_bench::{selftest_modules, selftest_of};
use std::process::ExitCode;

/// Compare every kernel with its reference implementation on random inputs
#[derive(clap::Args)]
#[command(after_help = "Exits with code 1 if the error of any kernel exceeds its bound.

Examples:
  fuzzion selftest                    check all kernels on the CPU
  fuzzion selftest --device cuda      check all kernels on the GPU
  fuzzion selftest inference          check the kernels of one module")]
pub(crate) struct Selftest {
    /// Modules to check [default: all]
    #[arg(value_name = "MODULE", value_parser = clap::builder::PossibleValuesParser::new(selftest_modules()))]
    modules: Vec<String>,
}

impl Selftest {
    pub(crate) fn run(&self, device: &Device, console: &Console) -> fuzzion::Result<ExitCode> {
        let bar = console.bar("selftest");
        let modules: Vec<&str> = match self.modules.as_slice() {
            [] => selftest_modules(),
            some => some.iter().map(String::as_str).collect(),
        };
        let checks = selftest_of(&modules, &bar.watch(device))?;
        drop(bar);
        let failed = checks.iter().filter(|check| !check.passed).count();
        if console.json() {
            let device = device.to_string();
            console.print_json(
                &serde_json::json!({ "device": device, "passed": failed == 0, "checks": checks }),
            )?;
        } else {
            let row = |check: &fuzzion_bench::Check| {
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
                console.print(&(table(&["kernel", "cases", "error", "bound", ""], &rows) + "\n"))?;
            }
            console.print(&format!("{device}: {} kernels passed, {failed} failed", checks.len() - failed))?;
        }
        Ok(if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
    }
}
