//! Fuzzifier 2 in one go: the inverse distances themselves are the shares of a row.
//!
//! With y = 1/d and Z = Σ y, equation (2) is u = y/Z, and a row's part of the objective is 1/Z. The sums need u²x =
//! y²·(x/Z²): what belongs to the row alone multiplies its few columns instead of its many memberships.
//!
//! Where columns are many, d = |x|² + (|v|² − 2xv) takes one instruction per column instead of two, but cancels. A
//! block in which a distance is below 1/[`CANCELS`] of |x|² + |v|² is computed as differences: five bits may be lost, so
//! that y is good to 2⁻¹⁹ times the few roundings of a sum, which is less than 1e-5.

use super::distance::{PAIR, tile};
use super::kernel::{BLOCK, Kernel, LINE, SIDE, STRIDE};
use super::scratch::Scratch;
use crate::device::Vector;
use crate::device::math::Real;

/// How far |x|² + |v|² may exceed a distance that is computed from them.
const CANCELS: f64 = 32.0;
/// Columns from which on products are worth the |x|² they need.
const MANY: usize = 16;

/// What products need of the centers; empty where differences are computed.
pub(super) struct Products<T> {
    /// −2v, as [`Kernel::beside`].
    doubled: Vec<T>,
    /// |v|².
    norms: Vec<T>,
    longest: f64,
}

impl<T: Real> Products<T> {
    /// `beside` are the centers as they lie side by side, `columns` each.
    pub(super) fn new(beside: &[T], columns: usize) -> Self {
        if columns < MANY {
            return Products { doubled: Vec::new(), norms: Vec::new(), longest: 0.0 };
        }
        let mut norms = vec![0.0; beside.len() / columns];
        for (norms, centers) in norms.chunks_exact_mut(SIDE).zip(beside.chunks_exact(SIDE * columns)) {
            for centers in centers.as_chunks::<SIDE>().0 {
                norms.iter_mut().zip(centers).for_each(|(norm, v)| *norm += v.to_f64() * v.to_f64());
            }
        }
        Products {
            doubled: beside.iter().map(|v| -T::TWO * *v).collect(),
            longest: norms.iter().copied().fold(0.0, f64::max),
            norms: norms.into_iter().map(T::of).collect(),
        }
    }

    pub(super) fn are_made(&self) -> bool {
        !self.norms.is_empty()
    }
}

/// Leaves y² in `degrees` and weight/Z² in the column of masses, by which the rows are multiplied; asks for the rows of
/// the `next` block on the way. `products` says whether to try products, and becomes false where they do not do.
///
/// Returns false, and leaves the columns as they are, where a row lies on a center, or so near or far or is so light
/// or heavy that one of these is no number of this precision.
#[inline(always)]
pub(super) fn block<T: Real, V: Vector<T, L>, const L: usize>(
    kernel: &Kernel<T>,
    scratch: &mut Scratch<T>,
    n: usize,
    next: &[T],
    products: &mut bool,
) -> bool {
    if *products {
        // Products have no difference to wait for, and want more sums at a time to keep the adders busy.
        *products = if V::ROOMY {
            shares::<T, V, L, { 2 * PAIR }, true>(kernel, scratch, n, next)
        } else {
            shares::<T, V, L, PAIR, true>(kernel, scratch, n, next)
        };
    }
    if !*products {
        shares::<T, V, L, PAIR, false>(kernel, scratch, n, next);
    }
    // C·y² and weight/Z² stay finite and normal, and a square too small for this precision belongs to a membership
    // below 1e-11.
    let power = |n: u32| (1u64 << n) as f64;
    let (near, far) = (T::of(power(48)), T::of(1.0 / power(26)));
    let (light, heavy) = (T::of(1.0 / power(30)), T::of(power(60)));
    let rows = scratch.nearest[..n.next_multiple_of(L)].iter().zip(scratch.weights.iter());
    let is_tame = |z: T, w: T| (z > far) & (z < near) & ((w == T::ZERO) | ((w >= light) & (w < heavy)));
    if !rows.fold(true, |tame, (z, w)| tame & is_tame(*z, *w)) {
        return false;
    }
    weigh::<T, V, L>(kernel, scratch, n);
    true
}

