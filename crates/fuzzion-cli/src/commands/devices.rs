//! `fuzzion devices`

use crate::console::{Console, table, with_prefix};
use fuzzion::device::{DeviceInfo, list};
use std::process::ExitCode;

/// List every back end of this machine, usable or not, and why not
#[derive(clap::Args)]
#[command(after_help = "Examples:
  fuzzion devices                 what this machine can compute on
  fuzzion devices --json          the same for a program")]
pub(crate) struct Devices {}

impl Devices {
    pub(crate) fn run(&self, wanted: &str, console: &Console) -> fuzzion::Result<ExitCode> {
        let all = wanted == "cpu" || wanted == "best"; // the CPU is what stands for nothing asked
        let wanted = if wanted == "cuda" { "cuda:0" } else { wanted };
        let devices: Vec<DeviceInfo> =
            list().into_iter().filter(|info| all || info.device == wanted).collect();
        if console.json() {
            console.say_json(&serde_json::json!({ "devices": devices }))?;
        } else {
            console.say(&text(&devices))?;
        }
        Ok(ExitCode::SUCCESS)
    }
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
