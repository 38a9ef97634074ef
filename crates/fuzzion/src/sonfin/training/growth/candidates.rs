//! Candidates for the number of rules and their training.

use super::least_squares::least_squares;
use super::logistic::logistic;
use super::problem::{Problem, Solved};
use super::tidy::tidy;
use crate::sonfin::settings::Sonfin;
use crate::sonfin::types::network::Network;
use crate::sonfin::types::options::{Growth, Optimizer};

/// Batch size and learning rate of Adam.
const ADAM: Optimizer = Optimizer::Adam { batch: 32, rate: 0.01 };
/// Learning rate of online training.
const RATE: f64 = 0.1;
/// Factor of the widths of rules that are not trained: they overlap more.
const UNTRAINED_WIDTH: f32 = 4.0;
/// Strengths of the coefficients of logistic regression: that of the other candidates first.
const STRENGTHS: [f64; 3] = [1.0, 0.1, 10.0];

/// Maximum number of rows for logistic regression, which stores the features of all rows.
const MAX_LOGISTIC_ROWS: usize = 65_536;

/// Training of the centers and widths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Family {
    /// Only slopes, without conditions.
    Linear,
    /// The initial rules with wider sets.
    Untrained,
    Online,
    Adam,
    /// Adam with a gate for each input.
    Gates,
}

/// A number of rules and a training of them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Candidate {
    pub(super) family: Family,
    pub(super) rules: usize,
    /// Strength of the coefficients of classes.
    strength: f64,
}

impl Candidate {
    /// Models without conditions; the first one is the usual.
    pub(super) fn linear(is_classifier: bool) -> Vec<Self> {
        let linear = |strength: &f64| Candidate { family: Family::Linear, rules: 1, strength: *strength };
        STRENGTHS[..if is_classifier { 3 } else { 1 }].iter().map(linear).collect()
    }

    /// Candidates of every family with a number of rules.
    pub(super) fn with_rules(families: &[Family], rules: usize) -> Vec<Self> {
        let candidate = |family: &Family| Candidate { family: *family, rules, strength: STRENGTHS[0] };
        families.iter().map(candidate).collect()
    }

    /// All families with conditions.
    pub(super) fn families(is_classifier: bool) -> Vec<Family> {
        let mut families = vec![Family::Online, Family::Gates, Family::Adam];
        if !is_classifier {
            families.push(Family::Untrained);
        }
        families
    }

    /// Whether the rules are trained.
    pub(super) fn is_trained(&self) -> bool {
        !matches!(self.family, Family::Linear | Family::Untrained)
    }

    /// Whether the rules are trained with Adam.
    pub(super) fn is_adam(&self) -> bool {
        matches!(self.family, Family::Adam | Family::Gates)
    }

    /// Settings for this candidate.
    pub(super) fn settings(&self, base: &Sonfin) -> Sonfin {
        Sonfin {
            growth: Growth::Budget(self.rules),
            optimizer: if self.is_adam() { ADAM } else { Optimizer::Online },
            gates: self.family == Family::Gates,
            rate_w: RATE,
            rate_m: RATE,
            rate_s: RATE,
            epochs: if self.is_trained() { base.epochs } else { 1 },
            ..base.clone()
        }
    }

    /// The rules before training, from those of the initial structure.
    pub(super) fn initial(&self, mut rules: Network) -> Network {
        if self.family == Family::Untrained {
            rules.a.iter_mut().chain(&mut rules.c).for_each(|value| *value /= UNTRAINED_WIDTH);
        }
        rules
    }

    /// The model with the consequents for these rows; `None` if they cannot be computed.
    pub(super) fn solve(&self, problem: Problem<'_>, network: Network, rows: &[u32]) -> Option<Solved> {
        let network = match self.family {
            Family::Linear => network,
            _ => tidy(problem, network, rows),
        };
        match problem.is_classifier {
            true => {
                let step = rows.len().div_ceil(MAX_LOGISTIC_ROWS).max(1);
                let rows: Vec<u32> = rows.iter().step_by(step).copied().collect();
                Some(logistic(problem, network, &rows, self.strength))
            }
            false => least_squares(problem, network, rows),
        }
    }
}

/// A rule without conditions.
pub(super) fn unconditional(dims: usize, outputs: usize) -> Network {
    Network { dims, outputs, a: vec![0.0; dims], c: vec![0.0; dims], w: vec![0.0; outputs] }
}
