//! Settings, the verbs that fit, and the one match on the device.

use super::cpu::Sweep;
use super::cuda::OnGpu;
use super::fit;
use super::form::Form;
use super::rows::{Rows, Samples};
use super::settings::{Classify, Method, Missing, Start, Step};
use super::tuned::Tuned;
use crate::data::Table;
use crate::device::{Device, Processor};
use crate::error::{Error, Result};
use crate::progress::Progress;

/// The highest degree of consequents: monomials of higher ones are all but the same within a set.
const MOST_ORDER: usize = 8;
/// The most of the rows that may be kept back.
const MOST_VALIDATION: f64 = 0.9;

/// A Takagi-Sugeno-Kang system to be learned: settings, then [`Tuner::fit`].
///
/// ```
/// use fuzzion::{Device, Table, tuning::Tuner};
/// let rows: Vec<f64> = (0..=20).flat_map(|i| [f64::from(i), f64::from(i * i)]).collect();
/// let rows = Table::new(["x", "y"], rows)?;
/// let tuned = Tuner::grid(&[3]).fit(&rows, &["y"], &Device::cpu()?)?;
/// assert!(tuned.report.rmse < 1.0 && tuned.report.rmse <= tuned.report.history[0].rmse); // y goes up to 400
/// # Ok::<(), fuzzion::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Tuner<'a> {
    /// Where the rules come from.
    pub start: Start,
    /// The columns that are inputs; all but the targets if empty.
    pub inputs: Vec<String>,
    /// The shape of the sets; Gaussian if not set.
    pub form: Form,
    /// The degree of the consequents; 1 if not set.
    pub order: usize,
    /// Whether each rule has sets of its own, which fits better, instead of sharing them, which reads better.
    pub untied: bool,
    /// How it learns.
    pub method: Method,
    /// How far a gradient moves the sets.
    pub step: Step,
    /// The rate of the step; what suits the step rule if not set.
    pub rate: Option<f64>,
    /// The most iterations, 100 if not set; 0 is least squares alone.
    pub iterations: usize,
    /// Least squares is solved in every so-manieth iteration; 1 if not set.
    pub solve_every: usize,
    /// The share of the rows that is kept back to tell when to stop; 0 if not set.
    pub validation: f64,
    /// Iterations without a better validation error before it stops, 20 if not set.
    pub patience: usize,
    /// ρ of equation (3); 1e-9 if not set.
    pub ridge: f64,
    /// Whether sets are kept in order and overlapping, so that rules stay readable.
    pub readable: bool,
    /// How classes are learned, where the target is a class.
    pub classify: Option<Classify>,
    /// What happens to missing inputs.
    pub missing: Missing,
    /// What random choices repeat for.
    pub seed: u64,
    /// Who is told how many iterations are done, of how many.
    pub progress: Progress<'a>,
}

impl<'a> Tuner<'a> {
    /// A system with rules from `start`: Gaussian sets, order 1, hybrid learning in 100 iterations of Adam.
    pub fn new(start: Start) -> Self {
        Tuner {
            start,
            inputs: Vec::new(),
            form: Form::default(),
            order: 1,
            untied: false,
            method: Method::default(),
            step: Step::default(),
            rate: None,
            iterations: 100,
            solve_every: 1,
            validation: 0.0,
            patience: 20,
            ridge: 1e-9,
            readable: false,
            classify: None,
            missing: Missing::default(),
            seed: 0,
            progress: Progress::none(),
        }
    }

