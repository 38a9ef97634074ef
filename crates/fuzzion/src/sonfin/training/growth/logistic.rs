//! Consequents for classes: multinomial logistic regression on the inputs and the normalized firing strengths.

use super::problem::{Features, MIN_VARIANCE, Problem, Solved, softmax};
use crate::sonfin::types::network::Network;
use std::collections::VecDeque;

/// Factor of the firing strengths, which are penalized less than standardized inputs.
const FIRING_SCALE: f64 = 3.0;
/// Maximum number of iterations, and the largest gradient of a solution.
const MAX_ITERATIONS: usize = 100;
const TOLERANCE: f64 = 1e-5;
/// Number of previous steps that approximate the second derivatives.
const MEMORY: usize = 10;
/// Minimum decrease of the loss relative to the slope, and the maximum number of shorter steps.
const MIN_DECREASE: f64 = 1e-4;
const MAX_SHORTER_STEPS: usize = 30;
/// Rows per parallel task, at least, and the maximum number of tasks.
const TASK_ROWS: usize = 512;
const MAX_TASKS: usize = 16;

/// Logits of the rules of `network` for these rows: the minimum of the cross-entropy, summed over the rows, plus half the sum
/// of the squared coefficients of standardized features divided by `strength`.
pub(super) fn logistic(problem: Problem<'_>, network: Network, rows: &[u32], strength: f64) -> Solved {
    let features = Features::new(problem, &network, rows);
    let design = Design::new(&features, rows);
    let classes = problem.samples.outputs;
    // With two classes, both have coefficients of equal size, whose squares sum to half of that of their difference.
    let penalty = if classes == 2 { 2.0 } else { 1.0 } / (strength * rows.len() as f64);
    let theta =
        minimize((features.len + 1) * classes, |theta, gradient| design.loss(theta, penalty, gradient));
    let (constants, theta) = theta.split_at(classes);
    let mut constants = constants.to_vec();
    let mut slopes = theta.to_vec();
    for (i, slopes) in slopes.chunks_exact_mut(classes).enumerate() {
        slopes.iter_mut().for_each(|slope| *slope *= design.factors[i]);
        if i >= features.inputs() {
            constants
                .iter_mut()
                .zip(slopes)
                .for_each(|(constant, slope)| *constant -= *slope * design.means[i]);
        }
    }
    features.solved(network, &slopes, &constants)
}

/// Standardized features and classes of all rows.
struct Design<'a> {
    problem: Problem<'a>,
    rows: &'a [u32],
    len: usize,
    /// Features, row by row.
    values: Vec<f64>,
    means: Vec<f64>,
    factors: Vec<f64>,
}

impl<'a> Design<'a> {
    fn new(features: &Features<'a>, rows: &'a [u32]) -> Self {
        let (len, n) = (features.len, rows.len() as f64);
        let (mut values, mut x) = (Vec::with_capacity(rows.len() * len), Vec::new());
        for row in rows {
            features.read(*row, &mut x);
            values.extend_from_slice(&x);
        }
        let column = |i: usize| values.iter().skip(i).step_by(len);
        let means: Vec<f64> = (0..len).map(|i| column(i).sum::<f64>() / n).collect();
        let variance = |i: usize| column(i).map(|x| (x - means[i]).powi(2)).sum::<f64>() / n;
        let factor = |i: usize| match variance(i) {
            variance if variance < MIN_VARIANCE => 0.0,
            variance if i < features.inputs() => 1.0 / variance.sqrt(),
            _ => FIRING_SCALE,
        };
        let factors: Vec<f64> = (0..len).map(factor).collect();
        for row in values.chunks_exact_mut(len) {
            row.iter_mut().enumerate().for_each(|(i, x)| *x = (*x - means[i]) * factors[i]);
        }
        Design { problem: features.problem, rows, len, values, means, factors }
    }

    /// Mean loss with the penalty, and its gradient. The first coefficients are the constants of the classes.
    fn loss(&self, theta: &[f64], penalty: f64, gradient: &mut [f64]) -> f64 {
        let (classes, n) = (self.problem.samples.outputs, self.rows.len() as f64);
        let task_rows = self.rows.len().div_ceil(MAX_TASKS).max(TASK_ROWS);
        let parts = self.problem.cpu.map_chunks(self.rows.len(), task_rows, |range| {
            let (mut gradient, mut loss) = (vec![0.0; theta.len()], 0.0);
            let mut y = vec![0.0; classes];
            for i in range {
                let (x, t) =
                    (&self.values[i * self.len..][..self.len], self.problem.targets_of(self.rows[i]));
                y.copy_from_slice(&theta[..classes]);
                for (x, theta) in x.iter().zip(theta[classes..].chunks_exact(classes)) {
                    y.iter_mut().zip(theta).for_each(|(y, theta)| *y += x * theta);
                }
                softmax(&mut y);
                for (y, t) in y.iter_mut().zip(t) {
                    loss -= f64::from(*t) * y.max(f64::MIN_POSITIVE).ln();
                    *y -= f64::from(*t);
                }
                let (constants, slopes) = gradient.split_at_mut(classes);
                constants.iter_mut().zip(&y).for_each(|(sum, error)| *sum += error);
                for (x, slopes) in x.iter().zip(slopes.chunks_exact_mut(classes)) {
                    slopes.iter_mut().zip(&y).for_each(|(sum, error)| *sum += x * error);
                }
            }
            (loss, gradient)
        });
        gradient.fill(0.0);
        let mut loss = 0.0;
        for (part, sums) in parts {
            loss += part / n;
            gradient.iter_mut().zip(sums).for_each(|(sum, part)| *sum += part / n);
        }
        for (sum, theta) in gradient.iter_mut().zip(theta).skip(classes) {
            *sum += penalty * theta;
            loss += 0.5 * penalty * theta * theta;
        }
        loss
    }
}

