//! Random samples and networks, on which learners are compared with the textbook and timed.

use super::learner::{Course, Loss, WidthRule};
use super::network::Network;
use super::samples::Samples;
use crate::random::Random;

/// What a problem is made with.
#[derive(Clone, Copy, Debug)]
pub(super) struct Problem {
    pub(super) rows: usize,
    pub(super) dims: usize,
    /// Classes, as a 1 among zeros.
    pub(super) outputs: usize,
    /// Rules of the network, each around a sample.
    pub(super) rules: usize,
    /// Clumps that the samples lie in.
    pub(super) clumps: usize,
    /// How wide a clump is in each input, the middles of all lying from 0 to 1.
    pub(super) spread: f64,
    /// The width of a rule, in typical distances of two samples of a clump.
    pub(super) width: f64,
    /// Whether every seventh input is missing.
    pub(super) missing: bool,
    pub(super) seed: u64,
}

impl Default for Problem {
    fn default() -> Self {
        Problem {
            rows: 200,
            dims: 5,
            outputs: 3,
            rules: 20,
            clumps: 12,
            spread: 0.1,
            width: 1.0,
            missing: false,
            seed: 1,
        }
    }
}

/// Clumps of samples, each of one class.
pub(super) fn samples(problem: &Problem) -> Samples {
    let Problem { rows, dims, outputs, clumps, spread, .. } = *problem;
    let mut random = Random::new(problem.seed);
    let middles: Vec<f64> = (0..clumps * dims).map(|_| random.unit()).collect();
    let mut samples = Samples { dims, outputs, x: Vec::new(), t: Vec::new() };
    for row in 0..rows {
        let clump = (random.unit() * clumps as f64) as usize;
        for (j, middle) in middles[clump * dims..][..dims].iter().enumerate() {
            let x = middle + spread * random.between(-0.5, 0.5);
            samples.x.push(if problem.missing && (row + j) % 7 == 0 { f32::NAN } else { x as f32 });
        }
        samples.t.extend((0..outputs).map(|l| if l == clump % outputs { 1.0 } else { 0.0 }));
    }
    samples
}

/// A network with a rule around each of some samples, whose widths and words differ.
pub(super) fn network(problem: &Problem, samples: &Samples) -> Network {
    let mut random = Random::new(problem.seed ^ 0x5eed);
    let mut network = Network::empty(problem.dims, problem.outputs);
    // Two uniform numbers of a range 1 apart differ by √⅙ in the mean square.
    let width = problem.width * problem.spread * (problem.dims as f64 / 6.0).sqrt();
    for k in 0..problem.rules {
        let row = k * samples.rows() / problem.rules;
        let w: Vec<f32> =
            samples.targets_of(row).iter().map(|t| t + random.between(-0.2, 0.2) as f32).collect();
        network.add(samples.inputs_of(row), &w, width as f32);
        let first = network.a.len() - problem.dims;
        for j in first..network.a.len() {
            let (narrower, aside) = (random.between(0.7, 1.4) as f32, random.between(-0.2, 0.2) as f32);
            network.a[j] *= narrower;
            network.c[j] = if network.a[j] == 0.0 { 0.0 } else { network.c[j] * narrower + aside };
        }
    }
    network
}

/// Numbers with which every part of a step shows.
pub(super) fn course() -> Course {
    Course {
        ln_threshold: f32::NEG_INFINITY,
        most_rules: 4096,
        width_rule: WidthRule::Distance,
        beta: 0.5,
        first_width: 0.3,
        least_width: 1e-3,
        rate_w: 0.3,
        rate_m: 0.05,
        rate_s: 0.02,
        plain: false,
        loss: Loss::Squares,
    }
}

/// Every row once, in an order that is not the rows'.
pub(super) fn order(rows: usize, seed: u64) -> Vec<u32> {
    let mut random = Random::new(seed);
    let mut order: Vec<u32> = (0..rows as u32).collect();
    for i in (1..rows).rev() {
        order.swap(i, (random.unit() * (i + 1) as f64) as usize);
    }
    order
}
