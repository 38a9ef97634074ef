//! Eigenvalues and eigenvectors of a symmetric matrix, Equation (2).
//!
//! Householder reflections reduce the matrix to tridiagonal form; implicitly shifted QL iterations make that diagonal.
//! Eigenvectors are kept as rows, so that every inner loop runs along contiguous memory.

use super::cholesky::dot;

/// Maximum number of iterations per eigenvalue; two are typical.
const MAX_ITERATIONS: usize = 60;

/// A symmetric matrix as V·diag(λ)·Vᵀ.
#[derive(Clone, Debug)]
pub(crate) struct SymmetricEigen {
    /// λ, in no particular order.
    pub(crate) values: Vec<f64>,
    /// The eigenvectors, one row each.
    pub(super) vectors: Vec<f64>,
}

impl SymmetricEigen {
    /// Decomposes the matrix of order `n` whose lower triangle is `entry(row, column)`, column ≤ row.
    ///
    /// Returns `None` if an entry is not finite.
    pub(crate) fn new(n: usize, entry: impl Fn(usize, usize) -> f64) -> Option<Self> {
        let mut a = vec![0.0; n * n];
        for row in 0..n {
            for column in 0..=row {
                let x = entry(row, column);
                (a[row * n + column], a[column * n + row]) = (x, x);
            }
        }
        if !a.iter().all(|x| x.is_finite()) {
            return None;
        }
        let Tridiagonal { mut diagonal, mut below, mut vectors } = Tridiagonal::new(a, n);
        diagonalize(&mut diagonal, &mut below, &mut vectors)
            .then_some(SymmetricEigen { values: diagonal, vectors })
    }

    /// The minimum-norm solution x of A·x = b; directions with |λ| ≤ `negligible` count as singular.
    pub(crate) fn solve(&self, b: &[f64], negligible: f64) -> Vec<f64> {
        let mut x = vec![0.0; b.len()];
        for (value, vector) in self.values.iter().zip(self.vectors.chunks_exact(b.len().max(1))) {
            if value.abs() > negligible {
                let along = dot(vector, b) / value;
                x.iter_mut().zip(vector).for_each(|(x, v)| *x += along * v);
            }
        }
        x
    }
}

/// The tridiagonal matrix Q·A·Qᵀ.
struct Tridiagonal {
    diagonal: Vec<f64>,
    /// `below[i]` is the entry in row i and column i − 1; `below[0]` is 0.
    below: Vec<f64>,
    /// Q, row by row.
    vectors: Vec<f64>,
}

impl Tridiagonal {
    /// Reduces the symmetric matrix `a` of order `n`, last row first.
    fn new(mut a: Vec<f64>, n: usize) -> Self {
        let (mut diagonal, mut below) = (vec![0.0; n], vec![0.0; n]);
        // After step i, a[i][..i] is the Householder vector u of row i and scales[i] is 2/uᵀu (0: no reflection).
        let mut scales = vec![0.0; n];
        let mut p = vec![0.0; n];
        for i in (1..n).rev() {
            let (upper, row) = a.split_at_mut(i * n);
            diagonal[i] = row[i];
            let u = &mut row[..i];
            let largest = u.iter().fold(0.0f64, |m, x| m.max(x.abs()));
            if u[..i - 1].iter().all(|x| *x == 0.0) {
                below[i] = u[i - 1];
                continue;
            }
            // Scaled, so that squares neither overflow nor underflow.
            u.iter_mut().for_each(|x| *x /= largest);
            let norm = dot(u, u).sqrt();
            let head = if u[i - 1] >= 0.0 { -norm } else { norm };
            below[i] = head * largest;
            u[i - 1] -= head;
            let scale = 2.0 / dot(u, u);
            scales[i] = scale;
            // p = scale·A·u, q = p − (scale/2·uᵀp)·u, A −= u·qᵀ + q·uᵀ.
            for (j, p) in p[..i].iter_mut().enumerate() {
                *p = scale * dot(&upper[j * n..][..i], u);
            }
            let half = 0.5 * scale * dot(&p[..i], u);
            p[..i].iter_mut().zip(&*u).for_each(|(p, u)| *p -= half * u);
            for j in 0..i {
                let (uj, pj) = (u[j], p[j]);
                let row = upper[j * n..][..i].iter_mut();
                row.zip(u.iter().zip(&p[..i])).for_each(|(a, (u, p))| *a -= uj * p + pj * u);
            }
        }
        if n > 0 {
            diagonal[0] = a[0];
        }
        let vectors = accumulate(&a, &scales, n);
        Tridiagonal { diagonal, below, vectors }
    }
}

