//! Enumerations used by the settings.

pub use crate::data::{Classify, MissingInputs};
use serde::{Deserialize, Serialize};

/// Criterion for adding rules.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Growth {
    /// Adds a rule during training if no rule's firing strength exceeds a threshold, which is multiplied by `decay`
    /// after each epoch.
    Threshold {
        /// μ_th, in (0, 1).
        threshold: f64,
        /// Decay factor, in (0, 1].
        decay: f64,
    },
    /// Adds a rule during the first epoch if it would be at least γ times as wide as the nearest rule: γ = β·√(−ln
    /// μ_th). A smaller γ gives more rules; values close to 1 give very few.
    Gamma(f64),
    /// Adds about this many rules before training, and never more. γ is found by bisection with passes that only add
    /// rules.
    Budget(usize),
}

/// Training algorithm of the parameters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Optimizer {
    /// Update after every sample, in units of the widths: Equation (5).
    #[default]
    Online,
    /// Update after every sample by plain gradient descent with a single learning rate, as in Tseng (2012).
    Thesis(f64),
    /// Adam on mini-batches with a fixed set of rules: Equation (6).
    Adam {
        /// Batch size.
        batch: usize,
        /// Initial learning rate.
        rate: f64,
    },
}

/// Mapping of the work to GPU threads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Mapping {
    /// The fastest mapping according to the planner.
    #[default]
    Auto,
    /// One block per rule.
    RulePerBlock,
    /// The architecture-aware thread mapping of Tseng (2012).
    Atm,
    /// Rules stay in the shared memory of the multiprocessors for many samples.
    Resident,
}

impl Mapping {
    /// Name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Mapping::Auto => "auto",
            Mapping::RulePerBlock => "rule-per-block",
            Mapping::Atm => "atm",
            Mapping::Resident => "resident",
        }
    }
}

/// Width of a new rule: Equation (3).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum WidthRule {
    /// β times the distance to the nearest rule's center.
    #[default]
    Distance,
    /// β times the squared distance, as published by Tseng (2012).
    Thesis,
    /// −β·ln μ_K, as in Juang and Lin (1998).
    LogFiring,
}

/// Loss function.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Loss {
    /// Half the sum of squared errors.
    #[default]
    #[serde(rename = "squares")]
    SquaredError,
    /// Cross-entropy of the softmax of the outputs, for classification.
    CrossEntropy,
}
