//! Rows into columns: a block of rows is turned so that neighbouring values belong to neighbouring rows.

use super::kernel::{BLOCK, Kernel, STRIDE, Scratch};
use crate::device::math::Real;

/// Values turned at once.
const TURN: usize = 4;

#[inline(always)]
pub(super) fn block<T: Real, const FMA: bool>(
    kernel: &Kernel<T>,
    rows: &[T],
    weights: Option<&[f64]>,
    scratch: &mut Scratch<T>,
) {
    let columns = kernel.columns;
    let n = rows.len() / columns;
    if n < BLOCK {
        scratch.x.fill(T::ZERO);
        scratch.weights[n..].fill(T::ZERO);
    }
    match weights {
        Some(weights) => scratch.weights.iter_mut().zip(weights).for_each(|(to, from)| *to = T::of(*from)),
        None => scratch.weights[..n].fill(T::ONE),
    }
    turn(rows, columns, n, &mut scratch.x);
    if kernel.partial {
        mask(kernel, n, scratch);
    }
    for (column, x) in scratch.x.chunks_exact_mut(STRIDE).take(columns).enumerate() {
        let (shift, scale) = (kernel.shift[column], kernel.scale[column]);
        for x in x {
            *x = (*x - shift) * scale;
        }
    }
    if kernel.partial {
        scratch.x.iter_mut().zip(&scratch.mask).for_each(|(x, mask)| *x = *x * *mask);
    }
    if !kernel.map.is_empty() {
        whiten::<T, FMA>(kernel, scratch);
    }
}

/// `x[column][row]` from `rows[row][column]`, four by four.
#[inline(always)]
fn turn<T: Real>(rows: &[T], columns: usize, n: usize, x: &mut [T]) {
    let whole = n / TURN * TURN;
    let mut column = 0;
    while column + TURN <= columns {
        for row in (0..whole).step_by(TURN) {
            let mut tile = [[T::ZERO; TURN]; TURN];
            for (i, tile) in tile.iter_mut().enumerate() {
                let at = (row + i) * columns + column;
                tile.copy_from_slice(&rows[at..at + TURN]);
            }
            for j in 0..TURN {
                let turned = [tile[0][j], tile[1][j], tile[2][j], tile[3][j]];
                x[(column + j) * STRIDE + row..][..TURN].copy_from_slice(&turned);
            }
        }
        for row in whole..n {
            for j in 0..TURN {
                x[(column + j) * STRIDE + row] = rows[row * columns + column + j];
            }
        }
        column += TURN;
    }
    for column in column..columns {
        for (x, row) in x[column * STRIDE..].iter_mut().zip(rows.chunks_exact(columns)) {
            *x = row[column];
        }
    }
}

/// Missing values become 0 with mask 0; a row without any value has no weight.
#[inline(always)]
fn mask<T: Real>(kernel: &Kernel<T>, n: usize, scratch: &mut Scratch<T>) {
    let used = kernel.columns * STRIDE;
    for (x, mask) in scratch.x[..used].iter_mut().zip(&mut scratch.mask) {
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
