//! Settings, the verbs that fit, and the one match on the device.

use super::cpu::OnCpu;
use super::cuda::OnGpu;
use super::learner::{Learner, WidthRule};
use super::model::Model;
use super::network::Network;
use super::samples::Samples;
use super::settings::{Classify, Growth, Mapping, Missing, Optimizer};
use super::{auto, fit, stream};
use crate::data::Table;
use crate::device::{Cpu, Device, Processor};
use crate::error::{Error, Result};
use crate::progress::Progress;
use serde::{Deserialize, Serialize};

/// The most rules.
const MOST_RULES: usize = 65_536;
/// The most of the rows that may be kept back.
const MOST_VALIDATION: f64 = 0.9;

/// A network to be grown and learned: settings, then [`Sonfin::fit`].
///
/// ```
/// use fuzzion::{Device, Table, sonfin::Sonfin};
/// let rows: Vec<f64> = (0..200).flat_map(|i| [f64::from(i), (0.05 * f64::from(i)).sin()]).collect();
/// let rows = Table::new(["x", "y"], rows)?;
/// let model = Sonfin::new().fit(&rows, &["y"], &Device::cpu()?)?;
/// assert!(model.report.train_error < 0.1); // of a sine between -1 and 1
/// # Ok::<(), fuzzion::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sonfin<'a> {
    /// The columns that are inputs; all but the targets if empty.
    pub inputs: Vec<String>,
    /// How classes are learned, where the target is a class.
    pub classify: Option<Classify>,
    /// How often the rows are seen; 30 if not set.
    pub epochs: usize,
    /// β of equation (3); 0.5 if not set.
    pub beta: f64,
    /// When rules are added; a budget of 256 if not set. There are never more than rows.
    pub growth: Growth,
    /// Rules are added up to this number; 4,096 if not set.
    pub max_rules: usize,
    /// The width of a new rule.
    pub width_rule: WidthRule,
    /// η_w of equation (5); 0.3 if not set.
    pub rate_w: f64,
    /// η_m of equation (5); 0.3 if not set.
    pub rate_m: f64,
    /// η_σ of equation (5); 0.3 if not set.
    pub rate_s: f64,
    /// The rates are multiplied by this after each epoch; 0.93 if not set. Adam's rate falls to 0 like a cosine instead.
    pub rate_decay: f64,
    /// How parameters learn.
    pub optimizer: Optimizer,
    /// Whether ln μ is divided by the number of inputs: for very many of them.
    pub dim_scale: bool,
    /// Whether it learns how much each input counts, all rules alike; by Adam only.
    pub gates: bool,
    /// What happens to missing inputs.
    pub missing: Missing,
    /// How work is laid out on a GPU.
    pub mapping: Mapping,
    /// The share of the rows that is kept back to tell which epoch was the best; 0 if not set.
    pub validation: f64,
    /// What random choices repeat for.
    pub seed: u64,
    /// Who is told how many samples are learned, of how many.
    #[serde(skip)]
    pub progress: Progress<'a>,
}

impl Default for Sonfin<'_> {
    fn default() -> Self {
        Sonfin::new()
    }
}

impl<'a> Sonfin<'a> {
    /// Up to 256 rules, learned on-line in 30 epochs.
    pub fn new() -> Self {
        Sonfin {
            inputs: Vec::new(),
            classify: None,
            epochs: 30,
            beta: 0.5,
            growth: Growth::Budget(256),
            max_rules: 4096,
            width_rule: WidthRule::default(),
            rate_w: 0.3,
            rate_m: 0.3,
            rate_s: 0.3,
            rate_decay: 0.93,
            optimizer: Optimizer::default(),
            dim_scale: false,
            gates: false,
            missing: Missing::default(),
            mapping: Mapping::default(),
            validation: 0.0,
            seed: 0,
            progress: Progress::none(),
        }
    }

    /// Sets [`Sonfin::inputs`].
    #[must_use]
    pub fn inputs<S: Into<String>>(mut self, inputs: impl IntoIterator<Item = S>) -> Self {
        self.inputs = inputs.into_iter().map(Into::into).collect();
        self
    }

    /// Sets [`Sonfin::classify`].
    #[must_use]
    pub fn classify(mut self, classify: Classify) -> Self {
        self.classify = Some(classify);
        self
    }

    /// Sets [`Sonfin::epochs`].
    #[must_use]
    pub fn epochs(mut self, epochs: usize) -> Self {
        self.epochs = epochs;
        self
    }

    /// Sets [`Sonfin::beta`].
    #[must_use]
    pub fn beta(mut self, beta: f64) -> Self {
        self.beta = beta;
        self
    }

