//! Consequents by least squares with shrinkage, Equation (8).

use super::problem::{Features, MIN_VARIANCE, Problem, Solved};
use crate::linear::Cholesky;
use crate::sonfin::types::network::Network;

/// Rows per parallel task, at least, and the maximum number of tasks.
const TASK_ROWS: usize = 1024;
const MAX_TASKS: usize = 16;
/// Penalty that keeps the equations regular.
const MIN_PENALTY: f64 = 1e-9;
/// Residuals below this fraction of the squares of the targets are rounding errors.
const ROUNDING: f64 = 1e-14;
/// Candidate penalties of the slopes and of the deviations of the rules from the linear model.
const SLOPE_PENALTIES: [f64; 7] = [0.0, 1e-6, 1e-4, 1e-3, 1e-2, 1e-1, 1.0];
const RULE_PENALTIES: [f64; 7] = [1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1.0, 10.0];

/// Consequents of the rules of `network` for these rows, with the penalties of the smallest generalized cross-validation
/// score. `None` if the equations are not finite.
pub(super) fn least_squares(problem: Problem<'_>, network: Network, rows: &[u32]) -> Option<Solved> {
    let features = Features::new(problem, &network, rows);
    let equations = Equations::new(&features, rows);
    let smallest = |solutions: Vec<Option<(f64, f64, Vec<f64>)>>| {
        solutions.into_iter().flatten().min_by(|a, b| a.0.total_cmp(&b.0))
    };
    let inputs = features.inputs();
    // The penalty of the slopes is that of the linear model.
    let linear = |slopes: &f64| equations.solve(inputs, *slopes, 0.0);
    let (_, slopes, mut theta) = smallest(SLOPE_PENALTIES.iter().map(linear).collect())?;
    if features.len > inputs {
        let with_rules = |rules: &f64| equations.solve(features.len, slopes, *rules);
        (_, _, theta) = smallest(RULE_PENALTIES.iter().map(with_rules).collect())?;
    }
    let constants = equations.constants(&theta);
    Some(features.solved(network, &theta, &constants))
}

/// Normal equations of centered features.
struct Equations {
    rows: f64,
    inputs: usize,
    features: usize,
    outputs: usize,
    /// Lower triangle of XᵀX, row by row.
    gram: Vec<f64>,
    /// XᵀT, feature by feature.
    cross: Vec<f64>,
    /// Mean of each feature.
    means: Vec<f64>,
    /// Mean of each target.
    target_means: Vec<f64>,
    /// Σ t².
    squares: f64,
}

impl Equations {
    fn new(features: &Features<'_>, rows: &[u32]) -> Self {
        let (len, problem) = (features.len, features.problem);
        let outputs = problem.samples.outputs;
        let task_rows = rows.len().div_ceil(MAX_TASKS).max(TASK_ROWS);
        let empty = || Equations {
            rows: rows.len() as f64,
            inputs: features.inputs(),
            features: len,
            outputs,
            gram: vec![0.0; len * len],
            cross: vec![0.0; len * outputs],
            means: vec![0.0; len],
            target_means: vec![0.0; outputs],
            squares: 0.0,
        };
        let parts = problem.cpu.map_chunks(rows.len(), task_rows, |range| {
            let (mut sums, mut x) = (empty(), Vec::with_capacity(len));
            for row in &rows[range] {
                features.read(*row, &mut x);
                sums.add_row(&x, problem.targets_of(*row));
            }
            sums
        });
        let mut sums = parts.into_iter().fold(empty(), Equations::plus);
        sums.center();
        sums
    }

    fn add_row(&mut self, x: &[f64], t: &[f32]) {
        for (i, value) in x.iter().enumerate().filter(|(_, value)| **value != 0.0) {
            self.means[i] += value;
            let gram = &mut self.gram[i * self.features..][..=i];
            gram.iter_mut().zip(x).for_each(|(sum, other)| *sum += value * other);
            let cross = &mut self.cross[i * self.outputs..][..self.outputs];
            cross.iter_mut().zip(t).for_each(|(sum, t)| *sum += value * f64::from(*t));
        }
        for (sum, t) in self.target_means.iter_mut().zip(t) {
            *sum += f64::from(*t);
            self.squares += f64::from(*t) * f64::from(*t);
        }
    }

