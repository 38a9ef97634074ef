//! Options for rule generation and training, and the library settings for them.

use crate::commands::common::names::names;
use fuzzion::sonfin::{Classify, Growth, Mapping, MissingInputs, Optimizer, Sonfin, WidthRule};

/// Default factor applied to the threshold after each epoch.
const THRESHOLD_DECAY: f64 = 0.9;

/// Options for rule generation.
#[derive(clap::Args, Clone)]
#[command(next_help_heading = "Rules")]
pub(super) struct GrowthArgs {
    /// Approximate number of rules, which is never exceeded [default: chosen by cross-validation, or 256 if `--beta`, a rate,
    /// `--optimizer` or `--validation` is given]
    #[arg(long, value_name = "N", conflicts_with_all = ["gamma", "threshold", "threshold_decay"])]
    rules: Option<usize>,
    /// Minimum width of a new rule relative to the width of the nearest rule, below 1; smaller values give more rules
    #[arg(long, value_name = "γ", conflicts_with_all = ["threshold", "threshold_decay"])]
    gamma: Option<f64>,
    /// Threshold in (0, 1): a sample adds a rule if no firing strength exceeds it
    #[arg(long, value_name = "μ")]
    threshold: Option<f64>,
    /// Factor applied to the threshold after each epoch, in (0, 1] [default: 0.9]
    #[arg(long, value_name = "F", requires = "threshold")]
    threshold_decay: Option<f64>,
    /// Maximum number of rules
    #[arg(long, value_name = "N")]
    max_rules: Option<usize>,
    /// Width of a new rule relative to the distance to the nearest rule
    #[arg(long, value_name = "β")]
    beta: Option<f64>,
    /// Formula for the width of new rules: distance, thesis (squared distance, Tseng 2012) or log-firing (Juang and Lin 1998)
    #[arg(long, value_name = "RULE")]
    #[arg(value_parser = names::<WidthRule>(WidthRule::ALL.map(|value| value.name())), hide_possible_values = true)]
    width_rule: Option<WidthRule>,
    /// Divide the logarithm of every firing strength by the number of inputs, for high-dimensional data
    #[arg(long)]
    dim_scale: bool,
}

/// Options for training.
#[derive(clap::Args, Clone)]
#[command(next_help_heading = "Training")]
pub(super) struct TrainingArgs {
    /// Treat the target as a class: one-hot (one output per class) or cross-entropy
    #[arg(long, value_name = "LOSS", num_args = 0..=1, require_equals = true, default_missing_value = "one-hot")]
    #[arg(value_parser = names::<Classify>(Classify::ALL.map(|value| value.name())), hide_possible_values = true)]
    classify: Option<Classify>,
    /// Select rules, widths and rates by a short search on held-out rows
    #[arg(long, conflicts_with_all = ["rate_w", "rate_m", "rate_s", "rate_decay", "rate", "optimizer"])]
    auto: bool,
    /// Number of epochs [default: 30]
    #[arg(long, value_name = "N")]
    epochs: Option<usize>,
    /// Learning rate of the consequents
    #[arg(long, value_name = "R")]
    rate_w: Option<f64>,
    /// Learning rate of the centers, in units of the widths
    #[arg(long, value_name = "R")]
    rate_m: Option<f64>,
    /// Learning rate of the widths, in units of the widths
    #[arg(long, value_name = "R")]
    rate_s: Option<f64>,
    /// Factor applied to the learning rates after each epoch
    #[arg(long, value_name = "F")]
    rate_decay: Option<f64>,
    /// Optimizer: online (sample by sample), thesis (plain gradient descent with a single rate, Tseng 2012) or adam (mini-batches)
    #[arg(long, value_name = "NAME")]
    #[arg(value_parser = names::<Optimizer>(["online", "thesis", "adam"]), hide_possible_values = true)]
    optimizer: Option<Optimizer>,
    /// Batch size for adam [default: 64]
    #[arg(long, value_name = "N")]
    batch: Option<usize>,
    /// Learning rate for adam and thesis [default: 0.01]
    #[arg(long, value_name = "R")]
    rate: Option<f64>,
    /// Learn a weight for every input (adam only)
    #[arg(long)]
    gates: bool,
    /// Handling of missing inputs: error, or drop (ignore them in the rules)
    #[arg(long, value_name = "POLICY")]
    #[arg(value_parser = names::<MissingInputs>(MissingInputs::ALL.map(|value| value.name())), hide_possible_values = true)]
    missing: Option<MissingInputs>,
    /// Fraction of the rows held out to select the best epoch
    #[arg(long, value_name = "FRACTION")]
    validation: Option<f64>,
    /// Mapping of the work to GPU threads: auto, rule-per-block, atm (architecture-aware thread mapping) or resident (rules in shared memory)
    #[arg(long, value_name = "NAME")]
    #[arg(value_parser = names::<Mapping>(Mapping::ALL.map(|value| value.name())), hide_possible_values = true)]
    mapping: Option<Mapping>,
    /// Random seed
    #[arg(long, value_name = "S")]
    seed: Option<u64>,
}

