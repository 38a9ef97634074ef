//! Named quantities and their named sets.

use super::defuzzifier::{Defuzzifier, Weighted};
use crate::sets::{SNorm, Set, Shape};

/// A fuzzy set and the word rules use for it.
#[derive(Clone, Debug, PartialEq)]
pub struct NamedSet {
    /// The word.
    pub name: String,
    /// The set.
    pub set: Set,
}

/// A quantity with a range and named sets.
///
/// ```
/// use fuzzion::{inference::Variable, sets::Set};
/// let service = Variable::new("service", 0.0, 10.0).set("poor", Set::gaussian(0.0, 1.5)?);
/// assert_eq!(service.sets[0].name, "poor");
/// # Ok::<(), fuzzion::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Variable {
    /// The word rules use for it.
    pub name: String,
    /// What it is, for readers.
    pub description: String,
    /// Whether it takes part; a proposition about an input that does not has membership 0.
    pub enabled: bool,
    /// The lower end of its range.
    pub minimum: f64,
    /// The upper end of its range.
    pub maximum: f64,
    /// Whether values outside the range are moved to its nearer end.
    pub lock_range: bool,
    /// Its sets.
    pub sets: Vec<NamedSet>,
}

impl Variable {
    /// A variable without sets.
    pub fn new(name: impl Into<String>, minimum: f64, maximum: f64) -> Self {
        Variable {
            name: name.into(),
            description: String::new(),
            enabled: true,
            minimum,
            maximum,
            lock_range: false,
            sets: Vec::new(),
        }
    }

    /// The same with one more set.
    pub fn set(mut self, name: impl Into<String>, set: Set) -> Self {
        self.sets.push(NamedSet { name: name.into(), set });
        self
    }

    /// The same with values kept within the range, or not.
    pub fn lock_range(mut self, lock: bool) -> Self {
        self.lock_range = lock;
        self
    }

    /// The same as an input from a column of a table: files whose names are identifiers still tell which column it was.
    pub(crate) fn described_by_column(mut self, column: &str) -> Self {
        let plain = column.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        if self.name != column || !plain || column.starts_with(|c: char| c.is_ascii_digit()) {
            column.clone_into(&mut self.description);
        }
        self
    }

    /// `value`, moved into the range where it is locked.
    pub(super) fn locked(&self, value: f64) -> f64 {
        // Not `clamp`: it panics on a reversed range. NaN stays.
        if self.lock_range && value < self.minimum {
            self.minimum
        } else if self.lock_range && value > self.maximum {
            self.maximum
        } else {
            value
        }
    }
}

/// An output: a variable, and how its number comes out of what rules conclude.
#[derive(Clone, Debug, PartialEq)]
pub struct Output {
    /// Name, range and sets.
    pub variable: Variable,
    /// S in equation (2).
    pub aggregation: Option<SNorm>,
    /// How the concluded set becomes a number.
    pub defuzzifier: Defuzzifier,
    /// What that number is multiplied by; a default is not.
    pub scale: f64,
    /// The value where there is no other.
    pub default: Option<f64>,
    /// Whether the value of the row before is kept where there is none.
    pub lock_previous: bool,
}

impl Output {
    /// An output without sets, with aggregation by maximum; the centroid as its defuzzifier until its first set is a
    /// Constant, Linear or Function, then the weighted average.
    pub fn new(name: impl Into<String>, minimum: f64, maximum: f64) -> Self {
        Output {
            variable: Variable::new(name, minimum, maximum),
            aggregation: Some(SNorm::Maximum),
            defuzzifier: Defuzzifier::Centroid { samples: None },
            scale: 1.0,
            default: None,
            lock_previous: false,
        }
    }

    /// The same with one more set.
    pub fn set(mut self, name: impl Into<String>, set: Set) -> Self {
        let sugeno =
            matches!(set.shape(), Shape::Constant { .. } | Shape::Linear { .. } | Shape::Function { .. });
        if sugeno && self.variable.sets.is_empty() && self.defuzzifier.is_sampled() {
            self.defuzzifier = Defuzzifier::WeightedAverage { kind: Weighted::Automatic };
            self.aggregation = None; // equal consequents of several rules count once for each
        }
        self.variable = self.variable.set(name, set);
        self
    }

    /// The same with another defuzzifier.
    pub fn defuzzifier(mut self, defuzzifier: Defuzzifier) -> Self {
        self.defuzzifier = defuzzifier;
        self
    }

    /// The same with another aggregation, or none.
    pub fn aggregation(mut self, aggregation: Option<SNorm>) -> Self {
        self.aggregation = aggregation;
        self
    }

    /// The same with its number multiplied by `scale`, so that a centroid, which never comes near the ends of its range,
    /// can reach them.
    pub fn scale(mut self, scale: f64) -> Self {
        self.scale = scale;
        self
    }

    /// The same with a value for rows where there is no other.
    pub fn default(mut self, value: f64) -> Self {
        self.default = Some(value);
        self
    }

    /// The same, keeping the value of the row before where there is none, or not.
    pub fn lock_previous(mut self, lock: bool) -> Self {
        self.lock_previous = lock;
        self
    }

    /// The same with values kept within the range, or not.
    pub fn lock_range(mut self, lock: bool) -> Self {
        self.variable.lock_range = lock;
        self
    }
}
