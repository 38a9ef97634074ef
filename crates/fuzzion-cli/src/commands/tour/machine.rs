//! What this machine is, and whether it computes what it should.

use super::Guide;
use crate::page::Section;
use fuzzion::{Progress, Result, device, selftest};
use std::collections::BTreeMap;

pub(super) fn machine(guide: &Guide<'_>) -> Result<Section> {
    let devices: Vec<Vec<String>> = device::list()
        .into_iter()
        .map(|info| {
            let kind = info.simd.map(str::to_owned).or(info.compute_capability).unwrap_or_default();
            let state = info.reason.unwrap_or_else(|| "usable".into());
            vec![info.device, info.name.unwrap_or_default(), kind, state]
        })
        .collect();
    // One line per room: how many kernels, and the largest error as a share of what is allowed.
    let mut rooms: BTreeMap<String, (usize, usize, f64)> = BTreeMap::new();
    for check in selftest(guide.device, Progress::none())? {
        let room = check.kernel.split('/').next().unwrap_or_default().to_owned();
        let (kernels, passed, worst) = rooms.entry(room).or_default();
        *kernels += 1;
        *passed += usize::from(check.passed);
        let share = if check.error == 0.0 { 0.0 } else { check.error / check.bound };
        *worst = worst.max(share);
    }
    let rooms: Vec<Vec<String>> = rooms
        .into_iter()
        .map(|(room, (kernels, passed, worst))| {
            vec![room, kernels.to_string(), passed.to_string(), format!("{:.0} %", worst * 100.0)]
        })
        .collect();
    Ok(Section::new("This machine")
        .command("fuzzion devices")
        .table(&["device", "name", "instructions", "state"], &devices)
        .text("Every kernel is compared with a textbook formula on random numbers:")
        .command(format!("fuzzion selftest --device {}", guide.device))
        .table(&["room", "kernels", "passed", "largest error / bound"], &rooms))
}
