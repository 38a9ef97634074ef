//! Coefficients of classifiers: multinomial logistic regression with the penalties of Equation (3), Equation (5).

use super::problem::Problem;
use super::ridge::{Ridge, penalties};
use super::rule_base::RuleBase;
use crate::data::softmax;
use crate::linear::{Cholesky, dot};
use std::ops::Range;

const MAX_ITERATIONS: usize = 100;
/// Expected decrease of the loss per row at which the iteration ends: for rule bases that are compared, and for the
/// chosen one.
pub(super) const SEARCH_TOLERANCE: f64 = 1e-5;
pub(super) const FINAL_TOLERANCE: f64 = 1e-8;
/// Number of rows whose columns are used for one class after the other.
const BLOCK_ROWS: usize = 128;
/// Maximum number of times that a step is halved.
const MAX_HALVINGS: usize = 30;

/// Coefficients with what the next rule base is derived from.
pub(super) struct LogisticFit {
    /// Coefficients of each class.
    pub(super) theta: Vec<Vec<f64>>,
    /// Equation (5).
    pub(super) loss: f64,
    /// Targets of the least-squares problem whose loss is an upper bound of Equation (5), up to a constant factor and
    /// summand: η + 2·(y − p), times the square roots of the weights (D. Böhning, 1992).
    pub(super) working_targets: Vec<Vec<f64>>,
}

/// Minimizes Equation (5) from `start` by conjugate gradients, preconditioned with the bound ½·ΦᵀWΦ of its Hessian matrix;
/// `None` if the equations are not finite.
pub(super) fn fit_logistic(
    problem: &Problem<'_>,
    rules: &RuleBase,
    ridge: Ridge,
    start: Option<&[Vec<f64>]>,
    tolerance: f64,
) -> Option<LogisticFit> {
    let fit = Fit::new(problem, rules, ridge)?;
    let classes = problem.samples.targets.len();
    let mut theta = start.map_or_else(|| vec![vec![0.0; rules.columns.len()]; classes], <[_]>::to_vec);
    let mut eta = fit.outputs(&theta);
    let mut state = fit.state(&theta, &eta);
    let mut direction: Vec<Vec<f64>> = vec![vec![0.0; rules.columns.len()]; classes];
    let mut last: Option<(Vec<Vec<f64>>, f64)> = None;
    for _ in 0..MAX_ITERATIONS {
        let gradient = fit.gradient(&theta, &state.residuals);
        let preconditioned = fit.preconditioned(&gradient);
        let decrease = inner(&gradient, &preconditioned);
        if decrease <= tolerance * problem.weight || decrease.is_nan() {
            break;
        }
        // Polak and Ribière.
        let beta = last
            .as_ref()
            .map_or(0.0, |(previous, norm)| ((decrease - inner(previous, &preconditioned)) / norm).max(0.0));
        for (direction, step) in direction.iter_mut().zip(&preconditioned) {
            direction.iter_mut().zip(step).for_each(|(d, z)| *d = z + beta * *d);
        }
        if inner(&gradient, &direction) <= 0.0 {
            direction.clone_from(&preconditioned);
        }
        let slope = inner(&gradient, &direction);
        let change = fit.outputs(&direction);
        let mut step = slope / fit.curvature(&state.probabilities, &change, &direction);
        let mut halvings = 0;
        loop {
            let new_theta = combined(&theta, step, &direction);
            let new_eta = combined(&eta, step, &change);
            let new_state = fit.state(&new_theta, &new_eta);
            if new_state.loss <= state.loss {
                (theta, eta, state) = (new_theta, new_eta, new_state);
                break;
            }
            halvings += 1;
            step *= 0.5;
            if halvings > MAX_HALVINGS {
                return Some(fit.finished(theta, &eta, state));
            }
        }
        last = Some((gradient, decrease));
    }
    Some(fit.finished(theta, &eta, state))
}

/// Mean cross-entropy over the rows that are not training rows.
pub(super) fn held_out_loss(rules: &RuleBase, theta: &[Vec<f64>], problem: &Problem<'_>) -> f64 {
    let samples = problem.samples;
    let (mut sum, mut weight) = (0.0, 0.0);
    for row in samples.training..samples.rows() {
        let outputs: Vec<f64> = theta.iter().map(|theta| rules.output(theta, samples, row)).collect();
        let largest = outputs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let log_sum = outputs.iter().map(|output| (output - largest).exp()).sum::<f64>().ln();
        let of_class = outputs.iter().zip(&samples.targets).map(|(output, target)| output * target[row]);
        sum += samples.weight(row) * (largest + log_sum - of_class.sum::<f64>());
        weight += samples.weight(row);
    }
    if weight > 0.0 { sum / weight } else { 0.0 }
}

struct Fit<'a> {
    problem: &'a Problem<'a>,
    rules: &'a RuleBase,
    penalties: Vec<f64>,
    factor: Cholesky,
}

/// Probabilities, residuals times the square roots of the weights, and the loss.
struct State {
    probabilities: Vec<Vec<f64>>,
    residuals: Vec<Vec<f64>>,
    loss: f64,
}

