//! Defuzzification methods.

use crate::macros::named;
use serde::{Deserialize, Serialize};
use std::fmt;

/// Defuzzification method, with the name used by fuzzylite.
///
/// The text form is that of FLL: the name, followed by the number of samples or the kind unless it is the default.
///
/// `samples` is the number of samples of the output range; `None` uses
/// [`Dialect::default_samples`](crate::inference::Dialect::default_samples).
///
/// ```
/// use fuzzion::inference::{Defuzzifier, WeightedKind};
/// assert_eq!("Centroid 200".parse::<Defuzzifier>()?, Defuzzifier::Centroid { samples: Some(200) });
/// assert_eq!(Defuzzifier::WeightedSum { kind: WeightedKind::Tsukamoto }.to_string(), "WeightedSum Tsukamoto");
/// # Ok::<(), fuzzion::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[non_exhaustive]
#[allow(missing_docs)] // `samples` is documented above, `kind` at `WeightedKind`
pub enum Defuzzifier {
    /// Center of gravity, Equation (3).
    Centroid { samples: Option<usize> },
    /// The y that splits the area in half.
    Bisector { samples: Option<usize> },
    /// Smallest y of maximum membership.
    SmallestOfMaximum { samples: Option<usize> },
    /// Largest y of maximum membership.
    LargestOfMaximum { samples: Option<usize> },
    /// Mean of all y of maximum membership.
    MeanOfMaximum { samples: Option<usize> },
    /// Weighted average, Equation (4).
    WeightedAverage { kind: WeightedKind },
    /// Weighted sum, Equation (4) without the division.
    WeightedSum { kind: WeightedKind },
}

named! {
    /// Definition of the consequent value z in Equation (4).
    ///
    /// ```
    /// use fuzzion::inference::{Defuzzifier, WeightedKind};
    /// let average: Defuzzifier = "WeightedAverage Tsukamoto".parse()?;
    /// assert_eq!(average.kind(), Some(WeightedKind::Tsukamoto));
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
    #[non_exhaustive]
    pub enum WeightedKind("weighted defuzzifier") {
        /// Tsukamoto for monotonic sets, Takagi-Sugeno for all others.
        #[default]
        Automatic = "Automatic",
        /// Value of a Constant, Linear or Function; μ(w) of any other set.
        TakagiSugeno = "TakagiSugeno",
        /// The y with μ(y) = w.
        Tsukamoto = "Tsukamoto",
    }
}

impl Defuzzifier {
    /// All defuzzifiers with default parameters.
    pub const ALL: [Defuzzifier; 7] = [
        Defuzzifier::Centroid { samples: None },
        Defuzzifier::Bisector { samples: None },
        Defuzzifier::SmallestOfMaximum { samples: None },
        Defuzzifier::LargestOfMaximum { samples: None },
        Defuzzifier::MeanOfMaximum { samples: None },
        Defuzzifier::WeightedAverage { kind: WeightedKind::Automatic },
        Defuzzifier::WeightedSum { kind: WeightedKind::Automatic },
    ];

    /// Name in fuzzylite.
    pub fn name(self) -> &'static str {
        match self {
            Defuzzifier::Centroid { .. } => "Centroid",
            Defuzzifier::Bisector { .. } => "Bisector",
            Defuzzifier::SmallestOfMaximum { .. } => "SmallestOfMaximum",
            Defuzzifier::LargestOfMaximum { .. } => "LargestOfMaximum",
            Defuzzifier::MeanOfMaximum { .. } => "MeanOfMaximum",
            Defuzzifier::WeightedAverage { .. } => "WeightedAverage",
            Defuzzifier::WeightedSum { .. } => "WeightedSum",
        }
    }

    /// Whether the method samples the aggregated set, and therefore needs an implication and an aggregation.
    pub fn is_sampled(self) -> bool {
        self.kind().is_none()
    }

    /// Number of samples, if specified.
    pub fn samples(self) -> Option<usize> {
        match self {
            Defuzzifier::Centroid { samples }
            | Defuzzifier::Bisector { samples }
            | Defuzzifier::SmallestOfMaximum { samples }
            | Defuzzifier::LargestOfMaximum { samples }
            | Defuzzifier::MeanOfMaximum { samples } => samples,
            Defuzzifier::WeightedAverage { .. } | Defuzzifier::WeightedSum { .. } => None,
        }
    }

    /// Sets the number of samples; weighted defuzzifiers are returned unchanged.
    ///
    /// ```
    /// use fuzzion::inference::Defuzzifier;
    /// let centroid = Defuzzifier::Centroid { samples: None }.with_samples(Some(50));
    /// assert_eq!((centroid.samples(), centroid.is_sampled()), (Some(50), true));
    /// ```
    pub fn with_samples(self, samples: Option<usize>) -> Self {
        match self {
            Defuzzifier::Centroid { .. } => Defuzzifier::Centroid { samples },
            Defuzzifier::Bisector { .. } => Defuzzifier::Bisector { samples },
            Defuzzifier::SmallestOfMaximum { .. } => Defuzzifier::SmallestOfMaximum { samples },
            Defuzzifier::LargestOfMaximum { .. } => Defuzzifier::LargestOfMaximum { samples },
            Defuzzifier::MeanOfMaximum { .. } => Defuzzifier::MeanOfMaximum { samples },
            weighted => weighted,
        }
    }

    /// Kind of a weighted defuzzifier.
    pub fn kind(self) -> Option<WeightedKind> {
        match self {
            Defuzzifier::WeightedAverage { kind } | Defuzzifier::WeightedSum { kind } => Some(kind),
            _ => None,
        }
    }
}

impl fmt::Display for Defuzzifier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())?;
        match (self.kind(), self.samples()) {
            (Some(kind), _) if kind != WeightedKind::Automatic => write!(f, " {kind}"),
            (_, Some(samples)) => write!(f, " {samples}"),
            _ => Ok(()),
        }
    }
}
