//! Differences between inference engines.

use crate::macros::named;
use serde::{Deserialize, Serialize};

named! {
    /// Inference engine whose results are reproduced.
    ///
    /// | | [`Fuzzylite8`](Dialect::Fuzzylite8) | [`Fuzzylite6`](Dialect::Fuzzylite6) | [`Matlab`](Dialect::Matlab) | [`Iec`](Dialect::Iec) |
    /// |---|---|---|---|---|
    /// | samples of the output range | 1000 midpoints | 100 midpoints | 101 points including both ends | 1000 midpoints |
    /// | a rule fires if its strength is | > 0 (strength 0 still activates its sets) | > 1e-6 | > 0 | > 0 |
    /// | no rule fires | previous value, default, or NaN | as fuzzylite 8 | midpoint of the range (weighted sum: 0) | as fuzzylite |
    /// | sets with equal names | last | first | by index | by index |
    /// | set activated twice, weighted defuzzifiers | combined by the aggregation, or summed if there is none | as fuzzylite 8 | separate terms | as fuzzylite 8 |
    /// | hedge in a consequent | applies to the strength, also of the conclusions after it | as fuzzylite 8 | `not` applies to the set, others to the strength | applies to the strength |
    /// | smallest and largest of maximum | by y | by y | by abs(y) | by y |
    /// | bisector | mean of the samples that split the area best | as fuzzylite 8 | first sample with half of the area | as fuzzylite |
    ///
    /// ```
    /// use fuzzion::inference::Dialect;
    /// assert_eq!("matlab".parse(), Ok(Dialect::Matlab));
    /// assert_eq!(Dialect::Matlab.sample_points(0.0, 30.0, None).len(), 101);
    /// ```
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "lowercase")]
    #[non_exhaustive]
    pub enum Dialect("dialect") {
        /// Fuzzylite 8 (pyfuzzylite).
        #[default]
        Fuzzylite8 = "fuzzylite8",
        /// Fuzzylite 6 and 7 (C++).
        Fuzzylite6 = "fuzzylite6",
        /// MATLAB's Fuzzy Logic Toolbox.
        Matlab = "matlab",
        /// IEC 61131-7.
        Iec = "iec",
    }
}

impl Dialect {
    /// Whether a rule with the given firing strength fires; NaN never fires.
    ///
    /// ```
    /// use fuzzion::inference::Dialect;
    /// assert!(Dialect::Fuzzylite8.fires(1e-7) && !Dialect::Fuzzylite6.fires(1e-7));
    /// ```
    pub fn fires(self, firing_strength: f64) -> bool {
        firing_strength > if self == Dialect::Fuzzylite6 { 1e-6 } else { 0.0 }
    }

    /// Default number of samples of a defuzzifier.
    pub fn default_samples(self) -> usize {
        match self {
            Dialect::Fuzzylite8 | Dialect::Iec => 1000,
            Dialect::Fuzzylite6 => 100,
            Dialect::Matlab => 101,
        }
    }

    /// Points at which the output range is sampled.
    ///
    /// ```
    /// use fuzzion::inference::Dialect;
    /// assert_eq!(Dialect::Fuzzylite8.sample_points(0.0, 2.0, Some(2)), [0.5, 1.5]);
    /// assert_eq!(Dialect::Matlab.sample_points(0.0, 2.0, Some(2)), [0.0, 2.0]);
    /// ```
    pub fn sample_points(self, minimum: f64, maximum: f64, samples: Option<usize>) -> Vec<f64> {
        let n = samples.unwrap_or(self.default_samples());
        let step = self.sample_step(minimum, maximum, n);
        match self {
            Dialect::Matlab => (0..n)
                .map(|i| if i > 0 && i + 1 == n { maximum } else { minimum + i as f64 * step })
                .collect(),
            _ => (0..n).map(|i| minimum + (i as f64 + 0.5) * step).collect(),
        }
    }

    /// Distance between two of `n` samples.
    pub(in crate::inference) fn sample_step(self, minimum: f64, maximum: f64, n: usize) -> f64 {
        let steps = if self == Dialect::Matlab { n.saturating_sub(1).max(1) } else { n };
        (maximum - minimum) / steps as f64
    }

    /// Whether a rule that does not fire still activates its sets, with strength 0.
    pub(in crate::inference) fn activates_without_firing(self) -> bool {
        self == Dialect::Fuzzylite8
    }

    /// Whether several activations of a set are one term of Equation (4).
    pub(in crate::inference) fn groups_equal_sets(self) -> bool {
        self != Dialect::Matlab
    }
}
