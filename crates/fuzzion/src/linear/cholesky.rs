//! Blocked Cholesky factorization, Equation (1).
//!
//! L is computed in blocks of columns. First, the products of all columns to the left are subtracted from the block.
//! This step takes almost all of the time; it is a matrix product of packed panels whose accumulators stay in registers.
//! The block itself is then factored in the same way, a few columns at a time.

#![allow(clippy::extra_unused_type_parameters)] // `vectors!` names the number type, which is always f64 here

use crate::device::{Simd, Vector, vectors};

/// Rows and columns are padded to a multiple of this: the longest vector, and the widest group of columns.
const PAD: usize = 8;
/// Columns that are updated together: their packed panel stays in the second-level cache.
const BLOCK: usize = 96;
/// Columns of L that are subtracted in one pass: a packed strip of them stays in the first-level cache.
const DEPTH: usize = 192;
/// Height of a strip in vectors.
const STRIP: usize = 3;
/// Columns copied together while the matrix is transposed into place.
const TILE: usize = 32;

/// The factor L of a symmetric positive definite matrix.
#[derive(Clone, Debug)]
pub(crate) struct Cholesky {
    /// Order of the matrix.
    n: usize,
    /// Distance between the starts of adjacent columns.
    stride: usize,
    /// Columns one after the other. Padding has 1 on the diagonal and 0 elsewhere.
    l: Vec<f64>,
}

impl Cholesky {
    /// Factors the matrix of order `n` whose lower triangle is `entry(row, column)`, column ≤ row.
    ///
    /// Returns `None` if the matrix is not positive definite or not finite.
    pub(crate) fn new(n: usize, entry: impl Fn(usize, usize) -> f64) -> Option<Self> {
        let stride = n.next_multiple_of(PAD);
        let mut l = vec![0.0; stride * stride];
        for first in (0..n).step_by(TILE) {
            for row in first..n {
                for column in first..(first + TILE).min(row + 1) {
                    l[column * stride + row] = entry(row, column);
                }
            }
        }
        for i in n..stride {
            l[i * stride + i] = 1.0;
        }
        let mut positive = true;
        factor(Simd::detect(), &mut l, stride, &mut positive);
        positive.then_some(Cholesky { n, stride, l })
    }

    /// Smallest entry on the diagonal of L; infinite for a matrix of order 0.
    pub(crate) fn min_diagonal(&self) -> f64 {
        (0..self.n).map(|i| self.l[i * self.stride + i]).fold(f64::INFINITY, f64::min)
    }

    /// Diagonal of A⁻¹: the squared norms of the columns of L⁻¹.
    pub(crate) fn inverse_diagonal(&self) -> Vec<f64> {
        let column = |j: usize| &self.l[j * self.stride..][..self.n];
        let norm = |k: usize| {
            let mut x = vec![0.0; self.n];
            x[k] = 1.0;
            for j in k..self.n {
                let (done, rest) = x.split_at_mut(j + 1);
                done[j] /= column(j)[j];
                rest.iter_mut().zip(&column(j)[j + 1..]).for_each(|(x, l)| *x -= done[j] * l);
            }
            dot(&x[k..], &x[k..])
        };
        (0..self.n).map(norm).collect()
    }

    /// Replaces `b` with the solution x of A·x = b.
    pub(crate) fn solve(&self, b: &mut [f64]) {
        let column = |j: usize| &self.l[j * self.stride..][..self.n];
        for j in 0..self.n {
            let (done, rest) = b.split_at_mut(j + 1);
            let x = done[j] / column(j)[j];
            done[j] = x;
            rest.iter_mut().zip(&column(j)[j + 1..]).for_each(|(b, l)| *b -= x * l);
        }
        for j in (0..self.n).rev() {
            b[j] = (b[j] - dot(&column(j)[j + 1..], &b[j + 1..])) / column(j)[j];
        }
    }
}

/// Σ aᵢ·bᵢ in eight interleaved partial sums.
pub(crate) fn dot(a: &[f64], b: &[f64]) -> f64 {
    let mut sums = [0.0; 8];
    let (a, b) = (a.chunks_exact(8), b.chunks_exact(8));
    let rest: f64 = a.remainder().iter().zip(b.remainder()).map(|(a, b)| a * b).sum();
    for (a, b) in a.zip(b) {
        for (sum, (a, b)) in sums.iter_mut().zip(a.iter().zip(b)) {
            *sum += a * b;
        }
    }
    sums.iter().sum::<f64>() + rest
}

vectors! {
    /// Factors the lower triangle of `l` in place; sets `positive` to false at the first pivot that is not positive.
    fn factor(l: &mut [f64], stride: usize, positive: &mut bool) = factor_body::<f64>;
}

#[inline(always)]
fn factor_body<T, V: Vector<f64, L>, const FMA: bool, const L: usize>(
    l: &mut [f64],
    stride: usize,
    positive: &mut bool,
) {
    // Accumulators of a strip and a group of columns fill the registers.
    if V::HAS_32_REGISTERS {
        factor_groups::<V, L, 8>(l, stride, positive)
    } else {
        factor_groups::<V, L, 4>(l, stride, positive)
    }
}