    fn plus(mut self, other: Equations) -> Self {
        let add = |to: &mut [f64], from: &[f64]| to.iter_mut().zip(from).for_each(|(to, from)| *to += from);
        add(&mut self.gram, &other.gram);
        add(&mut self.cross, &other.cross);
        add(&mut self.means, &other.means);
        add(&mut self.target_means, &other.target_means);
        self.squares += other.squares;
        self
    }

    /// Converts sums to means, and products to those of centered features and targets.
    fn center(&mut self) {
        let rows = self.rows;
        self.means.iter_mut().chain(&mut self.target_means).for_each(|sum| *sum /= rows);
        for i in 0..self.features {
            for j in 0..=i {
                self.gram[i * self.features + j] -= rows * self.means[i] * self.means[j];
            }
            for l in 0..self.outputs {
                self.cross[i * self.outputs + l] -= rows * self.means[i] * self.target_means[l];
            }
        }
        self.squares -= rows * self.target_means.iter().map(|mean| mean * mean).sum::<f64>();
    }

    /// The generalized cross-validation score, the penalty of the slopes and the coefficients of the first `len` features,
    /// feature by feature: Equation (8).
    fn solve(&self, len: usize, slopes: f64, rules: f64) -> Option<(f64, f64, Vec<f64>)> {
        let variance = |i: usize| self.gram[i * self.features + i] / self.rows;
        let penalty = |i: usize| match i < self.inputs {
            _ if variance(i) < MIN_VARIANCE => 1.0,
            true => self.rows * (MIN_PENALTY + slopes) * variance(i),
            false => self.rows * (MIN_PENALTY + rules / (self.features - self.inputs) as f64),
        };
        let penalties: Vec<f64> = (0..len).map(penalty).collect();
        let is_used: Vec<bool> = (0..len).map(|i| variance(i) >= MIN_VARIANCE).collect();
        let entry = |i: usize, j: usize| {
            let product = if is_used[i] && is_used[j] { self.gram[i * self.features + j] } else { 0.0 };
            product + if i == j { penalties[i] } else { 0.0 }
        };
        let factor = Cholesky::new(len, entry)?;
        let mut theta = vec![0.0; len * self.outputs];
        let mut residuals = self.squares;
        for l in 0..self.outputs {
            let cross = |i: usize| if is_used[i] { self.cross[i * self.outputs + l] } else { 0.0 };
            let mut solution: Vec<f64> = (0..len).map(cross).collect();
            factor.solve(&mut solution);
            for (i, value) in solution.iter().enumerate() {
                // (XᵀX + P)·θ = XᵀT, so Σ (t − Xθ)² = Σ t² − θᵀXᵀT − θᵀPθ.
                residuals -= value * (cross(i) + value * penalties[i]);
                theta[i * self.outputs + l] = *value;
            }
        }
        let shrinkage: f64 = factor.inverse_diagonal().iter().zip(&penalties).map(|(a, b)| a * b).sum();
        let remaining = 1.0 - (1.0 + len as f64 - shrinkage) / self.rows;
        let residuals = residuals.max(ROUNDING * self.squares);
        let score = if remaining > 0.0 { residuals / (remaining * remaining) } else { f64::INFINITY };
        Some((score, slopes, theta))
    }

