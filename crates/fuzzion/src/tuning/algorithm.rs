//! Training algorithms, independent of the back end.

use crate::progress::Progress;
use crate::tuning::error::Result;
use crate::tuning::network::Network;
use crate::tuning::network::basis::Frames;
use crate::tuning::settings::StepRule;
use crate::tuning::training::backend::Backend;
use crate::tuning::training::descent::{Descent, DescentSettings, parameter_count};
use crate::tuning::training::step::StepState;

/// Maximum number of iterations a back end performs per call, so that training can be interrupted between calls.
const MAX_ITERATIONS_PER_CALL: usize = 128;
/// Candidate factors for the least-squares outputs, which are near 0 and 1, so that their softmax is close to uniform.
const SOFTMAX_SCALES: [f64; 6] = [1.0, 2.0, 4.0, 8.0, 16.0, 32.0];

/// Gradient descent from a network with solved consequents.
pub fn gradient_descent(
    backend: &mut dyn Backend,
    network: Network,
    settings: &DescentSettings,
    step: StepRule,
    ill_conditioned: bool,
    progress: &Progress,
) -> Result<Descent> {
    let step_state = StepState::new(step, settings.rate, parameter_count(&network, settings));
    let mut descent = Descent::new(network, step_state, ill_conditioned);
    while descent.stop.is_none() {
        let completed = descent.history.len();
        progress.report(completed as u64, settings.iterations as u64 + 1)?;
        let max_iterations = (settings.iterations + 1 - completed).min(MAX_ITERATIONS_PER_CALL);
        match backend.iterate_on_device(&descent, settings, max_iterations)? {
            Some(continued) => descent = continued,
            None => advance(&mut descent, backend, settings)?,
        }
    }
    Ok(descent)
}

/// One iteration: consequents, loss and gradient, step.
pub(super) fn advance(
    descent: &mut Descent,
    backend: &mut dyn Backend,
    settings: &DescentSettings,
) -> Result<()> {
    let completed = descent.history.len();
    if completed > 0 && settings.solve_every > 0 && completed.is_multiple_of(settings.solve_every) {
        descent.ill_conditioned |= fit_consequents(backend, &mut descent.network, settings.ridge)?; // Equation (3)
    }
    let gradient = backend.loss_and_gradient(&descent.network, settings.loss)?; // Equation (4)
    descent.record(&gradient, settings);
    if descent.stop.is_none() {
        descent.step(&gradient, settings);
    }
    Ok(())
}

/// Solves Equation (3) for the consequents, with frames at the current sets. Returns whether the equations were
/// ill-conditioned.
pub fn fit_consequents(backend: &mut dyn Backend, network: &mut Network, ridge: f64) -> Result<bool> {
    network.frames = Frames::new(&network.antecedents);
    let solution = backend.solve_consequents(network, ridge)?;
    network.theta = solution.theta;
    Ok(solution.ill_conditioned)
}

/// Multiplies the consequents by the factor with the lowest loss, as a starting point for softmax outputs.
pub(super) fn scale_for_softmax(
    backend: &mut dyn Backend,
    network: &mut Network,
    settings: &DescentSettings,
) -> Result<()> {
    let mut best: Option<(f64, Vec<f64>)> = None;
    for factor in SOFTMAX_SCALES {
        let theta: Vec<f64> = network.theta.iter().map(|theta| factor * theta).collect();
        let candidate = Network { theta, ..network.clone() };
        let loss = backend.loss_and_gradient(&candidate, settings.loss)?.loss[0];
        if best.as_ref().is_none_or(|(lowest, _)| loss < *lowest) {
            best = Some((loss, candidate.theta));
        }
    }
    network.theta = best.expect("invariant: there is at least one candidate factor").1;
    Ok(())
}
