//! Options for rules and training, and the library settings for them.

use crate::commands::common::names::names;
use crate::commands::common::system_args;
use crate::format::ellipsize;
use fuzzion::Result;
use fuzzion::tuning::{
    Classify, Form, InitialRules, MissingInputs, StepRule, TrainingMethod, TunedSystem, Tuner,
};
use std::path::PathBuf;

/// Default radius of subtractive clustering (S. L. Chiu, 1994).
const RADIUS: f64 = 0.5;
/// Default maximum number of rules of a sparse rule base.
const MAX_RULES: usize = 10;
/// Bisection steps in the search for the radius with a given number of rules.
const BISECTIONS: usize = 8;

/// Clustering methods that create rules.
#[derive(Clone, Copy, PartialEq, clap::ValueEnum)]
enum ClusteringMethod {
    Fcm,
    Gk,
    Subtractive,
}

/// Options for the initial rules.
#[derive(clap::Args, Clone)]
#[command(next_help_heading = "Rules")]
pub(super) struct RuleArgs {
    /// Number of sets per input, or one number for all inputs; creates a grid with one rule per combination
    #[arg(long, value_name = "N,…", value_delimiter = ',', conflicts_with_all = ["rules", "init", "radius", "system", "auto"])]
    sets: Option<Vec<usize>>,
    /// Number of rules, created from clusters of the rows
    #[arg(long, value_name = "K", conflicts_with_all = ["system", "auto"])]
    rules: Option<usize>,
    /// Learn a sparse rule base of at most N rules, from 1 to 100; cross-validation selects the number
    #[arg(long, value_name = "N", conflicts_with_all = ["sets", "rules", "init", "radius", "system", "auto", "form", "untied"])]
    max_rules: Option<usize>,
    /// Maximum number of conditions in a rule of a sparse rule base [default: 3]
    #[arg(long, value_name = "N", conflicts_with_all = ["form", "untied"])]
    max_conditions: Option<usize>,
    /// Clustering method: fcm (fuzzy c-means), gk (Gustafson-Kessel) or subtractive (finds the number of rules if `--rules` is not set)
    #[arg(long, value_name = "METHOD", conflicts_with_all = ["system", "auto"], hide_possible_values = true)]
    init: Option<ClusteringMethod>,
    /// Cluster radius of subtractive clustering relative to the input range, in (0, 1]; smaller values give more rules
    #[arg(long, value_name = "R", conflicts_with_all = ["rules", "system", "auto"])]
    radius: Option<f64>,
    /// Start from the rules and sets of this Takagi-Sugeno system file
    #[arg(long, value_name = "FILE", conflicts_with = "auto")]
    system: Option<PathBuf>,
    /// Select rules, order and rate by cross-validation on the training rows (default if no rules are given)
    #[arg(long, conflicts_with_all = ["order", "rate"])]
    auto: bool,
    /// Shape of the sets: gaussian, two-sided (Gaussian sides with a flat top), bell, or triangle or trapezoid (only with `--iterations 0`)
    #[arg(long, value_name = "SHAPE", default_value_t, conflicts_with = "system")]
    #[arg(value_parser = names::<Form>(Form::ALL.map(|value| value.name())), hide_possible_values = true)]
    form: Form,
    /// Give every rule its own sets: more accurate, but less readable
    #[arg(long)]
    untied: bool,
    /// Keep the sets ordered and overlapping, so that their names stay meaningful
    #[arg(long)]
    readable: bool,
    /// Names of the sets of an input, in ascending order, such as `--words income=low,middle,high`; can be repeated
    #[arg(long, value_name = "INPUT=WORD,…", value_parser = parse_words)]
    words: Vec<(String, Vec<String>)>,
    /// Bound predictions to the range of the target in the training data, or not with `--bounded=false` [default: for sparse rule
    /// bases and automatic selection; otherwise, if this does not change the predictions of the training rows]
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    bounded: Option<bool>,
    /// Calibrate prediction intervals with held-out rows, by five more fits (always on for
    /// `--auto` and sparse rule bases)
    #[arg(long)]
    intervals: bool,
}

