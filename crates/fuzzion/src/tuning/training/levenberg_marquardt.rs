//! Levenberg-Marquardt on all parameters at once, for small problems; on the CPU only.
//!
//! (JᵀWJ + λ·diag(JᵀWJ))·δ = −JᵀWr with the Jacobian J of all outputs in all rows and the residuals r. λ decreases
//! after a step that lowers the loss; other steps are rejected and λ increases. Source: D. W. Marquardt, 1963.

use crate::device::{Cpu, Device};
use crate::stop::Stop;
use crate::tuning::error::{Result, TuningError};
use crate::tuning::network::Network;
use crate::tuning::solver::normal_equations::NormalEquations;
use crate::tuning::solver::solve::solve;
use crate::tuning::training::backend::Backend;
use crate::tuning::training::descent::{Descent, DescentSettings, set_parameters};
use crate::tuning::training::samples::ScaledSamples;
use crate::tuning::training::step::StepState;

/// Maximum number of parameters: their pairwise products are summed over all rows.
const MAX_PARAMETERS: usize = 1024;
/// Minimum number of rows per partial sum, and maximum number of partial sums.
const ROWS_PER_PART: usize = 256;
const PARTS: usize = 64;
/// Initial λ, its factors after accepted and rejected steps, and its bounds.
const INITIAL_LAMBDA: f64 = 1e-3;
const LAMBDA_DECREASE: f64 = 0.1;
const LAMBDA_INCREASE: f64 = 10.0;
const MIN_LAMBDA: f64 = 1e-12;
const MAX_LAMBDA: f64 = 1e12;
/// Converged if the loss decreases by no more than this fraction.
const MIN_RELATIVE_DECREASE: f64 = 1e-12;

/// Levenberg-Marquardt iterations from a network with solved consequents.
pub(in crate::tuning) fn levenberg_marquardt(
    samples: &ScaledSamples,
    backend: &mut dyn Backend,
    network: Network,
    settings: &DescentSettings,
    ill_conditioned: bool,
    device: &Device,
) -> Result<Descent> {
    let layout = ParameterLayout::of(&network);
    if layout.count() > MAX_PARAMETERS {
        return Err(TuningError::TooManyParameters { parameters: layout.count(), most: MAX_PARAMETERS });
    }
    let mut descent =
        Descent::new(network, StepState::new(Default::default(), INITIAL_LAMBDA, 0), ill_conditioned);
    descent.record(&backend.loss_and_gradient(&descent.network, settings.loss)?, settings);
    while descent.stop.is_none() {
        device.progress().report(descent.history.len() as u64, settings.iterations as u64 + 1)?;
        let before = descent.network.clone();
        let equations = equations(samples, &before, &layout, device.host_cpu());
        let previous_loss = descent.min_loss;
        loop {
            let step = solve(&equations, descent.step_state.rate).theta;
            descent.network = layout.apply(&before, &step);
            let gradient = backend.loss_and_gradient(&descent.network, settings.loss)?;
            let loss = gradient.loss[0] / gradient.weight[0];
            if loss < previous_loss {
                descent.step_state.rate = (descent.step_state.rate * LAMBDA_DECREASE).max(MIN_LAMBDA);
                descent.record(&gradient, settings);
                break;
            }
            descent.step_state.rate *= LAMBDA_INCREASE;
            if descent.step_state.rate > MAX_LAMBDA {
                descent.network = before;
                descent.stop = Some(Stop::Converged);
                return Ok(descent);
            }
        }
        if descent.stop.is_none() && previous_loss - descent.min_loss <= MIN_RELATIVE_DECREASE * previous_loss
        {
            descent.stop = Some(Stop::Converged);
        }
    }
    Ok(descent)
}

/// Layout of the parameter vector: the parameters of all sets, then all consequents.
struct ParameterLayout {
    sets: usize,
    /// Number of parameters per set.
    per_set: usize,
    theta: usize,
}

impl ParameterLayout {
    fn of(network: &Network) -> Self {
        let antecedents = &network.antecedents;
        ParameterLayout {
            sets: antecedents.sets.len(),
            per_set: antecedents.form.parameter_count(),
            theta: network.theta.len(),
        }
    }

    fn count(&self) -> usize {
        self.sets * self.per_set + self.theta
    }

    /// The network after adding `step` to its parameters.
    fn apply(&self, network: &Network, step: &[f64]) -> Network {
        let (sets, theta) = step.split_at(self.sets * self.per_set);
        let mut parameters: Vec<f64> =
            network.antecedents.sets.iter().flat_map(|set| set.parameters).collect();
        for (set, step) in sets.chunks_exact(self.per_set).enumerate() {
            step.iter().enumerate().for_each(|(i, step)| parameters[4 * set + i] += step);
        }
        parameters.extend(network.theta.iter().zip(theta).map(|(theta, step)| theta + step));
        let mut network = network.clone();
        set_parameters(&mut network, &parameters);
        network
    }
}

/// JᵀWJ and −JᵀWr over the training rows, in the form of normal equations.
fn equations(
    samples: &ScaledSamples,
    network: &Network,
    layout: &ParameterLayout,
    cpu: &Cpu,
) -> NormalEquations {
    let chunk = samples.training.div_ceil(PARTS).max(ROWS_PER_PART);
    let parts = cpu.map_chunks(samples.training, chunk, |rows| {
        let mut sums = NormalEquations::zero(layout.count(), 1);
        rows.for_each(|row| add(&mut sums, samples, row, network, layout));
        sums
    });
    let mut all = NormalEquations::zero(layout.count(), 1);
    parts.iter().for_each(|part| all.add(part));
    all
}

fn add(
    sums: &mut NormalEquations,
    samples: &ScaledSamples,
    row: usize,
    network: &Network,
    layout: &ParameterLayout,
) {
    let (x, y, w) = (samples.inputs_of(row), samples.targets_of(row), samples.weight(row));
    let antecedents = &network.antecedents;
    let (phi, firing, outputs) = (network.design_row(&x), antecedents.firing(&x), network.predict(&x));
    let (rules, terms) = (antecedents.rules(), network.basis.len());
    let mut jacobian_row = vec![0.0; layout.count()];
    for o in 0..network.outputs {
        jacobian_row.fill(0.0);
        for (k, phi) in firing.iter().enumerate() {
            let monomials = network.basis.evaluate(&network.frames.to_local(k, &x));
            let theta = &network.theta[(o * rules + k) * terms..];
            let p: f64 = theta.iter().zip(&monomials).map(|(theta, u)| theta * u).sum();
            let q = phi * (p - outputs[o]);
            for (j, x) in x.iter().enumerate().filter(|(_, x)| !x.is_nan()) {
                if let Some(set) = antecedents.set(k, j) {
                    let first = antecedents.set_indices[k * antecedents.inputs + j] as usize * layout.per_set;
                    let derivatives = antecedents.form.ln_membership_gradient(&set.parameters, *x);
                    (0..layout.per_set).for_each(|i| jacobian_row[first + i] += q * derivatives[i]);
                }
            }
        }
        let consequents = layout.sets * layout.per_set + o * phi.len();
        jacobian_row[consequents..][..phi.len()].copy_from_slice(&phi);
        let mut at = 0;
        for a in 0..jacobian_row.len() {
            let scaled = w * jacobian_row[a];
            if scaled != 0.0 {
                (0..=a).for_each(|b| sums.gram[at + b] += scaled * jacobian_row[b]);
                sums.cross[a] += scaled * (y[o] - outputs[o]);
            }
            at += a + 1;
        }
    }
}