impl<'a> Fit<'a> {
    fn new(problem: &'a Problem<'a>, rules: &'a RuleBase, ridge: Ridge) -> Option<Self> {
        let penalties = penalties(problem, &rules.columns, rules.regions.len(), ridge);
        let equations = &rules.equations;
        let entry =
            |a: usize, b: usize| 0.5 * equations.product(a, b) + if a == b { penalties[a] } else { 0.0 };
        let factor = Cholesky::new(equations.len(), entry)?;
        Some(Fit { problem, rules, penalties, factor })
    }

    /// Φθ for all classes; 0 in rows of weight 0.
    fn outputs(&self, theta: &[Vec<f64>]) -> Vec<Vec<f64>> {
        let roots = &self.problem.roots;
        let mut outputs = vec![vec![0.0; roots.len()]; theta.len()];
        for rows in self.blocks() {
            for (output, theta) in outputs.iter_mut().zip(theta) {
                let output = &mut output[rows.clone()];
                for (values, theta) in self.rules.values.iter().zip(theta) {
                    output
                        .iter_mut()
                        .zip(&values[rows.clone()])
                        .for_each(|(sum, value)| *sum += theta * value);
                }
                let scaled = output.iter_mut().zip(&roots[rows.clone()]);
                scaled.for_each(|(eta, root)| *eta = if *root > 0.0 { *eta / root } else { 0.0 });
            }
        }
        outputs
    }

    /// Blocks of rows whose columns fit in the cache, because they are used for every class.
    fn blocks(&self) -> impl Iterator<Item = Range<usize>> {
        let rows = self.problem.rows();
        (0..rows).step_by(BLOCK_ROWS).map(move |start| start..rows.min(start + BLOCK_ROWS))
    }

    fn state(&self, theta: &[Vec<f64>], eta: &[Vec<f64>]) -> State {
        let (problem, targets) = (self.problem, &self.problem.samples.targets);
        let mut probabilities = eta.to_vec();
        softmax(&mut probabilities);
        let mut loss = 0.0;
        let mut residuals = vec![vec![0.0; problem.rows()]; eta.len()];
        for (row, root) in problem.roots.iter().enumerate() {
            for class in 0..eta.len() {
                let (y, p) = (targets[class][row], probabilities[class][row]);
                residuals[class][row] = root * (y - p);
                if y > 0.0 {
                    loss -= root * root * y * p.max(f64::MIN_POSITIVE).ln();
                }
            }
        }
        let penalty = |theta: &Vec<f64>| -> f64 {
            theta.iter().zip(&self.penalties).map(|(theta, penalty)| 0.5 * penalty * theta * theta).sum()
        };
        loss += theta.iter().map(penalty).sum::<f64>();
        State { probabilities, residuals, loss }
    }

    /// The negative gradient of Equation (5).
    fn gradient(&self, theta: &[Vec<f64>], residuals: &[Vec<f64>]) -> Vec<Vec<f64>> {
        let penalized = |theta: &Vec<f64>| -> Vec<f64> {
            theta.iter().zip(&self.penalties).map(|(theta, penalty)| -penalty * theta).collect()
        };
        let mut gradient: Vec<Vec<f64>> = theta.iter().map(penalized).collect();
        for rows in self.blocks() {
            for (gradient, residuals) in gradient.iter_mut().zip(residuals) {
                let columns = gradient.iter_mut().zip(&self.rules.values);
                columns
                    .for_each(|(sum, values)| *sum += dot(&values[rows.clone()], &residuals[rows.clone()]));
            }
        }
        gradient
    }

    fn preconditioned(&self, gradient: &[Vec<f64>]) -> Vec<Vec<f64>> {
        let mut solved = gradient.to_vec();
        solved.iter_mut().for_each(|solved| self.factor.solve(solved));
        solved
    }

    /// Second derivative of the loss along a direction that changes the outputs by `change`.
    fn curvature(&self, probabilities: &[Vec<f64>], change: &[Vec<f64>], direction: &[Vec<f64>]) -> f64 {
        let mut curvature = 0.0;
        for (row, root) in self.problem.roots.iter().enumerate() {
            let (mut mean, mut square) = (0.0, 0.0);
            for (p, change) in probabilities.iter().zip(change) {
                mean += p[row] * change[row];
                square += p[row] * change[row] * change[row];
            }
            curvature += root * root * (square - mean * mean);
        }
        let penalty =
            |d: &Vec<f64>| -> f64 { d.iter().zip(&self.penalties).map(|(d, penalty)| penalty * d * d).sum() };
        curvature + direction.iter().map(penalty).sum::<f64>()
    }

    fn finished(&self, theta: Vec<Vec<f64>>, eta: &[Vec<f64>], state: State) -> LogisticFit {
        let working = |(eta, residuals): (&Vec<f64>, &Vec<f64>)| {
            let terms = eta.iter().zip(&**self.problem.roots).zip(residuals);
            terms.map(|((eta, root), residual)| root * eta + 2.0 * residual).collect()
        };
        let working_targets = eta.iter().zip(&state.residuals).map(working).collect();
        LogisticFit { theta, loss: state.loss, working_targets }
    }
}

fn inner(a: &[Vec<f64>], b: &[Vec<f64>]) -> f64 {
    a.iter().zip(b).map(|(a, b)| dot(a, b)).sum()
}

/// a + step·b.
fn combined(a: &[Vec<f64>], step: f64, b: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let row = |(a, b): (&Vec<f64>, &Vec<f64>)| a.iter().zip(b).map(|(a, b)| a + step * b).collect();
    a.iter().zip(b).map(row).collect()
}
