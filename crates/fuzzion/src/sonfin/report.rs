//! What a fit tells about itself.

use super::settings::{Classify, Growth, Mapping, Optimizer};
use serde::{Deserialize, Serialize};
use std::fmt;

/// How a fit went. Errors are shares of wrong rows for classes, and root mean squares for numbers: in the target's unit, or in
/// standard deviations of each where there are several.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// How many rules there are.
    pub rules: usize,
    /// How many epochs were learned.
    pub epochs: usize,
    /// The epoch whose rules are kept, from 1.
    pub best_epoch: usize,
    /// The error of the rules that are kept over the training rows.
    pub train_error: f64,
    /// The same over the validation rows.
    pub validation_error: Option<f64>,
    /// Microseconds that a sample took, growth and validation included.
    pub us_per_sample: f64,
    /// Seconds of learning, without reading the rows.
    pub seconds: f64,
    /// How work was laid out on a GPU.
    pub mapping: Mapping,
    /// The processor that did the work.
    pub device: String,
    /// Every whole epoch.
    pub history: Vec<Point>,
    /// What the user should know.
    pub warnings: Vec<Warning>,
    /// What was tried by [`Sonfin::auto`](super::Sonfin::auto), in that order.
    pub trials: Vec<Trial>,
}

/// One epoch.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Point {
    /// The error over the training rows, each just before it was learned.
    pub train_error: f64,
    /// The error over the validation rows after the epoch.
    pub validation_error: Option<f64>,
    /// The mean loss over the training rows, each just before it was learned, in scaled targets.
    pub loss: f64,
    /// How many rules there were after it.
    pub rules: usize,
}

/// One choice of settings that was tried.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Trial {
    /// When rules were added.
    pub growth: Growth,
    /// How parameters learned.
    pub optimizer: Optimizer,
    /// The rates of on-line learning, one for all.
    pub rate: f64,
    /// Whether inputs had gates.
    pub gates: bool,
    /// How classes were learned.
    pub classify: Option<Classify>,
    /// β of equation (3).
    pub beta: f64,
    /// How many epochs were learned.
    pub epochs: usize,
    /// The least error over rows that were not learned from.
    pub error: f64,
    /// Whether the network was learned with these settings.
    pub chosen: bool,
}

/// What a user should know about a fit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum Warning {
    /// Columns that have the same value in every row, and are no inputs therefore.
    Constant(Vec<String>),
    /// So many rules are as many as are allowed.
    Full(usize),
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Warning::Constant(names) => {
                let shown: Vec<String> = names.iter().take(5).map(|name| format!("`{name}`")).collect();
                let more = names.len().saturating_sub(shown.len());
                let more = if more > 0 { format!(" and {more} more") } else { String::new() };
                let (are, have) = if names.len() == 1 { ("is", "has") } else { ("are", "have") };
                let shown = shown.join(", ");
                write!(f, "{shown}{more} {have} the same value in every row, and {are} not learned from")
            }
            Warning::Full(rules) => {
                write!(
                    f,
                    "there are as many rules as are allowed, {rules}, and there may be rows for more; allow more, or use a \
                     larger gamma or a lower threshold"
                )
            }
        }
    }
}
