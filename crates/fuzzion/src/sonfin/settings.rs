//! Settings of a network, their setters and validation.

use super::types::options::{Classify, Growth, Mapping, MissingInputs, Optimizer, WidthRule};
use crate::base::SettingError;
use crate::macros::setters;
use crate::sonfin::error::Result;
use serde::{Deserialize, Serialize};

/// Upper limit of the rule count.
const MAX_RULES: usize = 65_536;
/// Budget of rules if other settings of the rules or the training are given.
const DEFAULT_BUDGET: usize = 256;
/// Upper limit of the validation fraction.
const MAX_VALIDATION: f64 = 0.9;

/// Settings of a self-constructing fuzzy network; train it with [`Sonfin::fit`].
///
/// ```
/// use fuzzion::{Device, Table, sonfin::Sonfin};
/// let rows: Vec<f64> = (0..200).flat_map(|i| [f64::from(i), (0.05 * f64::from(i)).sin()]).collect();
/// let rows = Table::new(["x", "y"], rows)?;
/// let model = Sonfin::new().fit(&rows, &["y"], &Device::cpu()?)?;
/// assert!(model.report.train_error < 0.1); // for a sine between -1 and 1
/// # Ok::<(), fuzzion::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct Sonfin {
    /// Input columns; if empty, all columns except the targets.
    pub inputs: Vec<String>,
    /// Encoding and loss for a class target; `None` for numeric targets.
    pub classify: Option<Classify>,
    /// Names of the classes; if empty, the classes of the rows. A stream whose first rows do not contain all classes needs
    /// them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub classes: Vec<String>,
    /// Number of epochs; default 30.
    pub epochs: usize,
    /// β of Equation (3); default 0.5.
    pub beta: f64,
    /// Criterion for adding rules; by default, the number of rules is chosen by cross-validation ([`Growth::Auto`]). There are
    /// never more rules than rows.
    pub growth: Growth,
    /// Maximum number of rules; default 4,096.
    pub max_rules: usize,
    /// Width of a new rule.
    pub width_rule: WidthRule,
    /// Learning rate η_w of Equation (5); default 0.3.
    pub rate_w: f64,
    /// Learning rate η_m of Equation (5); default 0.3.
    pub rate_m: f64,
    /// Learning rate η_σ of Equation (5); default 0.3.
    pub rate_s: f64,
    /// Factor applied to the learning rates after each epoch; default 0.93. Adam uses cosine decay to 0 instead.
    pub rate_decay: f64,
    /// Training algorithm of the parameters.
    pub optimizer: Optimizer,
    /// Whether ln μ is divided by the number of inputs; useful for very many inputs.
    pub dim_scale: bool,
    /// Whether to learn a gate (relevance weight) for each input, shared by all rules; requires Adam.
    pub gates: bool,
    /// Treatment of missing inputs.
    pub missing: MissingInputs,
    /// Mapping of the work to GPU threads.
    pub mapping: Mapping,
    /// Fraction of the rows held out to select the best epoch; default 0.
    pub validation: f64,
    /// Random seed.
    pub seed: u64,
}

setters! {
    Sonfin {
        some classify: Classify,
        epochs: usize,
        beta: f64,
        growth: Growth,
        max_rules: usize,
        width_rule: WidthRule,
        rate_w: f64,
        rate_m: f64,
        rate_s: f64,
        rate_decay: f64,
        optimizer: Optimizer,
        dim_scale: bool,
        gates: bool,
        missing: MissingInputs,
        mapping: Mapping,
        validation: f64,
        seed: u64,
    }
}

impl Default for Sonfin {
    fn default() -> Self {
        Sonfin::new()
    }
}

impl Sonfin {
    /// Default settings: the number of rules and their training are chosen by cross-validation.
    pub fn new() -> Self {
        Sonfin {
            inputs: Vec::new(),
            classify: None,
            classes: Vec::new(),
            epochs: 30,
            beta: 0.5,
            growth: Growth::Auto,
            max_rules: 4096,
            width_rule: WidthRule::default(),
            rate_w: 0.3,
            rate_m: 0.3,
            rate_s: 0.3,
            rate_decay: 0.93,
            optimizer: Optimizer::default(),
            dim_scale: false,
            gates: false,
            missing: MissingInputs::default(),
            mapping: Mapping::default(),
            validation: 0.0,
            seed: 0,
        }
    }

