//! What engines disagree about.

/// The engine whose numbers are wanted.
///
/// | | [`Fuzzylite8`](Dialect::Fuzzylite8) | [`Fuzzylite6`](Dialect::Fuzzylite6) | [`Matlab`](Dialect::Matlab) | [`Iec`](Dialect::Iec) |
/// |---|---|---|---|---|
/// | samples of an output's range | 1000 midpoints | 100 midpoints | 101 points, both ends included | 1000 midpoints |
/// | a rule fires if its strength is | > 0 (one of 0 still concludes) | > 1e-6 | > 0 | > 0 |
/// | nothing fires | previous, default, else NaN | the same | the middle of the range (a weighted sum is 0) | as fuzzylite |
/// | sets of the same name | the last is meant | the first is meant | by index | by index |
/// | a set concluded twice, weighted defuzzifiers | joined by the aggregation, a sum without one | the same | two terms of the sum | two terms |
/// | a hedge in a consequent | bends the strength, also of the conclusions after it | the same | bends the set | bends the strength |
/// | smallest, largest of maximum | by y | by y | by the size of y | by y |
/// | bisector | mean of the samples that halve best | the same | the first sample with half of the area | as fuzzylite |
///
/// ```
/// use fuzzion::inference::Dialect;
/// assert_eq!(Dialect::from_name("matlab"), Some(Dialect::Matlab));
/// assert_eq!(Dialect::Matlab.sample_points(0.0, 30.0, None).len(), 101);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Dialect {
    /// Fuzzylite 8, that is pyfuzzylite.
    #[default]
    Fuzzylite8,
    /// Fuzzylite 6 and 7 in C++.
    Fuzzylite6,
    /// MATLAB's Fuzzy Logic Toolbox.
    Matlab,
    /// IEC 61131-7.
    Iec,
}

impl Dialect {
    /// Every dialect.
    pub const ALL: [Dialect; 4] = [Dialect::Fuzzylite8, Dialect::Fuzzylite6, Dialect::Matlab, Dialect::Iec];

    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Dialect::Fuzzylite8 => "fuzzylite8",
            Dialect::Fuzzylite6 => "fuzzylite6",
            Dialect::Matlab => "matlab",
            Dialect::Iec => "iec",
        }
    }

    /// The dialect of that word.
    pub fn from_name(name: &str) -> Option<Self> {
        Dialect::ALL.into_iter().find(|dialect| dialect.name() == name)
    }

    /// Whether a rule of that firing strength fires; NaN never does.
    pub fn fires(self, firing_strength: f64) -> bool {
        firing_strength > if self == Dialect::Fuzzylite6 { 1e-6 } else { 0.0 }
    }

    /// How many samples a defuzzifier takes that does not say.
    pub fn samples(self) -> usize {
        match self {
            Dialect::Fuzzylite8 | Dialect::Iec => 1000,
            Dialect::Fuzzylite6 => 100,
            Dialect::Matlab => 101,
        }
    }

    /// The places where an output's range is sampled.
    pub fn sample_points(self, minimum: f64, maximum: f64, samples: Option<usize>) -> Vec<f64> {
        let n = samples.unwrap_or(self.samples());
        match self {
            Dialect::Matlab => {
                let step = (maximum - minimum) / n.saturating_sub(1).max(1) as f64;
                (0..n)
                    .map(|i| if i > 0 && i + 1 == n { maximum } else { minimum + i as f64 * step })
                    .collect()
            }
            _ => {
                let step = (maximum - minimum) / n as f64;
                (0..n).map(|i| minimum + (i as f64 + 0.5) * step).collect()
            }
        }
    }

    /// Whether a rule that does not fire concludes all the same, with its strength of 0.
    pub(super) fn concludes_without_firing(self) -> bool {
        self == Dialect::Fuzzylite8
    }
}