/// Parses `INPUT=WORD,WORD`.
fn parse_words(text: &str) -> std::result::Result<(String, Vec<String>), String> {
    let (input, words) = text.rsplit_once('=').ok_or("expected INPUT=WORD,WORD")?;
    Ok((input.to_owned(), words.split(',').map(|word| word.trim().to_owned()).collect()))
}

impl RuleArgs {
    /// The system file of the initial rules.
    pub(super) fn file(&self) -> Option<&PathBuf> {
        self.system.as_ref()
    }

    /// Whether cross-validation selects the rules.
    pub(super) fn is_auto(&self) -> bool {
        self.auto || !(self.is_tree() || self.has_rules())
    }

    /// Whether a sparse rule base is learned.
    pub(super) fn is_tree(&self) -> bool {
        self.max_rules.is_some() || self.max_conditions.is_some()
    }

    fn has_rules(&self) -> bool {
        self.sets.is_some() || self.rules.is_some() || self.init.is_some() || self.system.is_some()
    }

    /// The inputs whose sets have names.
    pub(super) fn named_inputs(&self) -> impl Iterator<Item = &String> {
        self.words.iter().map(|(input, _)| input)
    }

    /// `tuned`, fitted to `inputs`, with the names of its sets, and the inputs with names that no rule uses.
    pub(super) fn with_words(
        &self,
        mut tuned: TunedSystem,
        inputs: &[String],
    ) -> Result<(TunedSystem, Vec<&String>)> {
        let mut unused = Vec::new();
        for (input, words) in &self.words {
            let index = tuned.inputs.iter().position(|column| column == input);
            match index {
                Some(index) if tuned.system.inputs[index].sets.is_empty() => unused.push(input),
                None if inputs.contains(input) => unused.push(input), // a constant input, for example
                _ => tuned = tuned.with_words(input, words)?,
            }
        }
        Ok((tuned, unused))
    }

    /// The error message for invalid combinations of these options.
    pub(super) fn usage_error(&self) -> Option<String> {
        use ClusteringMethod::{Fcm, Gk, Subtractive};
        let mut inputs: Vec<&String> = self.named_inputs().collect();
        inputs.sort();
        if let Some(twice) = inputs.windows(2).find(|pair| pair[0] == pair[1]) {
            return Some(format!("`--words` is given twice for `{}`; give it once", ellipsize(twice[0])));
        }
        if self.max_conditions.is_some() && self.max_rules.is_none() && (self.has_rules() || self.auto) {
            return Some("`--max-conditions` requires `--max-rules`".into());
        }
        match (self.init, self.rules) {
            (Some(Fcm), None) => Some("`--init fcm` requires `--rules K`".into()),
            (Some(Gk), None) => Some("`--init gk` requires `--rules K`".into()),
            (method, _) if self.radius.is_some() && method != Some(Subtractive) => {
                Some("`--radius` requires `--init subtractive`".into())
            }
            _ => None,
        }
    }

    /// A tuner with these initial rules.
    pub(super) fn tuner(&self) -> Result<Tuner> {
        let tuner = match (&self.system, self.init, self.rules, &self.sets) {
            _ if self.is_tree() => self.tree(),
            (Some(file), ..) => Tuner::new(InitialRules::System(Box::new(system_args::load(file)?.system))),
            (_, Some(ClusteringMethod::Subtractive), ..) => {
                Tuner::new(InitialRules::Subtractive(self.radius.unwrap_or(RADIUS)))
            }
            (_, Some(ClusteringMethod::Gk), Some(rules), _) => {
                Tuner::new(InitialRules::GustafsonKessel(rules))
            }
            (_, _, Some(rules), _) => Tuner::new(InitialRules::FuzzyCMeans(rules)),
            (.., Some(sets)) => Tuner::grid(sets),
            _ => Tuner::default(), // `--auto` selects the rules
        };
        // By default, exported systems are bounded if this does not change the fit.
        let bounded = self.bounded.or(self.is_tree().then_some(true));
        let intervals = self.intervals || self.is_auto() || self.is_tree();
        let mut tuner =
            tuner.intervals(intervals).form(self.form).untied(self.untied).readable(self.readable);
        tuner.bounded = bounded;
        Ok(tuner)
    }

