//! How a concluded fuzzy set becomes a number.

/// How a concluded fuzzy set becomes a number; names are fuzzylite's.
///
/// `samples` is how many places of the output's range are looked at; `None` takes the dialect's number.
///
/// ```
/// use fuzzion::inference::{Defuzzifier, Weighted};
/// assert_eq!(Defuzzifier::from_name("Centroid"), Some(Defuzzifier::Centroid { samples: None }));
/// assert_eq!(Defuzzifier::WeightedSum { kind: Weighted::Automatic }.name(), "WeightedSum");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[non_exhaustive]
#[allow(missing_docs)] // `samples` and `kind` are explained above and at `Weighted`
pub enum Defuzzifier {
    /// The center of gravity, equation (3).
    Centroid { samples: Option<usize> },
    /// Where the area is halved.
    Bisector { samples: Option<usize> },
    /// The smallest y of the highest membership.
    SmallestOfMaximum { samples: Option<usize> },
    /// The largest y of the highest membership.
    LargestOfMaximum { samples: Option<usize> },
    /// The mean of the y of the highest membership.
    MeanOfMaximum { samples: Option<usize> },
    /// Equation (4).
    WeightedAverage { kind: Weighted },
    /// Equation (4) without the division.
    WeightedSum { kind: Weighted },
}

/// What z is in equation (4).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub enum Weighted {
    /// Tsukamoto's for a monotone set, Takagi-Sugeno's for every other.
    #[default]
    Automatic,
    /// The value of a Constant, Linear or Function; μ(w) of any other set.
    TakagiSugeno,
    /// The y with μ(y) = w.
    Tsukamoto,
}

impl Weighted {
    /// Every kind.
    pub const ALL: [Weighted; 3] = [Weighted::Automatic, Weighted::TakagiSugeno, Weighted::Tsukamoto];

    /// The name in fuzzylite and its files.
    pub fn name(self) -> &'static str {
        match self {
            Weighted::Automatic => "Automatic",
            Weighted::TakagiSugeno => "TakagiSugeno",
            Weighted::Tsukamoto => "Tsukamoto",
        }
    }

    /// The kind of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Weighted::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

impl Defuzzifier {
    /// Every defuzzifier, each as it is without parameters.
    pub const ALL: [Defuzzifier; 7] = [
        Defuzzifier::Centroid { samples: None },
        Defuzzifier::Bisector { samples: None },
        Defuzzifier::SmallestOfMaximum { samples: None },
        Defuzzifier::LargestOfMaximum { samples: None },
        Defuzzifier::MeanOfMaximum { samples: None },
        Defuzzifier::WeightedAverage { kind: Weighted::Automatic },
        Defuzzifier::WeightedSum { kind: Weighted::Automatic },
    ];

    /// The name in fuzzylite and its files.
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

    /// The defuzzifier of that name, without parameters.
    pub fn from_name(name: &str) -> Option<Self> {
        Defuzzifier::ALL.into_iter().find(|defuzzifier| defuzzifier.name() == name)
    }

    /// Whether it looks at the concluded set's memberships, and therefore needs an implication and an aggregation.
    pub fn is_sampled(self) -> bool {
        self.kind().is_none()
    }

    /// How many samples were asked for.
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

    /// The same with that number of samples; a weighted one takes none and stays.
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

    /// What z is, where it is weighted.
    pub fn kind(self) -> Option<Weighted> {
        match self {
            Defuzzifier::WeightedAverage { kind } | Defuzzifier::WeightedSum { kind } => Some(kind),
            _ => None,
        }
    }
}
