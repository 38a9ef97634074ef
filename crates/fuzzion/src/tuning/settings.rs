//! Settings of a fit.

use crate::base::{SettingError, unknown_name};
pub use crate::data::{Classify, MissingInputs};
use crate::inference::System;
use crate::macros::{named, setters};
use crate::tuning::error::Result;
use crate::tuning::network::form::Form;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// Highest supported order: within a set, monomials of higher degree are nearly collinear.
pub(super) const MAX_ORDER: usize = 8;
/// Maximum number of rules of a tree: more cannot be read.
const MAX_TREE_RULES: usize = 100;
/// Default maximum number of conditions of a rule of a tree.
const DEFAULT_CONDITIONS: usize = 3;
/// Longest time limit in seconds.
const MAX_BUDGET: f64 = 1e9;
/// Default ridge during training.
const TRAINING_RIDGE: f64 = 1e-9;
/// Largest fraction of rows that can be held out for validation.
const MAX_VALIDATION: f64 = 0.9;

/// Settings for learning a Takagi-Sugeno-Kang system; see [`Tuner::fit`].
///
/// ```
/// use fuzzion::{Device, Table, tuning::Tuner};
/// let rows: Vec<f64> = (0..=20).flat_map(|i| [f64::from(i), f64::from(i * i)]).collect();
/// let rows = Table::new(["x", "y"], rows)?;
/// let tuned = Tuner::grid(&[3]).fit(&rows, &["y"], &Device::cpu()?)?;
/// assert!(tuned.report.rmse < 1.0 && tuned.report.rmse <= tuned.report.history[0].rmse); // y ranges up to 400
/// # Ok::<(), fuzzion::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default = "Tuner::of_file")]
#[non_exhaustive]
pub struct Tuner {
    /// Source of the initial rules.
    pub initial_rules: InitialRules,
    /// Names of the input columns; if empty, all columns except the targets. A text column with 2 to 20 values becomes one input
    /// for each value, `column=value`, which is 1 in the rows with this value and 0 in others.
    pub inputs: Vec<String>,
    /// Parametric form of the sets. Default: Gaussian.
    pub form: Form,
    /// Degree of the consequent polynomials. Default: 1.
    pub order: usize,
    /// Whether each rule has its own sets (better fit) instead of sharing them with other rules (easier to read).
    /// Default: false.
    pub untied: bool,
    /// Training method. Default: hybrid.
    pub method: TrainingMethod,
    /// Step rule for gradient steps. Default: Adam.
    pub step: StepRule,
    /// Learning rate; `None` selects the default of the step rule.
    pub rate: Option<f64>,
    /// Maximum number of iterations; 0 performs least squares only. Default: 100.
    pub iterations: usize,
    /// Solve least squares every `solve_every` iterations. Default: 1.
    pub solve_every: usize,
    /// Fraction of rows held out for validation and early stopping, from 0 to 0.9. Default: 0.
    pub validation: f64,
    /// Number of iterations without a lower validation error before training stops. Default: 20.
    pub patience: usize,
    /// Ridge ρ of Equation (3). By default, consequents are trained with 1e-9 and then shrunk towards the linear model, by a
    /// penalty from generalized cross-validation, so that rules with few rows do not predict arbitrary values. There is no
    /// shrinkage with more than 1,024 coefficients per output, and with recursive least squares.
    pub ridge: Option<f64>,
    /// Whether the sets of each input stay ordered and overlapping, so that the rules stay readable. Default: false.
    pub readable: bool,
    /// Whether predictions are bounded to the range of the target in the training data; `None` bounds them if this does not
    /// change those of the training rows. Probabilities are in [0, 1] anyway. Default: true for [`Tuner::tree`], `None`
    /// for [`Tuner::default`], with which [`Tuner::auto`] bounds predictions, and false otherwise.
    pub bounded: Option<bool>,
    /// Whether held-out rows calibrate prediction intervals ([`TunedSystem::predict_intervals`]) or, for classifiers,
    /// prediction sets: the validation rows, if they do not choose the number of iterations, or else the training rows in five
    /// folds, for which the system is fitted five more times (to at most 20,000 rows). For [`InitialRules::Tree`],
    /// cross-validation has already done so. Default: true for [`Tuner::tree`], false otherwise.
    ///
    /// [`TunedSystem::predict_intervals`]: crate::tuning::TunedSystem::predict_intervals
    pub intervals: bool,
    /// Classification mode, if the target is a class.
    pub classify: Option<Classify>,
    /// Names of the classes, in the order of the outputs; if empty, the classes of the rows.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub classes: Vec<String>,
    /// Treatment of missing inputs.
    pub missing: MissingInputs,
    /// Time limit of the trials of [`Tuner::auto`] in seconds. Default: 20.
    pub budget: f64,
    /// Random seed.
    pub seed: u64,
}

