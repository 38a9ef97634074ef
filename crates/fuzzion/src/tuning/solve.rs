//! The consequents from the sums of the rows: equation (3).

use super::statistics::Statistics;
use faer::linalg::solvers::{Llt, SelfAdjointEigen, Solve};
use faer::{Mat, Side};

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
    let gram = Mat::from_fn(used.len(), used.len(), |row, column| {
        let (a, b) = (used[row.max(column)], used[row.min(column)]);
        let ridge = if row == column { ridge } else { 0.0 };
        statistics.gram[a * (a + 1) / 2 + b] * scales[row] * scales[column] + ridge
    });
    let cross = Mat::from_fn(used.len(), statistics.outputs, |row, output| {
        statistics.cross[output * n + used[row]] * scales[row]
    });
    let (solved, ill_conditioned) = match cholesky(&gram, &cross) {
        Some(solved) => (solved, false),
        None => (shortest(&gram, &cross), true),
    };
    let mut theta = vec![0.0; n * statistics.outputs];
    for output in 0..statistics.outputs {
        for (row, m) in used.iter().enumerate() {
            theta[output * n + m] = solved[(row, output)] * scales[row];
        }
    }
    Solution { theta, ill_conditioned }
}

/// The share of the largest number below which one is rounding alone, in a matrix of so many rows.
fn rounding(n: usize) -> f64 {
    n as f64 * f64::EPSILON
}

/// The solution where double precision holds it: `None` where a pivot is lost in rounding.
fn cholesky(gram: &Mat<f64>, cross: &Mat<f64>) -> Option<Mat<f64>> {
    let factor = Llt::new(gram.as_ref(), Side::Lower).ok()?;
    // Pivots are the squares of the diagonal; that of the matrix is 1.
    let least = (0..gram.nrows()).map(|i| factor.L()[(i, i)]).fold(f64::INFINITY, f64::min);
    (least * least > rounding(gram.nrows())).then(|| factor.solve(cross))
}

/// The shortest of all solutions: what lies along directions that rows do not tell apart is 0.
fn shortest(gram: &Mat<f64>, cross: &Mat<f64>) -> Mat<f64> {
    let zero = || Mat::zeros(cross.nrows(), cross.ncols());
    let Ok(eigen) = SelfAdjointEigen::new(gram.as_ref(), Side::Lower) else {
        return zero(); // sums that are not finite have no solution at all
    };
    let (values, vectors) = (eigen.S().column_vector(), eigen.U());
    let largest = values.iter().copied().fold(0.0, f64::max);
    let mut along = vectors.transpose() * cross;
    for i in 0..along.nrows() {
        let told_apart = values[i] > largest * rounding(values.nrows());
        let inverse = if told_apart { 1.0 / values[i] } else { 0.0 };
        along.row_mut(i).iter_mut().for_each(|x| *x *= inverse);
    }
    let solved = vectors * along;
    if solved.col_iter().all(|column| column.iter().all(|x| x.is_finite())) { solved } else { zero() }
}