    /// As [`Tuner::new`] from a uniform grid: so many sets for each input, or one number for all.
    pub fn grid(sets: &[usize]) -> Self {
        Tuner::new(Start::Grid(sets.to_vec()))
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
    pub fn method(mut self, method: Method) -> Self {
        self.method = method;
        self
    }

    /// Sets [`Tuner::step`].
    #[must_use]
    pub fn step(mut self, step: Step) -> Self {
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
    pub fn missing(mut self, missing: Missing) -> Self {
        self.missing = missing;
        self
    }

    /// Sets [`Tuner::seed`].
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// Sets [`Tuner::progress`].
    #[must_use]
    pub fn progress(mut self, progress: Progress<'a>) -> Self {
        self.progress = progress;
        self
    }

    /// Learns the columns called `targets` from the others.
    ///
    /// # Errors
    /// [`Error::Parameter`], [`Error::NotTogether`], [`Error::UnknownColumn`], [`Error::LearnedColumn`],
    /// [`Error::NotFinite`], [`Error::SetCounts`], [`Error::TooManyRules`], [`Error::FewTrainingRows`],
    /// [`Error::ClassCount`], [`Error::TooManyParameters`], [`Error::System`] where the rules of a system cannot be tuned,
    /// those of clustering, and [`Error::Interrupted`].
    pub fn fit(&self, samples: &Table, targets: &[&str], device: &Device) -> Result<Tuned> {
        fit::fit(self, samples, targets, None, device)
    }

    /// As [`Tuner::fit`], each row counting as often as its weight says.
    ///
    /// # Errors
    /// As there, and [`Error::Weight`].
    pub fn fit_weighted(
        &self,
        samples: &Table,
        targets: &[&str],
        weights: &[f64],
        device: &Device,
    ) -> Result<Tuned> {
        fit::fit(self, samples, targets, Some(weights), device)
    }

    /// Refuses settings that no rows can be learned with.
    pub(super) fn check(&self) -> Result<()> {
        let refuse = |name, value, must| Err(Error::Parameter { algorithm: "tuning", name, value, must });
        let positive = |x: f64| x > 0.0 && x.is_finite();
        if self.order > MOST_ORDER {
            return refuse("order", self.order as f64, "at most 8");
        }
        if let Some(rate) = self.rate.filter(|rate| !positive(*rate)) {
            return refuse("rate", rate, "above 0");
        }
        if self.solve_every == 0 {
            return refuse("solve_every", 0.0, "at least 1");
        }
        if !(0.0..=MOST_VALIDATION).contains(&self.validation) {
            return refuse("validation", self.validation, "a share from 0 to 0.9");
        }
        if self.patience == 0 {
            return refuse("patience", 0.0, "at least 1");
        }
        if !(self.ridge >= 0.0 && self.ridge.is_finite()) {
            return refuse("ridge", self.ridge, "at least 0");
        }
        if let Method::Recursive(forgetting) = self.method
            && !(forgetting > 0.0 && forgetting <= 1.0)
        {
            return refuse("forgetting factor", forgetting, "above 0 and at most 1");
        }
        self.check_pairs()
    }

    /// Refuses settings that exclude each other.
    fn check_pairs(&self) -> Result<()> {
        let clusters =
            matches!(self.start, Start::FuzzyCMeans(_) | Start::GustafsonKessel(_) | Start::Subtractive(_));
        let softmax = self.classify == Some(Classify::CrossEntropy);
        let pairs = [
            (self.readable && self.untied, "readable sets", "a set of its own for every rule"),
            (self.readable && clusters, "readable sets", "rules from clusters"),
            (
                self.readable && self.method == Method::LevenbergMarquardt,
                "readable sets",
                "Levenberg-Marquardt",
            ),
            (softmax && self.method == Method::LevenbergMarquardt, "cross-entropy", "Levenberg-Marquardt"),
            (
                softmax && matches!(self.method, Method::Recursive(_)),
                "cross-entropy",
                "recursive least squares",
            ),
        ];
        match pairs.into_iter().find(|(both, ..)| *both) {
            Some((_, a, b)) => Err(Error::NotTogether { a, b }),
            None => Ok(()),
        }
    }

    /// The rate of the step.
    pub(super) fn first_rate(&self) -> f64 {
        self.rate.unwrap_or_else(|| self.step.rate())
    }
}

/// Rows under which a GPU is not worth the way there.
const FEW_ROWS: usize = 1 << 12;

/// The rows on the processor that learns from them.
pub(super) fn rows_of<'a>(samples: &'a Samples, device: &'a Device) -> Result<Box<dyn Rows + 'a>> {
    Ok(match device.processor(samples.rows() < FEW_ROWS) {
        Processor::Cpu(cpu) => Box::new(Sweep::new(samples, cpu)),
        Processor::Cuda(cuda) => Box::new(OnGpu::new(samples, cuda)?),
    })
}
