//! Words for growth and learning, and the library's settings they stand for.

use fuzzion::sonfin::{Classify, Growth, Mapping, Missing, Optimizer, Sonfin, WidthRule};

/// What the threshold is multiplied by after each epoch, where that is not said.
const THRESHOLD_DECAY: f64 = 0.9;
/// Samples in a batch of Adam, where that is not said.
const BATCH: usize = 64;
/// The step of Adam, where that is not said.
const ADAM_RATE: f64 = 0.01;
/// The rate of the thesis' descent, where that is not said.
const THESIS_RATE: f64 = 0.01;

/// When rules are added, and how wide they are.
#[derive(clap::Args, Clone)]
#[command(next_help_heading = "Rules")]
pub(super) struct Growing {
    /// About so many rules, and never more (default: 256)
    #[arg(long, value_name = "N", conflicts_with_all = ["gamma", "threshold", "threshold_decay"])]
    rules: Option<usize>,
    /// How wide a new rule is compared with the nearest one, below 1; smaller gives more rules
    #[arg(long, value_name = "γ", allow_negative_numbers = true, conflicts_with_all = ["threshold", "threshold_decay"])]
    gamma: Option<f64>,
    /// Add a rule where no rule's membership is above this, in (0, 1)
    #[arg(long, value_name = "μ", allow_negative_numbers = true)]
    threshold: Option<f64>,
    /// What the threshold is multiplied by after each epoch, in (0, 1] (default: 0.9)
    #[arg(long, value_name = "F", allow_negative_numbers = true, requires = "threshold")]
    threshold_decay: Option<f64>,
    /// The most rules
    #[arg(long, value_name = "N")]
    max_rules: Option<usize>,
    /// The width of a new rule in distances to the nearest rule
    #[arg(long, value_name = "β", allow_negative_numbers = true)]
    beta: Option<f64>,
    /// What that width goes by: distance, thesis (its square) or log-firing (Juang and Lin)
    #[arg(long, value_name = "WORD", hide_possible_values = true)]
    #[arg(value_parser = ["distance", "thesis", "log-firing"])]
    width_rule: Option<String>,
    /// Divide the logarithms of memberships by the number of inputs: for very many inputs
    #[arg(long)]
    dim_scale: bool,
}

/// How they are learned.
#[derive(clap::Args, Clone)]
#[command(next_help_heading = "Learning")]
pub(super) struct Learning {
    /// The target is a class: one-hot (an output for each class) or cross-entropy
    #[arg(long, value_name = "WORD", num_args = 0..=1, require_equals = true, default_missing_value = "one-hot")]
    #[arg(value_parser = ["one-hot", "cross-entropy"], hide_possible_values = true)]
    classify: Option<String>,
    /// Choose rules, widths and rates by a short search on a part of the rows that is kept back
    #[arg(long, conflicts_with_all = ["rate_w", "rate_m", "rate_s", "rate_decay", "rate", "optimizer"])]
    auto: bool,
    /// How often the rows are seen (default: 30)
    #[arg(long, value_name = "N")]
    epochs: Option<usize>,
    /// How far a sample moves what rules say
    #[arg(long, value_name = "R", allow_negative_numbers = true)]
    rate_w: Option<f64>,
    /// How far it moves their centers, in widths
    #[arg(long, value_name = "R", allow_negative_numbers = true)]
    rate_m: Option<f64>,
    /// How far it moves their widths, in widths
    #[arg(long, value_name = "R", allow_negative_numbers = true)]
    rate_s: Option<f64>,
    /// What the rates are multiplied by after each epoch
    #[arg(long, value_name = "F", allow_negative_numbers = true)]
    rate_decay: Option<f64>,
    /// How: online (sample by sample), thesis (the same with one rate for all) or adam (in batches)
    #[arg(long, value_name = "WORD", hide_possible_values = true)]
    #[arg(value_parser = ["online", "thesis", "adam"])]
    optimizer: Option<String>,
    /// With adam: samples in a batch (default: 64)
    #[arg(long, value_name = "N")]
    batch: Option<usize>,
    /// With adam or thesis: the rate (default: 0.01)
    #[arg(long, value_name = "R", allow_negative_numbers = true)]
    rate: Option<f64>,
    /// With adam: learn how much each input counts
    #[arg(long)]
    gates: bool,
    /// What happens to missing inputs: error, or drop (rules go by the inputs that a row has)
    #[arg(long, value_name = "WORD", hide_possible_values = true)]
    #[arg(value_parser = ["error", "drop"])]
    missing: Option<String>,
    /// The share of the rows that is kept back to tell which epoch was the best
    #[arg(long, value_name = "SHARE", allow_negative_numbers = true)]
    validation: Option<f64>,
    /// How work is laid out on a GPU: auto, rule-per-block, atm or resident
    #[arg(long, value_name = "WORD", hide_possible_values = true)]
    #[arg(value_parser = ["auto", "rule-per-block", "atm", "resident"])]
    mapping: Option<String>,
    /// What random choices repeat for
    #[arg(long, value_name = "S")]
    seed: Option<u64>,
}

impl Growing {
    /// What is wrong with these words together, in one sentence.
    pub(super) fn complaint(&self) -> Option<String> {
        let (rules, most) = (self.rules?, self.max_rules?);
        let sentence = format!("`--rules {rules}` are more than `--max-rules {most}`; leave out one of them");
        (rules > most).then_some(sentence)
    }

