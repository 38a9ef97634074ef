//! State of a training process; contains everything needed to resume it bit-identically.

use super::report::SonfinEpoch;
use crate::sonfin::settings::Sonfin;
use crate::sonfin::types::adam::Adam;
use crate::sonfin::types::network::Network;
use serde::{Deserialize, Serialize};

/// Resumable training state. It is a function of settings, rows and seed; the row order of an epoch depends only on
/// the seed and the epoch number.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(in crate::sonfin) struct TrainingState {
    pub(in crate::sonfin) settings: Sonfin,
    /// Current network.
    pub(in crate::sonfin) network: Network,
    /// State of the Adam optimizer.
    pub(in crate::sonfin) adam: Option<Adam>,
    /// Best network at the end of an epoch so far.
    pub(in crate::sonfin) best: Option<BestEpoch>,
    /// Number of completed epochs.
    pub(in crate::sonfin) epoch: usize,
    /// Number of samples processed in the current epoch.
    pub(in crate::sonfin) position: usize,
    /// Sum of the losses over these samples.
    pub(in crate::sonfin) loss: f64,
    /// Number of misclassified samples among them.
    #[serde(rename = "wrong")]
    pub(in crate::sonfin) misclassified: u64,
    /// One point for each completed epoch.
    pub(in crate::sonfin) history: Vec<SonfinEpoch>,
    /// Width of the first rule.
    pub(in crate::sonfin) first_width: f32,
    /// ln μ_th of the first epoch; with a rule budget, found by passes that only add rules.
    pub(in crate::sonfin) ln_threshold: f32,
    /// Number of samples processed so far, including repetitions.
    pub(in crate::sonfin) seen: u64,
    /// Training time so far, in seconds; not saved, so that equal models have equal files.
    #[serde(default, skip_serializing)]
    pub(in crate::sonfin) seconds: f64,
    /// Checksum of the scaled training rows.
    #[serde(rename = "rows")]
    pub(in crate::sonfin) data_checksum: u64,
}

/// Best network so far.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(in crate::sonfin) struct BestEpoch {
    pub(in crate::sonfin) network: Network,
    /// Error on the validation rows, or on the training rows during the epoch.
    pub(in crate::sonfin) error: f64,
    /// Epoch after which it was saved, from 1.
    pub(in crate::sonfin) epoch: usize,
}

/// Upper bound of the counters of a loaded state, which keeps sums of them in range.
const MAX_COUNT: u64 = 1 << 53;

impl TrainingState {
    /// The resulting network: the best one so far, otherwise the current one.
    pub(in crate::sonfin) fn result_network(&self) -> &Network {
        self.best.as_ref().map_or(&self.network, |best| &best.network)
    }

    /// Whether all epochs are completed.
    pub(in crate::sonfin) fn is_done(&self) -> bool {
        self.epoch >= self.settings.epochs
    }

    /// Whether the parts of a loaded state are consistent.
    pub(in crate::sonfin) fn is_consistent(&self, inputs: usize, outputs: usize) -> bool {
        let network_is_consistent = |network: &Network| {
            let rules = network.w.len() / outputs.max(1);
            (network.dims, network.outputs) == (inputs, outputs)
                && network.w.len() == rules * outputs
                && (network.a.len(), network.c.len()) == (rules * inputs, rules * inputs)
                && [&network.a, &network.c, &network.w].into_iter().flatten().all(|x| x.is_finite())
        };
        let adam_steps = self.adam.as_ref().map_or(0, |adam| adam.step);
        let counters = [self.epoch as u64, self.position as u64, self.misclassified, self.seen, adam_steps];
        inputs > 0
            && outputs > 0
            && counters.into_iter().all(|count| count <= MAX_COUNT)
            && network_is_consistent(&self.network)
            && self.best.as_ref().is_none_or(|best| network_is_consistent(&best.network))
            && self.result_network().rules() > 0
            && self.adam.as_ref().is_none_or(|adam| adam.is_consistent(&self.network))
            && self.settings.check().is_ok()
    }
}
