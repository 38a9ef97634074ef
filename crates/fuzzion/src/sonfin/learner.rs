//! What a processor does for the room: networks that learn on-line from rows it holds, one sample after another.

use super::network::Network;
use super::settings::Mapping;
use crate::error::Result;
use serde::{Deserialize, Serialize};

/// The width of a new rule: equation (3).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum WidthRule {
    /// β times the distance to the nearest rule's center.
    #[default]
    Distance,
    /// β times the square of that distance, as the thesis prints it.
    Thesis,
    /// −β·ln μ_K, as Juang and Lin have it.
    LogFiring,
}

/// What is made small.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Loss {
    /// Squares of the errors.
    #[default]
    Squares,
    /// Cross-entropy of the softmax of the outputs, for classes.
    CrossEntropy,
}

/// φ below which a rule is not moved, 2⁻²⁴.
pub(super) const UNMOVED: f32 = 1.0 / 16_777_216.0;

/// How samples are learned until the numbers change: plain data, the same for every processor.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Course {
    /// ln μ_th; −∞ adds no rules.
    pub(super) ln_threshold: f32,
    pub(super) most_rules: usize,
    pub(super) width_rule: WidthRule,
    /// β, with the factor of 1/d scaling inside.
    pub(super) beta: f32,
    /// The width of the first rule.
    pub(super) first_width: f32,
    /// No width shrinks past this, and no rule begins with less.
    pub(super) least_width: f32,
    pub(super) rate_w: f32,
    pub(super) rate_m: f32,
    pub(super) rate_s: f32,
    /// Whether steps are the thesis' plain ones instead of (5).
    pub(super) plain: bool,
    pub(super) loss: Loss,
}

/// What one network does next: the rows it sees, in this order.
pub(super) struct Lesson<'a> {
    pub(super) order: &'a [u32],
    pub(super) course: Course,
    /// Decisions of another run to repeat, one for each sample of `order`: the K of a rule that is added (or [`FIRST`]), or
    /// [`NONE`]. Rounding differs between processors, and so may a decision that hangs on it.
    pub(super) replay: Option<&'a [i32]>,
}

/// No rule was added.
pub(super) const NONE: i32 = -1;
/// The first rule was added.
pub(super) const FIRST: i32 = -2;

/// How a lesson went.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Tally {
    /// Σ of the losses E before each step (after a rule was added).
    pub(super) loss: f64,
    /// Samples whose largest output is not the largest target.
    pub(super) wrong: u64,
    /// One decision for each sample: K, [`FIRST`] or [`NONE`].
    pub(super) grown: Vec<i32>,
}

impl Tally {
    /// What came of this and then of `next`.
    pub(super) fn add(&mut self, next: Tally) {
        self.loss += next.loss;
        self.wrong += next.wrong;
        self.grown.extend(next.grown);
    }
}

/// Networks on a processor, which holds the samples.
pub(super) trait Learner {
    /// Each network learns its lesson, all at the same time where the processor can.
    fn learn(&mut self, lessons: &[Lesson<'_>]) -> Result<Vec<Tally>>;

    /// Network `index` as it stands.
    fn network(&mut self, index: usize) -> Result<Network>;

    /// Puts another network in the place of `index`.
    fn replace(&mut self, index: usize, network: &Network) -> Result<()>;

    /// The outputs of network `index` for these rows, row by row.
    fn outputs(&mut self, index: usize, rows: &[u32]) -> Result<Vec<f32>>;

    /// How the last lessons were laid out, on a GPU.
    fn mapping(&self) -> Option<Mapping> {
        None
    }
}
