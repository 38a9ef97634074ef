//! Words for rules and learning, and the library's settings they stand for.

use crate::commands::systems;
use fuzzion::Result;
use fuzzion::tuning::{Classify, Form, Method, Missing, Start, Step, Tuned, Tuner};
use std::path::PathBuf;

/// The radius of subtractive clustering that is not said (S. L. Chiu, 1994).
const RADIUS: f64 = 0.5;
/// Halvings in the search for the radius that gives so many rules.
const HALVINGS: usize = 8;

/// Where rules come from.
#[derive(clap::Args, Clone)]
#[command(next_help_heading = "Rules")]
pub(super) struct Rules {
    /// A grid: so many sets for each input, or one number for all, and a rule for each combination
    #[arg(long, value_name = "N,…", value_delimiter = ',', conflicts_with_all = ["rules", "init", "radius", "system", "auto"])]
    sets: Option<Vec<usize>>,
    /// So many rules, from clusters of the rows
    #[arg(long, value_name = "K", conflicts_with_all = ["system", "auto"])]
    rules: Option<usize>,
    /// Which clusters: fcm (fuzzy c-means), gk (Gustafson-Kessel) or subtractive, which without `--rules` finds how many
    #[arg(long, value_name = "WORD", conflicts_with_all = ["system", "auto"], hide_possible_values = true)]
    #[arg(value_parser = ["fcm", "gk", "subtractive"])]
    init: Option<String>,
    /// With subtractive: how far a cluster reaches, in (0, 1] of the range; smaller gives more rules
    #[arg(long, value_name = "R", conflicts_with_all = ["rules", "system", "auto"], allow_negative_numbers = true)]
    radius: Option<f64>,
    /// The rules and sets of a Takagi-Sugeno system in a file
    #[arg(long, value_name = "FILE", conflicts_with = "auto")]
    system: Option<PathBuf>,
    /// Choose rules, order and rate by cross-validation on the training rows
    #[arg(long, conflicts_with_all = ["order", "rate"])]
    auto: bool,
    /// The shape of the sets: gaussian, two-sided, bell or triangle (which least squares alone can learn)
    #[arg(
        long,
        value_name = "WORD",
        default_value = "gaussian",
        hide_possible_values = true,
        conflicts_with = "system"
    )]
    #[arg(value_parser = ["gaussian", "two-sided", "bell", "triangle"])]
    form: String,
    /// Give each rule sets of its own: fits better, reads worse
    #[arg(long)]
    untied: bool,
    /// Keep sets in order and overlapping, so that their words stay true
    #[arg(long)]
    readable: bool,
}

impl Rules {
    /// The file that rules come from.
    pub(super) fn file(&self) -> Option<&PathBuf> {
        self.system.as_ref()
    }

    pub(super) fn is_auto(&self) -> bool {
        self.auto
    }

    /// What is wrong with these words together, in one sentence.
    pub(super) fn complaint(&self) -> Option<String> {
        match (self.init.as_deref(), self.rules) {
            (Some(word @ ("fcm" | "gk")), None) => {
                Some(format!("`--init {word}` needs to know how many rules; give `--rules K`"))
            }
            (word, _) if self.radius.is_some() && word != Some("subtractive") => {
                Some("`--radius` is for `--init subtractive`; give both or leave it out".into())
            }
            _ => None,
        }
    }

    /// A tuner with these rules, sets and shapes.
    pub(super) fn tuner<'a>(&self) -> Result<Tuner<'a>> {
        let start = match (&self.system, self.init.as_deref(), self.rules) {
            (Some(file), ..) => Start::System(Box::new(systems::load(file)?.system)),
            (_, Some("subtractive"), _) => Start::Subtractive(self.radius.unwrap_or(RADIUS)),
            (_, Some("gk"), Some(rules)) => Start::GustafsonKessel(rules),
            (_, _, Some(rules)) => Start::FuzzyCMeans(rules),
            _ => Start::Grid(self.sets.clone().unwrap_or_else(|| vec![2])),
        };
        let form = match self.form.as_str() {
            "two-sided" => Form::TwoSided,
            "bell" => Form::Bell,
            "triangle" => Form::Triangle,
            _ => Form::Gaussian,
        };
        Ok(Tuner::new(start).form(form).untied(self.untied).readable(self.readable))
    }

    /// The same tuner; where subtractive clustering is to make so many rules, with the smallest radius that makes no more.
    pub(super) fn with_start<'a>(
        &self,
        tuner: Tuner<'a>,
        fit: impl Fn(&Tuner<'_>) -> Result<Tuned>,
    ) -> Result<Tuner<'a>> {
        let (Some("subtractive"), Some(wanted)) = (self.init.as_deref(), self.rules) else {
            return Ok(tuner);
        };
        let with = |radius: f64| Tuner { start: Start::Subtractive(radius), ..tuner.clone() };
        let (mut few, mut many) = (1.0, 0.0);
        for _ in 0..HALVINGS {
            let middle = 0.5 * (few + many);
            // A radius that makes more rules than can be solved for makes more than are wanted.
            let found =
                fit(&Tuner { iterations: 0, ..with(middle) }).map_or(usize::MAX, |tuned| tuned.report.rules);
            if found > wanted {
                many = middle;
            } else {
                few = middle;
            }
        }
        Ok(with(few))
    }
}

