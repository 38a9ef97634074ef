//! Self-test: compares every kernel with its oracle on the user's machine.

use crate::device::{Check, ceilings};
use crate::{arithmetic, clustering, image, inference, sets, sonfin, tuning};
use fuzzion::{Device, Result};

type Checks = fn(&Device) -> Result<Vec<Check>>;

/// The checks of each module.
const MODULES: [(&str, Checks); 8] = [
    ("device", ceilings::checks),
    ("sets", sets::selftest::checks),
    ("arithmetic", arithmetic::selftest::checks),
    ("clustering", clustering::selftest::checks),
    ("inference", inference::selftest::checks),
    ("image", image::selftest::checks),
    ("tuning", tuning::selftest::checks),
    ("sonfin", sonfin::selftest::checks),
];

/// Names of the modules covered by [`selftest`].
pub fn selftest_modules() -> Vec<&'static str> {
    MODULES.iter().map(|(name, _)| *name).collect()
}

/// Compares every kernel of `device` with its oracle on random inputs of many shapes.
///
/// ```
/// let checks = fuzzion_bench::selftest(&"cpu".parse()?)?;
/// assert!(checks.iter().all(|check| check.passed));
/// # Ok::<(), fuzzion::Error>(())
/// ```
///
/// # Errors
/// Errors of the device, and [`Error::Interrupted`](fuzzion::Error::Interrupted). A wrong result is not an error but a
/// [`Check`] that did not pass.
pub fn selftest(device: &Device) -> Result<Vec<Check>> {
    selftest_of(&selftest_modules(), device)
}

/// Like [`selftest`], restricted to the modules `names`.
///
/// # Errors
/// As [`selftest`].
pub fn selftest_of(names: &[&str], device: &Device) -> Result<Vec<Check>> {
    let mut checks = Vec::new();
    let modules: Vec<_> = MODULES.iter().filter(|(name, _)| names.contains(name)).collect();
    for (i, (_, module_checks)) in modules.iter().enumerate() {
        device.progress().report(i as u64, modules.len() as u64)?;
        checks.extend(module_checks(&device.without_progress())?);
    }
    // A check without cases does not pass.
    checks.iter_mut().for_each(|check| check.passed &= check.cases > 0);
    Ok(checks)
}