/// Minimum of a convex function of `len` variables by the limited-memory method of Broyden, Fletcher, Goldfarb and Shanno,
/// from 0. `function` writes the gradient.
fn minimize(len: usize, function: impl Fn(&[f64], &mut [f64]) -> f64) -> Vec<f64> {
    let dot = crate::linear::dot;
    let (mut x, mut gradient) = (vec![0.0; len], vec![0.0; len]);
    let mut value = function(&x, &mut gradient);
    let mut history: VecDeque<(Vec<f64>, Vec<f64>, f64)> = VecDeque::new();
    for _ in 0..MAX_ITERATIONS {
        if gradient.iter().all(|g| g.abs() <= TOLERANCE) {
            break;
        }
        let mut direction: Vec<f64> = gradient.iter().map(|g| -g).collect();
        let mut factors = Vec::with_capacity(history.len());
        for (step, change, product) in history.iter().rev() {
            let factor = dot(step, &direction) / product;
            direction.iter_mut().zip(change).for_each(|(d, change)| *d -= factor * change);
            factors.push(factor);
        }
        if let Some((_, change, product)) = history.back() {
            let scale = product / dot(change, change);
            direction.iter_mut().for_each(|d| *d *= scale);
        }
        for ((step, change, product), factor) in history.iter().zip(factors.into_iter().rev()) {
            let correction = factor - dot(change, &direction) / product;
            direction.iter_mut().zip(step).for_each(|(d, step)| *d += correction * step);
        }
        let slope = dot(&gradient, &direction);
        let mut size = if history.is_empty() { 1.0 / dot(&gradient, &gradient).sqrt().max(1.0) } else { 1.0 };
        let (mut next, mut next_gradient) = (x.clone(), vec![0.0; len]);
        let mut is_smaller = false;
        for _ in 0..MAX_SHORTER_STEPS {
            next.iter_mut().zip(x.iter().zip(&direction)).for_each(|(next, (x, d))| *next = x + size * d);
            let next_value = function(&next, &mut next_gradient);
            if next_value <= value + MIN_DECREASE * size * slope {
                (value, is_smaller) = (next_value, true);
                break;
            }
            size *= 0.5;
        }
        if !is_smaller {
            break; // to the precision of the loss
        }
        let step: Vec<f64> = next.iter().zip(&x).map(|(next, x)| next - x).collect();
        let change: Vec<f64> = next_gradient.iter().zip(&gradient).map(|(next, g)| next - g).collect();
        let product = dot(&step, &change);
        if product > 1e-12 * dot(&change, &change) {
            history.push_back((step, change, product));
            if history.len() > MEMORY {
                history.pop_front();
            }
        }
        (x, gradient) = (next, next_gradient);
    }
    x
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::Cpu;
    use crate::sonfin::training::growth::tests::{network, samples};

    #[test]
    fn the_minimum_of_a_quadratic_function_is_found() {
        let solution = minimize(3, |x, gradient| {
            let curvature = [1.0, 10.0, 100.0];
            (0..3).for_each(|i| gradient[i] = curvature[i] * (x[i] - i as f64));
            (0..3).map(|i| 0.5 * curvature[i] * (x[i] - i as f64).powi(2)).sum()
        });
        assert!(solution.iter().enumerate().all(|(i, x)| (x - i as f64).abs() < 1e-4), "{solution:?}");
    }

    #[test]
    fn the_gradient_is_that_of_the_loss_and_vanishes_at_the_solution() {
        let cpu = Cpu::new().unwrap();
        let mut samples = samples(60, 2, 3, 4);
        for row in 0..60 {
            let class = usize::from(samples.x[2 * row] > 0.4) + usize::from(samples.x[2 * row + 1] > 0.6);
            samples.t[3 * row..][..3].fill(0.0);
            samples.t[3 * row + class] = 1.0;
        }
        let network = network(&samples, 4);
        let problem = Problem { samples: &samples, targets: &samples.t, is_classifier: true, cpu: &cpu };
        let rows = samples.row_indices();
        let design = Design::new(&Features::new(problem, &network, &rows), &rows);
        let theta: Vec<f64> = (0..(design.len + 1) * 3).map(|i| 0.1 * (i as f64 * 1.7).sin()).collect();
        let (mut gradient, mut unused) = (vec![0.0; theta.len()], vec![0.0; theta.len()]);
        design.loss(&theta, 0.1, &mut gradient);
        for i in 0..theta.len() {
            let mut moved = theta.clone();
            moved[i] += 1e-5;
            let above = design.loss(&moved, 0.1, &mut unused);
            moved[i] -= 2e-5;
            let below = design.loss(&moved, 0.1, &mut unused);
            assert!(((above - below) / 2e-5 - gradient[i]).abs() < 1e-7, "{i}");
        }
        let losses = logistic(problem, network, &rows, 100.0).losses(problem, &rows);
        let wrong: f64 = losses.iter().map(|loss| loss.error).sum();
        assert!(wrong <= 3.0, "{wrong}");
    }
}
