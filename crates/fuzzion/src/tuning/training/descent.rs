//! Gradient descent: settings, state and history.

use crate::stop::Stop;
use crate::tuning::network::Network;
use crate::tuning::training::loss::{Gradient, Loss};
use crate::tuning::training::readable;
use crate::tuning::training::step::{MAX_LOSS_RATIO, MIN_RATE_RATIO, StepState, clamp_parameters};

/// Mean loss at or below which only rounding errors remain; targets are scaled to ranges of at most 1.
pub(in crate::tuning) const EXACT_LOSS: f64 = 1e-28;

/// Settings of a gradient descent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DescentSettings {
    pub iterations: usize,
    /// Solve least squares every `solve_every` iterations; 0 trains the consequents by gradient steps.
    pub solve_every: usize,
    pub rate: f64,
    pub ridge: f64,
    pub readable: bool,
    pub loss: Loss,
    /// Number of iterations without a lower validation loss before training stops.
    pub patience: usize,
}

/// Mean losses over the training and validation rows (NaN without validation rows) before a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct IterationRecord {
    pub loss: [f64; 2],
    /// Mean squared errors, summed over outputs.
    pub(in crate::tuning) squares: [f64; 2],
    /// Rate of the following step.
    pub(in crate::tuning) rate: f64,
}

/// State of a gradient descent. A back end that performs several iterations per call returns the same state as that
/// number of calls to [`advance`](crate::tuning::algorithm::advance).
#[derive(Clone, Debug, PartialEq)]
pub struct Descent {
    /// Network to evaluate next, with the consequents of the last solution.
    pub(in crate::tuning) network: Network,
    pub(in crate::tuning) step_state: StepState,
    /// Lowest training loss and its network, which is restored after a step that raises the loss too much.
    pub(in crate::tuning) min_loss: f64,
    pub(in crate::tuning) min_loss_network: Network,
    /// Lowest validation loss, or training loss without validation rows, and its network, which is the result.
    pub(in crate::tuning) best_loss: f64,
    pub(in crate::tuning) best_network: Network,
    /// Iterations since the best loss.
    pub(in crate::tuning) iterations_since_best: usize,
    pub history: Vec<IterationRecord>,
    pub(in crate::tuning) stop: Option<Stop>,
    pub(in crate::tuning) ill_conditioned: bool,
    /// Mean squared errors of the best network if it has changed after training.
    pub(in crate::tuning) changed_squares: Option<[f64; 2]>,
}

impl Descent {
    /// Initial state, for a network with solved consequents.
    pub(in crate::tuning) fn new(network: Network, step_state: StepState, ill_conditioned: bool) -> Self {
        Descent {
            step_state,
            min_loss: f64::INFINITY,
            min_loss_network: network.clone(),
            best_loss: f64::INFINITY,
            best_network: network.clone(),
            network,
            iterations_since_best: 0,
            history: Vec::new(),
            stop: None,
            ill_conditioned,
            changed_squares: None,
        }
    }

    /// Number of completed steps.
    pub(in crate::tuning) fn iterations(&self) -> usize {
        self.history.len().saturating_sub(1)
    }

    /// Mean squared errors of the best network over the training and validation rows, summed over outputs.
    pub(in crate::tuning) fn best_squares(&self) -> [f64; 2] {
        let best = self.history.len().saturating_sub(1 + self.iterations_since_best);
        self.changed_squares.unwrap_or_else(|| self.history[best].squares)
    }

    /// Records the loss of the current network, updates the best networks, and decides whether to stop.
    pub(in crate::tuning) fn record(&mut self, gradient: &Gradient, settings: &DescentSettings) {
        let mean = |sums: [f64; 2]| [sums[0] / gradient.weight[0], sums[1] / gradient.weight[1]];
        let (loss, squares) = (mean(gradient.loss), mean(gradient.squares));
        self.history.push(IterationRecord { loss, squares, rate: self.step_state.rate });
        if loss[0] < self.min_loss {
            (self.min_loss, self.min_loss_network) = (loss[0], self.network.clone());
        }
        let has_validation = gradient.weight[1] > 0.0;
        let selection_loss = if has_validation { loss[1] } else { loss[0] };
        if selection_loss < self.best_loss {
            (self.best_loss, self.best_network, self.iterations_since_best) =
                (selection_loss, self.network.clone(), 0);
        } else {
            self.iterations_since_best += 1;
        }
        self.stop = if self.history.len() > settings.iterations {
            Some(Stop::MaxIterations)
        } else if has_validation && self.iterations_since_best >= settings.patience {
            Some(Stop::Validation)
        } else if loss[0] <= EXACT_LOSS {
            Some(Stop::Converged)
        } else {
            None
        };
    }

    /// Takes a step, or restores the network with the lowest loss and reduces the rate if the loss is too high.
    pub(in crate::tuning) fn step(&mut self, gradient: &Gradient, settings: &DescentSettings) {
        let loss = gradient.loss[0] / gradient.weight[0];
        let acceptable = loss <= MAX_LOSS_RATIO * self.min_loss; // false for NaN
        if !acceptable {
            self.network = self.min_loss_network.clone();
            self.step_state.reduce_rate();
            if self.step_state.rate < MIN_RATE_RATIO * settings.rate {
                self.stop = Some(Stop::Converged);
            }
            return;
        }
        self.step_state.observe_loss(loss);
        let gradient_vector = flatten(gradient, settings);
        if gradient_vector.iter().all(|gradient| *gradient == 0.0) {
            self.stop = Some(Stop::Converged);
            return;
        }
        let before = settings.readable.then(|| self.network.antecedents.clone());
        let mut parameters = parameters(&self.network, settings);
        self.step_state.apply(&mut parameters, &gradient_vector);
        set_parameters(&mut self.network, &parameters);
        if let Some(before) = before {
            readable::limit_step(&before, &mut self.network.antecedents);
        }
    }
}

/// Number of parameters changed by gradient steps.
pub(in crate::tuning) fn parameter_count(network: &Network, settings: &DescentSettings) -> usize {
    let theta = if settings.solve_every == 0 { network.theta.len() } else { 0 };
    4 * network.antecedents.sets.len() + theta
}

/// Four parameters for each set, then the consequents if they are trained by gradient steps.
fn parameters(network: &Network, settings: &DescentSettings) -> Vec<f64> {
    let sets = network.antecedents.sets.iter().flat_map(|set| set.parameters);
    sets.chain(network.theta.iter().copied()).take(parameter_count(network, settings)).collect()
}

fn flatten(gradient: &Gradient, settings: &DescentSettings) -> Vec<f64> {
    let theta = if settings.solve_every == 0 { &gradient.theta[..] } else { &[] };
    gradient.sets.iter().flatten().chain(theta).copied().collect()
}

/// Writes parameters back to the network, clamped to valid ranges.
pub(in crate::tuning) fn set_parameters(network: &mut Network, parameters: &[f64]) {
    let antecedents = &mut network.antecedents;
    let (sets, theta) = parameters.split_at(4 * antecedents.sets.len());
    for (set, moved) in antecedents.sets.iter_mut().zip(sets.as_chunks::<4>().0) {
        set.parameters = *moved;
        clamp_parameters(antecedents.form, &mut set.parameters);
    }
    network.theta[..theta.len()].copy_from_slice(theta);
}
