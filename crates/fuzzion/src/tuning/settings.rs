//! Settings of a fit.

use crate::base::SettingError;
pub use crate::data::{Classify, MissingInputs};
use crate::inference::System;
use crate::tuning::error::Result;
use crate::tuning::network::form::Form;

/// Highest supported order: within a set, monomials of higher degree are nearly collinear.
const MAX_ORDER: usize = 8;
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
#[derive(Clone, Debug)]
pub struct Tuner {
    /// Source of the initial rules.
    pub initial_rules: InitialRules,
    /// Names of the input columns; if empty, all columns except the targets.
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
    /// Ridge ρ of Equation (3). Default: 1e-9.
    pub ridge: f64,
    /// Whether the sets of each input stay ordered and overlapping, so that the rules stay readable. Default: false.
    pub readable: bool,
    /// Classification mode, if the target is a class.
    pub classify: Option<Classify>,
    /// Treatment of missing inputs.
    pub missing: MissingInputs,
    /// Random seed.
    pub seed: u64,
}

impl Tuner {
    /// Settings with the given initial rules and defaults for everything else: Gaussian sets, order 1, hybrid training
    /// for 100 iterations with Adam.
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
            ridge: 1e-9,
            readable: false,
            classify: None,
            missing: MissingInputs::default(),
            seed: 0,
        }
    }

    /// Settings with a uniform grid of sets: the number of sets for each input, or one number for all inputs.
    pub fn grid(sets: &[usize]) -> Self {
        Tuner::new(InitialRules::Grid(sets.to_vec()))
    }

    /// Sets [`Tuner::inputs`].
    #[must_use]
    pub fn inputs<S: Into<String>>(mut self, inputs: impl IntoIterator<Item = S>) -> Self {
        self.inputs = inputs.into_iter().map(Into::into).collect();
        self
    }

    /// Sets [`Tuner::form`].
    #[must_use]
    pub fn form(mut self, form: Form) -> Self {
        self.form = form;
        self
    }

    /// Sets [`Tuner::order`].
    #[must_use]
    pub fn order(mut self, order: usize) -> Self {
        self.order = order;
        self
    }

    /// Sets [`Tuner::untied`].
    #[must_use]
    pub fn untied(mut self, untied: bool) -> Self {
        self.untied = untied;
        self
    }

    /// Sets [`Tuner::method`].
    #[must_use]
    pub fn method(mut self, method: TrainingMethod) -> Self {
        self.method = method;
        self
    }

    /// Sets [`Tuner::step`].
    #[must_use]
    pub fn step(mut self, step: StepRule) -> Self {
        self.step = step;
        self
    }

    /// Sets [`Tuner::rate`].
    #[must_use]
    pub fn rate(mut self, rate: f64) -> Self {
        self.rate = Some(rate);
        self
    }

    /// Sets [`Tuner::iterations`].
    #[must_use]
    pub fn iterations(mut self, iterations: usize) -> Self {
        self.iterations = iterations;
        self
    }

    /// Sets [`Tuner::solve_every`].
    #[must_use]
    pub fn solve_every(mut self, solve_every: usize) -> Self {
        self.solve_every = solve_every;
        self
    }

    /// Sets [`Tuner::validation`].
    #[must_use]
    pub fn validation(mut self, validation: f64) -> Self {
        self.validation = validation;
        self
    }

    /// Sets [`Tuner::patience`].
    #[must_use]
    pub fn patience(mut self, patience: usize) -> Self {
        self.patience = patience;
        self
    }

    /// Sets [`Tuner::ridge`].
    #[must_use]
    pub fn ridge(mut self, ridge: f64) -> Self {
        self.ridge = ridge;
        self
    }

    /// Sets [`Tuner::readable`].
    #[must_use]
    pub fn readable(mut self, readable: bool) -> Self {
        self.readable = readable;
        self
    }

    /// Sets [`Tuner::classify`].
    #[must_use]
    pub fn classify(mut self, classify: Classify) -> Self {
        self.classify = Some(classify);
        self
    }

    /// Sets [`Tuner::missing`].
    #[must_use]
    pub fn missing(mut self, missing: MissingInputs) -> Self {
        self.missing = missing;
        self
    }

    /// Sets [`Tuner::seed`].
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// Rejects settings that are invalid for any data.
    pub(super) fn check(&self) -> Result<()> {
        let invalid =
            |name, value, must| Err(SettingError::OutOfRange { algorithm: "tuning", name, value, must });
        let positive = |x: f64| x > 0.0 && x.is_finite();
        if self.order > MAX_ORDER {
            return Ok(invalid("order", self.order as f64, "at most 8")?);
        }
        if let Some(rate) = self.rate.filter(|rate| !positive(*rate)) {
            return Ok(invalid("rate", rate, "above 0")?);
        }
        if self.solve_every == 0 {
            return Ok(invalid("solve_every", 0.0, "at least 1")?);
        }
        if !(0.0..=MAX_VALIDATION).contains(&self.validation) {
            return Ok(invalid("validation", self.validation, "a fraction from 0 to 0.9")?);
        }
        if self.patience == 0 {
            return Ok(invalid("patience", 0.0, "at least 1")?);
        }
        if !(self.ridge >= 0.0 && self.ridge.is_finite()) {
            return Ok(invalid("ridge", self.ridge, "at least 0")?);
        }
        if let TrainingMethod::RecursiveLeastSquares(forgetting) = self.method
            && !(forgetting > 0.0 && forgetting <= 1.0)
        {
            return Ok(invalid("forgetting factor", forgetting, "above 0 and at most 1")?);
        }
        self.check_pairs()
    }

    /// Rejects combinations of settings that are not supported.
    fn check_pairs(&self) -> Result<()> {
        let clusters = matches!(
            self.initial_rules,
            InitialRules::FuzzyCMeans(_) | InitialRules::GustafsonKessel(_) | InitialRules::Subtractive(_)
        );
        let softmax = self.classify == Some(Classify::CrossEntropy);
        let pairs = [
            (self.readable && self.untied, "readable sets", "untied sets"),
            (self.readable && clusters, "readable sets", "rules from clustering"),
            (
                self.readable && self.method == TrainingMethod::LevenbergMarquardt,
                "readable sets",
                "Levenberg-Marquardt",
            ),
            (
                softmax && self.method == TrainingMethod::LevenbergMarquardt,
                "cross-entropy",
                "Levenberg-Marquardt",
            ),
            (
                softmax && matches!(self.method, TrainingMethod::RecursiveLeastSquares(_)),
                "cross-entropy",
                "recursive least squares",
            ),
        ];
        match pairs.into_iter().find(|(both, ..)| *both) {
            Some((_, a, b)) => Err(SettingError::Conflict { a, b }.into()),
            None => Ok(()),
        }
    }

    /// Learning rate of the first step.
    pub(super) fn initial_rate(&self) -> f64 {
        self.rate.unwrap_or_else(|| self.step.default_rate())
    }
}

