//! Random networks and rows for them, on which back ends are compared with the textbook.

use super::antecedents::{ANY, Antecedents, TunedSet};
use super::form::{Form, Parameters};
use super::network::Network;
use super::rows::Samples;
use crate::random::Random;

/// What a problem is made with.
#[derive(Clone, Copy, Debug)]
pub(super) struct Problem {
    pub(super) form: Form,
    pub(super) order: usize,
    pub(super) untied: bool,
    /// Whether the last rule looks at all inputs but the last.
    pub(super) gap: bool,
    pub(super) outputs: usize,
    pub(super) inputs: usize,
    pub(super) rows: usize,
    pub(super) weighted: bool,
    pub(super) missing: bool,
}

pub(super) const FORMS: [Form; 4] = [Form::Gaussian, Form::TwoSided, Form::Bell, Form::Triangle];

impl Default for Problem {
    fn default() -> Self {
        Problem {
            form: Form::Gaussian,
            order: 1,
            untied: false,
            gap: false,
            outputs: 1,
            inputs: 2,
            rows: 50,
            weighted: false,
            missing: false,
        }
    }
}

/// A grid of three sets per input.
pub(super) fn network(problem: &Problem, seed: u64) -> Network {
    let mut random = Random::new(seed);
    let mut sets = Vec::new();
    for input in 0..problem.inputs {
        for place in [0.0, 0.5, 1.0] {
            let parameters = parameters(problem.form, place, &mut random);
            sets.push(TunedSet { input, parameters });
        }
    }
    let rules = 3usize.pow(problem.inputs as u32);
    let used = |rule: usize, input: usize| (3 * input + rule / 3usize.pow(input as u32) % 3) as u32;
    let mut uses: Vec<u32> = (0..rules).flat_map(|k| (0..problem.inputs).map(move |j| used(k, j))).collect();
    if problem.gap {
        uses[rules * problem.inputs - 1] = ANY;
    }
    let tied = Antecedents { form: problem.form, inputs: problem.inputs, sets, uses };
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

fn parameters(form: Form, place: f64, random: &mut Random) -> Parameters {
    let place = place + random.between(-0.1, 0.1);
    let width = random.between(0.2, 0.5);
    match form {
        Form::Gaussian => [place, width, 0.0, 0.0],
        Form::TwoSided => [place - 0.1, width, place + 0.05, random.between(0.2, 0.5)],
        Form::Bell => [place, width, random.between(0.7, 3.0), 0.0],
        // Some rows are covered by no set.
        Form::Triangle => [place - width, place, place + 0.8 * width, 0.0],
    }
}

pub(super) fn samples(problem: &Problem, seed: u64) -> Samples {
    let mut random = Random::new(seed ^ 0x5eed);
    let column = |random: &mut Random| (0..problem.rows).map(|_| random.unit()).collect::<Vec<f64>>();
    let mut inputs: Vec<Vec<f64>> = (0..problem.inputs).map(|_| column(&mut random)).collect();
    let targets = (0..problem.outputs).map(|_| column(&mut random)).collect();
    if problem.missing {
        // In all columns but the first, which then has the shorter way.
        inputs.iter_mut().skip(1).for_each(|column| column.iter_mut().step_by(3).for_each(|x| *x = f64::NAN));
    }
    let weights = problem.weighted.then(|| (0..problem.rows).map(|i| (i % 4) as f64 * 0.5).collect());
    Samples { inputs, targets, weights, training: problem.rows - problem.rows / 5 }
}
