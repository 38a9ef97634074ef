//! The devices of this machine and the results of the self-test.

use crate::commands::tour::guide::Guide;
use crate::page::Section;
use fuzzion::{Result, device};
use fuzzion_bench::selftest;
use std::collections::BTreeMap;

pub(crate) fn machine(guide: &Guide<'_>) -> Result<Section> {
    let devices: Vec<Vec<String>> = device::list()
        .into_iter()
        .map(|info| {
            let kind = info.simd.map(str::to_owned).or(info.compute_capability).unwrap_or_default();
            let state = info.reason.unwrap_or_else(|| "usable".into());
            vec![info.device, info.name.unwrap_or_default(), kind, state]
        })
        .collect();
    // Per module: number of kernels, number of passed kernels, and largest error relative to its bound.
    let mut modules: BTreeMap<String, (usize, usize, f64)> = BTreeMap::new();
    for check in selftest(guide.device)? {
        let module = check.kernel.split('/').next().unwrap_or_default().to_owned();
        let (kernels, passed, max_ratio) = modules.entry(module).or_default();
        *kernels += 1;
        *passed += usize::from(check.passed);
        let ratio = if check.error == 0.0 { 0.0 } else { check.error / check.bound };
        *max_ratio = max_ratio.max(ratio);
    }
    let modules: Vec<Vec<String>> = modules
        .into_iter()
        .map(|(module, (kernels, passed, max_ratio))| {
            vec![module, kernels.to_string(), passed.to_string(), format!("{:.0} %", max_ratio * 100.0)]
        })
        .collect();
    Ok(Section::new("This machine")
        .command("fuzzion devices")
        .table(&["device", "name", "instructions", "state"], &devices)
        .text("The self-test compares every kernel with its reference implementation on random inputs:")
        .command(format!("fuzzion selftest --device {}", guide.device))
        .table(&["module", "kernels", "passed", "largest error / bound"], &modules))
}
