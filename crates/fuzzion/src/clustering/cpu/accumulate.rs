//! Sums over rows: in lanes of the data's precision over one chunk, then in double precision.

use super::super::sums::Sums;
use super::distance::differences;
use super::kernel::{BLOCK, Kernel, SIDE, STRIDE, Scratch};
use crate::device::math::Real;

/// Columns summed side by side.
const BESIDE: usize = 4;

pub(super) fn padded_columns(columns: usize) -> usize {
    columns.next_multiple_of(BESIDE)
}

/// Adds uᵐx of a block to the lanes of its sums.
#[inline(always)]
pub(super) fn block<T: Real, const FMA: bool, const L: usize>(kernel: &Kernel<T>, scratch: &mut Scratch<T>) {
    // Padded clusters still hold distances.
    scratch.degrees[kernel.clusters * STRIDE..].fill(T::ZERO);
    product::<T, FMA, L>(&scratch.degrees, &scratch.x, &mut scratch.moments, padded_columns(kernel.columns));
    if kernel.partial {
        product::<T, FMA, L>(
            &scratch.degrees,
            &scratch.mask,
            &mut scratch.seen,
            padded_columns(kernel.columns),
        );
    }
}

/// `sums[cluster][column] += degrees[cluster] · x[column]`, lane by lane.
#[inline(always)]
fn product<T: Real, const FMA: bool, const L: usize>(degrees: &[T], x: &[T], sums: &mut [T], columns: usize) {
    // The compiler keeps the larger tile in registers for 16 lanes only.
    if L > 8 {
        product_in_fours::<T, FMA, L>(degrees, x, sums, columns);
    } else {
        product_in_pairs::<T, FMA, L>(degrees, x, sums, columns);
    }
}

/// As [`product`], two columns at a time.
#[inline(always)]
fn product_in_pairs<T: Real, const FMA: bool, const L: usize>(
    degrees: &[T],
    x: &[T],
    sums: &mut [T],
    columns: usize,
) {
    let vectors = STRIDE / L;
    let (degrees, _) = degrees.as_chunks::<L>();
    let (x, _) = x.as_chunks::<L>();
    let (sums, _) = sums.as_chunks_mut::<L>();
    for (group, degrees) in degrees.chunks_exact(SIDE * vectors).enumerate() {
        for (tile, x) in x.chunks_exact(2 * vectors).enumerate() {
            let [mut a0, mut a1, mut a2, mut a3] = [[T::ZERO; L]; SIDE];
            let [mut b0, mut b1, mut b2, mut b3] = [[T::ZERO; L]; SIDE];
            for v in 0..BLOCK / L {
                let (left, right) = (&x[v], &x[vectors + v]);
                let u = &degrees[v];
                a0 = add_product::<T, FMA, L>(u, left, a0);
                b0 = add_product::<T, FMA, L>(u, right, b0);
                let u = &degrees[vectors + v];
                a1 = add_product::<T, FMA, L>(u, left, a1);
                b1 = add_product::<T, FMA, L>(u, right, b1);
                let u = &degrees[2 * vectors + v];
                a2 = add_product::<T, FMA, L>(u, left, a2);
                b2 = add_product::<T, FMA, L>(u, right, b2);
                let u = &degrees[3 * vectors + v];
                a3 = add_product::<T, FMA, L>(u, left, a3);
                b3 = add_product::<T, FMA, L>(u, right, b3);
            }
            for (side, pair) in [[a0, b0], [a1, b1], [a2, b2], [a3, b3]].into_iter().enumerate() {
                let first = (group * SIDE + side) * columns + tile * 2;
                for (to, sum) in sums[first..][..2].iter_mut().zip(pair) {
                    let old = *to;
                    *to = std::array::from_fn(|l| old[l] + sum[l]);
                }
            }
        }
    }
}

/// As [`product`], four columns at a time.
#[inline(always)]
fn product_in_fours<T: Real, const FMA: bool, const L: usize>(
    degrees: &[T],
    x: &[T],
    sums: &mut [T],
    columns: usize,
) {
    let vectors = STRIDE / L;
    let (degrees, _) = degrees.as_chunks::<L>();
    let (x, _) = x.as_chunks::<L>();
    let (sums, _) = sums.as_chunks_mut::<L>();
    for (group, degrees) in degrees.chunks_exact(SIDE * vectors).enumerate() {
        for (tile, x) in x.chunks_exact(BESIDE * vectors).enumerate() {
            let [mut s0, mut s1, mut s2, mut s3] = [[[T::ZERO; L]; BESIDE]; SIDE];
            for v in 0..BLOCK / L {
                for beside in 0..BESIDE {
                    let x = &x[beside * vectors + v];
                    s0[beside] = add_product::<T, FMA, L>(&degrees[v], x, s0[beside]);
                    s1[beside] = add_product::<T, FMA, L>(&degrees[vectors + v], x, s1[beside]);
                    s2[beside] = add_product::<T, FMA, L>(&degrees[2 * vectors + v], x, s2[beside]);
                    s3[beside] = add_product::<T, FMA, L>(&degrees[3 * vectors + v], x, s3[beside]);
                }
            }
            for (side, s) in [s0, s1, s2, s3].into_iter().enumerate() {
                let first = (group * SIDE + side) * columns + tile * BESIDE;
                for (to, s) in sums[first..][..BESIDE].iter_mut().zip(s) {
                    let old = *to;
                    *to = std::array::from_fn(|l| old[l] + s[l]);
                }
            }
        }
    }
}

#[inline(always)]
fn add_product<T: Real, const FMA: bool, const L: usize>(a: &[T; L], b: &[T; L], sum: [T; L]) -> [T; L] {
    std::array::from_fn(|l| a[l].mul_add::<FMA>(b[l], sum[l]))
}

/// Adds uᵐ(x − v)(x − v)ᵀ of a block.
#[inline(always)]
pub(super) fn scatter<T: Real, const FMA: bool, const L: usize>(
    kernel: &Kernel<T>,
    scratch: &mut Scratch<T>,
    sums: &mut Sums,
) {
    let n = kernel.columns;
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

/// Adds the lanes of a chunk to its sums in double precision.
#[inline(always)]
pub(super) fn flush<T: Real, const L: usize>(kernel: &Kernel<T>, scratch: &Scratch<T>, sums: &mut Sums) {
    let columns = padded_columns(kernel.columns);
    let unite = |out: &mut [f64], lanes: &[T]| {
        for cluster in 0..kernel.clusters {
            let lanes = &lanes[cluster * columns * L..];
            for (out, lanes) in
                out[cluster * kernel.columns..][..kernel.columns].iter_mut().zip(lanes.chunks_exact(L))
            {
                *out += sum_lanes::<T, L>(lanes);
            }
        }
    };
    unite(&mut sums.moments, &scratch.moments);
    if kernel.partial {
        unite(&mut sums.seen, &scratch.seen);
    }
    for (mass, lanes) in sums.masses.iter_mut().zip(scratch.masses.chunks_exact(L)) {
        *mass += sum_lanes::<T, L>(lanes);
    }
    sums.objective += scratch.objective.iter().map(|x| x.to_f64()).sum::<f64>();
}

/// The sum of `L` lanes in pairs, a fixed order that vector code can follow.
#[inline(always)]
fn sum_lanes<T: Real, const L: usize>(lanes: &[T]) -> f64 {
    let mut half = [0.0; 8];
    for (i, x) in lanes.iter().enumerate() {
        half[i % 8] += x.to_f64();
    }
    ((half[0] + half[4]) + (half[2] + half[6])) + ((half[1] + half[5]) + (half[3] + half[7]))
}
