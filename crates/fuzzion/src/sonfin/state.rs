//! How far a fit is: all that resuming needs, to the bit.

use super::adam::Adam;
use super::network::Network;
use super::report::Point;
use super::sonfin::Sonfin;
use serde::{Deserialize, Serialize};

/// A fit that can be gone on with. It is a function of settings, rows and seed: the order of an epoch follows from the seed
/// and the number of the epoch.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct State {
    pub(super) settings: Sonfin<'static>,
    /// The rules as they stand.
    pub(super) network: Network,
    /// What Adam has beside them.
    pub(super) adam: Option<Adam>,
    /// The best rules at the end of an epoch so far.
    pub(super) best: Option<Best>,
    /// Whole epochs that are behind us.
    pub(super) epoch: usize,
    /// Samples of the present epoch that are behind us.
    pub(super) position: usize,
    /// Σ of the losses over these samples.
    pub(super) loss: f64,
    /// How many of them were wrong.
    pub(super) wrong: u64,
    /// One point for each whole epoch.
    pub(super) history: Vec<Point>,
    /// The width of the first rule.
    pub(super) first_width: f32,
    /// ln μ_th of the first epoch; found by passes that only add rules where there is a budget.
    pub(super) ln_threshold: f32,
    /// Samples learned so far, repetitions included.
    pub(super) seen: u64,
    /// Seconds of learning so far.
    pub(super) seconds: f64,
    /// A checksum of the scaled rows that are learned from, by which they are known again.
    pub(super) rows: u64,
}

/// Rules that were the best so far.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Best {
    pub(super) network: Network,
    /// Their error: over the validation rows, or over the training rows while they were learned.
    pub(super) error: f64,
    /// The epoch after which they were, from 1.
    pub(super) epoch: usize,
}

impl State {
    /// The rules that are the result as things stand.
    pub(super) fn kept(&self) -> &Network {
        self.best.as_ref().map_or(&self.network, |best| &best.network)
    }

    /// Whether all epochs are behind us.
    pub(super) fn is_done(&self) -> bool {
        self.epoch >= self.settings.epochs
    }

    /// Whether its parts fit each other, as a file may not say.
    pub(super) fn is_whole(&self, inputs: usize, outputs: usize) -> bool {
        let whole = |network: &Network| {
            let rules = network.w.len() / outputs.max(1);
            (network.dims, network.outputs) == (inputs, outputs)
                && network.w.len() == rules * outputs
                && (network.a.len(), network.c.len()) == (rules * inputs, rules * inputs)
                && [&network.a, &network.c, &network.w].into_iter().flatten().all(|x| x.is_finite())
        };
        inputs > 0
            && outputs > 0
            && whole(&self.network)
            && self.best.as_ref().is_none_or(|best| whole(&best.network))
            && self.kept().rules() > 0
            && self.adam.as_ref().is_none_or(|adam| adam.is_whole(&self.network))
            && self.settings.check().is_ok()
    }
}
