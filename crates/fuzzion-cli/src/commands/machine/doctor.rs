//! `fuzzion doctor`

use crate::console::Console;
use crate::format::{align_columns, with_prefix};
use crate::version;
use fuzzion::device::{DeviceInfo, kernel_tools, list};
use serde::Serialize;
use std::io::{self, IsTerminal};
use std::process::ExitCode;

/// Show what works on this machine, and how to get the rest
#[derive(clap::Args)]
#[command(after_help = "Nothing that is missing is required: without a GPU, all commands use the CPU.

Examples:
  fuzzion doctor                 devices, compiler and cache of GPU kernels, file formats and terminal
  fuzzion doctor --json          the same as JSON")]
pub(crate) struct Doctor {}

/// Whether a part of the program works.
#[derive(Serialize)]
struct Finding {
    part: String,
    works: bool,
    /// What was found, or how to get what is missing.
    detail: String,
}

impl Finding {
    fn new(part: impl Into<String>, found: Result<String, String>) -> Self {
        let works = found.is_ok();
        Finding { part: part.into(), works, detail: found.unwrap_or_else(|advice| advice) }
    }
}

impl Doctor {
    pub(crate) fn run(&self, console: &Console) -> fuzzion::Result<ExitCode> {
        let findings = findings();
        if console.json() {
            console.print_json(&serde_json::json!({
                "version": env!("CARGO_PKG_VERSION"),
                "target": version::target(),
                "findings": findings,
            }))?;
            return Ok(ExitCode::SUCCESS);
        }
        let state = |finding: &Finding| if finding.works { "works" } else { "missing" };
        let line =
            |finding: &Finding| [&finding.part, state(finding), &finding.detail].map(str::to_owned).to_vec();
        let lines: Vec<Vec<String>> = findings.iter().map(line).collect();
        let heading = format!("fuzzion {} for {}", env!("CARGO_PKG_VERSION"), version::target());
        console.print(&format!("{heading}\n\n{}", align_columns(&lines, &[0, 1, 2])))?;
        Ok(ExitCode::SUCCESS)
    }
}

fn findings() -> Vec<Finding> {
    let mut findings: Vec<Finding> = list().iter().map(device).collect();
    let tools = kernel_tools();
    findings.push(Finding::new("GPU kernel compiler", tools.compiler));
    findings.push(Finding::new("GPU kernel cache", tools.cache.map(|folder| folder.display().to_string())));
    let parquet = match cfg!(feature = "parquet") {
        true => Ok("tables can be read and written".into()),
        false => {
            Err("not compiled in; build with `--features parquet`, or convert the files to CSV or NPY".into())
        }
    };
    findings.push(Finding::new("Parquet", parquet));
    findings.push(Finding::new("progress bars", progress_bars()));
    findings.push(Finding::new("colors", colors()));
    findings
}

fn device(info: &DeviceInfo) -> Finding {
    let name = if info.device == "cpu" { "CPU".into() } else { info.device.replace("cuda", "GPU") };
    let found = || {
        let unit = if info.simd.is_some() { "threads" } else { "multiprocessors" };
        let parts = [
            info.name.clone(),
            info.units.map(|units| format!("{units} {unit}")),
            info.simd.map(|simd| format!("instructions {simd}")),
            info.compute_capability.as_ref().map(|capability| format!("compute capability {capability}")),
            info.memory.map(|bytes| format!("{}B", with_prefix(bytes as f64))),
        ];
        parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
    };
    Finding::new(name, info.reason.clone().map_or_else(|| Ok(found()), Err))
}

fn progress_bars() -> Result<String, String> {
    match io::stderr().is_terminal() {
        true => Ok("shown, unless `--quiet`".into()),
        false => Err("standard error is not a terminal; run the command without `2>`".into()),
    }
}

fn colors() -> Result<String, String> {
    if std::env::var_os("NO_COLOR").is_some() {
        return Err("turned off by NO_COLOR; unset it".into());
    }
    match io::stdout().is_terminal() {
        true => Ok("used in progress bars".into()),
        false => Err("standard output is not a terminal; run the command without `>` or `|`".into()),
    }
}
