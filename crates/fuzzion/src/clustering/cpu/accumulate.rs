//! Sums over rows: in vector lanes of the data's precision within a chunk, then in double precision.

use super::distance::differences;
use super::layout::{BLOCK, CENTER_GROUP, STRIDE, SweepKernel};
use super::scratch::Scratch;
use crate::clustering::rows::sums::Sums;
use crate::device::Vector;
use crate::device::math::Real;

/// Adds uᵐx and uᵐ of a block of `n` rows to the sums.
#[inline(always)]
pub(super) fn add_block<T: Real, V: Vector<T, L>, const L: usize>(
    kernel: &SweepKernel<T>,
    scratch: &mut Scratch<T>,
    n: usize,
) {
    sum_along_rows::<T, V, L>(kernel, scratch, n);
    let (degrees, x) = (&scratch.degrees, &scratch.x[kernel.vector_columns * STRIDE..]);
    sum_in_lanes::<T, V, L>(degrees, x, &mut scratch.column_sums, n);
    if kernel.partial {
        sum_in_lanes::<T, V, L>(degrees, &scratch.mask, &mut scratch.column_masses, n);
    }
}

/// Sums of whole vectors of columns: every degree multiplies a row in row-major order.
#[inline(always)]
fn sum_along_rows<T: Real, V: Vector<T, L>, const L: usize>(
    kernel: &SweepKernel<T>,
    scratch: &mut Scratch<T>,
    n: usize,
) {
    if kernel.vector_columns == 0 {
        return;
    }
    let vectors = kernel.vector_columns / L;
    let (sums, _) = scratch.row_sums.as_chunks_mut::<L>();
    let (rows, _) = scratch.rows[..n * kernel.vector_columns].as_chunks::<L>();
    let groups = if V::HAS_32_REGISTERS { kernel.padded / (2 * CENTER_GROUP) } else { 0 };
    let (degrees, last) = scratch.degrees.split_at(groups * 2 * CENTER_GROUP * STRIDE);
    let (sums, last_sums) = sums.split_at_mut(groups * 2 * CENTER_GROUP * vectors);
    row_tiles::<T, V, L, { 2 * CENTER_GROUP }>(degrees, rows, sums, vectors);
    row_tiles::<T, V, L, CENTER_GROUP>(last, rows, last_sums, vectors);
}

/// All sums, `K` clusters at a time.
#[inline(always)]
fn row_tiles<T: Real, V: Vector<T, L>, const L: usize, const K: usize>(
    degrees: &[T],
    rows: &[[T; L]],
    sums: &mut [[T; L]],
    vectors: usize,
) {
    let groups = degrees.chunks_exact(K * STRIDE).zip(sums.chunks_exact_mut(K * vectors));
    for (degrees, sums) in groups {
        for first in (0..vectors / 2 * 2).step_by(2) {
            row_tile::<T, V, L, K, 2>(degrees, rows, sums, vectors, first);
        }
        if vectors % 2 == 1 {
            row_tile::<T, V, L, K, 1>(degrees, rows, sums, vectors, vectors - 1);
        }
    }
}

/// `K` clusters × `J` vectors of columns, starting at vector `first`.
#[inline(always)]
fn row_tile<T: Real, V: Vector<T, L>, const L: usize, const K: usize, const J: usize>(
    degrees: &[T],
    rows: &[[T; L]],
    sums: &mut [[T; L]],
    vectors: usize,
    first: usize,
) {
    let mut tile = [[V::splat(T::ZERO); J]; K];
    let degrees = &degrees[..(K - 1) * STRIDE + BLOCK];
    for (i, row) in rows.chunks_exact(vectors).take(BLOCK).enumerate() {
        let row = &row[first..first + J];
        for k in 0..K {
            let degree = V::splat(degrees[k * STRIDE + i]);
            for j in 0..J {
                tile[k][j] = degree.mul_add(V::load(&row[j]), tile[k][j]);
            }
        }
    }
    for k in 0..K {
        for j in 0..J {
            let sum = &mut sums[k * vectors + first + j];
            (V::load(sum) + tile[k][j]).store(sum);
        }
    }
}

/// Sums of single columns; rows are spread over the lanes.
#[inline(always)]
fn sum_in_lanes<T: Real, V: Vector<T, L>, const L: usize>(degrees: &[T], x: &[T], sums: &mut [T], n: usize) {
    let (degrees, _) = degrees.as_chunks::<L>();
    let (x, _) = x.as_chunks::<L>();
    let (sums, _) = sums.as_chunks_mut::<L>();
    let columns = x.len() / (STRIDE / L);
    let vectors_used = n.div_ceil(L);
    let groups =
        degrees.chunks_exact(CENTER_GROUP * (STRIDE / L)).zip(sums.chunks_exact_mut(CENTER_GROUP * columns));
    for (degrees, sums) in groups {
        let mut first = 0;
        while first < columns {
            // Widen the last tile instead of leaving a single column.
            let max_width = if V::HAS_32_REGISTERS { 4 } else { 2 };
            let width =
                if columns - first == max_width + 1 { max_width + 1 } else { max_width.min(columns - first) };
            let x = &x[first * (STRIDE / L)..];
            match width {
                1 => lane_tile::<T, V, L, 1>(degrees, x, sums, columns, first, vectors_used),
                2 => lane_tile::<T, V, L, 2>(degrees, x, sums, columns, first, vectors_used),
                3 => lane_tile::<T, V, L, 3>(degrees, x, sums, columns, first, vectors_used),
                4 => lane_tile::<T, V, L, 4>(degrees, x, sums, columns, first, vectors_used),
                _ => lane_tile::<T, V, L, 5>(degrees, x, sums, columns, first, vectors_used),
            }
            first += width;
        }
    }
}

