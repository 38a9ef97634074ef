//! Random samples and networks for tests and benchmarks of learners.

use crate::random::Random;
use crate::sonfin::learner::StepSettings;
use crate::sonfin::types::network::Network;
use crate::sonfin::types::options::{Loss, WidthRule};
use crate::sonfin::types::scaled_samples::ScaledSamples;

/// Parameters of a random problem.
#[derive(Clone, Copy, Debug)]
pub struct Problem {
    pub rows: usize,
    pub dims: usize,
    /// Number of classes, one-hot encoded.
    pub outputs: usize,
    /// Number of rules, each centered near a sample.
    pub rules: usize,
    /// Number of clusters of samples.
    pub clusters: usize,
    /// Width of a cluster in each input; cluster centers are in [0, 1].
    pub spread: f64,
    /// Width of a rule relative to the typical distance between two samples of a cluster.
    pub width: f64,
    /// Whether every seventh input is missing.
    pub missing: bool,
    pub seed: u64,
}

impl Default for Problem {
    fn default() -> Self {
        Problem {
            rows: 200,
            dims: 5,
            outputs: 3,
            rules: 20,
            clusters: 12,
            spread: 0.1,
            width: 1.0,
            missing: false,
            seed: 1,
        }
    }
}

/// Clustered samples; each cluster belongs to one class.
pub fn samples(problem: &Problem) -> ScaledSamples {
    let Problem { rows, dims, outputs, clusters, spread, .. } = *problem;
    let mut random = Random::new(problem.seed);
    let centers: Vec<f64> = (0..clusters * dims).map(|_| random.unit()).collect();
    let mut samples = ScaledSamples { dims, outputs, x: Vec::new(), t: Vec::new() };
    for row in 0..rows {
        let cluster = (random.unit() * clusters as f64) as usize;
        for (j, center) in centers[cluster * dims..][..dims].iter().enumerate() {
            let x = center + spread * random.between(-0.5, 0.5);
            samples.x.push(if problem.missing && (row + j) % 7 == 0 { f32::NAN } else { x as f32 });
        }
        samples.t.extend((0..outputs).map(|l| if l == cluster % outputs { 1.0 } else { 0.0 }));
    }
    samples
}

/// A network with rules near evenly spaced samples and randomly varied widths and consequents.
pub fn network(problem: &Problem, samples: &ScaledSamples) -> Network {
    let mut random = Random::new(problem.seed ^ 0x5eed);
    let mut network = Network::empty(problem.dims, problem.outputs);
    // The root mean square difference of two uniform values is √⅙ of the range.
    let width = problem.width * problem.spread * (problem.dims as f64 / 6.0).sqrt();
    for k in 0..problem.rules {
        let row = k * samples.rows() / problem.rules;
        let w: Vec<f32> =
            samples.targets_of(row).iter().map(|t| t + random.between(-0.2, 0.2) as f32).collect();
        network.add(samples.inputs_of(row), &w, width as f32);
        let first = network.a.len() - problem.dims;
        for j in first..network.a.len() {
            let (width_factor, shift) = (random.between(0.7, 1.4) as f32, random.between(-0.2, 0.2) as f32);
            network.a[j] *= width_factor;
            network.c[j] = if network.a[j] == 0.0 { 0.0 } else { network.c[j] * width_factor + shift };
        }
    }
    network
}

/// Settings under which every part of an update has a visible effect.
pub fn step_settings() -> StepSettings {
    StepSettings {
        ln_threshold: f32::NEG_INFINITY,
        max_rules: 4096,
        width_rule: WidthRule::Distance,
        beta: 0.5,
        first_width: 0.3,
        min_width: 1e-3,
        rate_w: 0.3,
        rate_m: 0.05,
        rate_s: 0.02,
        plain_gradient: false,
        loss: Loss::SquaredError,
    }
}

/// Random permutation of the rows.
pub fn order(rows: usize, seed: u64) -> Vec<u32> {
    let mut random = Random::new(seed);
    let mut order: Vec<u32> = (0..rows as u32).collect();
    for i in (1..rows).rev() {
        order.swap(i, (random.unit() * (i + 1) as f64) as usize);
    }
    order
}
