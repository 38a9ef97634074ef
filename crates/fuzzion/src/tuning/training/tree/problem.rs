//! Training rows of a tree, with everything that does not depend on the rules.

use super::equations::values;
use crate::linear::dot;
use crate::tuning::training::samples::ScaledSamples;
use std::sync::Arc;

/// Maximum number of distinct values of a discrete input, whose thresholds lie in the middle between two values.
const MAX_DISCRETE_VALUES: usize = 12;
/// Variance of an input that is constant in the training rows of a fold.
const MIN_VARIANCE: f64 = 1e-12;
/// Fraction of the rows beyond the limits of an edge, at either end of the input's range.
const TAIL: f64 = 0.05;

/// Which inputs have a slope of their own in a rule, Equation (2).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum LocalSlopes {
    /// Those of its conditions; the other slopes are common to all rules.
    Conditions,
    All,
    /// None: the consequents are constants.
    None,
}

/// Limits of the rules.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    pub(super) rules: usize,
    pub(super) conditions: usize,
}

/// Training rows and statistics of the inputs.
#[derive(Clone)]
pub(super) struct Problem<'a> {
    pub(super) samples: &'a ScaledSamples,
    pub(super) slopes: LocalSlopes,
    /// Square roots of the weights of the training rows, whose mean is 1.
    pub(super) roots: Arc<Vec<f64>>,
    /// Targets times these roots.
    pub(super) targets: Vec<Vec<f64>>,
    /// Σ w·y² over all targets.
    pub(super) squares: f64,
    /// Sum of the weights: the number of rows with a positive weight.
    pub(super) weight: f64,
    pub(super) inputs: Arc<Vec<InputStatistics>>,
    /// Whether the targets are classes, whose coefficients minimize Equation (5).
    pub(super) is_logistic: bool,
}

/// Statistics of an input over the training rows.
pub(super) struct InputStatistics {
    pub(super) variance: f64,
    /// Training rows in ascending order of the input, without missing values.
    pub(super) order: Vec<u32>,
    pub(super) is_discrete: bool,
    /// Range of the edges: all but the tails of the distribution.
    pub(super) limits: (f64, f64),
}

impl<'a> Problem<'a> {
    pub(super) fn new(samples: &'a ScaledSamples, slopes: LocalSlopes, is_logistic: bool) -> Self {
        let training = 0..samples.training;
        let roots = root_weights(samples);
        let scaled =
            |target: &Vec<f64>| -> Vec<f64> { target.iter().zip(&roots).map(|(y, root)| y * root).collect() };
        let targets: Vec<Vec<f64>> = samples.targets.iter().map(scaled).collect();
        let squares = targets.iter().map(|target| dot(target, target)).sum();
        let weight = dot(&roots, &roots);
        let inputs = (0..samples.inputs.len()).map(|input| {
            let column = &samples.inputs[input];
            let weighted = values(samples, training.clone(), &roots, None, Some(input));
            let mean = dot(&weighted, &roots) / weight;
            let variance = (dot(&weighted, &weighted) / weight - mean * mean).max(MIN_VARIANCE);
            InputStatistics::new(&column[training.clone()], variance)
        });
        let inputs = Arc::new(inputs.collect());
        Problem { samples, slopes, roots: Arc::new(roots), targets, squares, weight, inputs, is_logistic }
    }

    /// The same rows with other targets, which are already multiplied by the roots of the weights.
    pub(super) fn with_targets(&self, targets: Vec<Vec<f64>>) -> Self {
        let squares = targets.iter().map(|target| dot(target, target)).sum();
        Problem { targets, squares, ..self.clone() }
    }

    pub(super) fn rows(&self) -> usize {
        self.samples.training
    }
}

impl InputStatistics {
    fn new(column: &[f64], variance: f64) -> Self {
        let present = (0..column.len()).filter(|row| !column[*row].is_nan());
        let mut order: Vec<u32> = present.map(|row| row as u32).collect();
        order.sort_by(|a, b| column[*a as usize].total_cmp(&column[*b as usize]));
        let x = |at: usize| column[order[at] as usize];
        let distinct = 1 + (1..order.len()).filter(|at| x(*at) > x(*at - 1)).count();
        let tail = (TAIL * order.len() as f64) as usize;
        let limits = if order.is_empty() { (0.0, 1.0) } else { (x(tail), x(order.len() - 1 - tail)) };
        let is_discrete = distinct <= MAX_DISCRETE_VALUES;
        InputStatistics { variance, order, is_discrete, limits }
    }
}

/// Square roots of the weights of the training rows, scaled so that the mean of the positive weights is 1.
pub(super) fn root_weights(samples: &ScaledSamples) -> Vec<f64> {
    let weights = || (0..samples.training).map(|row| samples.weight(row));
    let scale = weights().filter(|weight| *weight > 0.0).count() as f64 / weights().sum::<f64>();
    weights().map(|weight| (weight * scale).sqrt()).collect()
}
