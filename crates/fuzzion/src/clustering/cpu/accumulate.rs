//! Sums over rows: in lanes of the data's precision over one chunk, then in double precision.

use super::super::sums::Sums;
use super::distance::differences;
use super::kernel::{BLOCK, Kernel, SIDE, STRIDE};
use super::scratch::Scratch;
use crate::device::Vector;
use crate::device::math::Real;

/// Adds uᵐx and uᵐ of a block of `n` rows to its sums.
#[inline(always)]
pub(super) fn block<T: Real, V: Vector<T, L>, const L: usize>(
    kernel: &Kernel<T>,
    scratch: &mut Scratch<T>,
    n: usize,
) {
    along_rows::<T, V, L>(kernel, scratch, n);
    let (degrees, x) = (&scratch.degrees, &scratch.x[kernel.wide * STRIDE..]);
    in_lanes::<T, V, L>(degrees, x, &mut scratch.column_sums, n);
    if kernel.partial {
        in_lanes::<T, V, L>(degrees, &scratch.mask, &mut scratch.seen, n);
    }
}

/// Sums of whole vectors of columns: every membership multiplies a row as it lies.
#[inline(always)]
fn along_rows<T: Real, V: Vector<T, L>, const L: usize>(
    kernel: &Kernel<T>,
    scratch: &mut Scratch<T>,
    n: usize,
) {
    if kernel.wide == 0 {
        return;
    }
    let vectors = kernel.wide / L;
    let (sums, _) = scratch.row_sums.as_chunks_mut::<L>();
    let (rows, _) = scratch.rows[..n * kernel.wide].as_chunks::<L>();
    let groups = if V::ROOMY { kernel.padded / (2 * SIDE) } else { 0 };
    let (degrees, last) = scratch.degrees.split_at(groups * 2 * SIDE * STRIDE);
    let (sums, last_sums) = sums.split_at_mut(groups * 2 * SIDE * vectors);
    rows_tiles::<T, V, L, { 2 * SIDE }>(degrees, rows, sums, vectors);
    rows_tiles::<T, V, L, SIDE>(last, rows, last_sums, vectors);
}

/// All sums, `K` clusters at a time.
#[inline(always)]
fn rows_tiles<T: Real, V: Vector<T, L>, const L: usize, const K: usize>(
    degrees: &[T],
    rows: &[[T; L]],
    sums: &mut [[T; L]],
    vectors: usize,
) {
    let groups = degrees.chunks_exact(K * STRIDE).zip(sums.chunks_exact_mut(K * vectors));
    for (degrees, sums) in groups {
        for first in (0..vectors / 2 * 2).step_by(2) {
            rows_tile::<T, V, L, K, 2>(degrees, rows, sums, vectors, first);
        }
        if vectors % 2 == 1 {
            rows_tile::<T, V, L, K, 1>(degrees, rows, sums, vectors, vectors - 1);
        }
    }
}

