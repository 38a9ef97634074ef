//! Derives the row split, and the row order, learning rates and threshold of each epoch, from the settings.

use super::state::TrainingState;
use crate::random::{Random, shuffled};
use crate::sonfin::learner::StepSettings;
use crate::sonfin::settings::Sonfin;
use crate::sonfin::types::adam::AdamSettings;
use crate::sonfin::types::options::{Classify, Growth, Loss, Optimizer};
use crate::sonfin::types::scaled_samples::ScaledSamples;

/// Lower bound of the widths, as a fraction of an input's range.
pub(in crate::sonfin) const MIN_WIDTH: f32 = 1e-4;
/// Makes the split independent of other uses of the seed.
const SPLIT_SEED: u64 = 0x5011;

/// Training rows and held-out validation rows.
pub(in crate::sonfin) struct Split {
    pub(in crate::sonfin) training: Vec<u32>,
    pub(in crate::sonfin) validation: Vec<u32>,
}

impl Split {
    /// Draws the validation rows at random and leaves at least one row for training.
    pub(in crate::sonfin) fn new(settings: &Sonfin, samples: &ScaledSamples) -> Self {
        let (rows, n) = (samples.row_indices(), samples.rows());
        if settings.validation == 0.0 {
            return Split { training: rows, validation: Vec::new() };
        }
        let held_out = ((n as f64 * settings.validation).round() as usize).min(n - 1);
        let order = shuffled(n, settings.seed ^ SPLIT_SEED).into_iter();
        let mut training: Vec<u32> = order.map(|i| rows[i]).collect();
        let validation = training.split_off(n - held_out);
        Split { training, validation }
    }

    /// Training rows in the order of an epoch.
    pub(in crate::sonfin) fn order(&self, seed: u64, epoch: usize) -> Vec<u32> {
        let seed = Random::new(seed).bits() ^ Random::new(epoch as u64).bits();
        shuffled(self.training.len(), seed).into_iter().map(|i| self.training[i]).collect()
    }
}

impl Sonfin {
    /// Loss function.
    pub(in crate::sonfin) fn loss(&self) -> Loss {
        match self.classify {
            Some(Classify::CrossEntropy) => Loss::CrossEntropy,
            _ => Loss::SquaredError,
        }
    }

    /// β, multiplied by √d if ln μ is divided by d.
    pub(in crate::sonfin) fn scaled_beta(&self, dims: usize) -> f32 {
        (self.beta * if self.dim_scale { (dims as f64).sqrt() } else { 1.0 }) as f32
    }

    /// Maximum number of rules.
    pub(in crate::sonfin) fn rule_limit(&self) -> usize {
        match self.growth {
            Growth::Budget(rules) => rules.min(self.max_rules),
            _ => self.max_rules,
        }
    }

    /// Settings of Adam if it is the optimizer; `rows` is the number of rows per epoch.
    pub(in crate::sonfin) fn adam_settings(&self, rows: usize) -> Option<AdamSettings> {
        let Optimizer::Adam { batch, rate } = self.optimizer else { return None };
        let steps = rows.div_ceil(batch).saturating_mul(self.epochs) as u64;
        Some(AdamSettings { batch, rate, steps, min_width: MIN_WIDTH, loss: self.loss() })
    }
}

impl TrainingState {
    /// Parameters of the next online updates.
    pub(in crate::sonfin) fn step_settings(&self) -> StepSettings {
        let settings = &self.settings;
        let decay_factor = settings.rate_decay.powi(self.epoch as i32);
        let (plain_gradient, [rate_w, rate_m, rate_s]) = match settings.optimizer {
            Optimizer::Thesis(rate) => (true, [rate; 3]),
            _ => (false, [settings.rate_w, settings.rate_m, settings.rate_s]),
        };
        let rate = |rate: f64| (rate * decay_factor) as f32;
        StepSettings {
            ln_threshold: self.epoch_threshold(),
            max_rules: settings.rule_limit(),
            width_rule: settings.width_rule,
            beta: settings.scaled_beta(self.network.dims),
            first_width: self.first_width,
            min_width: MIN_WIDTH,
            rate_w: rate(rate_w),
            rate_m: rate(rate_m),
            rate_s: rate(rate_s),
            plain_gradient,
            loss: settings.loss(),
        }
    }

    /// ln μ_th of the current epoch.
    fn epoch_threshold(&self) -> f32 {
        match self.settings.growth {
            Growth::Threshold { decay, .. } => self.ln_threshold + (decay.ln() * self.epoch as f64) as f32,
            Growth::Gamma(_) if self.epoch == 0 => self.ln_threshold,
            Growth::Gamma(_) | Growth::Budget(_) | Growth::Auto => f32::NEG_INFINITY,
        }
    }
}
