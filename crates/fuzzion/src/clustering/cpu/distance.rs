//! Squared distances of a block of rows to all centers from explicit differences; exactly 0 for a row on a center.

use super::layout::{BLOCK, CENTER_GROUP, STRIDE, SweepKernel};
use super::scratch::Scratch;
use crate::clustering::prototypes::MembershipRule;
use crate::device::Vector;
use crate::device::math::Real;

/// Vectors of rows per tile: together with [`CENTER_GROUP`] centers, they hide the latency of the additions.
pub(super) const ROW_VECTORS: usize = 2;

/// Writes d, or 1/d if the rule uses inverse distances, to `degrees`, and that of the nearest center to `nearest`.
#[inline(always)]
pub(super) fn distances<T: Real, V: Vector<T, L>, const FMA: bool, const L: usize>(
    kernel: &SweepKernel<T>,
    scratch: &mut Scratch<T>,
) {
    if kernel.partial {
        partial_distances::<T, FMA>(kernel, scratch);
        finish_distances(kernel, scratch);
    } else if !kernel.factors.is_empty() {
        adaptive_distances::<T, FMA>(kernel, scratch);
        finish_distances(kernel, scratch);
    } else {
        euclidean::<T, V, L>(kernel, scratch);
    }
}

#[inline(always)]
fn euclidean<T: Real, V: Vector<T, L>, const L: usize>(kernel: &SweepKernel<T>, scratch: &mut Scratch<T>) {
    let inverse = kernel.uses_inverse_distances();
    let (x, _) = scratch.x.as_chunks::<L>();
    let (degrees, _) = scratch.degrees.as_chunks_mut::<L>();
    let (nearest, _) = scratch.nearest.as_chunks_mut::<L>();
    for (v, nearest) in nearest.chunks_exact_mut(ROW_VECTORS).enumerate() {
        let mut best = [V::splat(if inverse { T::ZERO } else { T::INFINITY }); ROW_VECTORS];
        for (group, centers) in kernel.grouped_centers.chunks_exact(CENTER_GROUP * kernel.columns).enumerate()
        {
            let d = tile::<T, V, L, ROW_VECTORS>(centers, x, v * ROW_VECTORS);
            for (member, mut d) in d.into_iter().enumerate() {
                let cluster = group * CENTER_GROUP + member;
                for r in 0..ROW_VECTORS {
                    if inverse {
                        d[r] = V::splat(T::ONE) / d[r];
                    }
                    d[r].store(&mut degrees[cluster * (STRIDE / L) + v * ROW_VECTORS + r]);
                    if cluster < kernel.clusters {
                        best[r] = if inverse { best[r].simd_max(d[r]) } else { best[r].simd_min(d[r]) };
                    }
                }
            }
        }
        for r in 0..ROW_VECTORS {
            best[r].store(&mut nearest[r]);
        }
    }
}

/// Squared distances of `R` vectors of rows, starting at vector `v`, to one group of [`CENTER_GROUP`] centers.
#[inline(always)]
pub(super) fn tile<T: Real, V: Vector<T, L>, const L: usize, const R: usize>(
    centers: &[T],
    x: &[[T; L]],
    v: usize,
) -> [[V; R]; CENTER_GROUP] {
    let mut d = [[V::splat(T::ZERO); R]; CENTER_GROUP];
    let (centers, _) = centers.as_chunks::<CENTER_GROUP>();
    for (centers, x) in centers.iter().zip(x.chunks_exact(STRIDE / L)) {
        let x = &x[v..v + R];
        for member in 0..CENTER_GROUP {
            let center = V::splat(centers[member]);
            for r in 0..R {
                let t = V::load(&x[r]) - center;
                d[member][r] = t.mul_add(t, d[member][r]);
            }
        }
    }
    d
}

/// Partial distances: over the columns present in a row, scaled to all columns.
#[inline(always)]
fn partial_distances<T: Real, const FMA: bool>(kernel: &SweepKernel<T>, scratch: &mut Scratch<T>) {
    let columns = kernel.columns;
    let mut scale = [T::ZERO; BLOCK];
    for mask in scratch.mask.chunks_exact(STRIDE).take(columns) {
        scale.iter_mut().zip(mask).for_each(|(scale, mask)| *scale = *scale + *mask);
    }
    // A row without values has weight 0; any finite scale avoids NaN.
    scale = scale.map(|present| if present > T::ZERO { T::cast(columns as f64) / present } else { T::ONE });
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

/// ‖R(x − v)‖² with the factor R of each cluster.
#[inline(always)]
fn adaptive_distances<T: Real, const FMA: bool>(kernel: &SweepKernel<T>, scratch: &mut Scratch<T>) {
    let columns = kernel.columns;
    scratch.reserve_workspace(columns * STRIDE);
    for cluster in 0..kernel.clusters {
        differences(kernel, cluster, &scratch.x, &mut scratch.workspace);
        let factor = &kernel.factors[cluster * columns * columns..][..columns * columns];
        let mut d = [T::ZERO; BLOCK];
        for row in 0..columns {
            let mut y = [T::ZERO; BLOCK];
            for column in 0..=row {
                let r = factor[row * columns + column];
                let t = &scratch.workspace[column * STRIDE..][..BLOCK];
                y.iter_mut().zip(t).for_each(|(y, t)| *y = r.mul_add::<FMA>(*t, *y));
            }
            d.iter_mut().zip(&y).for_each(|(d, y)| *d = y.mul_add::<FMA>(*y, *d));
        }
        scratch.degrees[cluster * STRIDE..][..BLOCK].copy_from_slice(&d);
    }
}

/// x − v of one cluster, in column-major order.
#[inline(always)]
pub(super) fn differences<T: Real>(kernel: &SweepKernel<T>, cluster: usize, x: &[T], out: &mut [T]) {
    for column in 0..kernel.columns {
        let center = kernel.centers[cluster * kernel.columns + column];
        let x = &x[column * STRIDE..][..BLOCK];
        out[column * STRIDE..][..BLOCK].iter_mut().zip(x).for_each(|(t, x)| *t = *x - center);
    }
}

/// Steps that [`euclidean`] performs in its own loop: ln d of the exponential distance, the inverse and the nearest
/// center.
#[inline(always)]
fn finish_distances<T: Real>(kernel: &SweepKernel<T>, scratch: &mut Scratch<T>) {
    let inverse = kernel.uses_inverse_distances();
    scratch.nearest.fill(if inverse { T::ZERO } else { T::INFINITY });
    for (cluster, d) in scratch.degrees.chunks_exact_mut(STRIDE).take(kernel.clusters).enumerate() {
        if let MembershipRule::Gaussian { .. } = kernel.rule {
            let offset = kernel.offsets[cluster];
            d.iter_mut().for_each(|d| *d = *d * T::HALF + offset);
        }
        if inverse {
            d.iter_mut().for_each(|d| *d = T::ONE / *d);
        }
        for (nearest, d) in scratch.nearest.iter_mut().zip(d.iter()) {
            *nearest = if inverse { nearest.simd_max(*d) } else { nearest.simd_min(*d) };
        }
    }
}
