//! `fuzzion devices`

use crate::console::Console;
use crate::format::{table, with_prefix};
use fuzzion::device::{Cpu, DeviceInfo, list};
use fuzzion::{Device, precompile_kernels};
use std::process::ExitCode;

/// List the devices of this machine and whether they are usable
#[derive(clap::Args)]
#[command(after_help = "Examples:
  fuzzion devices                 list the CPU and all GPUs
  fuzzion devices --json          the same list as JSON
  fuzzion devices --warm          compile common GPU kernels, so that later commands start faster

GPU kernels are specialized for each problem, compiled on first use, and stored in the folder FUZZION_CACHE_DIR, by default \
fuzzion/kernels in the user's cache folder. --warm compiles those of fuzzy c-means with 2 to 5 clusters and 2 to 4 columns, of \
the built-in image operators, and of sorting.")]
pub(crate) struct Devices {
    /// Compile common GPU kernels in advance instead of listing the devices
    #[arg(long)]
    warm: bool,
}

impl Devices {
    pub(crate) fn run(&self, requested: &str, console: &Console) -> fuzzion::Result<ExitCode> {
        if self.warm {
            return warm(requested, console);
        }
        let all = requested == "cpu" || requested == "best"; // `cpu` is the default, so it does not filter
        let requested = if requested == "cuda" { "cuda:0" } else { requested };
        let devices: Vec<DeviceInfo> =
            list().into_iter().filter(|info| all || info.device == requested).collect();
        if console.json() {
            console.print_json(&serde_json::json!({ "devices": devices }))?;
        } else {
            console.print(&text(&devices))?;
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// Compiles common kernels for the requested GPUs, by default the first one.
fn warm(requested: &str, console: &Console) -> fuzzion::Result<ExitCode> {
    let name = if requested == "cpu" || requested == "best" { "cuda" } else { requested };
    let device = Device::named(name, Cpu::new()?)?;
    let bar = console.bar("compiling kernels");
    let kernels = precompile_kernels(&bar.watch(&device))?;
    drop(bar);
    if console.json() {
        console.print_json(&serde_json::json!({
            "device": device.to_string(),
            "compiled": kernels.compiled,
            "cached": kernels.cached,
            "seconds": kernels.seconds,
        }))?;
    } else {
        console.print(&format!(
            "{device}: {} kernel programs compiled, {} already cached, {:.1} s",
            kernels.compiled, kernels.cached, kernels.seconds
        ))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn text(devices: &[DeviceInfo]) -> String {
    let row = |info: &DeviceInfo| {
        let units =
            info.units.map(|n| if info.simd.is_some() { format!("{n} threads") } else { format!("{n} SMs") });
        let kind = info.simd.map(str::to_owned);
        let kind = kind.or_else(|| info.compute_capability.as_ref().map(|cc| format!("compute {cc}")));
        vec![
            info.device.clone(),
            if info.usable { "usable".into() } else { "not usable".into() },
            info.name.clone().unwrap_or_default(),
            info.memory.map(|bytes| format!("{}B", with_prefix(bytes as f64))).unwrap_or_default(),
            units.unwrap_or_default(),
            kind.unwrap_or_default(),
        ]
    };
    let rows: Vec<Vec<String>> = devices.iter().map(row).collect();
    let mut text = table(&["device", "state", "name", "memory", "units", "instructions"], &rows);
    for info in devices {
        if let Some(reason) = &info.reason {
            text.push_str(&format!("\n{}: {reason}\n", info.device));
        }
    }
    text
}
