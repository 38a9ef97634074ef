//! Small dense vectors and matrices in double precision and row-major order.

/// Cholesky factor: the lower triangular L with L·Lᵀ = `a`; `None` if `a` is not positive definite.
pub(in crate::clustering) fn cholesky(a: &[f64], n: usize) -> Option<Vec<f64>> {
    let mut l = vec![0.0; n * n];
    for i in 0..n {
        for j in 0..=i {
            let dot: f64 = (0..j).map(|k| l[i * n + k] * l[j * n + k]).sum();
            let remainder = a[i * n + j] - dot;
            if i == j {
                if !(remainder > 0.0 && remainder.is_finite()) {
                    return None;
                }
                l[i * n + i] = remainder.sqrt();
            } else {
                l[i * n + j] = remainder / l[j * n + j];
            }
        }
    }
    Some(l)
}

/// Smallest fraction of a column's variance that the preceding columns may leave unexplained; anything below it is
/// attributed to rounding.
const SINGULAR: f64 = 1e-13;

/// Like [`cholesky`], but also `None` if `a` is numerically singular, independently of the scales of its columns.
pub(in crate::clustering) fn regular_cholesky(a: &[f64], n: usize) -> Option<Vec<f64>> {
    cholesky(a, n).filter(|l| (0..n).all(|i| l[i * n + i] * l[i * n + i] > SINGULAR * a[i * n + i]))
}

/// Inverse of a lower triangular matrix.
pub(in crate::clustering) fn invert_lower(l: &[f64], n: usize) -> Vec<f64> {
    let mut inverse = vec![0.0; n * n];
    for j in 0..n {
        inverse[j * n + j] = 1.0 / l[j * n + j];
        for i in j + 1..n {
            let dot: f64 = (j..i).map(|k| l[i * n + k] * inverse[k * n + j]).sum();
            inverse[i * n + j] = -dot / l[i * n + i];
        }
    }
    inverse
}

/// ln det of the matrix with the Cholesky factor `l`.
pub(in crate::clustering) fn ln_determinant(l: &[f64], n: usize) -> f64 {
    (0..n).map(|i| 2.0 * l[i * n + i].ln()).sum()
}

/// Eigenvalues and eigenvectors (as columns) of a symmetric matrix, by Jacobi rotations.
pub(in crate::clustering) fn eigen(a: &[f64], n: usize) -> (Vec<f64>, Vec<f64>) {
    const SWEEPS: usize = 60; // convergence is quadratic; ten suffice
    let mut a = a.to_vec();
    let mut vectors = vec![0.0; n * n];
    for i in 0..n {
        vectors[i * n + i] = 1.0;
    }
    let mut previous = f64::INFINITY;
    for _ in 0..SWEEPS {
        let total: f64 = a.iter().map(|x| x * x).sum();
        let off: f64 =
            (0..n).flat_map(|i| (0..i).map(move |j| (i, j))).map(|(i, j)| a[i * n + j] * a[i * n + j]).sum();
        // Rounding errors may keep the rest from becoming that small.
        if off <= total * 1e-32 || (off <= total * 1e-26 && off >= 0.5 * previous) {
            break;
        }
        previous = off;
        for p in 0..n {
            for q in p + 1..n {
                rotate(&mut a, &mut vectors, n, p, q);
            }
        }
    }
    ((0..n).map(|i| a[i * n + i]).collect(), vectors)
}

/// Rotation that zeroes `a[p][q]`.
fn rotate(a: &mut [f64], vectors: &mut [f64], n: usize, p: usize, q: usize) {
    if a[p * n + q] == 0.0 {
        return;
    }
    let theta = (a[q * n + q] - a[p * n + p]) / (2.0 * a[p * n + q]);
    let t = theta.signum() / (theta.abs() + theta.hypot(1.0));
    let c = 1.0 / t.hypot(1.0);
    let s = t * c;
    for k in 0..n {
        let (x, y) = (a[k * n + p], a[k * n + q]);
        (a[k * n + p], a[k * n + q]) = (c * x - s * y, s * x + c * y);
    }
    for k in 0..n {
        let (x, y) = (a[p * n + k], a[q * n + k]);
        (a[p * n + k], a[q * n + k]) = (c * x - s * y, s * x + c * y);
        let (x, y) = (vectors[k * n + p], vectors[k * n + q]);
        (vectors[k * n + p], vectors[k * n + q]) = (c * x - s * y, s * x + c * y);
    }
}

/// Σᵢ λᵢ eᵢeᵢᵀ, the matrix with these eigenvalues and eigenvectors (columns of `vectors`).
pub(in crate::clustering) fn compose(values: &[f64], vectors: &[f64], n: usize) -> Vec<f64> {
    let mut a = vec![0.0; n * n];
    for i in 0..n {
        for j in 0..n {
            a[i * n + j] = (0..n).map(|k| values[k] * vectors[i * n + k] * vectors[j * n + k]).sum();
        }
    }
    a
}

/// Product of a lower triangular matrix and a vector.
pub(in crate::clustering) fn times_lower(l: &[f64], x: &[f64]) -> Vec<f64> {
    let n = x.len();
    (0..n).map(|i| (0..=i).map(|k| l[i * n + k] * x[k]).sum()).collect()
}

/// Squared Euclidean distance.
pub(in crate::clustering) fn squared_distance(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    const A: [f64; 9] = [4.0, 1.0, -0.5, 1.0, 3.0, 0.25, -0.5, 0.25, 2.0];

    #[test]
    fn a_cholesky_factor_times_its_transpose_is_the_matrix() {
        let l = cholesky(&A, 3).unwrap();
        for i in 0..3 {
            for j in 0..3 {
                let product: f64 = (0..3).map(|k| l[i * 3 + k] * l[j * 3 + k]).sum();
                assert!((product - A[i * 3 + j]).abs() < 1e-14);
            }
        }
        let product = times_lower(&l, &times_lower(&invert_lower(&l, 3), &[1.0, -2.0, 3.0]));
        assert!(product.iter().zip([1.0, -2.0, 3.0]).all(|(a, b)| (a - b).abs() < 1e-14));
        // By cofactors: 4(6 − 1/16) − (2 + 1/8) − ½(1/4 + 3/2).
        let determinant: f64 = 4.0 * (6.0 - 0.0625) - (2.0 + 0.125) - 0.5 * (0.25 + 1.5);
        assert!((ln_determinant(&l, 3) - determinant.ln()).abs() < 1e-14);
    }

    #[test]
    fn a_matrix_that_is_not_positive_definite_has_no_cholesky_factor() {
        assert!(cholesky(&[1.0, 2.0, 2.0, 1.0], 2).is_none());
        assert!(cholesky(&[f64::NAN], 1).is_none());
    }

    #[test]
    fn singularity_does_not_depend_on_the_scales_of_the_columns() {
        for (a, b) in [(1.0, 1.0), (1e-9, 1e9), (1e12, 1e-12)] {
            let matrix = |r: f64| [a * a, r * a * b, r * a * b, b * b];
            assert!(regular_cholesky(&matrix(0.999_999), 2).is_some());
            assert!(regular_cholesky(&matrix(1.0 - 1e-15), 2).is_none());
        }
    }

    #[test]
    fn eigenvalues_and_eigenvectors_reconstruct_the_matrix() {
        let (values, vectors) = eigen(&A, 3);
        let reconstructed = compose(&values, &vectors, 3);
        assert!(reconstructed.iter().zip(A).all(|(a, b)| (a - b).abs() < 1e-13), "{reconstructed:?}");
        assert!((values.iter().sum::<f64>() - 9.0).abs() < 1e-13); // the trace
    }
}