    /// A tuner for a sparse rule base.
    fn tree(&self) -> Tuner {
        let tuner = Tuner::tree(self.max_rules.unwrap_or(MAX_RULES));
        match (&tuner.initial_rules, self.max_conditions) {
            (InitialRules::Tree { max_rules, .. }, Some(max_conditions)) => {
                let max_rules = *max_rules;
                tuner.initial_rules(InitialRules::Tree { max_rules, max_conditions })
            }
            _ => tuner,
        }
    }

    /// Returns `tuner`; for subtractive clustering with `--rules`, with the smallest radius that gives at most that many rules.
    pub(super) fn with_rule_count(
        &self,
        tuner: Tuner,
        fit: impl Fn(&Tuner) -> Result<TunedSystem>,
    ) -> Result<Tuner> {
        let (Some(ClusteringMethod::Subtractive), Some(max_rules)) = (self.init, self.rules) else {
            return Ok(tuner);
        };
        let with = |radius: f64| tuner.clone().initial_rules(InitialRules::Subtractive(radius));
        let (mut upper, mut lower) = (1.0, 0.0);
        for _ in 0..BISECTIONS {
            let middle = 0.5 * (upper + lower);
            // A fit fails if there are more rules than can be solved for, which is more than `max_rules`.
            let rules = fit(&with(middle).iterations(0).intervals(false))
                .map_or(usize::MAX, |tuned| tuned.report.rules);
            if rules > max_rules {
                lower = middle;
            } else {
                upper = middle;
            }
        }
        Ok(with(upper))
    }
}

/// Options for training.
#[derive(clap::Args, Clone)]
#[command(next_help_heading = "Training")]
pub(super) struct TrainingArgs {
    /// Degree of the consequents: 0 (constant), 1 (linear) or higher (polynomial) [default: 1]
    #[arg(long, value_name = "N")]
    order: Option<usize>,
    /// Training method: hybrid (alternating least squares and gradient steps), gradient, rls (recursive least squares, row by
    /// row; always on the CPU) or lm (Levenberg-Marquardt, for small problems; always on the CPU)
    #[arg(long, value_name = "METHOD", default_value_t)]
    #[arg(value_parser = names::<TrainingMethod>(["hybrid", "gradient", "rls", "lm"]), hide_possible_values = true)]
    method: TrainingMethod,
    /// Forgetting factor for rls, in (0, 1] [default: 1]
    #[arg(long, value_name = "λ")]
    forgetting: Option<f64>,
    /// Optimizer for the gradient steps: plain (gradient descent), jang (adaptive step size) or adam
    #[arg(long, value_name = "RULE", default_value_t)]
    #[arg(value_parser = names::<StepRule>(StepRule::ALL.map(|value| value.name())), hide_possible_values = true)]
    step: StepRule,
    /// Learning rate [default: depends on `--step`]
    #[arg(long, value_name = "R")]
    rate: Option<f64>,
    /// Maximum number of iterations; 0 for least squares only
    #[arg(long, value_name = "N", default_value_t = 100)]
    iterations: usize,
    /// Solve the least-squares problem every K iterations
    #[arg(long, value_name = "K", default_value_t = 1)]
    solve_every: usize,
    /// Fraction of the rows held out for validation and early stopping
    #[arg(long, value_name = "FRACTION", default_value_t = 0.0)]
    validation: f64,
    /// Number of iterations without improvement of the validation error before stopping [default: 20]
    #[arg(long, value_name = "N")]
    patience: Option<usize>,
    /// Ridge regularization of the consequents, relative to the data [default: chosen by generalized cross-validation, towards
    /// the linear model]
    #[arg(long, value_name = "ρ")]
    ridge: Option<f64>,
    /// Treat the target as a class: one-hot (one output per class) or cross-entropy (probabilities) [default: cross-entropy for sparse rule bases and automatic selection, otherwise one-hot]
    #[arg(long, value_name = "LOSS", num_args = 0..=1, require_equals = true)]
    #[arg(value_parser = names::<Classify>(Classify::ALL.map(|value| value.name())), hide_possible_values = true)]
    classify: Option<Option<Classify>>,
    /// Handling of missing inputs: error, or drop (ignore them in the rules)
    #[arg(long, value_name = "POLICY", default_value_t)]
    #[arg(value_parser = names::<MissingInputs>(MissingInputs::ALL.map(|value| value.name())), hide_possible_values = true)]
    missing: MissingInputs,
    /// Time limit of the automatic selection of rules, such as 20s or 5m [default: 20s]
    #[arg(long, value_name = "TIME", value_parser = parse_seconds, allow_hyphen_values = true)]
    budget: Option<f64>,
    /// Random seed
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,
}