/// The product of all reflections, H₁·H₂·…, starting with the smallest, so that each changes only its leading square.
fn accumulate(a: &[f64], scales: &[f64], n: usize) -> Vec<f64> {
    let mut vectors = vec![0.0; n * n];
    for i in 0..n {
        vectors[i * n + i] = 1.0;
    }
    for i in 1..n {
        if scales[i] == 0.0 {
            continue;
        }
        let u = &a[i * n..][..i];
        for j in 0..i {
            let row = &mut vectors[j * n..][..i];
            let along = scales[i] * dot(row, u);
            row.iter_mut().zip(u).for_each(|(v, u)| *v -= along * u);
        }
    }
    vectors
}

/// Diagonalizes a tridiagonal matrix and applies the same rotations to the rows of `vectors`.
///
/// Returns `false` if an eigenvalue does not converge.
fn diagonalize(diagonal: &mut [f64], below: &mut [f64], vectors: &mut [f64]) -> bool {
    let n = diagonal.len();
    if n == 0 {
        return true;
    }
    below.rotate_left(1); // from here on, below[i] is next to diagonal[i] and diagonal[i + 1]; the last one is 0
    for first in 0..n {
        let mut iterations = 0;
        loop {
            // The first negligible entry below the diagonal ends the current block.
            let small = |i: &usize| {
                let scale = diagonal[*i].abs() + diagonal[*i + 1].abs();
                below[*i].abs() <= f64::EPSILON * scale || below[*i].abs() < f64::MIN_POSITIVE
            };
            let end = (first..n - 1).find(small).unwrap_or(n - 1);
            if end == first {
                break;
            }
            iterations += 1;
            if iterations > MAX_ITERATIONS {
                return false;
            }
            step(diagonal, below, vectors, first..end);
        }
    }
    true
}

/// One QL step with Wilkinson's shift on the rows from `block.start` to `block.end`.
fn step(diagonal: &mut [f64], below: &mut [f64], vectors: &mut [f64], block: std::ops::Range<usize>) {
    let n = diagonal.len();
    let (first, end) = (block.start, block.end);
    let g = (diagonal[first + 1] - diagonal[first]) / (2.0 * below[first]);
    let r = g.hypot(1.0);
    let mut g = diagonal[end] - diagonal[first] + below[first] / (g + if g >= 0.0 { r } else { -r });
    let (mut s, mut c, mut p) = (1.0, 1.0, 0.0);
    for i in block.rev() {
        let (f, b) = (s * below[i], c * below[i]);
        let r = f.hypot(g);
        below[i + 1] = r;
        if r == 0.0 {
            // An exact zero splits the block.
            diagonal[i + 1] -= p;
            below[end] = 0.0;
            return;
        }
        (s, c) = (f / r, g / r);
        let g_next = diagonal[i + 1] - p;
        let r = (diagonal[i] - g_next) * s + 2.0 * c * b;
        p = s * r;
        diagonal[i + 1] = g_next + p;
        g = c * r - b;
        let (upper, lower) = vectors[i * n..][..2 * n].split_at_mut(n);
        for (x, y) in upper.iter_mut().zip(lower) {
            (*x, *y) = (c * *x - s * *y, s * *x + c * *y);
        }
    }
    diagonal[first] -= p;
    below[first] = g;
    below[end] = 0.0;
}
