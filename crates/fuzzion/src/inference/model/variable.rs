//! Variables and their named sets.

use super::defuzzifier::{Defuzzifier, WeightedKind};
use crate::macros::setters;
use crate::sets::{SNorm, Set, Shape};

/// A fuzzy set with the name used in rules (a term).
///
/// ```
/// use fuzzion::inference::NamedSet;
/// let warm: NamedSet = serde_json::from_str(r#"{"name": "warm", "shape": "Ramp", "parameters": [0, 4]}"#)?;
/// assert_eq!(warm.set.membership(1.0), 0.25);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct NamedSet {
    /// Name used in rules.
    pub name: String,
    /// Membership function.
    pub set: Set,
}

/// A linguistic variable: a range and named sets.
///
/// ```
/// use fuzzion::{inference::Variable, sets::Set};
/// let service = Variable::new("service", 0.0, 10.0).set("poor", Set::gaussian(0.0, 1.5)?);
/// assert_eq!(service.sets[0].name, "poor");
/// # Ok::<(), fuzzion::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Variable {
    /// Name used in rules.
    pub name: String,
    /// Free-text description.
    pub description: String,
    /// Whether the variable is used; propositions about a disabled variable have membership 0.
    pub enabled: bool,
    /// Lower bound of the range.
    pub minimum: f64,
    /// Upper bound of the range.
    pub maximum: f64,
    /// Whether values are clamped to the range.
    pub lock_range: bool,
    /// Named sets.
    pub sets: Vec<NamedSet>,
}

impl Variable {
    /// Creates a variable without sets.
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

    /// Appends a named set.
    pub fn set(mut self, name: impl Into<String>, set: Set) -> Self {
        self.sets.push(NamedSet { name: name.into(), set });
        self
    }

    /// Stores the name of the table column in the description if the name of the variable cannot represent it, so that
    /// file formats that restrict names to identifiers preserve it.
    pub(crate) fn described_by_column(mut self, column: &str) -> Self {
        let plain = column.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        if self.name != column || !plain || column.starts_with(|c: char| c.is_ascii_digit()) {
            column.clone_into(&mut self.description);
        }
        self
    }

    /// The name of the table column: the description if the name cannot represent it.
    pub(crate) fn column(&self) -> &str {
        if self.description.is_empty() { &self.name } else { &self.description }
    }

    /// `value`, clamped to the range if the range is locked.
    pub(in crate::inference) fn lock_to_range(&self, value: f64) -> f64 {
        // Not `clamp`, which panics on a reversed range. NaN is returned unchanged.
        if self.lock_range && value < self.minimum {
            self.minimum
        } else if self.lock_range && value > self.maximum {
            self.maximum
        } else {
            value
        }
    }
}

setters! {
    Variable {
        lock_range: bool,
    }
}

/// An output variable with its aggregation and defuzzifier.
///
/// ```
/// use fuzzion::inference::{Defuzzifier, Output};
/// let tip = Output::new("tip", 0.0, 30.0).defuzzifier("Bisector".parse()?).default(15.0);
/// assert_eq!((tip.defuzzifier, tip.default), (Defuzzifier::Bisector { samples: None }, Some(15.0)));
/// # Ok::<(), fuzzion::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Output {
    /// Name, range and sets.
    pub variable: Variable,
    /// S in Equation (2).
    pub aggregation: Option<SNorm>,
    /// Defuzzification method.
    pub defuzzifier: Defuzzifier,
    /// Factor applied to the defuzzified value, but not to the default; for example so that a centroid can reach the
    /// bounds of its range.
    pub scale: f64,
    /// Value used if there is no defuzzified value.
    pub default: Option<f64>,
    /// Whether to reuse the value of the previous row if there is no defuzzified value.
    pub lock_previous: bool,
}

impl Output {
    /// Creates an output without sets, with maximum aggregation and the centroid defuzzifier.
    ///
    /// If the first set is a Constant, Linear or Function, [`Output::set`] switches to the weighted average without
    /// aggregation.
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

    /// Appends a named set.
    pub fn set(mut self, name: impl Into<String>, set: Set) -> Self {
        let sugeno =
            matches!(set.shape(), Shape::Constant { .. } | Shape::Linear { .. } | Shape::Function { .. });
        if sugeno && self.variable.sets.is_empty() && self.defuzzifier.is_sampled() {
            self.defuzzifier = Defuzzifier::WeightedAverage { kind: WeightedKind::Automatic };
            self.aggregation = None; // equal consequents of several rules are separate terms
        }
        self.variable = self.variable.set(name, set);
        self
    }

    /// Sets whether values are clamped to the range.
    pub fn lock_range(mut self, lock: bool) -> Self {
        self.variable.lock_range = lock;
        self
    }
}

setters! {
    Output {
        aggregation: Option<SNorm>,
        defuzzifier: Defuzzifier,
        scale: f64,
        some default: f64,
        lock_previous: bool,
    }
}
