//! What the algorithms ask of a back end, and the rows it is asked about.

use super::descent::{Course, Descent};
use super::network::Network;
use super::solve::{Solution, solve};
use super::statistics::Statistics;
use crate::error::Result;

/// Scaled rows, column by column: the first `training` of them are learned from, the others are for validation.
#[derive(Clone, Debug)]
pub(super) struct Samples {
    /// Inputs scaled to [0, 1]; NaN where missing.
    pub(super) inputs: Vec<Vec<f64>>,
    pub(super) targets: Vec<Vec<f64>>,
    pub(super) weights: Option<Vec<f64>>,
    pub(super) training: usize,
}

impl Samples {
    /// How many rows there are.
    pub(super) fn rows(&self) -> usize {
        self.targets.first().map_or(0, Vec::len)
    }

    /// The inputs of one row.
    pub(super) fn inputs_of(&self, row: usize) -> Vec<f64> {
        self.inputs.iter().map(|column| column[row]).collect()
    }

    /// The targets of one row.
    pub(super) fn targets_of(&self, row: usize) -> Vec<f64> {
        self.targets.iter().map(|column| column[row]).collect()
    }

    /// How much a row counts.
    pub(super) fn weight(&self, row: usize) -> f64 {
        self.weights.as_ref().map_or(1.0, |weights| weights[row])
    }
}

/// What is made small.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Loss {
    /// The squared error, summed over outputs.
    #[default]
    Squares,
    /// −Σₒ yₒ·ln pₒ with p the softmax of the outputs.
    CrossEntropy,
}

/// The loss at a network, and how it changes with everything learned.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Slope {
    /// The weighted sums of the loss over the training and over the validation rows.
    pub(super) loss: [f64; 2],
    /// The weighted sums of the squared errors there, all outputs together; of probabilities where a softmax follows.
    pub(super) squares: [f64; 2],
    /// The sums of weights there.
    pub(super) weight: [f64; 2],
    /// The slope of the *mean* training loss for the parameters of each set, in the order of the sets (equation 4).
    pub(super) sets: Vec<[f64; 4]>,
    /// The same for θ.
    pub(super) theta: Vec<f64>,
}

/// Rows on a processor.
pub(super) trait Rows {
    /// The sums of equation (3) over the training rows.
    fn statistics(&mut self, network: &Network) -> Result<Statistics>;

    /// θ of equation (3).
    fn consequents(&mut self, network: &Network, ridge: f64) -> Result<Solution> {
        Ok(solve(&self.statistics(network)?, ridge))
    }

    /// The loss, and its slopes over the training rows.
    fn slope(&mut self, network: &Network, loss: Loss) -> Result<Slope>;

    /// At most `most` iterations of the descent, at least one, without coming back; `None` where this is nothing for it.
    fn iterate(&mut self, _descent: &Descent, _course: &Course, _most: usize) -> Result<Option<Descent>> {
        Ok(None)
    }

    /// ŷ of every row, output by output.
    fn predict(&mut self, network: &Network) -> Result<Vec<Vec<f64>>>;
}