/// How they are learned.
#[derive(clap::Args, Clone)]
#[command(next_help_heading = "Learning")]
pub(super) struct Learning {
    /// The degree of the consequents: 0 constants, 1 linear, higher ones polynomials (default: 1)
    #[arg(long, value_name = "N")]
    order: Option<usize>,
    /// How: hybrid (least squares and gradient in turns), gradient, rls (recursive least squares, row by row) or lm
    /// (Levenberg-Marquardt, for small problems)
    #[arg(long, value_name = "WORD", default_value = "hybrid", hide_possible_values = true)]
    #[arg(value_parser = ["hybrid", "gradient", "rls", "lm"])]
    method: String,
    /// With rls: how much older rows still count after each new one, in (0, 1] (default: 1, all alike)
    #[arg(long, value_name = "λ", allow_negative_numbers = true)]
    forgetting: Option<f64>,
    /// How far gradients move sets: plain, jang (adaptive) or adam
    #[arg(long, value_name = "WORD", default_value = "adam", hide_possible_values = true)]
    #[arg(value_parser = ["plain", "jang", "adam"])]
    step: String,
    /// The rate of the step (default: what suits the step rule)
    #[arg(long, value_name = "R", allow_negative_numbers = true)]
    rate: Option<f64>,
    /// The most iterations; 0 is least squares alone
    #[arg(long, value_name = "N", default_value_t = 100)]
    iterations: usize,
    /// Solve least squares in every K-th iteration only
    #[arg(long, value_name = "K", default_value_t = 1)]
    solve_every: usize,
    /// The share of the rows that is kept back to tell when to stop
    #[arg(long, value_name = "SHARE", default_value_t = 0.0, allow_negative_numbers = true)]
    validation: f64,
    /// Iterations without a better validation error before it stops
    #[arg(long, value_name = "N", default_value_t = 20)]
    patience: usize,
    /// How strongly consequents are drawn to 0, relative to the rows they are learned from
    #[arg(long, value_name = "ρ", default_value_t = 1e-9, allow_negative_numbers = true)]
    ridge: f64,
    /// The target is a class: one-hot (an output for each class) or cross-entropy (probabilities)
    #[arg(long, value_name = "WORD", num_args = 0..=1, require_equals = true, default_missing_value = "one-hot")]
    #[arg(value_parser = ["one-hot", "cross-entropy"], hide_possible_values = true)]
    classify: Option<String>,
    /// What happens to missing inputs: error, or drop (rules go by the inputs that a row has)
    #[arg(long, value_name = "WORD", default_value = "error", hide_possible_values = true)]
    #[arg(value_parser = ["error", "drop"])]
    missing: String,
    /// What random choices repeat for
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,
}

impl Learning {
    /// The degree of the consequents.
    pub(super) fn order(&self) -> usize {
        self.order.unwrap_or(1)
    }

    /// Whether rows may have missing inputs.
    pub(super) fn drops_missing(&self) -> bool {
        self.missing == "drop"
    }

    /// How classes are learned.
    pub(super) fn classify(&self) -> Option<Classify> {
        self.classify.as_deref().map(|word| match word {
            "cross-entropy" => Classify::CrossEntropy,
            _ => Classify::OneHot,
        })
    }

    /// What is wrong with these words together, in one sentence.
    pub(super) fn complaint(&self) -> Option<String> {
        let steps = matches!(self.method.as_str(), "hybrid" | "gradient");
        if self.forgetting.is_some() && self.method != "rls" {
            return Some("`--forgetting` is for `--method rls`; give both or leave it out".into());
        }
        (self.rate.is_some() && !steps)
            .then(|| format!("`--method {}` takes no gradient steps; leave out `--rate`", self.method))
    }

    /// `tuner` with these words.
    pub(super) fn settings<'a>(&self, tuner: Tuner<'a>) -> Result<Tuner<'a>> {
        let method = match self.method.as_str() {
            "gradient" => Method::Gradient,
            "rls" => Method::Recursive(self.forgetting.unwrap_or(1.0)),
            "lm" => Method::LevenbergMarquardt,
            _ => Method::Hybrid,
        };
        let step = match self.step.as_str() {
            "plain" => Step::Plain,
            "jang" => Step::Jang,
            _ => Step::Adam,
        };
        let mut tuner = tuner
            .order(self.order())
            .method(method)
            .step(step)
            .iterations(self.iterations)
            .solve_every(self.solve_every)
            .validation(self.validation)
            .patience(self.patience)
            .ridge(self.ridge)
            .missing(if self.drops_missing() { Missing::Drop } else { Missing::Error })
            .seed(self.seed);
        tuner.rate = self.rate;
        tuner.classify = self.classify();
        Ok(tuner)
    }
}