#[inline(always)]
fn factor_groups<V: Vector<f64, L>, const L: usize, const G: usize>(
    l: &mut [f64],
    stride: usize,
    positive: &mut bool,
) {
    let depth = DEPTH.min(stride);
    let mut panels =
        Panels { strip: vec![0.0; depth * STRIP * L], columns: vec![0.0; depth * BLOCK.min(stride)] };
    for first in (0..stride).step_by(BLOCK) {
        let end = (first + BLOCK).min(stride);
        for left in (0..first).step_by(DEPTH) {
            panels.subtract::<V, L, G>(l, stride, first..end, left..(left + DEPTH).min(first));
        }
        for group in (first..end).step_by(G) {
            if group > first {
                panels.subtract::<V, L, G>(l, stride, group..group + G, first..group);
            }
            if !factor_columns::<V, L, G>(l, stride, group) {
                *positive = false;
                return;
            }
        }
    }
}

/// Packed parts of L.
struct Panels {
    /// Rows of a strip, column after column.
    strip: Vec<f64>,
    /// Rows of L that belong to the updated columns, group after group.
    columns: Vec<f64>,
}

impl Panels {
    /// A[i, j] −= Σ L[i, k]·L[j, k] for the columns j in `updated`, the rows i from the first of them on, and k in `left`.
    #[inline(always)]
    fn subtract<V: Vector<f64, L>, const L: usize, const G: usize>(
        &mut self,
        l: &mut [f64],
        stride: usize,
        updated: std::ops::Range<usize>,
        left: std::ops::Range<usize>,
    ) {
        let depth = left.len();
        for (k, column) in left.clone().enumerate() {
            let entries = &l[column * stride..][updated.clone()];
            for (group, entries) in entries.chunks_exact(G).enumerate() {
                self.columns[(group * depth + k) * G..][..G].copy_from_slice(entries);
            }
        }
        let mut row = updated.start;
        while row < stride {
            let vectors = ((stride - row) / L).min(STRIP);
            let height = vectors * L;
            for (column, packed) in left.clone().zip(self.strip.chunks_exact_mut(height)) {
                packed.copy_from_slice(&l[column * stride + row..][..height]);
            }
            for (group, column) in updated.clone().step_by(G).enumerate() {
                if column >= row + height {
                    break; // above the diagonal
                }
                let columns = &self.columns[group * depth * G..][..depth * G];
                let tile = &mut l[column * stride + row..];
                match vectors {
                    3 => product::<V, L, G, 3>(&self.strip, columns, tile, stride),
                    2 => product::<V, L, G, 2>(&self.strip, columns, tile, stride),
                    _ => product::<V, L, G, 1>(&self.strip, columns, tile, stride),
                }
            }
            row += height;
        }
    }
}

/// Subtracts the product of a packed strip of `M` vectors and a packed group of `G` columns from a tile.
#[inline(always)]
fn product<V: Vector<f64, L>, const L: usize, const G: usize, const M: usize>(
    strip: &[f64],
    columns: &[f64],
    tile: &mut [f64],
    stride: usize,
) {
    let mut sums = [[V::splat(0.0); M]; G];
    let (strip, _) = strip.as_chunks::<L>();
    let (columns, _) = columns.as_chunks::<G>();
    for (rows, entries) in strip.chunks_exact(M).zip(columns) {
        let rows: [V; M] = std::array::from_fn(|m| V::load(&rows[m]));
        for (sums, entry) in sums.iter_mut().zip(entries) {
            let entry = V::splat(*entry);
            for (sum, row) in sums.iter_mut().zip(&rows) {
                *sum = row.mul_add(entry, *sum);
            }
        }
    }
    for (column, sums) in sums.iter().enumerate() {
        let (entries, _) = tile[column * stride..][..M * L].as_chunks_mut::<L>();
        for (entries, sum) in entries.iter_mut().zip(sums) {
            (V::load(entries) - *sum).store(entries);
        }
    }
}

/// Factors `G` columns starting at `first`, after the subtraction of all columns to their left.
///
/// Returns `false` at a pivot that is not positive and finite.
#[inline(always)]
fn factor_columns<V: Vector<f64, L>, const L: usize, const G: usize>(
    l: &mut [f64],
    stride: usize,
    first: usize,
) -> bool {
    // The square on the diagonal; entries above it are neither read nor written.
    let mut square = [[0.0; G]; G]; // square[j][i] is L[first + i, first + j]
    for j in 0..G {
        let mut column = [0.0; G];
        column[j..].copy_from_slice(&l[(first + j) * stride + first + j..][..G - j]);
        for done in square.iter().take(j) {
            for i in j..G {
                column[i] -= done[i] * done[j];
            }
        }
        let pivot = column[j];
        if !(pivot > 0.0 && pivot.is_finite()) {
            return false;
        }
        let root = pivot.sqrt();
        column[j] = root;
        column[j + 1..].iter_mut().for_each(|x| *x /= root);
        square[j] = column;
        l[(first + j) * stride + first + j..][..G - j].copy_from_slice(&column[j..]);
    }
    // The rows below: a vector of rows at a time.
    for row in (first + G..stride).step_by(L) {
        let mut solved = [V::splat(0.0); G];
        for j in 0..G {
            let at = (first + j) * stride + row;
            let (entries, _) = l[at..at + L].as_chunks_mut::<L>();
            let mut x = V::load(&entries[0]);
            for done in 0..j {
                x = x - solved[done] * V::splat(square[done][j]);
            }
            solved[j] = x / V::splat(square[j][j]);
            solved[j].store(&mut entries[0]);
        }
    }
    true
}
