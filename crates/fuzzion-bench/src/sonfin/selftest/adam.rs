//! Adam compared with the textbook implementation: networks of different sizes, trained concurrently.

use crate::device::Check;
use fuzzion::Result;
use fuzzion::internals::sonfin::{
    Adam, AdamSettings, BatchLearner, BatchRun, Learner, Network, Problem, ScaledSamples, Textbook, network,
    order, samples,
};
use fuzzion::sonfin::Loss;

/// Bound of the mean error relative to the mean change of the parameters, for gradients of up to a thousand roundings
/// each. The largest error would be meaningless: Adam divides a gradient by its size, so that the step of a parameter
/// whose gradients almost cancel has few correct digits.
const BOUND: f64 = 5e-5;
/// Inputs and outputs.
const SHAPES: [(usize, usize); 3] = [(3, 2), (70, 40), (617, 26)];
/// Numbers of rules of the networks trained concurrently.
const RULES: [usize; 5] = [1, 9, 75, 40, 300];

/// Compares the learners created by `learner` with the textbook implementation.
pub(super) fn checks<F>(back_end: &str, learner: F) -> Result<Vec<Check>>
where
    F: for<'a> Fn(&'a ScaledSamples, &[Network]) -> Result<Box<dyn BatchLearner + 'a>>,
{
    let mut checks = Vec::new();
    for (name, loss, batch) in [
        ("squares", Loss::SquaredError, 32),
        ("cross-entropy", Loss::CrossEntropy, 32),
        ("large batches", Loss::CrossEntropy, 75),
    ] {
        let mut check = Check::new(format!("sonfin/Adam, {name}/{back_end}"), BOUND);
        let settings = AdamSettings { batch, rate: 0.01, steps: 20, min_width: 1e-4, loss };
        for (dims, outputs) in SHAPES {
            // Wide rules, all of which fire for every sample: Adam divides by the size of the gradient, which for
            // rules that hardly fire is mostly rounding errors.
            let problem = Problem {
                rows: 150,
                dims,
                outputs,
                spread: 0.9,
                width: 1.5,
                missing: batch > 32,
                ..Problem::default()
            };
            compare(&mut check, &problem, settings, &learner)?;
        }
        checks.push(check);
    }
    Ok(checks)
}

/// Every second network has gates.
fn compare<F>(check: &mut Check, problem: &Problem, settings: AdamSettings, learner: &F) -> Result<()>
where
    F: for<'a> Fn(&'a ScaledSamples, &[Network]) -> Result<Box<dyn BatchLearner + 'a>>,
{
    let samples = samples(problem);
    let start = |(n, rules): (usize, &usize)| {
        let mut network = network(&Problem { rules: *rules, ..*problem }, &samples);
        let adam = Adam::new(&mut network, n % 2 == 1, settings.loss);
        (network, adam)
    };
    let (networks, adam): (Vec<Network>, Vec<Adam>) = RULES.iter().enumerate().map(start).unzip();
    let orders: Vec<Vec<u32>> = (0..RULES.len()).map(|n| order(problem.rows - 20 * n, n as u64)).collect();
    let train = |learner: &mut dyn BatchLearner| {
        learner.set_adam(adam.clone())?;
        learner.learn_batches(&orders.iter().map(|order| BatchRun { order, settings }).collect::<Vec<_>>())
    };
    let mut textbook = Textbook::new(&samples, &networks);
    let mut learner = learner(&samples, &networks)?;
    let (expected, found) = (train(&mut textbook)?, train(&mut *learner)?);
    for n in 0..RULES.len() {
        check.case((found[n].loss / expected[n].loss - 1.0).abs());
        let (found, expected) = (learner.network(n)?, textbook.network(n)?);
        check.case(relative_error(&found.a, &expected.a, &networks[n].a));
        check.case(relative_error(&found.c, &expected.c, &networks[n].c));
        check.case(relative_error(&found.w, &expected.w, &networks[n].w));
    }
    Ok(())
}

/// Mean difference relative to the mean change since the start, or to 1 % of the values if they hardly changed.
fn relative_error(found: &[f32], expected: &[f32], start: &[f32]) -> f64 {
    let difference = |a: &[f32], b: &[f32]| -> f64 {
        a.iter().zip(b).map(|(a, b)| (f64::from(*a) - f64::from(*b)).abs()).sum()
    };
    let size: f64 = expected.iter().map(|x| f64::from(x.abs())).sum();
    difference(found, expected) / difference(expected, start).max(0.01 * size)
}