    /// Sets [`Sonfin::inputs`].
    #[must_use]
    pub fn inputs<S: Into<String>>(mut self, inputs: impl IntoIterator<Item = S>) -> Self {
        self.inputs = inputs.into_iter().map(Into::into).collect();
        self
    }

    /// Sets [`Sonfin::classes`].
    #[must_use]
    pub fn classes<S: Into<String>>(mut self, classes: impl IntoIterator<Item = S>) -> Self {
        self.classes = classes.into_iter().map(Into::into).collect();
        self
    }

    /// Whether the network chooses its rules and their training itself.
    pub(super) fn grows_by_itself(&self) -> bool {
        let default = Sonfin::new();
        // `Sonfin` with the settings that do not determine rules and training.
        let Sonfin { inputs, classify, classes, epochs, max_rules, missing, mapping, seed, .. } =
            self.clone();
        *self == Sonfin { inputs, classify, classes, epochs, max_rules, missing, mapping, seed, ..default }
    }

    /// These settings with a criterion for adding rules: a budget instead of [`Growth::Auto`].
    pub(super) fn with_growth(&self) -> Sonfin {
        let growth = if self.growth == Growth::Auto { Growth::Budget(DEFAULT_BUDGET) } else { self.growth };
        Sonfin { growth, ..self.clone() }
    }

    /// Checks that all settings are valid.
    pub(super) fn check(&self) -> Result<()> {
        let positive = |x: f64| x > 0.0 && x.is_finite();
        let fraction = |x: f64| x > 0.0 && x <= 1.0;
        let rate = |x: f64| (0.0..=100.0).contains(&x);
        let (batch, adam_rate) = match self.optimizer {
            Optimizer::Adam { batch, rate } => (batch, rate),
            _ => (1, 1.0),
        };
        let thesis_rate = if let Optimizer::Thesis(rate) = self.optimizer { rate } else { 1.0 };
        let (threshold, decay) = match self.growth {
            Growth::Threshold { threshold, decay } => (threshold, decay),
            _ => (0.5, 1.0),
        };
        let gamma = if let Growth::Gamma(gamma) = self.growth { gamma } else { 0.5 };
        let budget = if let Growth::Budget(rules) = self.growth { rules } else { 1 };
        let rates = "from 0 to 100";
        let checks = [
            (self.epochs >= 1, "epochs", self.epochs as f64, "at least 1"),
            (positive(self.beta), "beta", self.beta, "above 0"),
            (
                (1..=MAX_RULES).contains(&self.max_rules),
                "max_rules",
                self.max_rules as f64,
                "from 1 to 65,536",
            ),
            ((1..=MAX_RULES).contains(&budget), "rules", budget as f64, "from 1 to 65,536"),
            (threshold > 0.0 && threshold < 1.0, "threshold", threshold, "above 0 and below 1"),
            (fraction(decay), "threshold_decay", decay, "above 0 and at most 1"),
            (gamma > 0.0 && gamma < 1.0, "gamma", gamma, "above 0 and below 1"),
            (rate(self.rate_w), "rate_w", self.rate_w, rates),
            (rate(self.rate_m), "rate_m", self.rate_m, rates),
            (rate(self.rate_s), "rate_s", self.rate_s, rates),
            (fraction(self.rate_decay), "rate_decay", self.rate_decay, "above 0 and at most 1"),
            (batch >= 1, "batch", batch as f64, "at least 1"),
            (positive(adam_rate), "rate", adam_rate, "above 0"),
            (positive(thesis_rate), "rate", thesis_rate, "above 0"),
            (
                (0.0..=MAX_VALIDATION).contains(&self.validation),
                "validation",
                self.validation,
                "a fraction from 0 to 0.9",
            ),
        ];
        if let Some((_, name, value, must)) = checks.into_iter().find(|(valid, ..)| !valid) {
            return Err(SettingError::OutOfRange { algorithm: "sonfin", name, value, must }.into());
        }
        if self.gates && !matches!(self.optimizer, Optimizer::Adam { .. }) {
            return Err(
                SettingError::Conflict { a: "gates", b: "online learning (gates require Adam)" }.into()
            );
        }
        Ok(())
    }
}
