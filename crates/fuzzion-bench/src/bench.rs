//! Benchmarks of all modules, relative to the ceilings of the machine.

use crate::device::{Measurement, ceilings};
use crate::{arithmetic, clustering, image, inference, sets, sonfin};
use fuzzion::{Device, Progress, Result};

type Bench = fn(&Device, &Progress) -> Result<Vec<Measurement>>;

/// The benchmarks by name.
const BENCHES: [(&str, Bench); 8] = [
    ("ceilings", ceilings::bench),
    ("sets", sets::bench::bench),
    ("arithmetic", arithmetic::bench::bench),
    ("clustering", clustering::bench::bench),
    ("inference", inference::bench::bench),
    ("image", image::bench::bench),
    ("tuning", tuning),
    ("sonfin", sonfin::bench::bench),
];

/// The benchmark of `tuning`, followed by a comparison with `sonfin` on the same tables.
fn tuning(device: &Device, progress: &Progress) -> Result<Vec<Measurement>> {
    let mut measurements = crate::tuning::bench::bench(device, progress)?;
    measurements.extend(crate::learners::bench(device, progress)?);
    Ok(measurements)
}

/// Names of the benchmarks.
pub fn bench_names() -> Vec<&'static str> {
    BENCHES.iter().map(|(name, _)| *name).collect()
}

/// Runs the benchmark `name` on `device`; `None` if the name is unknown.
///
/// # Errors
/// Errors of the device, and [`Error::Interrupted`](fuzzion::Error::Interrupted).
pub fn bench(name: &str, device: &Device) -> Result<Option<Vec<Measurement>>> {
    let found = BENCHES.iter().find(|(known, _)| *known == name);
    found.map(|(_, bench)| bench(&device.without_progress(), device.progress())).transpose()
}
