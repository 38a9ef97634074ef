//! Transposes a block of rows, so that adjacent values belong to adjacent rows.

use super::layout::{BLOCK, STRIDE, SweepKernel};
use super::scratch::Scratch;
use crate::device::Vector;
use crate::device::math::Real;

/// Columns transposed together.
const TRANSPOSED_COLUMNS: usize = 4;

/// Loads the rows of a block in column-major order and internal coordinates, and their weights.
#[inline(always)]
pub(super) fn load_block<T: Real, V: Vector<T, L>, const FMA: bool, const L: usize>(
    kernel: &SweepKernel<T>,
    rows: &[T],
    weights: Option<&[f64]>,
    scratch: &mut Scratch<T>,
) {
    let n = rows.len() / kernel.columns;
    if n < BLOCK {
        scratch.x.fill(T::ZERO);
        scratch.weights[n..].fill(T::ZERO);
    }
    match weights {
        Some(weights) => scratch.weights.iter_mut().zip(weights).for_each(|(to, from)| *to = T::cast(*from)),
        None => scratch.weights[..n].fill(T::ONE),
    }
    scratch.x[kernel.columns * STRIDE..].fill(T::ONE);
    transpose::<T, V, L>(kernel, rows, n, &mut scratch.x);
    if kernel.partial {
        mask(kernel, n, scratch);
    }
    if !kernel.whitening.is_empty() {
        whiten::<T, FMA>(kernel, scratch);
    }
}

/// `x[column][row]` from `rows[row][column]`, shifted and scaled.
#[inline(always)]
fn transpose<T: Real, V: Vector<T, L>, const L: usize>(
    kernel: &SweepKernel<T>,
    rows: &[T],
    n: usize,
    x: &mut [T],
) {
    let columns = kernel.columns;
    let (whole, tiles) = (n / L * L, columns / TRANSPOSED_COLUMNS * TRANSPOSED_COLUMNS);
    let (shifts, scales) =
        (kernel.shift.as_chunks::<TRANSPOSED_COLUMNS>().0, kernel.scale.as_chunks::<TRANSPOSED_COLUMNS>().0);
    for (v, rows) in rows.chunks_exact(L * columns).enumerate() {
        for (tile, (shift, scale)) in shifts.iter().zip(scales).enumerate() {
            let transposed = V::load_columns(rows, columns, tile * TRANSPOSED_COLUMNS);
            let (x, _) = x[tile * TRANSPOSED_COLUMNS * STRIDE..].as_chunks_mut::<L>();
            for j in 0..TRANSPOSED_COLUMNS {
                let scaled = (transposed[j] - V::splat(shift[j])) * V::splat(scale[j]);
                scaled.store(&mut x[j * (STRIDE / L) + v]);
            }
        }
    }
    // Values outside whole tiles: the last columns of all rows, and all columns of the last rows.
    for column in 0..columns {
        let (shift, scale) = (kernel.shift[column], kernel.scale[column]);
        let first = if column < tiles { whole } else { 0 };
        for row in first..n {
            x[column * STRIDE + row] = (rows[row * columns + column] - shift) * scale;
        }
    }
}

/// Loads the leading columns in row-major order, shifted, scaled and multiplied by the mass column.
#[inline(always)]
pub(super) fn load_rows<T: Real, V: Vector<T, L>, const L: usize>(
    kernel: &SweepKernel<T>,
    rows: &[T],
    scratch: &mut Scratch<T>,
) {
    if kernel.vector_columns == 0 {
        return;
    }
    let (shift, scale) = (kernel.shift.as_chunks::<L>().0, kernel.scale.as_chunks::<L>().0);
    let factors = &scratch.x[kernel.columns * STRIDE..];
    let (to, _) = scratch.rows.as_chunks_mut::<L>();
    let rows = to.chunks_exact_mut(kernel.vector_columns / L).zip(rows.chunks_exact(kernel.columns));
    for ((to, row), factor) in rows.zip(factors) {
        let factor = V::splat(*factor);
        let scaling = shift.iter().zip(scale);
        for ((to, row), (shift, scale)) in to.iter_mut().zip(row.as_chunks::<L>().0).zip(scaling) {
            ((V::load(row) - V::load(shift)) * V::load(scale) * factor).store(to);
        }
    }
}

/// Replaces missing values by 0 with mask 0; a row without any value gets weight 0.
#[inline(always)]
fn mask<T: Real>(kernel: &SweepKernel<T>, n: usize, scratch: &mut Scratch<T>) {
    let used = kernel.columns * STRIDE;
    for (x, mask) in scratch.x[..used].iter_mut().zip(scratch.mask.iter_mut()) {
        *mask = if x.is_nan() { T::ZERO } else { T::ONE };
        *x = if x.is_nan() { T::ZERO } else { *x };
    }
    for row in 0..n {
        if (0..kernel.columns).all(|column| scratch.mask[column * STRIDE + row] == T::ZERO) {
            scratch.weights[row] = T::ZERO;
        }
    }
}

/// y = W·x from the last column to the first, so that each is read before it is overwritten.
#[inline(always)]
fn whiten<T: Real, const FMA: bool>(kernel: &SweepKernel<T>, scratch: &mut Scratch<T>) {
    for to in (0..kernel.columns).rev() {
        let mut y = [T::ZERO; BLOCK];
        for from in 0..=to {
            let w = kernel.whitening[to * kernel.columns + from];
            for (y, x) in y.iter_mut().zip(&scratch.x[from * STRIDE..][..BLOCK]) {
                *y = w.mul_add::<FMA>(*x, *y);
            }
        }
        scratch.x[to * STRIDE..][..BLOCK].copy_from_slice(&y);
    }
}