    /// Sets [`Sonfin::growth`].
    #[must_use]
    pub fn growth(mut self, growth: Growth) -> Self {
        self.growth = growth;
        self
    }

    /// Sets [`Sonfin::max_rules`].
    #[must_use]
    pub fn max_rules(mut self, max_rules: usize) -> Self {
        self.max_rules = max_rules;
        self
    }

    /// Sets [`Sonfin::width_rule`].
    #[must_use]
    pub fn width_rule(mut self, width_rule: WidthRule) -> Self {
        self.width_rule = width_rule;
        self
    }

    /// Sets [`Sonfin::rate_w`].
    #[must_use]
    pub fn rate_w(mut self, rate_w: f64) -> Self {
        self.rate_w = rate_w;
        self
    }

    /// Sets [`Sonfin::rate_m`].
    #[must_use]
    pub fn rate_m(mut self, rate_m: f64) -> Self {
        self.rate_m = rate_m;
        self
    }

    /// Sets [`Sonfin::rate_s`].
    #[must_use]
    pub fn rate_s(mut self, rate_s: f64) -> Self {
        self.rate_s = rate_s;
        self
    }

    /// Sets [`Sonfin::rate_decay`].
    #[must_use]
    pub fn rate_decay(mut self, rate_decay: f64) -> Self {
        self.rate_decay = rate_decay;
        self
    }

    /// Sets [`Sonfin::optimizer`].
    #[must_use]
    pub fn optimizer(mut self, optimizer: Optimizer) -> Self {
        self.optimizer = optimizer;
        self
    }

    /// Sets [`Sonfin::dim_scale`].
    #[must_use]
    pub fn dim_scale(mut self, dim_scale: bool) -> Self {
        self.dim_scale = dim_scale;
        self
    }

    /// Sets [`Sonfin::gates`].
    #[must_use]
    pub fn gates(mut self, gates: bool) -> Self {
        self.gates = gates;
        self
    }

    /// Sets [`Sonfin::missing`].
    #[must_use]
    pub fn missing(mut self, missing: Missing) -> Self {
        self.missing = missing;
        self
    }

    /// Sets [`Sonfin::mapping`].
    #[must_use]
    pub fn mapping(mut self, mapping: Mapping) -> Self {
        self.mapping = mapping;
        self
    }

    /// Sets [`Sonfin::validation`].
    #[must_use]
    pub fn validation(mut self, validation: f64) -> Self {
        self.validation = validation;
        self
    }

    /// Sets [`Sonfin::seed`].
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// Sets [`Sonfin::progress`].
    #[must_use]
    pub fn progress(mut self, progress: Progress<'a>) -> Self {
        self.progress = progress;
        self
    }

    /// Learns the columns called `targets` from the others.
    ///
    /// # Errors
    /// [`Error::Parameter`], [`Error::NotTogether`], [`Error::UnknownColumn`], [`Error::LearnedColumn`],
    /// [`Error::NotFinite`], [`Error::ClassCount`] and [`Error::Interrupted`].
    pub fn fit(&self, samples: &Table, targets: &[&str], device: &Device) -> Result<Model> {
        self.fit_watched(samples, targets, device, &mut |_| Ok(()))
    }

    /// As [`Sonfin::fit`]; `checkpoint` is shown the model after each epoch, and once more before [`Error::Interrupted`] is
    /// returned: it can be saved, and [resumed](Model::resume) later.
    ///
    /// # Errors
    /// As [`Sonfin::fit`], and those of `checkpoint`.
    pub fn fit_watched(
        &self,
        samples: &Table,
        targets: &[&str],
        device: &Device,
        checkpoint: &mut dyn FnMut(&Model) -> Result<()>,
    ) -> Result<Model> {
        fit::fit(self, samples, targets, device, checkpoint)
    }

    /// As [`Sonfin::fit_watched`], with rules, rates, optimizer and gates chosen by a short search: choices learn from a part
    /// of the rows, first for few epochs and the better ones for all, and are judged by the rest. The best then learns from
    /// all rows. What was tried is in the [report](super::Report::trials); growth, rates, optimizer, gates and how classes
    /// are learned do not count, all other settings do, and epochs are the most that are learned.
    ///
    /// # Errors
    /// As there.
    pub fn auto(
        &self,
        samples: &Table,
        targets: &[&str],
        device: &Device,
        checkpoint: &mut dyn FnMut(&Model) -> Result<()>,
    ) -> Result<Model> {
        auto::auto(self, samples, targets, device, checkpoint)
    }

