//! Does this machine compute what it should? Every kernel against its oracle, without a Rust toolchain.

use crate::arithmetic;
use crate::clustering;
use crate::device::{Check, Device, ceilings};
use crate::error::Result;
use crate::inference;
use crate::progress::Progress;
use crate::sets;
use crate::sonfin;
use crate::tuning;

type Checks = fn(&Device) -> Result<Vec<Check>>;

/// The rooms' checks, in the order of the house.
const ROOMS: [(&str, Checks); 8] = [
    ("device", ceilings::checks),
    ("sets", sets::selftest::checks),
    ("arithmetic", arithmetic::selftest::checks),
    ("clustering", clustering::selftest::checks),
    ("inference", inference::selftest::checks),
    ("image", inference::image::selftest::checks),
    ("tuning", tuning::selftest::checks),
    ("sonfin", sonfin::selftest::checks),
];

/// The rooms whose kernels [`selftest`] compares.
pub fn selftest_rooms() -> Vec<&'static str> {
    ROOMS.iter().map(|(name, _)| *name).collect()
}

/// Compares every kernel of `device` with its oracle on random inputs of many shapes.
///
/// ```
/// let checks = fuzzion::selftest(&"cpu".parse()?, fuzzion::Progress::none())?;
/// assert!(checks.iter().all(|check| check.passed));
/// # Ok::<(), fuzzion::Error>(())
/// ```
///
/// # Errors
/// What the device refuses, and [`Error::Interrupted`](crate::Error::Interrupted); a kernel that computes wrongly
/// is no error but a [`Check`] that did not pass.
pub fn selftest(device: &Device, progress: Progress<'_>) -> Result<Vec<Check>> {
    selftest_of(&selftest_rooms(), device, progress)
}

/// As [`selftest`], of the rooms called `names` alone.
///
/// # Errors
/// As [`selftest`].
pub fn selftest_of(names: &[&str], device: &Device, progress: Progress<'_>) -> Result<Vec<Check>> {
    let mut checks = Vec::new();
    let rooms: Vec<_> = ROOMS.iter().filter(|(name, _)| names.contains(name)).collect();
    for (i, (_, room)) in rooms.iter().enumerate() {
        progress.report(i as u64, rooms.len() as u64)?;
        checks.extend(room(device)?);
    }
    // A check that saw nothing proves nothing.
    checks.iter_mut().for_each(|check| check.passed &= check.cases > 0);
    Ok(checks)
}
