//! Rule blocks and their operators.

use super::rule::Rule;
use crate::base::{SettingError, unknown_name};
use crate::inference::syntax::format_number;
use crate::macros::{named, setters};
use crate::sets::{SNorm, TNorm};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// Operator for `and`.
///
/// ```
/// use fuzzion::{inference::Conjunction, sets::TNorm};
/// assert_eq!("Minimum".parse(), Ok(Conjunction::Norm(TNorm::Minimum)));
/// assert_eq!(Conjunction::Mean.to_string(), "Mean");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Conjunction {
    /// T-norm, applied pairwise from left to right.
    Norm(TNorm),
    /// Arithmetic mean of all operands.
    Mean,
}

impl Conjunction {
    /// All t-norms, then the mean.
    pub(in crate::inference) fn all() -> impl Iterator<Item = Self> {
        TNorm::ALL.into_iter().map(Conjunction::Norm).chain([Conjunction::Mean])
    }

    /// Name in files.
    pub fn name(self) -> &'static str {
        match self {
            Conjunction::Norm(norm) => norm.name(),
            Conjunction::Mean => "Mean",
        }
    }
}

impl fmt::Display for Conjunction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Conjunction {
    type Err = SettingError;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        let names: Vec<&str> = Conjunction::all().map(Conjunction::name).collect();
        let found = Conjunction::all().find(|conjunction| conjunction.name() == name);
        found.ok_or_else(|| unknown_name("conjunction", name, &names))
    }
}

named! {
    /// Comparison of a firing strength with a threshold.
    ///
    /// ```
    /// use fuzzion::inference::Comparison;
    /// let comparison: Comparison = ">=".parse()?;
    /// assert!(comparison.holds(0.5, 0.5));
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
    pub enum Comparison("comparison") {
        /// `<`
        Less = "<",
        /// `<=`
        LessOrEqual = "<=",
        /// `==`
        Equal = "==",
        /// `!=`
        NotEqual = "!=",
        /// `>=`
        GreaterOrEqual = ">=",
        /// `>`
        Greater = ">",
    }
}

impl Comparison {
    /// Whether the comparison of `a` with `b` is true.
    pub fn holds(self, a: f64, b: f64) -> bool {
        match self {
            Comparison::Less => a < b,
            Comparison::LessOrEqual => a <= b,
            Comparison::Equal => a == b,
            Comparison::NotEqual => a != b,
            Comparison::GreaterOrEqual => a >= b,
            Comparison::Greater => a > b,
        }
    }
}

/// Activation method: selects the rules of a block that take effect. ELSE rules are evaluated last, even in `Last`.
///
/// The text form is that of FLL: the name and its parameters.
///
/// ```
/// use fuzzion::inference::Activation;
/// let first: Activation = "First 2 0.5".parse()?;
/// assert_eq!(first, Activation::First { rules: 2, threshold: 0.5 });
/// assert_eq!(first.to_string(), "First 2 0.5");
/// # Ok::<(), fuzzion::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
#[allow(missing_docs)] // the variants document their fields
pub enum Activation {
    /// All rules.
    #[default]
    General,
    /// The first `rules` rules that fire with a strength of at least `threshold`.
    First { rules: usize, threshold: f64 },
    /// Like `First`, in reverse order.
    Last { rules: usize, threshold: f64 },
    /// The `rules` firing rules with the highest strengths; ties are broken by rule order.
    Highest { rules: usize },
    /// The `rules` firing rules with the lowest strengths; ties are broken by rule order.
    Lowest { rules: usize },
    /// All firing rules, with strengths normalized to sum to 1.
    Proportional,
    /// Rules whose strength satisfies the comparison with `threshold`.
    Threshold { comparison: Comparison, threshold: f64 },
}

impl Activation {
    /// Name in fuzzylite.
    pub fn name(self) -> &'static str {
        match self {
            Activation::General => "General",
            Activation::First { .. } => "First",
            Activation::Last { .. } => "Last",
            Activation::Highest { .. } => "Highest",
            Activation::Lowest { .. } => "Lowest",
            Activation::Proportional => "Proportional",
            Activation::Threshold { .. } => "Threshold",
        }
    }
}

impl fmt::Display for Activation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())?;
        match *self {
            Activation::General | Activation::Proportional => Ok(()),
            Activation::First { rules, threshold } | Activation::Last { rules, threshold } => {
                write!(f, " {rules} {}", format_number(threshold))
            }
            Activation::Highest { rules } | Activation::Lowest { rules } => write!(f, " {rules}"),
            Activation::Threshold { comparison, threshold } => {
                write!(f, " {comparison} {}", format_number(threshold))
            }
        }
    }
}

/// A block of rules with common operators.
///
/// ```
/// use fuzzion::{inference::RuleBlock, sets::TNorm};
/// let larsen = RuleBlock::new("larsen").implication(TNorm::AlgebraicProduct);
/// assert_eq!(larsen.implication, Some(TNorm::AlgebraicProduct));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct RuleBlock {
    /// Name of the block.
    pub name: String,
    /// Free-text description.
    pub description: String,
    /// Whether the block is evaluated.
    pub enabled: bool,
    /// Operator for `and`.
    pub conjunction: Option<Conjunction>,
    /// Operator for `or`.
    pub disjunction: Option<SNorm>,
    /// Implication operator, T in Equation (2); [`TNorm::AlgebraicProduct`] is Larsen implication.
    pub implication: Option<TNorm>,
    /// Activation method.
    pub activation: Activation,
    /// Rules, in order of evaluation.
    pub rules: Vec<Rule>,
}

impl RuleBlock {
    /// Creates a block without rules: minimum conjunction, maximum disjunction, minimum implication, General activation.
    pub fn new(name: impl Into<String>) -> Self {
        RuleBlock {
            conjunction: Some(Conjunction::Norm(TNorm::Minimum)),
            disjunction: Some(SNorm::Maximum),
            implication: Some(TNorm::Minimum),
            ..RuleBlock::without_operators(name)
        }
    }

    /// Creates a block without rules and operators.
    pub(in crate::inference) fn without_operators(name: impl Into<String>) -> Self {
        RuleBlock {
            name: name.into(),
            description: String::new(),
            enabled: true,
            conjunction: None,
            disjunction: None,
            implication: None,
            activation: Activation::General,
            rules: Vec::new(),
        }
    }
}

setters! {
    RuleBlock {
        some conjunction: Conjunction,
        some disjunction: SNorm,
        some implication: TNorm,
        activation: Activation,
    }
}