    /// A model for a stream that begins with `samples`: they say what the classes are and how inputs are scaled, and are
    /// learned once, in their order. The rest comes through [`Model::partial_fit`].
    ///
    /// # Errors
    /// As [`Sonfin::fit`].
    pub fn begin(&self, samples: &Table, targets: &[&str], device: &Device) -> Result<Model> {
        stream::begin(self, samples, targets, device)
    }

    /// The same settings, watched by nobody.
    pub(super) fn unwatched(&self) -> Sonfin<'static> {
        Sonfin {
            inputs: self.inputs.clone(),
            classify: self.classify,
            epochs: self.epochs,
            beta: self.beta,
            growth: self.growth,
            max_rules: self.max_rules,
            width_rule: self.width_rule,
            rate_w: self.rate_w,
            rate_m: self.rate_m,
            rate_s: self.rate_s,
            rate_decay: self.rate_decay,
            optimizer: self.optimizer,
            dim_scale: self.dim_scale,
            gates: self.gates,
            missing: self.missing,
            mapping: self.mapping,
            validation: self.validation,
            seed: self.seed,
            progress: Progress::none(),
        }
    }

    /// Refuses settings that no rows can be learned with.
    pub(super) fn check(&self) -> Result<()> {
        let positive = |x: f64| x > 0.0 && x.is_finite();
        let share = |x: f64| x > 0.0 && x <= 1.0;
        let rate = |x: f64| (0.0..=100.0).contains(&x);
        let (batch, adam) = match self.optimizer {
            Optimizer::Adam { batch, rate } => (batch, rate),
            _ => (1, 1.0),
        };
        let thesis = if let Optimizer::Thesis(rate) = self.optimizer { rate } else { 1.0 };
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
                (1..=MOST_RULES).contains(&self.max_rules),
                "max_rules",
                self.max_rules as f64,
                "from 1 to 65,536",
            ),
            ((1..=MOST_RULES).contains(&budget), "budget of rules", budget as f64, "from 1 to 65,536"),
            (threshold > 0.0 && threshold < 1.0, "threshold", threshold, "above 0 and below 1"),
            (share(decay), "threshold decay", decay, "above 0 and at most 1"),
            (gamma > 0.0 && gamma < 1.0, "gamma", gamma, "above 0 and below 1"),
            (rate(self.rate_w), "rate_w", self.rate_w, rates),
            (rate(self.rate_m), "rate_m", self.rate_m, rates),
            (rate(self.rate_s), "rate_s", self.rate_s, rates),
            (share(self.rate_decay), "rate_decay", self.rate_decay, "above 0 and at most 1"),
            (batch >= 1, "batch", batch as f64, "at least 1"),
            (positive(adam), "rate", adam, "above 0"),
            (positive(thesis), "rate", thesis, "above 0"),
            (
                (0.0..=MOST_VALIDATION).contains(&self.validation),
                "validation",
                self.validation,
                "a share from 0 to 0.9",
            ),
        ];
        if let Some((_, name, value, must)) = checks.into_iter().find(|(fits, ..)| !fits) {
            return Err(Error::Parameter { algorithm: "sonfin", name, value, must });
        }
        if self.gates && !matches!(self.optimizer, Optimizer::Adam { .. }) {
            return Err(Error::NotTogether { a: "gates", b: "on-line learning (they are learned by Adam)" });
        }
        Ok(())
    }
}

/// Rules times inputs, of all networks together, under which a CPU learns a sample in less time than a GPU's blocks take to
/// tell each other of it.
const WORTH_A_GPU: usize = 1 << 16;

/// Networks on the processor that learns: the one match on the device.
pub(super) fn learner<'a>(
    samples: &'a Samples,
    networks: &[Network],
    device: &Device,
    mapping: Mapping,
) -> Result<Box<dyn Learner + 'a>> {
    // A network without rules will have some soon.
    let rules: usize = networks.iter().map(|network| network.rules().max(256)).sum();
    let small = rules * samples.dims < WORTH_A_GPU;
    Ok(match device.processor(small) {
        Processor::Cpu(cpu) => Box::new(OnCpu::new(samples, networks, cpu)),
        Processor::Cuda(cuda) => Box::new(OnGpu::new(samples, networks, cuda, mapping)?),
    })
}

/// The CPU for what is done there whatever the device: structure before learning, and Adam.
pub(super) fn cpu_of(device: &Device) -> Result<Cpu> {
    match device {
        Device::Cpu(cpu) | Device::Best(cpu, _) => Ok(cpu.clone()),
        _ => Cpu::new(),
    }
}
