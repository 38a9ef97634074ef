//! Random networks and samples for comparing back ends with the textbook implementation.

use crate::random::Random;
use crate::tuning::network::Network;
use crate::tuning::network::antecedents::{Antecedents, NO_SET, ScaledSet};
use crate::tuning::network::form::{Form, Parameters};
use crate::tuning::training::samples::ScaledSamples;

/// Parameters of a random problem.
#[derive(Clone, Copy, Debug)]
pub struct Problem {
    pub form: Form,
    pub order: usize,
    pub untied: bool,
    /// Whether the last rule does not use the last input.
    pub unused_input: bool,
    pub outputs: usize,
    pub inputs: usize,
    pub rows: usize,
    pub weighted: bool,
    pub missing: bool,
}

impl Default for Problem {
    fn default() -> Self {
        Problem {
            form: Form::Gaussian,
            order: 1,
            untied: false,
            unused_input: false,
            outputs: 1,
            inputs: 2,
            rows: 50,
            weighted: false,
            missing: false,
        }
    }
}

/// Network with a grid of three sets per input.
pub fn network(problem: &Problem, seed: u64) -> Network {
    let mut random = Random::new(seed);
    let mut sets = Vec::new();
    for input in 0..problem.inputs {
        for center in [0.0, 0.5, 1.0] {
            let parameters = parameters(problem.form, center, &mut random);
            sets.push(ScaledSet { input, parameters });
        }
    }
    let rules = 3usize.pow(problem.inputs as u32);
    let set_index = |rule: usize, input: usize| (3 * input + rule / 3usize.pow(input as u32) % 3) as u32;
    let mut set_indices: Vec<u32> =
        (0..rules).flat_map(|k| (0..problem.inputs).map(move |j| set_index(k, j))).collect();
    if problem.unused_input {
        set_indices[rules * problem.inputs - 1] = NO_SET;
    }
    let tied = Antecedents { form: problem.form, inputs: problem.inputs, sets, set_indices };
    let mut antecedents = if problem.untied { tied.untied() } else { tied };
    if problem.untied {
        for set in &mut antecedents.sets {
            set.parameters[1] += 0.01 * random.unit();
        }
    }
    let mut network = Network::new(antecedents, problem.order, problem.outputs);
    network.theta.iter_mut().for_each(|theta| *theta = random.between(-1.0, 1.0));
    network
}

fn parameters(form: Form, center: f64, random: &mut Random) -> Parameters {
    let center = center + random.between(-0.1, 0.1);
    let width = random.between(0.2, 0.5);
    match form {
        Form::Gaussian => [center, width, 0.0, 0.0],
        Form::TwoSided => [center - 0.1, width, center + 0.05, random.between(0.2, 0.5)],
        Form::Bell => [center, width, random.between(0.7, 3.0), 0.0],
        // Narrow enough to leave some rows uncovered.
        Form::Triangle => [center - width, center, center + 0.8 * width, 0.0],
        Form::Trapezoid => [center - width, center - 0.1, center + 0.1, center + 0.8 * width],
    }
}

pub fn samples(problem: &Problem, seed: u64) -> ScaledSamples {
    let mut random = Random::new(seed ^ 0x5eed);
    let column = |random: &mut Random| (0..problem.rows).map(|_| random.unit()).collect::<Vec<f64>>();
    let mut inputs: Vec<Vec<f64>> = (0..problem.inputs).map(|_| column(&mut random)).collect();
    let targets = (0..problem.outputs).map(|_| column(&mut random)).collect();
    if problem.missing {
        // The first column stays complete, to cover the faster code path.
        inputs.iter_mut().skip(1).for_each(|column| column.iter_mut().step_by(3).for_each(|x| *x = f64::NAN));
    }
    let weights = problem.weighted.then(|| (0..problem.rows).map(|i| (i % 4) as f64 * 0.5).collect());
    ScaledSamples { inputs, targets, weights, training: problem.rows - problem.rows / 5 }
}
