//! Squared distances of a block of rows to all centers, as differences: exact zero where a row lies on a center.

use super::kernel::{BLOCK, Kernel, SIDE, STRIDE};
use super::scratch::Scratch;
use crate::device::Vector;
use crate::device::math::Real;

/// Vectors of rows whose distances are computed side by side: with [`SIDE`] centers they keep the adders busy.
pub(super) const PAIR: usize = 2;

/// Leaves d, or 1/d where the rule wants that, in `degrees`, and the nearest center's in `nearest`.
#[inline(always)]
pub(super) fn block<T: Real, V: Vector<T, L>, const FMA: bool, const L: usize>(
    kernel: &Kernel<T>,
    scratch: &mut Scratch<T>,
) {
    if kernel.partial {
        masked::<T, FMA>(kernel, scratch);
        invert_and_find(kernel, scratch);
    } else if !kernel.maps.is_empty() {
        shaped::<T, FMA>(kernel, scratch);
        invert_and_find(kernel, scratch);
    } else {
        euclidean::<T, V, L>(kernel, scratch);
    }
}

#[inline(always)]
fn euclidean<T: Real, V: Vector<T, L>, const L: usize>(kernel: &Kernel<T>, scratch: &mut Scratch<T>) {
    let invert = kernel.inverts();
    let (x, _) = scratch.x.as_chunks::<L>();
    let (degrees, _) = scratch.degrees.as_chunks_mut::<L>();
    let (nearest, _) = scratch.nearest.as_chunks_mut::<L>();
    for (v, nearest) in nearest.chunks_exact_mut(PAIR).enumerate() {
        let mut best = [V::splat(if invert { T::ZERO } else { T::INFINITY }); PAIR];
        for (group, centers) in kernel.beside.chunks_exact(SIDE * kernel.columns).enumerate() {
            let d = tile::<T, V, L, PAIR>(centers, x, v * PAIR);
            for (side, mut d) in d.into_iter().enumerate() {
                let cluster = group * SIDE + side;
                for r in 0..PAIR {
                    if invert {
                        d[r] = V::splat(T::ONE) / d[r];
                    }
                    d[r].store(&mut degrees[cluster * (STRIDE / L) + v * PAIR + r]);
                    if cluster < kernel.clusters {
                        best[r] = if invert { best[r].most(d[r]) } else { best[r].least(d[r]) };
                    }
                }
            }
        }
        for r in 0..PAIR {
            best[r].store(&mut nearest[r]);
        }
    }
}

/// Squared distances of `R` vectors of rows, from the `v`th on, to [`SIDE`] centers that lie side by side.
#[inline(always)]
pub(super) fn tile<T: Real, V: Vector<T, L>, const L: usize, const R: usize>(
    centers: &[T],
    x: &[[T; L]],
    v: usize,
) -> [[V; R]; SIDE] {
    let mut d = [[V::splat(T::ZERO); R]; SIDE];
    let (centers, _) = centers.as_chunks::<SIDE>();
    for (centers, x) in centers.iter().zip(x.chunks_exact(STRIDE / L)) {
        let x = &x[v..v + R];
        for side in 0..SIDE {
            let center = V::splat(centers[side]);
            for r in 0..R {
                let t = V::load(&x[r]) - center;
                d[side][r] = t.mul_add(t, d[side][r]);
            }
        }
    }
    d
}

/// Distances over the columns a row has, scaled up to all of them (partial distances).
#[inline(always)]
fn masked<T: Real, const FMA: bool>(kernel: &Kernel<T>, scratch: &mut Scratch<T>) {
    let columns = kernel.columns;
    let mut scale = [T::ZERO; BLOCK];
    for mask in scratch.mask.chunks_exact(STRIDE).take(columns) {
        scale.iter_mut().zip(mask).for_each(|(scale, mask)| *scale = *scale + *mask);
    }
    // A row without values has no weight; it only must not make a NaN.
    scale = scale.map(|seen| if seen > T::ZERO { T::of(columns as f64) / seen } else { T::ONE });
    for (cluster, d) in scratch.degrees.chunks_exact_mut(STRIDE).enumerate() {
        d.fill(T::ZERO);
        for column in 0..columns {
            let center = kernel.centers[cluster * columns + column];
            let x = &scratch.x[column * STRIDE..][..BLOCK];
            let mask = &scratch.mask[column * STRIDE..][..BLOCK];
            for ((d, x), mask) in d.iter_mut().zip(x).zip(mask) {
                let t = (*x - center) * *mask;
                *d = t.mul_add::<FMA>(t, *d);
            }
        }
        d.iter_mut().zip(&scale).for_each(|(d, scale)| *d = *d * *scale);
    }
}

/// ‖R(x − v)‖² with each cluster's own triangle R.
#[inline(always)]
fn shaped<T: Real, const FMA: bool>(kernel: &Kernel<T>, scratch: &mut Scratch<T>) {
    let columns = kernel.columns;
    scratch.make_spare(columns * STRIDE);
    for cluster in 0..kernel.clusters {
        differences(kernel, cluster, &scratch.x, &mut scratch.spare);
        let map = &kernel.maps[cluster * columns * columns..][..columns * columns];
        let mut d = [T::ZERO; BLOCK];
        for row in 0..columns {
            let mut y = [T::ZERO; BLOCK];
            for column in 0..=row {
                let r = map[row * columns + column];
                let t = &scratch.spare[column * STRIDE..][..BLOCK];
                y.iter_mut().zip(t).for_each(|(y, t)| *y = r.mul_add::<FMA>(*t, *y));
            }
            d.iter_mut().zip(&y).for_each(|(d, y)| *d = y.mul_add::<FMA>(*y, *d));
        }
        scratch.degrees[cluster * STRIDE..][..BLOCK].copy_from_slice(&d);
    }
}

/// x − v of one cluster, by columns.
#[inline(always)]
pub(super) fn differences<T: Real>(kernel: &Kernel<T>, cluster: usize, x: &[T], out: &mut [T]) {
    for column in 0..kernel.columns {
        let center = kernel.centers[cluster * kernel.columns + column];
        let x = &x[column * STRIDE..][..BLOCK];
        out[column * STRIDE..][..BLOCK].iter_mut().zip(x).for_each(|(t, x)| *t = *x - center);
    }
}

/// What [`euclidean`] does on the way: ln d of the exponential distance, the inverse, the nearest.
#[inline(always)]
fn invert_and_find<T: Real>(kernel: &Kernel<T>, scratch: &mut Scratch<T>) {
    let invert = kernel.inverts();
    scratch.nearest.fill(if invert { T::ZERO } else { T::INFINITY });
    for (cluster, d) in scratch.degrees.chunks_exact_mut(STRIDE).take(kernel.clusters).enumerate() {
        if let (super::Rule::Gaussian { .. }, Some(offset)) = (&kernel.rule, kernel.offsets.get(cluster)) {
            d.iter_mut().for_each(|d| *d = *d * T::HALF + *offset);
        }
        if invert {
            d.iter_mut().for_each(|d| *d = T::ONE / *d);
        }
        for (nearest, d) in scratch.nearest.iter_mut().zip(d.iter()) {
            *nearest = if invert { nearest.most(*d) } else { nearest.least(*d) };
        }
    }
}