/// Parses a time such as `20s`, `5m` or `1h`; a number without a unit is in seconds.
fn parse_seconds(text: &str) -> std::result::Result<f64, String> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit = match &text[digits.len()..] {
        "" | "s" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => f64::NAN,
    };
    let seconds = digits.parse::<f64>().unwrap_or(f64::NAN) * unit;
    let is_valid = seconds > 0.0 && seconds <= 1e9;
    is_valid.then_some(seconds).ok_or_else(|| "expected a time such as 20s, 5m or 1h".to_owned())
}

impl TrainingArgs {
    /// Degree of the consequents.
    pub(super) fn order(&self) -> usize {
        self.order.unwrap_or(1)
    }

    /// Whether the training method does not use a GPU.
    pub(super) fn is_cpu_only(&self) -> bool {
        self.method.is_cpu_only()
    }

    /// Whether rows may have missing inputs.
    pub(super) fn drops_missing(&self) -> bool {
        self.missing == MissingInputs::Drop
    }

    /// Whether the target is a class.
    pub(super) fn is_classifier(&self) -> bool {
        self.classify.is_some()
    }

    /// The error message for invalid combinations of these options.
    pub(super) fn usage_error(&self, auto: bool) -> Option<String> {
        let chosen = [("--order", self.order.is_some()), ("--rate", self.rate.is_some())];
        if let Some((option, _)) = chosen.into_iter().find(|(_, is_given)| auto && *is_given) {
            return Some(format!(
                "`{option}` requires `--sets`, `--rules`, `--init`, `--max-rules` or `--system`: without them, \
                 cross-validation selects the rules"
            ));
        }
        if self.budget.is_some() && !auto {
            return Some(
                "`--budget` limits only the automatic selection of rules; remove it, or use `--auto`".into(),
            );
        }
        if self.patience.is_some() && self.validation == 0.0 {
            return Some("`--patience` requires `--validation`".into());
        }
        let has_steps = matches!(self.method, TrainingMethod::Hybrid | TrainingMethod::Gradient);
        if self.forgetting.is_some() && !matches!(self.method, TrainingMethod::RecursiveLeastSquares(_)) {
            return Some("`--forgetting` requires `--method rls`".into());
        }
        (self.rate.is_some() && !has_steps)
            .then(|| format!("`--method {}` has no gradient steps; remove `--rate`", self.method))
    }

    /// Applies these options to `tuner`, whose rules cross-validation selects if `auto`.
    pub(super) fn settings(&self, tuner: Tuner, auto: bool) -> Tuner {
        let method = self.forgetting.map_or(self.method, TrainingMethod::RecursiveLeastSquares);
        let mut tuner = tuner
            .order(self.order())
            .method(method)
            .step(self.step)
            .iterations(self.iterations)
            .solve_every(self.solve_every)
            .validation(self.validation)
            .missing(self.missing)
            .seed(self.seed);
        (tuner.rate, tuner.ridge) = (self.rate, self.ridge);
        tuner.patience = self.patience.unwrap_or(tuner.patience);
        tuner.budget = self.budget.unwrap_or(tuner.budget);
        let has_steps = matches!(self.method, TrainingMethod::Hybrid | TrainingMethod::Gradient);
        let is_tree = matches!(tuner.initial_rules, InitialRules::Tree { .. });
        let default = match (auto || is_tree) && has_steps {
            true => Classify::CrossEntropy,
            false => Classify::OneHot,
        };
        tuner.classify = self.classify.map(|loss| loss.unwrap_or(default));
        tuner
    }
}