    /// `sonfin` with these words.
    pub(super) fn settings<'a>(&self, mut sonfin: Sonfin<'a>) -> Sonfin<'a> {
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
        sonfin.width_rule = match self.width_rule.as_deref() {
            Some("thesis") => WidthRule::Thesis,
            Some("log-firing") => WidthRule::LogFiring,
            _ => sonfin.width_rule,
        };
        sonfin.dim_scale = self.dim_scale;
        sonfin
    }

    /// A word that says what a search finds, where there is one.
    pub(super) fn chosen_by_auto(&self) -> Option<&'static str> {
        let said = [
            (self.rules.is_some(), "--rules"),
            (self.gamma.is_some(), "--gamma"),
            (self.threshold.is_some(), "--threshold"),
            (self.width_rule.is_some(), "--width-rule"),
        ];
        said.into_iter().find(|(said, _)| *said).map(|(_, flag)| flag)
    }

    /// Whether widths are asked for that rules found beforehand do not have.
    pub(super) fn width_rule_without_growth(&self) -> bool {
        let other = self.width_rule.as_deref().is_some_and(|word| word != "distance");
        other && self.gamma.is_none() && self.threshold.is_none()
    }

    /// A word that says how to grow, where there is one.
    pub(super) fn any(&self) -> Option<&'static str> {
        let said = [
            (self.rules.is_some(), "--rules"),
            (self.gamma.is_some(), "--gamma"),
            (self.threshold.is_some(), "--threshold"),
            (self.max_rules.is_some(), "--max-rules"),
            (self.beta.is_some(), "--beta"),
            (self.width_rule.is_some(), "--width-rule"),
            (self.dim_scale, "--dim-scale"),
        ];
        said.into_iter().find(|(said, _)| *said).map(|(_, flag)| flag)
    }
}

impl Learning {
    /// Whether the target is a class.
    pub(super) fn classes(&self) -> bool {
        self.classify.is_some()
    }

    pub(super) fn auto(&self) -> bool {
        self.auto
    }

    /// Whether rows may miss inputs.
    pub(super) fn drops(&self) -> bool {
        self.missing.as_deref() == Some("drop")
    }

    /// A word that says what a search finds, where there is one.
    pub(super) fn chosen_by_auto(&self) -> Option<&'static str> {
        self.gates.then_some("--gates")
    }

    /// What is wrong with these words together, in one sentence.
    pub(super) fn complaint(&self) -> Option<String> {
        let adam = self.optimizer.as_deref() == Some("adam");
        let thesis = self.optimizer.as_deref() == Some("thesis");
        if !adam && self.batch.is_some() {
            return Some("`--batch` is for `--optimizer adam`; give both or leave it out".into());
        }
        if !adam && self.gates && !self.auto {
            return Some("`--gates` is for `--optimizer adam`; give both or leave it out".into());
        }
        if !(adam || thesis) && self.rate.is_some() {
            let mend = "give `--rate-w`, `--rate-m` and `--rate-s`";
            return Some(format!("`--rate` is for `--optimizer adam` and `thesis`; {mend}"));
        }
        let own = [(self.rate_w, "--rate-w"), (self.rate_m, "--rate-m"), (self.rate_s, "--rate-s")];
        let own = own.into_iter().find(|(rate, _)| rate.is_some()).filter(|_| adam || thesis);
        own.map(|(_, flag)| format!("`{flag}` is for `--optimizer online`; give `--rate`"))
    }

    /// `sonfin` with these words.
    pub(super) fn settings<'a>(&self, mut sonfin: Sonfin<'a>) -> Sonfin<'a> {
        sonfin.classify = self.classify.as_deref().map(|word| match word {
            "cross-entropy" => Classify::CrossEntropy,
            _ => Classify::OneHot,
        });
        sonfin.epochs = self.epochs.unwrap_or(sonfin.epochs);
        sonfin.rate_w = self.rate_w.unwrap_or(sonfin.rate_w);
        sonfin.rate_m = self.rate_m.unwrap_or(sonfin.rate_m);
        sonfin.rate_s = self.rate_s.unwrap_or(sonfin.rate_s);
        sonfin.rate_decay = self.rate_decay.unwrap_or(sonfin.rate_decay);
        sonfin.optimizer = match self.optimizer.as_deref() {
            Some("thesis") => Optimizer::Thesis(self.rate.unwrap_or(THESIS_RATE)),
            Some("adam") => {
                Optimizer::Adam { batch: self.batch.unwrap_or(BATCH), rate: self.rate.unwrap_or(ADAM_RATE) }
            }
            _ => sonfin.optimizer,
        };
        sonfin.gates = self.gates;
        sonfin.missing = match self.missing.as_deref() {
            Some("drop") => Missing::Drop,
            _ => sonfin.missing,
        };
        sonfin.mapping = match self.mapping.as_deref() {
            Some("rule-per-block") => Mapping::RulePerBlock,
            Some("atm") => Mapping::Atm,
            Some("resident") => Mapping::Resident,
            _ => sonfin.mapping,
        };
        sonfin.validation = self.validation.unwrap_or(sonfin.validation);
        sonfin.seed = self.seed.unwrap_or(sonfin.seed);
        sonfin
    }

    /// A word that says how to learn, where there is one.
    pub(super) fn any(&self) -> Option<&'static str> {
        let said = [
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
        said.into_iter().find(|(said, _)| *said).map(|(_, flag)| flag)
    }
}