setters! {
    Tuner {
        initial_rules: InitialRules,
        form: Form,
        order: usize,
        untied: bool,
        method: TrainingMethod,
        step: StepRule,
        some rate: f64,
        iterations: usize,
        solve_every: usize,
        validation: f64,
        patience: usize,
        some ridge: f64,
        readable: bool,
        some bounded: bool,
        intervals: bool,
        some classify: Classify,
        missing: MissingInputs,
        budget: f64,
        seed: u64,
    }
}

/// Two sets per input; for [`Tuner::auto`], which chooses the rules.
impl Default for Tuner {
    fn default() -> Self {
        Tuner { bounded: None, ..Tuner::of_file() }
    }
}

impl Tuner {
    /// Settings with the given initial rules and defaults for everything else: Gaussian sets, order 1, hybrid training
    /// for 100 iterations with Adam. Fields that are missing in a file have these defaults, too:
    ///
    /// ```
    /// use fuzzion::tuning::{InitialRules, Tuner};
    /// let tuner: Tuner = serde_json::from_str(r#"{"initial_rules": {"fcm": 3}, "order": 0}"#)?;
    /// assert_eq!(tuner, Tuner::new(InitialRules::FuzzyCMeans(3)).order(0));
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    pub fn new(initial_rules: InitialRules) -> Self {
        Tuner {
            initial_rules,
            inputs: Vec::new(),
            form: Form::default(),
            order: 1,
            untied: false,
            method: TrainingMethod::default(),
            step: StepRule::default(),
            rate: None,
            iterations: 100,
            solve_every: 1,
            validation: 0.0,
            patience: 20,
            ridge: None,
            readable: false,
            bounded: Some(false),
            intervals: false,
            classify: None,
            classes: Vec::new(),
            missing: MissingInputs::default(),
            budget: 20.0,
            seed: 0,
        }
    }

    /// Values of the fields that a file omits.
    fn of_file() -> Self {
        Tuner::grid(&[2])
    }

    /// Settings with a uniform grid of sets: the number of sets for each input, or one number for all inputs.
    pub fn grid(sets: &[usize]) -> Self {
        Tuner::new(InitialRules::Grid(sets.to_vec()))
    }

    /// Settings for a sparse rule base of at most `max_rules` rules with at most three conditions each; see
    /// [`InitialRules::Tree`].
    ///
    /// ```
    /// use fuzzion::{Device, Table, tuning::{Tuner, inspect}};
    /// let row = |i: i32| [f64::from(i % 10), f64::from(i / 10), if i % 10 < 5 { 5.0 } else { f64::from(i / 10) }];
    /// let rows: Vec<f64> = (0..400).flat_map(row).collect();
    /// let tuned = Tuner::tree(10).fit(&Table::new(["a", "b", "y"], rows)?, &["y"], &Device::cpu()?)?;
    /// assert_eq!(tuned.report.rules, 2);
    /// assert!(inspect::rules(&tuned.system)?[1].starts_with("if a is high then y = ")); // about 1 b
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    pub fn tree(max_rules: usize) -> Self {
        let max_conditions = DEFAULT_CONDITIONS;
        Tuner::new(InitialRules::Tree { max_rules, max_conditions })
            .iterations(0)
            .bounded(true)
            .intervals(true)
    }

