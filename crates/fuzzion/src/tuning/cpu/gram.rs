//! Products of all pairs of columns over a block, accumulated in register tiles.

use super::context::STRIDE;
use crate::device::Vector;

/// The number of columns is padded to this multiple, a whole number of 6 × 4 and of 4 × 3 tiles.
pub(super) const COLUMN_MULTIPLE: usize = 12;
/// Columns per band, few enough to stay in the L2 cache while they are reused.
const BAND: usize = 96;

/// Number of products of `columns` columns: the length of a lower triangle.
pub(super) fn triangle_len(columns: usize) -> usize {
    columns * (columns + 1) / 2
}

/// Adds the products of the first `used` columns over `n` rows.
#[inline(always)]
pub(super) fn add<V: Vector<f64, L>, const L: usize>(
    columns: &[f64],
    used: usize,
    n: usize,
    sums: &mut [f64],
) {
    if V::HAS_32_REGISTERS {
        bands::<V, L, 6, 4>(columns, used, n, sums);
    } else {
        bands::<V, L, 4, 3>(columns, used, n, sums);
    }
}

#[inline(always)]
fn bands<V: Vector<f64, L>, const L: usize, const A: usize, const B: usize>(
    columns: &[f64],
    used: usize,
    n: usize,
    sums: &mut [f64],
) {
    for band in (0..used).step_by(BAND) {
        for a in (band..used).step_by(A) {
            let end = (a + A).min(band + BAND).min(used);
            for b in (band..end).step_by(B) {
                let tile = tile::<V, L, A, B>(columns, a, b, n);
                // Skip entries above the diagonal.
                for i in b.saturating_sub(a)..A.min(used - a) {
                    let row = &mut sums[triangle_len(a + i) + b..triangle_len(a + i + 1)];
                    for (sum, product) in row.iter_mut().zip(&tile[i]) {
                        *sum += product;
                    }
                }
            }
        }
    }
}

/// Products of columns `a`..`a + A` with columns `b`..`b + B`.
#[inline(always)]
fn tile<V: Vector<f64, L>, const L: usize, const A: usize, const B: usize>(
    columns: &[f64],
    a: usize,
    b: usize,
    n: usize,
) -> [[f64; B]; A] {
    let (left, _) = columns[a * STRIDE..][..A * STRIDE].as_chunks::<L>();
    let (right, _) = columns[b * STRIDE..][..B * STRIDE].as_chunks::<L>();
    let mut tile = [[V::splat(0.0); B]; A];
    for v in 0..(n / L).min(STRIDE / L) {
        let right: [V; B] = std::array::from_fn(|j| V::load(&right[j * (STRIDE / L) + v]));
        for i in 0..A {
            let left = V::load(&left[i * (STRIDE / L) + v]);
            for j in 0..B {
                tile[i][j] = left.mul_add(right[j], tile[i][j]);
            }
        }
    }
    let mut sums = [[0.0; B]; A];
    for i in 0..A {
        for j in 0..B {
            sums[i][j] = tile[i][j].sum();
        }
    }
    sums
}

/// Σ a·b over rows.
#[inline(always)]
pub(super) fn dot<V: Vector<f64, L>, const L: usize>(a: &[f64], b: &[f64]) -> f64 {
    let (a, b) = (a.as_chunks::<L>().0, b.as_chunks::<L>().0);
    let mut sums = [V::splat(0.0); 4];
    for (a, b) in a.chunks(4).zip(b.chunks(4)) {
        for ((sum, a), b) in sums.iter_mut().zip(a).zip(b) {
            *sum = V::load(a).mul_add(V::load(b), *sum);
        }
    }
    ((sums[0] + sums[1]) + (sums[2] + sums[3])).sum()
}
