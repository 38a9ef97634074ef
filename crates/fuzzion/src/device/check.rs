//! The outcome of comparing a kernel with its oracle, as `fuzzion selftest` prints it.

use serde::Serialize;

/// One kernel compared with its oracle over many shapes.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct Check {
    /// The kernel, as `room/kernel/variant`.
    pub kernel: String,
    /// How many inputs it was compared on.
    pub cases: usize,
    /// The largest error seen.
    pub error: f64,
    /// The largest error allowed.
    pub bound: f64,
    /// Whether `error` is within `bound` (an error that is not a number never is).
    pub passed: bool,
}

impl Check {
    /// A check that has seen no case yet and allows errors up to `bound`.
    pub(crate) fn new(kernel: impl Into<String>, bound: f64) -> Self {
        Check { kernel: kernel.into(), cases: 0, error: 0.0, bound, passed: true }
    }

    /// Counts one case with its error.
    pub(crate) fn case(&mut self, error: f64) {
        self.cases += 1;
        // `max` would drop a NaN, which is the worst error there is.
        if error.is_nan() || error > self.error {
            self.error = error;
        }
        self.passed &= error <= self.bound;
    }

    /// Counts one case per pair of numbers, its error relative to the expected one (absolute below 1).
    pub(crate) fn numbers(
        &mut self,
        found: impl ExactSizeIterator<Item = f64>,
        expected: impl ExactSizeIterator<Item = f64>,
    ) {
        if found.len() != expected.len() {
            self.case(f64::INFINITY); // too many or too few
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
    fn one_bad_case_fails_the_check_whatever_comes_after() {
        let mut check = Check::new("k", 0.5);
        check.case(0.5);
        assert!(check.passed);
        check.case(0.6);
        check.case(0.1);
        assert!(!check.passed && check.error == 0.6 && check.cases == 3);
    }

    #[test]
    fn too_few_numbers_fail() {
        let mut check = Check::new("k", 1e300);
        check.numbers([].into_iter(), [1.0].into_iter());
        assert!(!check.passed);
    }

    #[test]
    fn a_nan_where_a_number_belongs_fails() {
        let mut check = Check::new("k", f64::INFINITY);
        check.numbers([f64::NAN].into_iter(), [f64::NAN].into_iter());
        assert!(check.passed);
        check.numbers([f64::NAN].into_iter(), [1.0].into_iter());
        assert!(!check.passed && check.error.is_nan());
    }
}
