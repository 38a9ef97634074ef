//! Interface between the training algorithm and the back ends: online learning of networks, sample by sample, and Adam on
//! mini-batches.

use super::types::adam::{Adam, AdamSettings};
use super::types::network::Network;
use super::types::options::{Loss, Mapping, WidthRule};
use crate::sonfin::error::Result;
use serde::{Deserialize, Serialize};

/// Normalized firing strength φ below which a rule is not updated, 2⁻²⁴.
pub(super) const MIN_UPDATE_FIRING: f32 = 1.0 / 16_777_216.0;

/// Parameters of the online updates; the same for every back end.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct StepSettings {
    /// ln μ_th; −∞ disables adding rules.
    pub ln_threshold: f32,
    pub max_rules: usize,
    pub width_rule: WidthRule,
    /// β, multiplied by √d if ln μ is divided by d.
    pub beta: f32,
    /// Width of the first rule.
    pub first_width: f32,
    /// Lower bound of the widths.
    pub min_width: f32,
    pub rate_w: f32,
    pub rate_m: f32,
    pub rate_s: f32,
    /// Whether to use the plain gradient steps of Tseng (2012) instead of Equation (5).
    pub plain_gradient: bool,
    pub loss: Loss,
}

/// Online training of one network on a sequence of rows.
pub struct TrainingRun<'a> {
    pub order: &'a [u32],
    pub settings: StepSettings,
    /// Structure decisions to replay, one per sample of `order`: the nearest rule K if a rule is added (or
    /// [`FIRST`]), or [`NONE`]. Back ends round differently, which can change a decision close to the threshold.
    pub replay: Option<&'a [i32]>,
}

/// Training of one network with Adam on a sequence of rows.
pub struct BatchRun<'a> {
    pub order: &'a [u32],
    pub settings: AdamSettings,
}

/// Decision: no rule added.
pub const NONE: i32 = -1;
/// Decision: first rule added.
pub(super) const FIRST: i32 = -2;

/// Statistics of a training run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EpochStats {
    /// Sum of the losses E, each computed before the sample's update, but after a rule was added for it.
    pub loss: f64,
    /// Number of samples whose largest output and largest target have different indices.
    pub misclassified: u64,
    /// One decision per sample of online training: K, [`FIRST`] or [`NONE`].
    pub decisions: Vec<i32>,
}

impl EpochStats {
    /// Appends the statistics of the following run.
    pub(super) fn add(&mut self, next: EpochStats) {
        self.loss += next.loss;
        self.misclassified += next.misclassified;
        self.decisions.extend(next.decisions);
    }
}

/// Networks and samples on a back end.
pub trait Learner {
    /// Trains each network on its run, concurrently if the back end supports it.
    fn learn(&mut self, runs: &[TrainingRun<'_>]) -> Result<Vec<EpochStats>>;

    /// Current state of network `index`.
    fn network(&mut self, index: usize) -> Result<Network>;

    /// Replaces network `index`.
    fn replace(&mut self, index: usize, network: &Network) -> Result<()>;

    /// Outputs of network `index` for these rows, row by row.
    fn outputs(&mut self, index: usize, rows: &[u32]) -> Result<Vec<f32>>;

    /// Mapping of the last run on a GPU.
    fn mapping(&self) -> Option<Mapping> {
        None
    }
}

/// A learner that also trains with Adam.
pub trait BatchLearner: Learner {
    /// Sets the state of Adam for every network; needed before [`BatchLearner::learn_batches`].
    fn set_adam(&mut self, states: Vec<Adam>) -> Result<()>;

    /// Trains each network on mini-batches, concurrently if the back end supports it.
    fn learn_batches(&mut self, runs: &[BatchRun<'_>]) -> Result<Vec<EpochStats>>;

    /// Current state of Adam for network `index`.
    fn adam(&mut self, index: usize) -> Result<Adam>;
}