/// y² to `degrees` and Z to `nearest`, `R` vectors of rows at a time; false where products cancel too much.
#[inline(always)]
fn shares<T: Real, V: Vector<T, L>, const L: usize, const R: usize, const PRODUCTS: bool>(
    kernel: &Kernel<T>,
    scratch: &mut Scratch<T>,
    n: usize,
    next: &[T],
) -> bool {
    let (x, _) = scratch.x.as_chunks::<L>();
    let (degrees, _) = scratch.degrees.as_chunks_mut::<L>();
    let (sums, _) = scratch.nearest.as_chunks_mut::<L>();
    let (columns, vectors) = (kernel.columns, STRIDE / L);
    let used = n.div_ceil(L * R);
    // The cache lines of the next block, evenly over all tiles.
    let (tiles, line) = (used * kernel.padded / SIDE, LINE / size_of::<T>());
    let mut lines = next.chunks((next.len() / line).div_ceil(tiles).max(1) * line);
    let centers = if PRODUCTS { &kernel.products.doubled } else { &kernel.beside };
    let longest = V::splat(T::of(kernel.products.longest));
    let mut cancelled = V::splat(T::ZERO);
    for (v, sums) in sums.chunks_exact_mut(R).take(used).enumerate() {
        let (mut z, mut most) = ([V::splat(T::ZERO); R], [V::splat(T::ZERO); R]);
        let norms = if PRODUCTS { norms::<T, V, L, R>(&x[..columns * vectors], v * R) } else { z };
        for (group, centers) in centers.chunks_exact(SIDE * columns).enumerate() {
            lines.next().unwrap_or_default().iter().step_by(line).for_each(V::prefetch);
            let d = if PRODUCTS {
                products::<T, V, L, R>(centers, &kernel.products.norms[group * SIDE..], x, v * R)
            } else {
                tile::<T, V, L, R>(centers, x, v * R)
            };
            for (side, d) in d.into_iter().enumerate() {
                let cluster = group * SIDE + side;
                for r in 0..R {
                    let y = (if PRODUCTS { d[r] + norms[r] } else { d[r] }).reciprocal();
                    (y * y).store(&mut degrees[cluster * vectors + v * R + r]);
                    if cluster < kernel.clusters {
                        z[r] = z[r] + y;
                        if PRODUCTS {
                            most[r] = most[r].most(y);
                        }
                    }
                }
            }
        }
        for r in 0..R {
            z[r].store(&mut sums[r]);
            cancelled = cancelled.most(most[r] * (norms[r] + longest));
        }
    }
    let mut worst = [T::ZERO; L];
    cancelled.store(&mut worst);
    worst.iter().all(|worst| *worst <= T::of(CANCELS))
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

/// |v|² − 2xv, as [`tile`].
#[inline(always)]
fn products<T: Real, V: Vector<T, L>, const L: usize, const R: usize>(
    doubled: &[T],
    norms: &[T],
    x: &[[T; L]],
    v: usize,
) -> [[V; R]; SIDE] {
    let mut d = [[V::splat(T::ZERO); R]; SIDE];
    for side in 0..SIDE {
        d[side] = [V::splat(norms[side]); R];
    }
    let (doubled, _) = doubled.as_chunks::<SIDE>();
    for (centers, x) in doubled.iter().zip(x.chunks_exact(STRIDE / L)) {
        let x = &x[v..v + R];
        for side in 0..SIDE {
            let center = V::splat(centers[side]);
            for r in 0..R {
                d[side][r] = V::load(&x[r]).mul_add(center, d[side][r]);
            }
        }
    }
    d
}

/// Leaves weight/Z² as the column of masses and multiplies the other columns that are summed in lanes by it; adds
/// weight/Z to the objective.
#[inline(always)]
fn weigh<T: Real, V: Vector<T, L>, const L: usize>(kernel: &Kernel<T>, scratch: &mut Scratch<T>, n: usize) {
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
    for x in columns[kernel.wide * STRIDE..].as_chunks_mut::<L>().0.chunks_exact_mut(STRIDE / L) {
        for (x, factor) in x.iter_mut().zip(&*factors).take(n.div_ceil(L)) {
            (V::load(x) * V::load(factor)).store(x);
        }
    }
}