    /// The constant of each output. The features of inputs are already centered.
    fn constants(&self, theta: &[f64]) -> Vec<f64> {
        let explained = |l: usize| {
            let features = self.means.iter().enumerate().skip(self.inputs);
            features.map(|(i, mean)| mean * theta[i * self.outputs + l]).sum::<f64>()
        };
        self.target_means.iter().enumerate().map(|(l, mean)| mean - explained(l)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::Cpu;
    use crate::linear::SymmetricEigen;
    use crate::random::Random;
    use crate::sonfin::training::growth::tests::{network, samples};

    /// Rows with n values each, as columns of a dense matrix: constant, inputs and firing strengths without the last.
    fn dense(features: &Features<'_>, rows: &[u32]) -> Vec<Vec<f64>> {
        let mut x = Vec::new();
        let row = |row: &u32| {
            features.read(*row, &mut x);
            [&[1.0], &x[..x.len() - 1]].concat()
        };
        rows.iter().map(row).collect()
    }

    #[test]
    fn the_predictions_are_those_of_a_dense_least_squares_solution() {
        let cpu = Cpu::new().unwrap();
        let mut random = Random::new(1);
        let mut samples = samples(300, 3, 2, 1);
        // A function of the features, which a solution without a penalty reproduces, and noise.
        samples.t.iter_mut().for_each(|t| *t = random.between(-1.0, 1.0) as f32);
        let network = network(&samples, 5);
        let problem = Problem { samples: &samples, targets: &samples.t, is_classifier: false, cpu: &cpu };
        let rows: Vec<u32> = (0..200).collect();
        let features = Features::new(problem, &network, &rows);
        let equations = Equations::new(&features, &rows);
        let (_, _, theta) = equations.solve(features.len, 0.0, 0.0).unwrap();
        let solved = features.solved(network.clone(), &theta, &equations.constants(&theta));
        let dense = dense(&features, &rows);
        let p = dense[0].len();
        let gram = |i: usize, j: usize| dense.iter().map(|row| row[i] * row[j]).sum::<f64>();
        let eigen = SymmetricEigen::new(p, gram).unwrap();
        for l in 0..2 {
            let mut b: Vec<f64> = (0..p)
                .map(|i| {
                    let terms = dense.iter().zip(&rows);
                    terms.map(|(x, row)| x[i] * f64::from(problem.targets_of(*row)[l])).sum()
                })
                .collect();
            b = eigen.solve(&b, 1e-12);
            let squares =
                |row: &[f64], t: f64| (row.iter().zip(&b).map(|(x, b)| x * b).sum::<f64>() - t).powi(2);
            let expected: f64 = dense
                .iter()
                .zip(&rows)
                .map(|(row, r)| squares(row, f64::from(problem.targets_of(*r)[l])))
                .sum();
            let error = |row: &u32| {
                let x = samples.inputs_of(*row as usize);
                let phi = crate::sonfin::training::firing::PackedRules::new(&network).firing(x, cpu.simd());
                let y: f64 = phi
                    .iter()
                    .enumerate()
                    .map(|(k, phi)| f64::from(*phi * solved.network.w[k * 2 + l]))
                    .sum();
                (y + solved.linear.value(l, x) - f64::from(problem.targets_of(*row)[l])).powi(2)
            };
            let found: f64 = rows.iter().map(error).sum();
            assert!((found - expected).abs() < 1e-4 * expected, "{found} {expected}");
        }
    }

    #[test]
    fn a_linear_function_is_found_exactly_and_constant_inputs_have_no_slope() {
        let cpu = Cpu::new().unwrap();
        let mut samples = samples(100, 3, 1, 2);
        for row in 0..100 {
            samples.x[3 * row + 2] = 0.5;
            samples.t[row] = 2.0 * samples.x[3 * row] - samples.x[3 * row + 1] + 0.25;
        }
        let problem = Problem { samples: &samples, targets: &samples.t, is_classifier: false, cpu: &cpu };
        let rows = samples.row_indices();
        let solved = least_squares(problem, network(&samples, 1), &rows).unwrap();
        let slopes = &solved.linear.slopes;
        assert!(
            (slopes[0] - 2.0).abs() < 1e-5 && (slopes[1] + 1.0).abs() < 1e-5 && slopes[2] == 0.0,
            "{slopes:?}"
        );
        assert!(solved.losses(problem, &rows).iter().all(|loss| loss.squared < 1e-10));
    }
}