/// [`CENTER_GROUP`] clusters × `J` columns, starting at column `first`.
#[inline(always)]
fn lane_tile<T: Real, V: Vector<T, L>, const L: usize, const J: usize>(
    degrees: &[[T; L]],
    x: &[[T; L]],
    sums: &mut [[T; L]],
    columns: usize,
    first: usize,
    vectors_used: usize,
) {
    let vectors = STRIDE / L;
    let mut tile = [[V::splat(T::ZERO); J]; CENTER_GROUP];
    let (degrees, x) = (&degrees[..CENTER_GROUP * vectors], &x[..J * vectors]);
    for v in 0..vectors_used.min(BLOCK / L) {
        for member in 0..CENTER_GROUP {
            let degree = V::load(&degrees[member * vectors + v]);
            for j in 0..J {
                tile[member][j] = degree.mul_add(V::load(&x[j * vectors + v]), tile[member][j]);
            }
        }
    }
    for member in 0..CENTER_GROUP {
        for j in 0..J {
            let sum = &mut sums[member * columns + first + j];
            (V::load(sum) + tile[member][j]).store(sum);
        }
    }
}

/// Adds uᵐ(x − v)(x − v)ᵀ of a block.
#[inline(always)]
pub(super) fn scatter<T: Real, const FMA: bool, const L: usize>(
    kernel: &SweepKernel<T>,
    scratch: &mut Scratch<T>,
    sums: &mut Sums,
) {
    let n = kernel.columns;
    scratch.reserve_workspace(n * STRIDE);
    for cluster in 0..kernel.clusters {
        differences(kernel, cluster, &scratch.x, &mut scratch.workspace);
        let degrees = &scratch.degrees[cluster * STRIDE..][..BLOCK];
        let out = &mut sums.scatter[cluster * n * n..][..n * n];
        for i in 0..n {
            let mut weighted = [T::ZERO; BLOCK];
            let row = &scratch.workspace[i * STRIDE..][..BLOCK];
            for l in 0..BLOCK {
                weighted[l] = degrees[l] * row[l];
            }
            for j in 0..=i {
                let column = &scratch.workspace[j * STRIDE..][..BLOCK];
                let mut lanes = [T::ZERO; L];
                for (a, b) in weighted.chunks_exact(L).zip(column.chunks_exact(L)) {
                    for l in 0..L {
                        lanes[l] = a[l].mul_add::<FMA>(b[l], lanes[l]);
                    }
                }
                let sum: f64 = lanes.iter().map(|x| x.to_f64()).sum();
                out[i * n + j] += sum;
                if i != j {
                    out[j * n + i] += sum;
                }
            }
        }
    }
}

/// Adds the sums of a chunk in double precision.
#[inline(always)]
pub(super) fn flush<T: Real, const L: usize>(kernel: &SweepKernel<T>, scratch: &Scratch<T>, sums: &mut Sums) {
    let (columns, wide) = (kernel.columns, kernel.vector_columns);
    let lane_columns = columns - wide + 1;
    for cluster in 0..kernel.clusters {
        let (vectors, others) = sums.moments[cluster * columns..][..columns].split_at_mut(wide);
        for (out, sum) in vectors.iter_mut().zip(&scratch.row_sums[cluster * wide..]) {
            *out += sum.to_f64();
        }
        let (lanes, _) = scratch.column_sums[cluster * lane_columns * L..].as_chunks::<L>();
        for (out, lanes) in others.iter_mut().chain([&mut sums.masses[cluster]]).zip(lanes) {
            *out += sum_lanes(lanes);
        }
        if kernel.partial {
            let (lanes, _) = scratch.column_masses[cluster * columns * L..].as_chunks::<L>();
            for (out, lanes) in sums.column_masses[cluster * columns..][..columns].iter_mut().zip(lanes) {
                *out += sum_lanes(lanes);
            }
        }
    }
    sums.objective += scratch.objective.iter().map(|x| x.to_f64()).sum::<f64>();
}

/// Pairwise sum of all lanes in a fixed order that can be vectorized.
#[inline(always)]
fn sum_lanes<T: Real, const L: usize>(lanes: &[T; L]) -> f64 {
    let mut partial = [0.0; 8];
    for (i, x) in lanes.iter().enumerate() {
        partial[i % 8] += x.to_f64();
    }
    ((partial[0] + partial[4]) + (partial[2] + partial[6]))
        + ((partial[1] + partial[5]) + (partial[3] + partial[7]))
}
