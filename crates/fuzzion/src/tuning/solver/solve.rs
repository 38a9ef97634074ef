//! Solution of the normal equations, Equation (3).

use super::normal_equations::NormalEquations;
use crate::linear::{Cholesky, SymmetricEigen};

/// Solution of Equation (3).
#[derive(Clone, Debug, PartialEq)]
pub struct Solution {
    /// θ of all outputs, in the order of the network.
    pub theta: Vec<f64>,
    /// Whether the equations were too close to singular for Cholesky, so that θ is the minimum-norm solution.
    pub(in crate::tuning) ill_conditioned: bool,
}

/// θ of Equation (3). A column of Φ that is zero, or negligible relative to the largest one, has θ = 0.
///
/// Every column is first scaled to norm 1. The ridge is then relative to each column, and rules that fire in few rows are
/// solved as accurately as others.
pub fn solve(equations: &NormalEquations, ridge: f64) -> Solution {
    let n = equations.unknowns;
    let diagonal = |m: usize| equations.diagonal(m);
    let largest = (0..n).map(diagonal).fold(0.0, f64::max);
    // Relative to a column of norm 1, a column of norm ε changes an output by no more than rounding does.
    let negligible = (largest * f64::EPSILON * f64::EPSILON).max(f64::MIN_POSITIVE);
    let used: Vec<usize> = (0..n).filter(|m| diagonal(*m) > negligible).collect();
    let scales: Vec<f64> = used.iter().map(|m| 1.0 / diagonal(*m).sqrt()).collect();
    let entry = |row: usize, column: usize| {
        let (a, b) = (used[row], used[column]);
        let ridge = if row == column { ridge } else { 0.0 };
        equations.gram[a * (a + 1) / 2 + b] * scales[row] * scales[column] + ridge
    };
    let right_side = |output: usize| -> Vec<f64> {
        used.iter().zip(&scales).map(|(m, scale)| equations.cross[output * n + m] * scale).collect()
    };
    let factor = cholesky(used.len(), entry);
    let eigen = if factor.is_none() { SymmetricEigen::new(used.len(), entry) } else { None };
    let mut theta = vec![0.0; n * equations.outputs];
    for (output, theta) in theta.chunks_exact_mut(n.max(1)).enumerate() {
        let mut solved = right_side(output);
        match (&factor, &eigen) {
            (Some(factor), _) => factor.solve(&mut solved),
            (None, Some(eigen)) => solved = minimum_norm(eigen, &solved),
            (None, None) => solved.fill(0.0), // non-finite sums have no solution
        }
        for ((m, scale), x) in used.iter().zip(&scales).zip(&solved) {
            theta[*m] = x * scale;
        }
    }
    let ill_conditioned = factor.is_none();
    Solution { theta, ill_conditioned }
}

/// Relative rounding error of the entries of a factorization of order `n`.
fn rounding(n: usize) -> f64 {
    n as f64 * f64::EPSILON
}

/// The Cholesky factor, or `None` if a pivot is below the rounding error.
fn cholesky(n: usize, entry: impl Fn(usize, usize) -> f64) -> Option<Cholesky> {
    let factor = Cholesky::new(n, entry)?;
    // Pivots are the squares of the diagonal of the factor; the diagonal of the matrix is 1.
    let root = factor.min_diagonal();
    (root * root > rounding(n)).then_some(factor)
}

/// The minimum-norm least-squares solution: 0 along directions that the rows do not determine.
fn minimum_norm(eigen: &SymmetricEigen, right_side: &[f64]) -> Vec<f64> {
    let largest = eigen.values.iter().copied().fold(0.0, f64::max);
    let solved = eigen.solve(right_side, largest * rounding(right_side.len()));
    if solved.iter().all(|x| x.is_finite()) { solved } else { vec![0.0; solved.len()] }
}
