//! What an explanation holds.

use crate::inference::{Defuzzifier, Dialect, Source};

/// Why a system concludes what it does from one row; its text is for people.
#[derive(Clone, Debug, PartialEq)]
pub struct Explanation {
    /// The system's name.
    pub system: String,
    /// Whose numbers these are.
    pub dialect: Dialect,
    /// What went in.
    pub inputs: Vec<ExplainedInput>,
    /// Every rule, block after block.
    pub rules: Vec<ExplainedRule>,
    /// What came out.
    pub outputs: Vec<ExplainedOutput>,
}

/// An input and how far its value belongs to each of its sets.
#[derive(Clone, Debug, PartialEq)]
pub struct ExplainedInput {
    /// Its name.
    pub name: String,
    /// The value that was given.
    pub given: f64,
    /// The value that was used: the given one, moved into the range where that is locked.
    pub value: f64,
    /// Whether it takes part.
    pub enabled: bool,
    /// The names of its sets and the memberships of the value in them.
    pub memberships: Vec<(String, f64)>,
}

/// A proposition and its membership, hedges included.
#[derive(Clone, Debug, PartialEq)]
pub struct ExplainedProposition {
    /// `service is very good`.
    pub text: String,
    /// How far it holds.
    pub membership: f64,
}

/// Whether a rule fired, and why not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Standing {
    /// It fired.
    Fired,
    /// Its strength is not enough, or not a number.
    TooWeak,
    /// It could have fired, but its block's activation chose others.
    NotChosen,
    /// Its block is not enabled.
    Disabled,
}

impl Standing {
    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Standing::Fired => "fired",
            Standing::TooWeak => "too weak",
            Standing::NotChosen => "not chosen",
            Standing::Disabled => "disabled",
        }
    }
}

/// A rule and how far it applied.
#[derive(Clone, Debug, PartialEq)]
pub struct ExplainedRule {
    /// Its text.
    pub text: String,
    /// Its block, by its number.
    pub block: usize,
    /// The propositions of its antecedent in the order of the text.
    pub propositions: Vec<ExplainedProposition>,
    /// What its antecedent was multiplied by.
    pub weight: f64,
    /// wᵣ, its firing strength.
    pub strength: f64,
    /// Whether it fired.
    pub standing: Standing,
}

/// What one conclusion of a rule contributes to an output.
#[derive(Clone, Debug, PartialEq)]
pub struct Contribution {
    /// The rule, by its number.
    pub rule: usize,
    /// The set it concluded.
    pub set: String,
    /// The strength it concluded it with, after the consequent's hedges.
    pub strength: f64,
    /// sᵣ; those of an output add up to 1 where there is anything to share.
    pub share: f64,
    /// zᵣ: the consequent's value, or the center of what the rule supplies of the area.
    pub value: Option<f64>,
    /// pᵣ; those of an output add up to [`ExplainedOutput::defuzzified`].
    pub part: Option<f64>,
}

/// The aggregated set of an output at the places where it was sampled.
#[derive(Clone, Debug, PartialEq)]
pub struct Aggregated {
    /// The places.
    pub places: Vec<f64>,
    /// The memberships there.
    pub memberships: Vec<f64>,
}

/// An output and where its number comes from.
#[derive(Clone, Debug, PartialEq)]
pub struct ExplainedOutput {
    /// Its name.
    pub name: String,
    /// The lower and the upper end of its range.
    pub range: (f64, f64),
    /// How its number was made.
    pub defuzzifier: Defuzzifier,
    /// Its number.
    pub value: f64,
    /// Where the number comes from.
    pub source: Source,
    /// What the rules amount to, before anything scaled it, took its place or moved it; NaN where they amount to nothing.
    pub defuzzified: f64,
    /// What that is multiplied by.
    pub scale: f64,
    /// Whether any rule about it fired.
    pub fired: bool,
    /// What was concluded about it, in that order.
    pub contributions: Vec<Contribution>,
    /// The aggregated set, where the defuzzifier looks at it.
    pub aggregated: Option<Aggregated>,
}

impl ExplainedOutput {
    /// Where the number comes from, in words that follow `tip = 15`.
    pub fn why(&self) -> String {
        let missing =
            if self.fired { "what its rules concluded is no number" } else { "no rule about it fired" };
        let samples = self.aggregated.as_ref().map_or(0, |aggregated| aggregated.places.len());
        let why = match self.source {
            Source::Rules if !self.fired => "a sum over no rule".to_owned(),
            Source::Rules if self.defuzzified.is_nan() => missing.to_owned(),
            Source::Rules => match self.defuzzifier {
                Defuzzifier::Centroid { .. } => format!("the centroid at {samples} samples"),
                Defuzzifier::Bisector { .. } => format!("the bisector at {samples} samples"),
                Defuzzifier::SmallestOfMaximum { .. } => {
                    format!("the smallest of the maximum at {samples} samples")
                }
                Defuzzifier::LargestOfMaximum { .. } => {
                    format!("the largest of the maximum at {samples} samples")
                }
                Defuzzifier::MeanOfMaximum { .. } => format!("the mean of the maximum at {samples} samples"),
                Defuzzifier::WeightedAverage { .. } => "the weighted average".to_owned(),
                Defuzzifier::WeightedSum { .. } => "the weighted sum".to_owned(),
            },
            Source::Previous => format!("the value of the row before, since {missing}"),
            Source::Default => format!("its default, since {missing}"),
            Source::Middle => format!("the middle of its range, since {missing}"),
            Source::Nowhere => format!("since {missing}, and it has no default"),
            Source::Disabled => "the value of the row before, since it is not enabled".to_owned(),
        };
        if self.source != Source::Rules || self.defuzzified.is_nan() {
            return why;
        }
        let brief = super::brief;
        let scaled = self.scale * self.defuzzified;
        let times = if self.scale == 1.0 {
            String::new()
        } else {
            format!(", times its scale {}", brief(self.scale))
        };
        match (self.value == scaled, times.is_empty()) {
            (true, true) => why,
            (true, false) => format!("{why}, {}{times}", brief(self.defuzzified)),
            (false, _) => format!("{why}, {}{times}, moved into its range", brief(self.defuzzified)),
        }
    }

    /// Where the number stands among the output's sets: before the scale.
    pub(in crate::inference) fn place(&self) -> f64 {
        self.value / self.scale
    }
}