/// Source of the initial rules.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum InitialRules {
    /// Uniform grid: number of sets for each input, or one number for all inputs, with one rule per combination of
    /// sets.
    Grid(Vec<usize>),
    /// Fuzzy c-means with the given number of clusters, one rule per cluster.
    FuzzyCMeans(usize),
    /// Gustafson-Kessel clustering with the given number of clusters, one rule per cluster; widths follow the cluster
    /// covariances.
    GustafsonKessel(usize),
    /// Subtractive clustering with the given radius in (0, 1], one rule per cluster found; a smaller radius finds more
    /// clusters (S. L. Chiu, 1994).
    Subtractive(f64),
    /// Rules and sets of an existing Takagi-Sugeno system.
    System(Box<System>),
}

/// Training method.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub enum TrainingMethod {
    /// Alternates least squares for the consequents with a gradient step for the sets.
    #[default]
    Hybrid,
    /// Gradient steps for consequents and sets, starting from the least-squares solution.
    Gradient,
    /// Recursive least squares, row by row, with a forgetting factor in (0, 1]; 1 weights all rows equally. The sets
    /// do not change.
    RecursiveLeastSquares(f64),
    /// Levenberg-Marquardt on all parameters at once, for small problems.
    LevenbergMarquardt,
}

/// Rule that turns a gradient into a step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum StepRule {
    /// The rate times the gradient of the mean loss.
    Plain,
    /// A step of length `rate` along the negative gradient. The rate grows by 10% after four consecutive decreases of
    /// the loss and shrinks by 10% after two consecutive oscillations (J.-S. R. Jang, 1993).
    Jang,
    /// Adam with β = (0.9, 0.999) (D. P. Kingma, J. Ba, 2015).
    #[default]
    Adam,
}

impl StepRule {
    /// Default rate, tuned on the truck and Mackey-Glass data.
    pub(super) fn default_rate(self) -> f64 {
        match self {
            StepRule::Plain => 1.0,
            StepRule::Jang => 0.03,
            StepRule::Adam => 0.0115,
        }
    }
}
