//! How fast is this machine, and how near to its own limits?

mod learners;

use crate::arithmetic;
use crate::clustering;
use crate::device::{Device, Measurement, ceilings};
use crate::error::Result;
use crate::inference;
use crate::progress::Progress;
use crate::sets;
use crate::sonfin;

type Bench = fn(&Device, Progress<'_>) -> Result<Vec<Measurement>>;

/// The benchmarks by name, in the order of the house.
const BENCHES: [(&str, Bench); 8] = [
    ("ceilings", ceilings::bench),
    ("sets", sets::bench::bench),
    ("arithmetic", arithmetic::bench::bench),
    ("clustering", clustering::bench::bench),
    ("inference", inference::bench::bench),
    ("image", inference::image::bench::bench),
    ("tuning", tuning),
    ("sonfin", sonfin::bench::bench),
];

/// The room's own, and what it takes to learn the same table by rules that grow.
fn tuning(device: &Device, progress: Progress<'_>) -> Result<Vec<Measurement>> {
    let mut measurements = crate::tuning::bench::bench(device, progress)?;
    measurements.extend(learners::bench(device, progress)?);
    Ok(measurements)
}

/// The names [`bench()`] knows.
pub fn bench_names() -> Vec<&'static str> {
    BENCHES.iter().map(|(name, _)| *name).collect()
}

/// Runs the benchmark called `name` on `device`; `None` for a name it does not know.
///
/// # Errors
/// What the device refuses, and [`Error::Interrupted`](crate::Error::Interrupted).
pub fn bench(name: &str, device: &Device, progress: Progress<'_>) -> Result<Option<Vec<Measurement>>> {
    let found = BENCHES.iter().find(|(known, _)| *known == name);
    found.map(|(_, bench)| bench(device, progress)).transpose()
}