    /// Sets [`Tuner::inputs`].
    #[must_use]
    pub fn inputs<S: Into<String>>(mut self, inputs: impl IntoIterator<Item = S>) -> Self {
        self.inputs = inputs.into_iter().map(Into::into).collect();
        self
    }

    /// Sets [`Tuner::classes`].
    #[must_use]
    pub fn classes<S: Into<String>>(mut self, classes: impl IntoIterator<Item = S>) -> Self {
        self.classes = classes.into_iter().map(Into::into).collect();
        self
    }

    /// Rejects settings that are invalid for any data.
    pub(super) fn check(&self) -> Result<()> {
        let positive = |x: f64| x > 0.0 && x.is_finite();
        let forgetting = match self.method {
            TrainingMethod::RecursiveLeastSquares(forgetting) => forgetting,
            _ => 1.0,
        };
        let (rate, ridge) = (self.initial_rate(), self.training_ridge());
        let (is_tree, max_rules, max_conditions) = match self.initial_rules {
            InitialRules::Tree { max_rules, max_conditions } => (true, max_rules, max_conditions),
            _ => (false, 1, 1),
        };
        let settings = [
            (self.order <= MAX_ORDER, "order", self.order as f64, "at most 8"),
            (positive(rate), "rate", rate, "above 0"),
            (self.solve_every > 0, "solve_every", 0.0, "at least 1"),
            (
                (0.0..=MAX_VALIDATION).contains(&self.validation),
                "validation",
                self.validation,
                "a fraction from 0 to 0.9",
            ),
            ((0.0..=MAX_BUDGET).contains(&self.budget), "budget", self.budget, "from 0 to 1e9 seconds"),
            (self.patience > 0, "patience", 0.0, "at least 1"),
            (ridge == 0.0 || positive(ridge), "ridge", ridge, "at least 0"),
            ((1..=MAX_TREE_RULES).contains(&max_rules), "max_rules", max_rules as f64, "from 1 to 100"),
            (max_conditions > 0, "max_conditions", 0.0, "at least 1"),
            (!is_tree || self.order < 2, "order", self.order as f64, "0 or 1 for a tree of rules"),
            (forgetting > 0.0 && forgetting <= 1.0, "forgetting", forgetting, "above 0 and at most 1"),
        ];
        if let Some((_, name, value, must)) = settings.into_iter().find(|(valid, ..)| !valid) {
            return Err(out_of_range(name, value, must).into());
        }
        self.check_pairs()
    }

    /// Rejects combinations of settings that are not supported.
    fn check_pairs(&self) -> Result<()> {
        let clusters = matches!(
            self.initial_rules,
            InitialRules::FuzzyCMeans(_) | InitialRules::GustafsonKessel(_) | InitialRules::Subtractive(_)
        );
        let tree = matches!(self.initial_rules, InitialRules::Tree { .. });
        let softmax = self.classify == Some(Classify::CrossEntropy);
        let levenberg_marquardt = self.method == TrainingMethod::LevenbergMarquardt;
        let recursive = matches!(self.method, TrainingMethod::RecursiveLeastSquares(_));
        let pairs = [
            (self.readable && self.untied, "readable sets", "untied sets"),
            (self.readable && clusters, "readable sets", "rules from clustering"),
            (self.readable && levenberg_marquardt, "readable sets", "Levenberg-Marquardt"),
            (softmax && levenberg_marquardt, "cross-entropy", "Levenberg-Marquardt"),
            (softmax && recursive, "cross-entropy", "recursive least squares"),
            (tree && self.untied, "a tree of rules", "untied sets"),
            (tree && (recursive || levenberg_marquardt), "a tree of rules", "this training method"),
        ];
        match pairs.into_iter().find(|(both, ..)| *both) {
            Some((_, a, b)) => Err(SettingError::Conflict { a, b }.into()),
            None => Ok(()),
        }
    }

