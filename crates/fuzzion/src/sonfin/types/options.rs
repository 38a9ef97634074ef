//! Enumerations used by the settings.

use crate::base::{SettingError, unknown_name};
pub use crate::data::{Classify, MissingInputs};
use crate::macros::named;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// Batch size of Adam if the parsed string does not specify it.
const BATCH: usize = 64;
/// Learning rate of Adam and of plain gradient descent if the parsed string does not specify it.
const RATE: f64 = 0.01;

/// Criterion for adding rules, written as `auto`, `rules:256`, `gamma:0.4` or `threshold:0.5:0.9` (with its decay).
///
/// ```
/// use fuzzion::sonfin::Growth;
/// assert_eq!("threshold:0.5:0.9".parse(), Ok(Growth::Threshold { threshold: 0.5, decay: 0.9 }));
/// assert_eq!(Growth::Budget(40).to_string(), "rules:40");
/// ```
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
    /// Chooses the number of rules, their training and slopes shared by all rules by cross-validation: the simplest network
    /// whose error is within one standard error of the smallest (three for classes). With other settings of the rules or the
    /// training than the defaults (`beta`, `width_rule`, `dim_scale`, rates, `optimizer`, `gates` or `validation`) and for
    /// streams, a budget of 256 rules.
    Auto,
    /// Adds about this many rules before training, and never more. γ is found by bisection with passes that only add
    /// rules.
    Budget(usize),
}

impl FromStr for Growth {
    type Err = SettingError;

    fn from_str(text: &str) -> Result<Self, SettingError> {
        let parse = || {
            Some(match text.split(':').collect::<Vec<_>>()[..] {
                ["auto"] => Growth::Auto,
                ["rules", rules] => Growth::Budget(rules.parse().ok()?),
                ["gamma", gamma] => Growth::Gamma(gamma.parse().ok()?),
                ["threshold", threshold, decay] => {
                    Growth::Threshold { threshold: threshold.parse().ok()?, decay: decay.parse().ok()? }
                }
                _ => return None,
            })
        };
        let known = ["auto", "rules:N", "gamma:γ", "threshold:μ:DECAY"];
        parse().ok_or_else(|| unknown_name("growth criterion", text, &known))
    }
}

impl fmt::Display for Growth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Growth::Auto => f.write_str("auto"),
            Growth::Budget(rules) => write!(f, "rules:{rules}"),
            Growth::Gamma(gamma) => write!(f, "gamma:{gamma}"),
            Growth::Threshold { threshold, decay } => write!(f, "threshold:{threshold}:{decay}"),
        }
    }
}

/// Training algorithm of the parameters, written as `online`, `thesis:RATE` or `adam:BATCH:RATE`; the learning rate is
/// 0.01 and the batch size 64 if omitted.
///
/// ```
/// use fuzzion::sonfin::Optimizer;
/// assert_eq!("adam".parse(), Ok(Optimizer::Adam { batch: 64, rate: 0.01 }));
/// assert_eq!(Optimizer::Thesis(0.1).to_string(), "thesis:0.1");
/// ```
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

impl FromStr for Optimizer {
    type Err = SettingError;

    fn from_str(text: &str) -> Result<Self, SettingError> {
        let parse = || {
            Some(match text.split(':').collect::<Vec<_>>()[..] {
                ["online"] => Optimizer::Online,
                ["thesis"] => Optimizer::Thesis(RATE),
                ["thesis", rate] => Optimizer::Thesis(rate.parse().ok()?),
                ["adam"] => Optimizer::Adam { batch: BATCH, rate: RATE },
                ["adam", batch, rate] => {
                    Optimizer::Adam { batch: batch.parse().ok()?, rate: rate.parse().ok()? }
                }
                _ => return None,
            })
        };
        let known = ["online", "thesis", "thesis:RATE", "adam", "adam:BATCH:RATE"];
        parse().ok_or_else(|| unknown_name("optimizer", text, &known))
    }
}

impl fmt::Display for Optimizer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Optimizer::Online => f.write_str("online"),
            Optimizer::Thesis(rate) => write!(f, "thesis:{rate}"),
            Optimizer::Adam { batch, rate } => write!(f, "adam:{batch}:{rate}"),
        }
    }
}

named! {
    /// Mapping of the work to GPU threads.
    ///
    /// ```
    /// use fuzzion::sonfin::Mapping;
    /// assert_eq!("rule-per-block".parse(), Ok(Mapping::RulePerBlock));
    /// ```
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    #[non_exhaustive]
    pub enum Mapping("mapping") {
        /// The fastest mapping according to the planner.
        #[default]
        Auto = "auto",
        /// One block per rule.
        RulePerBlock = "rule-per-block",
        /// The architecture-aware thread mapping of Tseng (2012).
        Atm = "atm",
        /// Rules stay in the shared memory of the multiprocessors for many samples.
        Resident = "resident",
    }
}

named! {
    /// Width of a new rule: Equation (3).
    ///
    /// ```
    /// use fuzzion::sonfin::WidthRule;
    /// assert_eq!(WidthRule::LogFiring.to_string(), "log-firing");
    /// ```
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    #[non_exhaustive]
    pub enum WidthRule("width rule") {
        /// β times the distance to the nearest rule's center.
        #[default]
        Distance = "distance",
        /// β times the squared distance, as published by Tseng (2012).
        Thesis = "thesis",
        /// −β·ln μ_K, as in Juang and Lin (1998).
        LogFiring = "log-firing",
    }
}

named! {
    /// Loss function.
    ///
    /// ```
    /// use fuzzion::sonfin::Loss;
    /// assert_eq!("squares".parse(), Ok(Loss::SquaredError));
    /// ```
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    #[non_exhaustive]
    pub enum Loss("loss") {
        /// Half the sum of squared errors.
        #[default]
        #[serde(rename = "squares")]
        SquaredError = "squares",
        /// Cross-entropy of the softmax of the outputs, for classification.
        CrossEntropy = "cross-entropy",
    }
}
