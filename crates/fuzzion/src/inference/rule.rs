//! Rules, and the blocks they stand in.

use crate::sets::{Hedge, SNorm, TNorm};
use serde::{Deserialize, Serialize};

/// A variable of a system by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Place {
    /// An input.
    Input(usize),
    /// An output: what was concluded about it before.
    Output(usize),
}

/// `variable is [hedges] set`.
#[derive(Clone, Debug, PartialEq)]
pub struct Proposition {
    /// The variable.
    pub variable: Place,
    /// The words before the set; the one next to it is applied first.
    pub hedges: Vec<Hedge>,
    /// The set, by its number; `None` where the last hedge is `any`, which needs none.
    pub set: Option<usize>,
}

/// The if of a rule.
#[derive(Clone, Debug, PartialEq)]
pub enum Antecedent {
    /// One proposition.
    Is(Proposition),
    /// All of them, joined from the left by the block's conjunction.
    And(Vec<Antecedent>),
    /// Any of them, joined from the left by the block's disjunction.
    Or(Vec<Antecedent>),
    /// 1 − the membership of what it holds.
    Not(Box<Antecedent>),
    /// 1 − the largest firing strength of the other rules of its block (ELSE rules not counted).
    Else,
}

impl Antecedent {
    /// `input is set and …` for each of these pairs of numbers; without any it always applies.
    pub(crate) fn all_of(asked: impl IntoIterator<Item = (usize, usize)>) -> Self {
        let is = |(input, set)| {
            let (variable, set) = (Place::Input(input), Some(set));
            Antecedent::Is(Proposition { variable, hedges: Vec::new(), set })
        };
        let mut parts: Vec<Antecedent> = asked.into_iter().map(is).collect();
        match parts.len() {
            0 => {
                let (variable, hedges) = (Place::Input(0), vec![Hedge::Any]);
                Antecedent::Is(Proposition { variable, hedges, set: None })
            }
            1 => parts.remove(0),
            _ => Antecedent::And(parts),
        }
    }

    /// Its propositions in the order of its text.
    pub fn propositions(&self) -> Vec<&Proposition> {
        match self {
            Antecedent::Is(proposition) => vec![proposition],
            Antecedent::And(parts) | Antecedent::Or(parts) => {
                parts.iter().flat_map(Antecedent::propositions).collect()
            }
            Antecedent::Not(part) => part.propositions(),
            Antecedent::Else => Vec::new(),
        }
    }
}

/// `output is [hedges] set`.
#[derive(Clone, Debug, PartialEq)]
pub struct Conclusion {
    /// The output, by its number.
    pub output: usize,
    /// The words before the set.
    pub hedges: Vec<Hedge>,
    /// The set, by its number.
    pub set: usize,
}

/// `if antecedent then consequent with weight`.
#[derive(Clone, Debug, PartialEq)]
pub struct Rule {
    /// When it applies.
    pub antecedent: Antecedent,
    /// What it concludes.
    pub consequent: Vec<Conclusion>,
    /// What its firing strength is multiplied by.
    pub weight: f64,
}

/// How a block joins what `and` joins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Conjunction {
    /// By a t-norm, two by two from the left.
    Norm(TNorm),
    /// By the mean of all of them.
    Mean,
}

/// How a strength is compared with a threshold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Comparison {
    /// `<`
    Less,
    /// `<=`
    LessOrEqual,
    /// `==`
    Equal,
    /// `!=`
    NotEqual,
    /// `>=`
    GreaterOrEqual,
    /// `>`
    Greater,
}

impl Comparison {
    /// Every comparison.
    pub const ALL: [Comparison; 6] = [
        Comparison::Less,
        Comparison::LessOrEqual,
        Comparison::Equal,
        Comparison::NotEqual,
        Comparison::GreaterOrEqual,
        Comparison::Greater,
    ];

    /// Its sign in files.
    pub fn sign(self) -> &'static str {
        match self {
            Comparison::Less => "<",
            Comparison::LessOrEqual => "<=",
            Comparison::Equal => "==",
            Comparison::NotEqual => "!=",
            Comparison::GreaterOrEqual => ">=",
            Comparison::Greater => ">",
        }
    }

    /// The comparison of that sign.
    pub fn from_sign(sign: &str) -> Option<Self> {
        Comparison::ALL.into_iter().find(|comparison| comparison.sign() == sign)
    }

    /// Whether it holds.
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

/// Which rules of a block conclude; ELSE rules come after all others, also in `Last`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
#[allow(missing_docs)] // the fields are explained at their variants
pub enum Activation {
    /// All of them.
    #[default]
    General,
    /// The first `rules` that fire with at least the threshold.
    First { rules: usize, threshold: f64 },
    /// As `First`, from the end.
    Last { rules: usize, threshold: f64 },
    /// The `rules` of the highest strengths, the earlier of equals first.
    Highest { rules: usize },
    /// The `rules` of the lowest strengths that fire, the earlier of equals first.
    Lowest { rules: usize },
    /// Those that fire, their strengths divided by the sum of them.
    Proportional,
    /// Those whose strength compares so with the threshold.
    Threshold { comparison: Comparison, threshold: f64 },
}

impl Activation {
    /// The name in fuzzylite and its files.
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

/// Rules that share their norms.
#[derive(Clone, Debug, PartialEq)]
pub struct RuleBlock {
    /// Its name.
    pub name: String,
    /// What it is for.
    pub description: String,
    /// Whether it takes part.
    pub enabled: bool,
    /// How `and` joins.
    pub conjunction: Option<Conjunction>,
    /// How `or` joins.
    pub disjunction: Option<SNorm>,
    /// T in equation (2).
    pub implication: Option<TNorm>,
    /// Which rules conclude.
    pub activation: Activation,
    /// The rules.
    pub rules: Vec<Rule>,
}

impl RuleBlock {
    /// A block without rules: minimum, maximum, minimum, General.
    pub fn new(name: impl Into<String>) -> Self {
        RuleBlock {
            conjunction: Some(Conjunction::Norm(TNorm::Minimum)),
            disjunction: Some(SNorm::Maximum),
            implication: Some(TNorm::Minimum),
            ..RuleBlock::bare(name)
        }
    }

    /// A block without rules and norms.
    pub(super) fn bare(name: impl Into<String>) -> Self {
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

    /// The same, joining what `and` joins otherwise.
    pub fn conjunction(mut self, conjunction: Conjunction) -> Self {
        self.conjunction = Some(conjunction);
        self
    }

    /// The same with another or.
    pub fn disjunction(mut self, disjunction: SNorm) -> Self {
        self.disjunction = Some(disjunction);
        self
    }

    /// The same with another implication; [`TNorm::AlgebraicProduct`] makes it Larsen's.
    pub fn implication(mut self, implication: TNorm) -> Self {
        self.implication = Some(implication);
        self
    }

    /// The same with another choice of rules.
    pub fn activation(mut self, activation: Activation) -> Self {
        self.activation = activation;
        self
    }
}
