//! Does this machine compute what it should? Every kernel against its oracle, without a Rust toolchain.

use crate::clustering;
use crate::device::{Check, Device, ceilings};
use crate::error::Result;
use crate::inference;
use crate::progress::Progress;
use crate::sets;

type Checks = fn(&Device) -> Result<Vec<Check>>;

/// The rooms' checks, in the order of the house.
const ROOMS: [Checks; 4] =
    [ceilings::checks, sets::selftest::checks, clustering::selftest::checks, inference::selftest::checks];

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
    let mut checks = Vec::new();
    for (i, room) in ROOMS.iter().enumerate() {
        progress.report(i as u64, ROOMS.len() as u64)?;
        checks.extend(room(device)?);
    }
    // A check that saw nothing proves nothing.
    checks.iter_mut().for_each(|check| check.passed &= check.cases > 0);
    Ok(checks)
}