/// `K` clusters times `J` vectors of columns from the `first` on.
#[inline(always)]
fn rows_tile<T: Real, V: Vector<T, L>, const L: usize, const K: usize, const J: usize>(
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

/// Sums of single columns, lane by lane.
#[inline(always)]
fn in_lanes<T: Real, V: Vector<T, L>, const L: usize>(degrees: &[T], x: &[T], sums: &mut [T], n: usize) {
    let (degrees, _) = degrees.as_chunks::<L>();
    let (x, _) = x.as_chunks::<L>();
    let (sums, _) = sums.as_chunks_mut::<L>();
    let columns = x.len() / (STRIDE / L);
    let used = n.div_ceil(L);
    let groups = degrees.chunks_exact(SIDE * (STRIDE / L)).zip(sums.chunks_exact_mut(SIDE * columns));
    for (degrees, sums) in groups {
        let mut first = 0;
        while first < columns {
            // One more at the end rather than a lonely one.
            let most = if V::ROOMY { 4 } else { 2 };
            let beside = if columns - first == most + 1 { most + 1 } else { most.min(columns - first) };
            let x = &x[first * (STRIDE / L)..];
            match beside {
                1 => lanes_tile::<T, V, L, 1>(degrees, x, sums, columns, first, used),
                2 => lanes_tile::<T, V, L, 2>(degrees, x, sums, columns, first, used),
                3 => lanes_tile::<T, V, L, 3>(degrees, x, sums, columns, first, used),
                4 => lanes_tile::<T, V, L, 4>(degrees, x, sums, columns, first, used),
                _ => lanes_tile::<T, V, L, 5>(degrees, x, sums, columns, first, used),
            }
            first += beside;
        }
    }
}

/// [`SIDE`] clusters times `J` columns from the `first` on.
#[inline(always)]
fn lanes_tile<T: Real, V: Vector<T, L>, const L: usize, const J: usize>(
    degrees: &[[T; L]],
    x: &[[T; L]],
    sums: &mut [[T; L]],
    columns: usize,
    first: usize,
    used: usize,
) {
    let vectors = STRIDE / L;
    let mut tile = [[V::splat(T::ZERO); J]; SIDE];
    let (degrees, x) = (&degrees[..SIDE * vectors], &x[..J * vectors]);
    for v in 0..used.min(BLOCK / L) {
        for side in 0..SIDE {
            let degree = V::load(&degrees[side * vectors + v]);
            for j in 0..J {
                tile[side][j] = degree.mul_add(V::load(&x[j * vectors + v]), tile[side][j]);
            }
        }
    }
    for side in 0..SIDE {
        for j in 0..J {
            let sum = &mut sums[side * columns + first + j];
            (V::load(sum) + tile[side][j]).store(sum);
        }
    }
}

/// Adds uᵐ(x − v)(x − v)ᵀ of a block.
#[inline(always)]
pub(super) fn scatter<T: Real, const FMA: bool, const L: usize>(
    kernel: &Kernel<T>,
    scratch: &mut Scratch<T>,
    sums: &mut Sums,
) {
    let n = kernel.columns;
    scratch.make_spare(n * STRIDE);
    for cluster in 0..kernel.clusters {
        differences(kernel, cluster, &scratch.x, &mut scratch.spare);
        let degrees = &scratch.degrees[cluster * STRIDE..][..BLOCK];
        let out = &mut sums.scatter[cluster * n * n..][..n * n];
        for i in 0..n {
            let mut weighted = [T::ZERO; BLOCK];
            let row = &scratch.spare[i * STRIDE..][..BLOCK];
            for l in 0..BLOCK {
                weighted[l] = degrees[l] * row[l];
            }
            for j in 0..=i {
                let column = &scratch.spare[j * STRIDE..][..BLOCK];
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
pub(super) fn flush<T: Real, const L: usize>(kernel: &Kernel<T>, scratch: &Scratch<T>, sums: &mut Sums) {
    let (columns, wide) = (kernel.columns, kernel.wide);
    let others = columns - wide + 1;
    for cluster in 0..kernel.clusters {
        let (along, apart) = sums.moments[cluster * columns..][..columns].split_at_mut(wide);
        for (out, sum) in along.iter_mut().zip(&scratch.row_sums[cluster * wide..]) {
            *out += sum.to_f64();
        }
        let (lanes, _) = scratch.column_sums[cluster * others * L..].as_chunks::<L>();
        for (out, lanes) in apart.iter_mut().chain([&mut sums.masses[cluster]]).zip(lanes) {
            *out += sum_lanes(lanes);
        }
        if kernel.partial {
            let (lanes, _) = scratch.seen[cluster * columns * L..].as_chunks::<L>();
            for (out, lanes) in sums.seen[cluster * columns..][..columns].iter_mut().zip(lanes) {
                *out += sum_lanes(lanes);
            }
        }
    }
    sums.objective += scratch.objective.iter().map(|x| x.to_f64()).sum::<f64>();
}

/// The sum of all lanes in pairs, a fixed order that vector code can follow.
#[inline(always)]
fn sum_lanes<T: Real, const L: usize>(lanes: &[T; L]) -> f64 {
    let mut half = [0.0; 8];
    for (i, x) in lanes.iter().enumerate() {
        half[i % 8] += x.to_f64();
    }
    ((half[0] + half[4]) + (half[2] + half[6])) + ((half[1] + half[5]) + (half[3] + half[7]))
}
