//! Fast path for fuzzifier 2: inverse distances are the unnormalized memberships.
//!
//! With y = 1/d and Z = Σ y, Equation (2) is u = y/Z, and a row contributes 1/Z to the objective. The sums need u²x =
//! y²·(x/Z²): the factor of the row multiplies its few columns instead of its many memberships.
//!
//! For many columns, d = |x|² + (|v|² − 2xv) takes one instruction per column instead of two, but suffers from
//! cancellation. A block with a distance below 1/[`MAX_CANCELLATION`] of |x|² + |v|² is computed from differences: at
//! most five bits are lost, so that y is accurate to 2⁻¹⁹ times the few rounding errors of a sum, which is below 1e-5.

use super::distance::{ROW_VECTORS, tile};
use super::layout::{BLOCK, CACHE_LINE, CENTER_GROUP, STRIDE, SweepKernel};
use super::scratch::Scratch;
use crate::device::Vector;
use crate::device::math::Real;

/// Largest ratio of |x|² + |v|² to a distance computed from them.
const MAX_CANCELLATION: f64 = 32.0;

/// Writes y² to `degrees` and weight/Z² to the mass column, by which the rows are multiplied; prefetches the rows of
/// the `next` block. `products` selects the product form and is set to false if it cancels too much.
///
/// Returns false, and leaves the columns unchanged, if a row is on a center, or if a distance or weight is so small or
/// large that one of these values overflows or underflows.
#[inline(always)]
pub(super) fn degrees<T: Real, V: Vector<T, L>, const L: usize>(
    kernel: &SweepKernel<T>,
    scratch: &mut Scratch<T>,
    n: usize,
    next: &[T],
    products: &mut bool,
) -> bool {
    if *products {
        // Products need no differences, so more sums at a time are needed to hide the latency of the additions.
        *products = if V::HAS_32_REGISTERS {
            inverse_squares::<T, V, L, { 2 * ROW_VECTORS }, true>(kernel, scratch, n, next)
        } else {
            inverse_squares::<T, V, L, ROW_VECTORS, true>(kernel, scratch, n, next)
        };
    }
    if !*products {
        inverse_squares::<T, V, L, ROW_VECTORS, false>(kernel, scratch, n, next);
    }
    // C·y² and weight/Z² remain finite and normal, and a square that underflows belongs to a membership below 1e-11.
    let power = |n: u32| (1u64 << n) as f64;
    let (max_z, min_z) = (T::cast(power(48)), T::cast(1.0 / power(26)));
    let (min_weight, max_weight) = (T::cast(1.0 / power(30)), T::cast(power(60)));
    let rows = scratch.nearest[..n.next_multiple_of(L)].iter().zip(scratch.weights.iter());
    let is_in_range =
        |z: T, w: T| (z > min_z) & (z < max_z) & ((w == T::ZERO) | ((w >= min_weight) & (w < max_weight)));
    if !rows.fold(true, |in_range, (z, w)| in_range & is_in_range(*z, *w)) {
        return false;
    }
    scale_columns::<T, V, L>(kernel, scratch, n);
    true
}

