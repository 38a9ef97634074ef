//! Comparison of a kernel with its oracle, as printed by `fuzzion selftest`.

use serde::Serialize;

/// Result of comparing one kernel with its oracle over many shapes.
///
/// ```
/// # #[cfg(feature = "bench")] {
/// let checks = fuzzion::selftest_of(&["device"], &fuzzion::Device::cpu()?)?;
/// for check in checks {
///     assert!(check.passed && check.error <= check.bound, "{}", check.kernel);
/// }
/// # }
/// # Ok::<(), fuzzion::Error>(())
/// ```
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct Check {
    /// The kernel, as `module/kernel/variant`.
    pub kernel: String,
    /// Number of cases compared.
    pub cases: usize,
    /// Largest error found.
    pub error: f64,
    /// Largest error allowed.
    pub bound: f64,
    /// Whether `error` is within `bound` (a NaN error never is).
    pub passed: bool,
}

impl Check {
    /// A check without cases that allows errors up to `bound`.
    pub fn new(kernel: impl Into<String>, bound: f64) -> Self {
        Check { kernel: kernel.into(), cases: 0, error: 0.0, bound, passed: true }
    }

    /// Counts one case with its error.
    pub fn case(&mut self, error: f64) {
        self.cases += 1;
        // `max` would drop a NaN, which counts as the worst error.
        if error.is_nan() || error > self.error {
            self.error = error;
        }
        self.passed &= error <= self.bound;
    }

    /// Counts one case per pair of values, with an error relative to the expected value (absolute below 1).
    pub fn compare(
        &mut self,
        found: impl ExactSizeIterator<Item = f64>,
        expected: impl ExactSizeIterator<Item = f64>,
    ) {
        if found.len() != expected.len() {
            self.case(f64::INFINITY); // lengths differ
        }
        for (found, expected) in found.zip(expected) {
            let same = found == expected || (found.is_nan() && expected.is_nan());
            self.case(if same { 0.0 } else { (found - expected).abs() / expected.abs().max(1.0) });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_bad_case_fails_the_check_permanently() {
        let mut check = Check::new("k", 0.5);
        check.case(0.5);
        assert!(check.passed);
        check.case(0.6);
        check.case(0.1);
        assert!(!check.passed && check.error == 0.6 && check.cases == 3);
    }

    #[test]
    fn too_few_values_fail() {
        let mut check = Check::new("k", 1e300);
        check.compare([].into_iter(), [1.0].into_iter());
        assert!(!check.passed);
    }

    #[test]
    fn a_nan_instead_of_a_number_fails() {
        let mut check = Check::new("k", f64::INFINITY);
        check.compare([f64::NAN].into_iter(), [f64::NAN].into_iter());
        assert!(check.passed);
        check.compare([f64::NAN].into_iter(), [1.0].into_iter());
        assert!(!check.passed && check.error.is_nan());
    }
}