    /// Ridge of the solutions during training.
    pub(super) fn training_ridge(&self) -> f64 {
        self.ridge.unwrap_or(TRAINING_RIDGE)
    }

    /// Learning rate of the first step.
    pub(super) fn initial_rate(&self) -> f64 {
        self.rate.unwrap_or_else(|| self.step.default_rate())
    }
}

/// The error for a setting of this module outside its valid range.
pub(super) fn out_of_range(name: &'static str, value: f64, must: &'static str) -> SettingError {
    SettingError::OutOfRange { algorithm: "tuning", name, value, must }
}

/// Source of the initial rules.
///
/// ```
/// use fuzzion::{Device, Table, tuning::{InitialRules, Tuner}};
/// let rows: Vec<f64> = (0..20).flat_map(|i| [f64::from(i % 2 * 9 + i / 2), f64::from(i % 2)]).collect();
/// let tuner = Tuner::new(InitialRules::FuzzyCMeans(2)).iterations(0);
/// let tuned = tuner.fit(&Table::new(["x", "y"], rows)?, &["y"], &Device::cpu()?)?;
/// assert_eq!(tuned.report.rules, 2); // one per cluster
/// # Ok::<(), fuzzion::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum InitialRules {
    /// Uniform grid: number of sets for each input, or one number for all inputs, with one rule per combination of
    /// sets.
    Grid(Vec<usize>),
    /// Fuzzy c-means with the given number of clusters, one rule per cluster. After training by squared errors without a
    /// [ridge](Tuner::ridge), near-equal sets are merged and conditions that hold for all values are removed, if the result
    /// fits as well. The same applies to other clusters.
    #[serde(rename = "fcm")]
    FuzzyCMeans(usize),
    /// Gustafson-Kessel clustering with the given number of clusters, one rule per cluster; widths follow the cluster
    /// covariances.
    #[serde(rename = "gk")]
    GustafsonKessel(usize),
    /// Subtractive clustering with the given radius in (0, 1], one rule per cluster found; a smaller radius finds more
    /// clusters (S. L. Chiu, 1994).
    Subtractive(f64),
    /// A sparse rule base: rules with conditions on few inputs, from a tree of fuzzy splits whose linear consequents are
    /// shrunk towards the linear model. Cross-validation chooses the number of rules: the fewest whose error is at most
    /// one standard error above the lowest ([`TuningReport::path`](crate::tuning::TuningReport::path)). The sets are
    /// trapezoids, which are not tuned further: [`Tuner::form`] and the settings of gradient steps are not used. Runs
    /// on the CPU.
    Tree {
        /// Maximum number of rules, from 1 to 100.
        max_rules: usize,
        /// Maximum number of conditions in a rule.
        max_conditions: usize,
    },
    /// Rules and sets of an existing Takagi-Sugeno system.
    #[serde(with = "system_json")]
    System(Box<System>),
}

/// Systems in the JSON format of [`System::to_json`].
mod system_json {
    use crate::inference::System;
    use serde::{Deserialize, Deserializer, Serialize, Serializer, de, ser};