/// Writes y² to `degrees` and Z to `nearest`, `R` vectors of rows at a time; returns false if products cancel too much.
#[inline(always)]
fn inverse_squares<T: Real, V: Vector<T, L>, const L: usize, const R: usize, const PRODUCTS: bool>(
    kernel: &SweepKernel<T>,
    scratch: &mut Scratch<T>,
    n: usize,
    next: &[T],
) -> bool {
    let (x, _) = scratch.x.as_chunks::<L>();
    let (degrees, _) = scratch.degrees.as_chunks_mut::<L>();
    let (sums, _) = scratch.nearest.as_chunks_mut::<L>();
    let (columns, vectors) = (kernel.columns, STRIDE / L);
    let tiles_used = n.div_ceil(L * R);
    // Spread the prefetches of the next block evenly over all tiles.
    let (tiles, line) = (tiles_used * kernel.padded / CENTER_GROUP, CACHE_LINE / size_of::<T>());
    let mut lines = next.chunks((next.len() / line).div_ceil(tiles).max(1) * line);
    let centers = if PRODUCTS { &kernel.products.doubled } else { &kernel.grouped_centers };
    let max_norm = V::splat(T::cast(kernel.products.max_norm));
    let mut cancellation = V::splat(T::ZERO);
    for (v, sums) in sums.chunks_exact_mut(R).take(tiles_used).enumerate() {
        let (mut z, mut nearest) = ([V::splat(T::ZERO); R], [V::splat(T::ZERO); R]);
        let norms = if PRODUCTS { norms::<T, V, L, R>(&x[..columns * vectors], v * R) } else { z };
        for (group, centers) in centers.chunks_exact(CENTER_GROUP * columns).enumerate() {
            // The lines may run out before the tiles.
            lines.next().unwrap_or_default().iter().step_by(line).for_each(V::prefetch);
            let d = if PRODUCTS {
                products::<T, V, L, R>(centers, &kernel.products.norms[group * CENTER_GROUP..], x, v * R)
            } else {
                tile::<T, V, L, R>(centers, x, v * R)
            };
            for (member, d) in d.into_iter().enumerate() {
                let cluster = group * CENTER_GROUP + member;
                for r in 0..R {
                    let y = (if PRODUCTS { d[r] + norms[r] } else { d[r] }).reciprocal();
                    (y * y).store(&mut degrees[cluster * vectors + v * R + r]);
                    if cluster < kernel.clusters {
                        z[r] = z[r] + y;
                        if PRODUCTS {
                            nearest[r] = nearest[r].simd_max(y);
                        }
                    }
                }
            }
        }
        for r in 0..R {
            z[r].store(&mut sums[r]);
            cancellation = cancellation.simd_max(nearest[r] * (norms[r] + max_norm));
        }
    }
    let mut largest = [T::ZERO; L];
    cancellation.store(&mut largest);
    largest.iter().all(|largest| *largest <= T::cast(MAX_CANCELLATION))
}

/// |x|² of `R` vectors of rows.
#[inline(always)]
fn norms<T: Real, V: Vector<T, L>, const L: usize, const R: usize>(x: &[[T; L]], v: usize) -> [V; R] {
    let mut norms = [V::splat(T::ZERO); R];
    for x in x.chunks_exact(STRIDE / L) {
        for r in 0..R {
            let x = V::load(&x[v..v + R][r]);
            norms[r] = x.mul_add(x, norms[r]);
        }
    }
    norms
}

/// |v|² − 2xv, in the layout of [`tile`].
#[inline(always)]
fn products<T: Real, V: Vector<T, L>, const L: usize, const R: usize>(
    doubled: &[T],
    norms: &[T],
    x: &[[T; L]],
    v: usize,
) -> [[V; R]; CENTER_GROUP] {
    let mut d = [[V::splat(T::ZERO); R]; CENTER_GROUP];
    for member in 0..CENTER_GROUP {
        d[member] = [V::splat(norms[member]); R];
    }
    let (doubled, _) = doubled.as_chunks::<CENTER_GROUP>();
    for (centers, x) in doubled.iter().zip(x.chunks_exact(STRIDE / L)) {
        let x = &x[v..v + R];
        for member in 0..CENTER_GROUP {
            let center = V::splat(centers[member]);
            for r in 0..R {
                d[member][r] = V::load(&x[r]).mul_add(center, d[member][r]);
            }
        }
    }
    d
}

/// Writes weight/Z² to the mass column, multiplies the other lane-summed columns by it, and adds weight/Z to the
/// objective.
#[inline(always)]
fn scale_columns<T: Real, V: Vector<T, L>, const L: usize>(
    kernel: &SweepKernel<T>,
    scratch: &mut Scratch<T>,
    n: usize,
) {
    let (columns, masses) = scratch.x.split_at_mut(kernel.columns * STRIDE);
    let (factors, _) = masses[..BLOCK].as_chunks_mut::<L>();
    let (weights, _) = scratch.weights.as_chunks::<L>();
    let (sums, _) = scratch.nearest.as_chunks::<L>();
    let (objective, _) = scratch.objective.as_chunks_mut::<L>();
    for i in 0..n.div_ceil(L) {
        let inverse = V::splat(T::ONE) / V::load(&sums[i]);
        let part = V::load(&weights[i]) * inverse;
        (V::load(&objective[i]) + part).store(&mut objective[i]);
        (part * inverse).store(&mut factors[i]);
    }
    for x in columns[kernel.vector_columns * STRIDE..].as_chunks_mut::<L>().0.chunks_exact_mut(STRIDE / L) {
        for (x, factor) in x.iter_mut().zip(&*factors).take(n.div_ceil(L)) {
            (V::load(x) * V::load(factor)).store(x);
        }
    }
}