impl GrowthArgs {
    /// The error message for invalid combinations of these options.
    pub(super) fn usage_error(&self) -> Option<String> {
        let (rules, max_rules) = (self.rules?, self.max_rules?);
        let message = format!("`--rules {rules}` exceeds `--max-rules {max_rules}`; remove one of them");
        (rules > max_rules).then_some(message)
    }

    /// Applies these options to `sonfin`.
    pub(super) fn settings(&self, mut sonfin: Sonfin) -> Sonfin {
        sonfin.growth = match (self.rules, self.gamma, self.threshold) {
            (Some(rules), ..) => Growth::Budget(rules),
            (_, Some(gamma), _) => Growth::Gamma(gamma),
            (_, _, Some(threshold)) => {
                Growth::Threshold { threshold, decay: self.threshold_decay.unwrap_or(THRESHOLD_DECAY) }
            }
            _ => sonfin.growth,
        };
        sonfin.max_rules = self.max_rules.unwrap_or(sonfin.max_rules.max(self.rules.unwrap_or(0)));
        sonfin.beta = self.beta.unwrap_or(sonfin.beta);
        sonfin.width_rule = self.width_rule.unwrap_or(sonfin.width_rule);
        sonfin.dim_scale = self.dim_scale;
        sonfin
    }

    /// Whether an option of the rules is given, so that they are not chosen by cross-validation.
    pub(super) fn is_given(&self) -> bool {
        self.beta.is_some() || self.width_rule.is_some() || self.dim_scale
    }

    /// The first option on the command line whose value `--auto` selects.
    pub(super) fn chosen_by_auto(&self) -> Option<&'static str> {
        let given = [
            (self.rules.is_some(), "--rules"),
            (self.gamma.is_some(), "--gamma"),
            (self.threshold.is_some(), "--threshold"),
            (self.width_rule.is_some(), "--width-rule"),
        ];
        given.into_iter().find(|(given, _)| *given).map(|(_, flag)| flag)
    }

    /// Whether `--width-rule` has no effect, because all rules are created before training.
    pub(super) fn is_width_rule_unused(&self) -> bool {
        let is_custom = self.width_rule.is_some_and(|rule| rule != WidthRule::Distance);
        is_custom && self.gamma.is_none() && self.threshold.is_none()
    }

    /// The first option of this group on the command line.
    pub(super) fn first_given(&self) -> Option<&'static str> {
        let given = [
            (self.rules.is_some(), "--rules"),
            (self.gamma.is_some(), "--gamma"),
            (self.threshold.is_some(), "--threshold"),
            (self.max_rules.is_some(), "--max-rules"),
            (self.beta.is_some(), "--beta"),
            (self.width_rule.is_some(), "--width-rule"),
            (self.dim_scale, "--dim-scale"),
        ];
        given.into_iter().find(|(given, _)| *given).map(|(_, flag)| flag)
    }
}

impl TrainingArgs {
    /// Whether the target is a class.
    pub(super) fn is_classifier(&self) -> bool {
        self.classify.is_some()
    }