    pub(super) fn serialize<S: Serializer>(system: &System, serializer: S) -> Result<S::Ok, S::Error> {
        let text = system.to_json().map_err(ser::Error::custom)?;
        let value: serde_json::Value = serde_json::from_str(&text).map_err(ser::Error::custom)?;
        value.serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Box<System>, D::Error> {
        let value = serde_json::Value::deserialize(deserializer)?;
        System::from_json(&value.to_string()).map(Box::new).map_err(de::Error::custom)
    }
}

/// Training method.
///
/// ```
/// use fuzzion::tuning::TrainingMethod;
/// assert_eq!("rls".parse(), Ok(TrainingMethod::RecursiveLeastSquares(1.0))); // without forgetting
/// assert_eq!(TrainingMethod::LevenbergMarquardt.to_string(), "lm");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum TrainingMethod {
    /// Alternates least squares for the consequents with a gradient step for the sets.
    #[default]
    Hybrid,
    /// Gradient steps for consequents and sets, starting from the least-squares solution.
    Gradient,
    /// Recursive least squares, row by row, with a forgetting factor in (0, 1]; 1 weights all rows equally. The sets
    /// do not change. Runs on the CPU, also if the device has a GPU.
    #[serde(rename = "rls")]
    RecursiveLeastSquares(f64),
    /// Levenberg-Marquardt on all parameters at once, for small problems. Runs on the CPU, also if the device has a
    /// GPU.
    #[serde(rename = "lm")]
    LevenbergMarquardt,
}

impl TrainingMethod {
    /// Whether the method runs on the CPU, also if the device has a GPU: a fit with
    /// [`TrainingMethod::RecursiveLeastSquares`] or [`TrainingMethod::LevenbergMarquardt`] does not use it, and its
    /// [report](crate::tuning::TuningReport::device) names the CPU.
    ///
    /// ```
    /// use fuzzion::tuning::TrainingMethod;
    /// assert!(TrainingMethod::LevenbergMarquardt.is_cpu_only() && !TrainingMethod::Hybrid.is_cpu_only());
    /// ```
    pub fn is_cpu_only(self) -> bool {
        match self {
            TrainingMethod::Hybrid | TrainingMethod::Gradient => false,
            TrainingMethod::RecursiveLeastSquares(_) | TrainingMethod::LevenbergMarquardt => true,
        }
    }
}

/// The name of the method, without the forgetting factor.
impl fmt::Display for TrainingMethod {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            TrainingMethod::Hybrid => "hybrid",
            TrainingMethod::Gradient => "gradient",
            TrainingMethod::RecursiveLeastSquares(_) => "rls",
            TrainingMethod::LevenbergMarquardt => "lm",
        })
    }
}

/// `rls` has a forgetting factor of 1.
impl FromStr for TrainingMethod {
    type Err = SettingError;

    fn from_str(name: &str) -> Result<Self, SettingError> {
        match name {
            "hybrid" => Ok(TrainingMethod::Hybrid),
            "gradient" => Ok(TrainingMethod::Gradient),
            "rls" => Ok(TrainingMethod::RecursiveLeastSquares(1.0)),
            "lm" => Ok(TrainingMethod::LevenbergMarquardt),
            _ => Err(unknown_name("training method", name, &["hybrid", "gradient", "rls", "lm"])),
        }
    }
}

named! {
    /// Rule that turns a gradient into a step.
    ///
    /// ```
    /// use fuzzion::tuning::{StepRule, Tuner};
    /// assert_eq!(Tuner::grid(&[3]).step("jang".parse()?).step, StepRule::Jang);
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    #[non_exhaustive]
    pub enum StepRule("step rule") {
        /// The rate times the gradient of the mean loss.
        Plain = "plain",
        /// A step of length `rate` along the negative gradient. The rate grows by 10% after four consecutive decreases of
        /// the loss and shrinks by 10% after two consecutive oscillations (J.-S. R. Jang, 1993).
        Jang = "jang",
        /// Adam with β = (0.9, 0.999) (D. P. Kingma, J. Ba, 2015).
        #[default]
        Adam = "adam",
    }
}

impl StepRule {
    /// Default rate, tuned on the truck and Mackey-Glass data.
    #[doc(hidden)]
    pub fn default_rate(self) -> f64 {
        match self {
            StepRule::Plain => 1.0,
            StepRule::Jang => 0.03,
            StepRule::Adam => 0.0115,
        }
    }
}
