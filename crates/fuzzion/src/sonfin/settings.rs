//! What a fit goes by.

pub use crate::data::{Classify, Missing};
use serde::{Deserialize, Serialize};

/// When rules are added.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Growth {
    /// While it learns, where no rule fires more than the threshold, which is multiplied by the decay after each epoch.
    Threshold {
        /// μ_th, in (0, 1).
        threshold: f64,
        /// In (0, 1].
        decay: f64,
    },
    /// While it learns for the first time, where a new rule would be at least γ times as wide as the one that is nearest:
    /// γ = β·√(−ln μ_th). The smaller, the more rules; from 1 on there are next to none.
    Gamma(f64),
    /// Before it learns, about so many rules and never more, nor more than one in two rows: γ is found by passes that only
    /// add rules.
    Budget(usize),
}

/// How parameters learn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Optimizer {
    /// After every sample, in units of the widths: equation (5).
    #[default]
    Online,
    /// After every sample, plainly and with one rate for all: the thesis' way.
    Thesis(f64),
    /// After every batch of samples, by Adam: on rules that were there before, equation (6).
    Adam {
        /// Samples in a batch.
        batch: usize,
        /// The step of a parameter, at first.
        rate: f64,
    },
}

/// How work is laid out on a GPU.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Mapping {
    /// The one that the planner takes for the quickest.
    #[default]
    Auto,
    /// A block for every rule.
    RulePerBlock,
    /// The thesis' architecture-aware thread mapping.
    Atm,
    /// Rules that stay on the multiprocessors for a whole stretch of samples.
    Resident,
}

impl Mapping {
    /// As commands call it.
    pub fn name(self) -> &'static str {
        match self {
            Mapping::Auto => "auto",
            Mapping::RulePerBlock => "rule-per-block",
            Mapping::Atm => "atm",
            Mapping::Resident => "resident",
        }
    }
}
