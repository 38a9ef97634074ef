//! Principal axes: the directions of the largest variance.
//!
//! The covariance matrix of the columns is diagonalized by Jacobi rotations. Source: Golub and Van Loan, Matrix
//! Computations, 4th edition (2013), section 8.5.

use fuzzion::Table;

/// Number of axes.
const AXES: usize = 2;
/// Maximum number of passes over all pairs of columns; about six are needed.
const MAX_PASSES: usize = 50;

/// The first principal axes of a table.
pub(super) struct Axes {
    means: Vec<f64>,
    /// Factor of each column.
    scales: Vec<f64>,
    pub(super) directions: Vec<Vec<f64>>,
    /// The part of the variance along each axis.
    pub(super) explained: Vec<f64>,
}

impl Axes {
    /// The axes of the rows without missing values, after the columns are scaled to unit variance if `is_scaled`. `None` unless
    /// there are two columns with a variance.
    pub(super) fn new(rows: &Table, is_scaled: bool) -> Option<Self> {
        let (n, values) = (rows.columns(), rows.to_f64());
        let complete = || values.chunks_exact(n.max(1)).filter(|row| row.iter().all(|x| x.is_finite()));
        let count = complete().count() as f64;
        if n < AXES || count < 2.0 {
            return None;
        }
        let mut means = vec![0.0; n];
        complete().for_each(|row| means.iter_mut().zip(row).for_each(|(mean, x)| *mean += x / count));
        let mut covariance = vec![0.0; n * n];
        let mut centered = vec![0.0; n];
        for row in complete() {
            centered.iter_mut().zip(row).zip(&means).for_each(|((c, x), mean)| *c = x - mean);
            for i in 0..n {
                for j in 0..=i {
                    covariance[i * n + j] += centered[i] * centered[j] / count;
                }
            }
        }
        let scale = |i: usize| {
            let variance: f64 = covariance[i * n + i];
            if is_scaled && variance > 0.0 { 1.0 / variance.sqrt() } else { 1.0 }
        };
        let scales: Vec<f64> = (0..n).map(scale).collect();
        for i in 0..n {
            for j in 0..=i {
                covariance[i * n + j] *= scales[i] * scales[j];
                covariance[j * n + i] = covariance[i * n + j];
            }
        }
        let directions = diagonalize(&mut covariance, n);
        let variance = |i: usize| covariance[i * n + i].max(0.0);
        let total: f64 = (0..n).map(variance).sum();
        let mut order: Vec<usize> = (0..n).collect();
        order.sort_by(|a, b| variance(*b).total_cmp(&variance(*a)));
        order.truncate(AXES);
        let is_valid = total.is_finite() && order.iter().all(|i| variance(*i) > 0.0);
        is_valid.then(|| Axes {
            means,
            scales,
            directions: order.iter().map(|i| oriented(&directions, *i, n)).collect(),
            explained: order.iter().map(|i| variance(*i) / total).collect(),
        })
    }

    /// The positions of rows, given column by column, along an axis.
    pub(super) fn project_columns<'a>(
        &self,
        columns: impl Iterator<Item = &'a [f64]>,
        rows: usize,
        axis: usize,
    ) -> Vec<f64> {
        let mut positions = vec![0.0; rows];
        for (j, column) in columns.enumerate() {
            let (mean, factor) = (self.means[j], self.scales[j] * self.directions[axis][j]);
            positions.iter_mut().zip(column).for_each(|(position, x)| *position += (x - mean) * factor);
        }
        positions
    }

    /// The position of a row along an axis.
    pub(super) fn project(&self, row: &[f64], axis: usize) -> f64 {
        let columns = row.iter().zip(&self.means).zip(&self.scales).zip(&self.directions[axis]);
        columns.map(|(((x, mean), scale), direction)| (x - mean) * scale * direction).sum()
    }
}

/// Diagonalizes the symmetric matrix `a`; the columns of the result are the eigenvectors.
fn diagonalize(a: &mut [f64], n: usize) -> Vec<f64> {
    let mut vectors: Vec<f64> = (0..n * n).map(|i| f64::from(u8::from(i % (n + 1) == 0))).collect();
    for _ in 0..MAX_PASSES {
        let mut rotated = false;
        for p in 0..n {
            for q in p + 1..n {
                let (app, aqq, apq) = (a[p * n + p], a[q * n + q], a[p * n + q]);
                if apq.abs() <= f64::EPSILON * (app.abs() * aqq.abs()).sqrt() || !apq.is_finite() {
                    continue;
                }
                rotated = true;
                let theta = (aqq - app) / (2.0 * apq);
                let t = theta.signum() / (theta.abs() + theta.hypot(1.0));
                let c = 1.0 / t.hypot(1.0);
                let s = t * c;
                for k in 0..n {
                    let (akp, akq) = (a[k * n + p], a[k * n + q]);
                    (a[k * n + p], a[k * n + q]) = (c * akp - s * akq, s * akp + c * akq);
                }
                for k in 0..n {
                    let (apk, aqk) = (a[p * n + k], a[q * n + k]);
                    (a[p * n + k], a[q * n + k]) = (c * apk - s * aqk, s * apk + c * aqk);
                    let (vkp, vkq) = (vectors[k * n + p], vectors[k * n + q]);
                    (vectors[k * n + p], vectors[k * n + q]) = (c * vkp - s * vkq, s * vkp + c * vkq);
                }
            }
        }
        if !rotated {
            break;
        }
    }
    vectors
}

/// Eigenvector `i`, whose largest component is positive, so that the plot does not depend on rounding.
fn oriented(vectors: &[f64], i: usize, n: usize) -> Vec<f64> {
    let vector: Vec<f64> = (0..n).map(|k| vectors[k * n + i]).collect();
    let largest = vector.iter().copied().max_by(|a, b| a.abs().total_cmp(&b.abs())).unwrap_or(1.0);
    vector.into_iter().map(|x| if largest < 0.0 { -x } else { x }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_axes_of_points_on_an_ellipse_are_its_axes() {
        // Half axes of 2 and 1, rotated by 30°.
        let points = (0..360).flat_map(|degree| {
            let (t, turn) = (f64::from(degree).to_radians(), 30f64.to_radians());
            let (u, v) = (2.0 * t.cos(), t.sin());
            [u * turn.cos() - v * turn.sin() + 5.0, u * turn.sin() + v * turn.cos() - 7.0]
        });
        let rows = Table::unnamed(2, points.collect::<Vec<f64>>()).unwrap();
        let axes = Axes::new(&rows, false).unwrap();
        let expected = [30f64.to_radians().cos(), 0.5];
        assert!(axes.directions[0].iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-12));
        assert!((axes.explained[0] - 0.8).abs() < 1e-12 && (axes.explained[1] - 0.2).abs() < 1e-12);
        assert!((axes.project(&[5.0 + expected[0], -7.0 + expected[1]], 0) - 1.0).abs() < 1e-12);
        assert!(Axes::new(&Table::unnamed(1, vec![1.0, 2.0]).unwrap(), true).is_none());
        assert!(Axes::new(&Table::unnamed(2, vec![1.0, 2.0, 1.0, 3.0]).unwrap(), true).is_none());
    }
}