    /// Whether an option of the training is given, so that it is not chosen by cross-validation.
    pub(super) fn is_given(&self) -> bool {
        let rates = [self.rate_w, self.rate_m, self.rate_s, self.rate_decay, self.rate, self.validation];
        self.optimizer.is_some() || self.gates || rates.iter().any(Option::is_some)
    }

    pub(super) fn auto(&self) -> bool {
        self.auto
    }

    /// Whether rows may have missing inputs.
    pub(super) fn drops_missing(&self) -> bool {
        self.missing == Some(MissingInputs::Drop)
    }

    /// The first option on the command line whose value `--auto` selects.
    pub(super) fn chosen_by_auto(&self) -> Option<&'static str> {
        self.gates.then_some("--gates")
    }

    /// The error message for invalid combinations of these options.
    pub(super) fn usage_error(&self) -> Option<String> {
        let adam = matches!(self.optimizer, Some(Optimizer::Adam { .. }));
        let thesis = matches!(self.optimizer, Some(Optimizer::Thesis(_)));
        if !adam && self.batch.is_some() {
            return Some("`--batch` requires `--optimizer adam`".into());
        }
        if !adam && self.gates && !self.auto {
            return Some("`--gates` requires `--optimizer adam`".into());
        }
        if !(adam || thesis) && self.rate.is_some() {
            return Some(
                "`--rate` requires `--optimizer adam` or `--optimizer thesis`; use `--rate-w`, `--rate-m` and `--rate-s` instead"
                    .into(),
            );
        }
        let rates = [(self.rate_w, "--rate-w"), (self.rate_m, "--rate-m"), (self.rate_s, "--rate-s")];
        let rate = rates.into_iter().find(|(rate, _)| rate.is_some()).filter(|_| adam || thesis);
        rate.map(|(_, flag)| format!("`{flag}` requires `--optimizer online`; use `--rate` instead"))
    }

    /// Applies these options to `sonfin`.
    pub(super) fn settings(&self, mut sonfin: Sonfin) -> Sonfin {
        sonfin.classify = self.classify;
        sonfin.epochs = self.epochs.unwrap_or(sonfin.epochs);
        sonfin.rate_w = self.rate_w.unwrap_or(sonfin.rate_w);
        sonfin.rate_m = self.rate_m.unwrap_or(sonfin.rate_m);
        sonfin.rate_s = self.rate_s.unwrap_or(sonfin.rate_s);
        sonfin.rate_decay = self.rate_decay.unwrap_or(sonfin.rate_decay);
        sonfin.optimizer = match self.optimizer.unwrap_or(sonfin.optimizer) {
            Optimizer::Thesis(rate) => Optimizer::Thesis(self.rate.unwrap_or(rate)),
            Optimizer::Adam { batch, rate } => {
                Optimizer::Adam { batch: self.batch.unwrap_or(batch), rate: self.rate.unwrap_or(rate) }
            }
            other => other,
        };
        sonfin.gates = self.gates;
        sonfin.missing = self.missing.unwrap_or(sonfin.missing);
        sonfin.mapping = self.mapping.unwrap_or(sonfin.mapping);
        sonfin.validation = self.validation.unwrap_or(sonfin.validation);
        sonfin.seed = self.seed.unwrap_or(sonfin.seed);
        sonfin
    }

    /// The first option of this group on the command line.
    pub(super) fn first_given(&self) -> Option<&'static str> {
        let given = [
            (self.auto, "--auto"),
            (self.epochs.is_some(), "--epochs"),
            (self.rate_w.is_some(), "--rate-w"),
            (self.rate_m.is_some(), "--rate-m"),
            (self.rate_s.is_some(), "--rate-s"),
            (self.rate_decay.is_some(), "--rate-decay"),
            (self.optimizer.is_some(), "--optimizer"),
            (self.batch.is_some(), "--batch"),
            (self.rate.is_some(), "--rate"),
            (self.gates, "--gates"),
            (self.missing.is_some(), "--missing"),
            (self.validation.is_some(), "--validation"),
            (self.seed.is_some(), "--seed"),
            (self.mapping.is_some(), "--mapping"),
            (self.classify.is_some(), "--classify"),
        ];
        given.into_iter().find(|(given, _)| *given).map(|(_, flag)| flag)
    }
}
