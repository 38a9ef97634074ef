//! The consequents from the sums of the rows: equation (3).

use super::statistics::Statistics;
use crate::linear::{Cholesky, SymmetricEigen};

/// Where equation (3) has its least value.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Solution {
    /// θ of all outputs, in the order of a network's.
    pub(super) theta: Vec<f64>,
    /// Whether the equations were too near singular for Cholesky, and the shortest θ of the many was taken.
    pub(super) ill_conditioned: bool,
}

/// θ of equation (3). A column of Φ that no row fills, or that is lost beside the largest one, has θ = 0.
///
/// Every column is divided by its own length first, so that the ridge is the same number for all of them and rules that
/// few rows reach are solved for as well as others.
pub(super) fn solve(statistics: &Statistics, ridge: f64) -> Solution {
    let n = statistics.unknowns;
    let diagonal = |m: usize| statistics.gram[m * (m + 1) / 2 + m];
    let largest = (0..n).map(diagonal).fold(0.0, f64::max);
    // Beside a column of length 1 one of length ε adds nothing but rounding to any output.
    let least = (largest * f64::EPSILON * f64::EPSILON).max(f64::MIN_POSITIVE);
    let used: Vec<usize> = (0..n).filter(|m| diagonal(*m) > least).collect();
    let scales: Vec<f64> = used.iter().map(|m| 1.0 / diagonal(*m).sqrt()).collect();
    let entry = |row: usize, column: usize| {
        let (a, b) = (used[row], used[column]);
        let ridge = if row == column { ridge } else { 0.0 };
        statistics.gram[a * (a + 1) / 2 + b] * scales[row] * scales[column] + ridge
    };
    let right_side = |output: usize| -> Vec<f64> {
        used.iter().zip(&scales).map(|(m, scale)| statistics.cross[output * n + m] * scale).collect()
    };
    let factor = cholesky(used.len(), entry);
    let eigen = if factor.is_none() { SymmetricEigen::new(used.len(), entry) } else { None };
    let mut theta = vec![0.0; n * statistics.outputs];
    for (output, theta) in theta.chunks_exact_mut(n.max(1)).enumerate() {
        let mut solved = right_side(output);
        match (&factor, &eigen) {
            (Some(factor), _) => factor.solve(&mut solved),
            (None, Some(eigen)) => solved = minimum_norm(eigen, &solved),
            (None, None) => solved.fill(0.0), // sums that are not finite have no solution
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

/// The Cholesky factor, or `None` if a pivot is lost in rounding.
fn cholesky(n: usize, entry: impl Fn(usize, usize) -> f64) -> Option<Cholesky> {
    let factor = Cholesky::new(n, entry)?;
    // Pivots are the squares of the diagonal of the factor; the diagonal of the matrix is 1.
    let root = factor.min_diagonal();
    (root * root > rounding(n)).then_some(factor)
}

/// The shortest of all least-squares solutions: 0 along directions that the rows do not determine.
fn minimum_norm(eigen: &SymmetricEigen, right_side: &[f64]) -> Vec<f64> {
    let largest = eigen.values.iter().copied().fold(0.0, f64::max);
    let solved = eigen.solve(right_side, largest * rounding(right_side.len()));
    if solved.iter().all(|x| x.is_finite()) { solved } else { vec![0.0; solved.len()] }
}
