//! Levenberg-Marquardt: all parameters at once, for small problems.
//!
//! (JᵀWJ + λ·diag(JᵀWJ))·δ = −JᵀWr, J the slopes of all outputs in all rows and r their errors; λ falls after a step down
//! and grows after a step up, which is taken back. Source: D. W. Marquardt, 1963.

use super::descent::{Course, Descent, put};
use super::network::Network;
use super::report::Stop;
use super::rows::{Rows, Samples};
use super::solve::solve;
use super::statistics::Statistics;
use super::step::Pace;
use crate::device::Cpu;
use crate::error::{Error, Result};
use crate::progress::Progress;

/// The most parameters: their products are summed over every row.
const MOST_PARAMETERS: usize = 1024;
/// Rows summed together, and the most such parts.
const ROWS_PER_PART: usize = 256;
const PARTS: usize = 64;
/// λ at first, its factors after a step down and a step up, and where it ends.
const FIRST: f64 = 1e-3;
const DOWN: f64 = 0.1;
const UP: f64 = 10.0;
const LEAST: f64 = 1e-12;
const MOST: f64 = 1e12;
/// Steps down by no more than this share of the loss are the end.
const SETTLED: f64 = 1e-12;

/// Steps from a network whose consequents are solved for.
pub(super) fn descend(
    samples: &Samples,
    rows: &mut dyn Rows,
    network: Network,
    course: &Course,
    ill_conditioned: bool,
    progress: Progress<'_>,
) -> Result<Descent> {
    let moved = Moved::of(&network);
    if moved.count() > MOST_PARAMETERS {
        return Err(Error::TooManyParameters { parameters: moved.count(), most: MOST_PARAMETERS });
    }
    let cpu = Cpu::new()?;
    let mut descent = Descent::new(network, Pace::new(Default::default(), FIRST, 0), ill_conditioned);
    descent.record(&rows.slope(&descent.network, course.loss)?, course);
    while descent.stop.is_none() {
        progress.report(descent.history.len() as u64, course.iterations as u64 + 1)?;
        let before = descent.network.clone();
        let equations = equations(samples, &before, &moved, &cpu);
        let least = descent.least;
        loop {
            let step = solve(&equations, descent.pace.rate).theta;
            descent.network = moved.put(&before, &step);
            let slope = rows.slope(&descent.network, course.loss)?;
            let loss = slope.loss[0] / slope.weight[0];
            if loss < least {
                descent.pace.rate = (descent.pace.rate * DOWN).max(LEAST);
                descent.record(&slope, course);
                break;
            }
            descent.pace.rate *= UP;
            if descent.pace.rate > MOST {
                descent.network = before;
                descent.stop = Some(Stop::Converged);
                return Ok(descent);
            }
        }
        if descent.stop.is_none() && least - descent.least <= SETTLED * least {
            descent.stop = Some(Stop::Converged);
        }
    }
    Ok(descent)
}

/// Which parameters are moved: those that the form has, and all consequents.
struct Moved {
    sets: usize,
    /// How many parameters a set has.
    each: usize,
    theta: usize,
}

impl Moved {
    fn of(network: &Network) -> Self {
        let antecedents = &network.antecedents;
        Moved { sets: antecedents.sets.len(), each: antecedents.form.count(), theta: network.theta.len() }
    }

    fn count(&self) -> usize {
        self.sets * self.each + self.theta
    }

    /// The network after `step`.
    fn put(&self, network: &Network, step: &[f64]) -> Network {
        let (sets, theta) = step.split_at(self.sets * self.each);
        let mut parameters: Vec<f64> =
            network.antecedents.sets.iter().flat_map(|set| set.parameters).collect();
        for (set, step) in sets.chunks_exact(self.each).enumerate() {
            step.iter().enumerate().for_each(|(i, step)| parameters[4 * set + i] += step);
        }
        parameters.extend(network.theta.iter().zip(theta).map(|(theta, step)| theta + step));
        let mut network = network.clone();
        put(&mut network, &parameters);
        network
    }
}

/// JᵀWJ and −JᵀWr over the training rows, in the shape of least squares.
fn equations(samples: &Samples, network: &Network, moved: &Moved, cpu: &Cpu) -> Statistics {
    let chunk = samples.training.div_ceil(PARTS).max(ROWS_PER_PART);
    let parts = cpu.map_chunks(samples.training, chunk, |rows| {
        let mut sums = Statistics::zero(moved.count(), 1);
        rows.for_each(|row| add(&mut sums, samples, row, network, moved));
        sums
    });
    let mut all = Statistics::zero(moved.count(), 1);
    parts.iter().for_each(|part| all.add(part));
    all
}

fn add(sums: &mut Statistics, samples: &Samples, row: usize, network: &Network, moved: &Moved) {
    let (x, y, w) = (samples.inputs_of(row), samples.targets_of(row), samples.weight(row));
    let antecedents = &network.antecedents;
    let (phi, firing, outputs) = (network.row(&x), antecedents.firing(&x), network.predict(&x));
    let (rules, terms) = (antecedents.rules(), network.basis.len());
    let mut slopes = vec![0.0; moved.count()];
    for o in 0..network.outputs {
        slopes.fill(0.0);
        for (k, phi) in firing.iter().enumerate() {
            let monomials = network.basis.values(&network.frames.local(k, &x));
            let theta = &network.theta[(o * rules + k) * terms..];
            let p: f64 = theta.iter().zip(&monomials).map(|(theta, u)| theta * u).sum();
            let q = phi * (p - outputs[o]);
            for (j, x) in x.iter().enumerate().filter(|(_, x)| !x.is_nan()) {
                if let Some(set) = antecedents.set(k, j) {
                    let first = antecedents.uses[k * antecedents.inputs + j] as usize * moved.each;
                    let slope = antecedents.form.slopes(&set.parameters, *x);
                    (0..moved.each).for_each(|i| slopes[first + i] += q * slope[i]);
                }
            }
        }
        let consequents = moved.sets * moved.each + o * phi.len();
        slopes[consequents..][..phi.len()].copy_from_slice(&phi);
        let mut at = 0;
        for a in 0..slopes.len() {
            let scaled = w * slopes[a];
            if scaled != 0.0 {
                (0..=a).for_each(|b| sums.gram[at + b] += scaled * slopes[b]);
                sums.cross[a] += scaled * (y[o] - outputs[o]);
            }
            at += a + 1;
        }
    }
}
