//! What settings mean for learning: rows, orders, rates and thresholds of an epoch.

use super::adam::Pace;
use super::learner::{Course, Loss};
use super::settings::{Classify, Growth, Optimizer};
use super::sonfin::Sonfin;
use super::state::State;
use crate::random::{Random, shuffled};

/// No width shrinks past this share of an input's range.
pub(super) const LEAST_WIDTH: f32 = 1e-4;
/// Told apart from other uses of the same seed.
const SPLIT: u64 = 0x5011;

/// The rows to learn from and those kept back.
pub(super) struct Split {
    pub(super) training: Vec<u32>,
    pub(super) validation: Vec<u32>,
}

impl Split {
    /// The share that is kept back is drawn at random, and at least one row is learned from.
    pub(super) fn new(settings: &Sonfin<'_>, rows: usize) -> Self {
        if settings.validation == 0.0 {
            return Split { training: (0..rows as u32).collect(), validation: Vec::new() };
        }
        let kept_back = ((rows as f64 * settings.validation).round() as usize).min(rows - 1);
        let mut order: Vec<u32> =
            shuffled(rows, settings.seed ^ SPLIT).into_iter().map(|row| row as u32).collect();
        let validation = order.split_off(rows - kept_back);
        Split { training: order, validation }
    }

    /// The training rows in the order of an epoch.
    pub(super) fn order(&self, seed: u64, epoch: usize) -> Vec<u32> {
        let seed = Random::new(seed).bits() ^ Random::new(epoch as u64).bits();
        shuffled(self.training.len(), seed).into_iter().map(|i| self.training[i]).collect()
    }
}

impl Sonfin<'_> {
    /// What is made small.
    pub(super) fn loss(&self) -> Loss {
        match self.classify {
            Some(Classify::CrossEntropy) => Loss::CrossEntropy,
            _ => Loss::Squares,
        }
    }

    /// β with the factor of 1/d scaling inside.
    pub(super) fn wide_beta(&self, dims: usize) -> f32 {
        (self.beta * if self.dim_scale { (dims as f64).sqrt() } else { 1.0 }) as f32
    }

    /// The most rules.
    pub(super) fn most_rules(&self) -> usize {
        match self.growth {
            Growth::Budget(rules) => rules.min(self.max_rules),
            _ => self.max_rules,
        }
    }

    /// How Adam goes about it, where it is asked for; `rows` are learned in each epoch.
    pub(super) fn pace(&self, rows: usize) -> Option<Pace> {
        let Optimizer::Adam { batch, rate } = self.optimizer else { return None };
        let steps = (rows.div_ceil(batch) * self.epochs) as u64;
        Some(Pace { batch, rate, steps, least_width: LEAST_WIDTH, loss: self.loss() })
    }
}

impl State {
    /// How the next samples are learned on-line.
    pub(super) fn course(&self) -> Course {
        let settings = &self.settings;
        let falls = settings.rate_decay.powi(self.epoch as i32);
        let (plain, [rate_w, rate_m, rate_s]) = match settings.optimizer {
            Optimizer::Thesis(rate) => (true, [rate; 3]),
            _ => (false, [settings.rate_w, settings.rate_m, settings.rate_s]),
        };
        let rate = |rate: f64| (rate * falls) as f32;
        Course {
            ln_threshold: self.epoch_threshold(),
            most_rules: settings.most_rules(),
            width_rule: settings.width_rule,
            beta: settings.wide_beta(self.network.dims),
            first_width: self.first_width,
            least_width: LEAST_WIDTH,
            rate_w: rate(rate_w),
            rate_m: rate(rate_m),
            rate_s: rate(rate_s),
            plain,
            loss: settings.loss(),
        }
    }

    /// ln μ_th of the present epoch.
    fn epoch_threshold(&self) -> f32 {
        match self.settings.growth {
            Growth::Threshold { decay, .. } => self.ln_threshold + (decay.ln() * self.epoch as f64) as f32,
            Growth::Gamma(_) if self.epoch == 0 => self.ln_threshold,
            Growth::Gamma(_) | Growth::Budget(_) => f32::NEG_INFINITY,
        }
    }
}
