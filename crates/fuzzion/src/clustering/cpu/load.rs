//! Rows into columns: a block of rows is turned so that neighbouring values belong to neighbouring rows.

use super::kernel::{BLOCK, Kernel, STRIDE};
use super::scratch::Scratch;
use crate::device::Vector;
use crate::device::math::Real;

/// Columns turned at once.
const TURN: usize = 4;

/// The rows of a block by columns, in the coordinates of the space, and their weights.
#[inline(always)]
pub(super) fn block<T: Real, V: Vector<T, L>, const FMA: bool, const L: usize>(
    kernel: &Kernel<T>,
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
        Some(weights) => scratch.weights.iter_mut().zip(weights).for_each(|(to, from)| *to = T::of(*from)),
        None => scratch.weights[..n].fill(T::ONE),
    }
    scratch.x[kernel.columns * STRIDE..].fill(T::ONE);
    turn::<T, V, L>(kernel, rows, n, &mut scratch.x);
    if kernel.partial {
        mask(kernel, n, scratch);
    }
    if !kernel.map.is_empty() {
        whiten::<T, FMA>(kernel, scratch);
    }
}

/// `x[column][row]` from `rows[row][column]`, shifted and scaled.
#[inline(always)]
fn turn<T: Real, V: Vector<T, L>, const L: usize>(kernel: &Kernel<T>, rows: &[T], n: usize, x: &mut [T]) {
    let columns = kernel.columns;
    let (whole, tiles) = (n / L * L, columns / TURN * TURN);
    let (shifts, scales) = (kernel.shift.as_chunks::<TURN>().0, kernel.scale.as_chunks::<TURN>().0);
    for (v, rows) in rows.chunks_exact(L * columns).enumerate() {
        for (tile, (shift, scale)) in shifts.iter().zip(scales).enumerate() {
            let turned = V::turn(rows, columns, tile * TURN);
            let (x, _) = x[tile * TURN * STRIDE..].as_chunks_mut::<L>();
            for j in 0..TURN {
                let moved = (turned[j] - V::splat(shift[j])) * V::splat(scale[j]);
                moved.store(&mut x[j * (STRIDE / L) + v]);
            }
        }
    }
    // What fills no tile: the last columns of all rows, and all columns of the last rows.
    for column in 0..columns {
        let (shift, scale) = (kernel.shift[column], kernel.scale[column]);
        let first = if column < tiles { whole } else { 0 };
        for row in first..n {
            x[column * STRIDE + row] = (rows[row * columns + column] - shift) * scale;
        }
    }
}

/// The first columns of the rows as they lie, shifted, scaled and multiplied by the column of masses.
#[inline(always)]
pub(super) fn rows<T: Real, V: Vector<T, L>, const L: usize>(
    kernel: &Kernel<T>,
    rows: &[T],
    scratch: &mut Scratch<T>,
) {
    if kernel.wide == 0 {
        return;
    }
    let (shift, scale) = (kernel.shift.as_chunks::<L>().0, kernel.scale.as_chunks::<L>().0);
    let factors = &scratch.x[kernel.columns * STRIDE..];
    let (to, _) = scratch.rows.as_chunks_mut::<L>();
    let rows = to.chunks_exact_mut(kernel.wide / L).zip(rows.chunks_exact(kernel.columns));
    for ((to, row), factor) in rows.zip(factors) {
        let factor = V::splat(*factor);
        let places = shift.iter().zip(scale);
        for ((to, row), (shift, scale)) in to.iter_mut().zip(row.as_chunks::<L>().0).zip(places) {
            ((V::load(row) - V::load(shift)) * V::load(scale) * factor).store(to);
        }
    }
}

/// Missing values become 0 with mask 0; a row without any value has no weight.
#[inline(always)]
fn mask<T: Real>(kernel: &Kernel<T>, n: usize, scratch: &mut Scratch<T>) {
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

/// y = W·x from the last column up, so that each is read before it is overwritten.
#[inline(always)]
fn whiten<T: Real, const FMA: bool>(kernel: &Kernel<T>, scratch: &mut Scratch<T>) {
    for to in (0..kernel.columns).rev() {
        let mut y = [T::ZERO; BLOCK];
        for from in 0..=to {
            let w = kernel.map[to * kernel.columns + from];
            for (y, x) in y.iter_mut().zip(&scratch.x[from * STRIDE..][..BLOCK]) {
                *y = w.mul_add::<FMA>(*x, *y);
            }
        }
        scratch.x[to * STRIDE..][..BLOCK].copy_from_slice(&y);
    }
}
