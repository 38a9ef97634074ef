//! Fuzzifier 2 in one go: the inverse distances themselves are the shares of a row.
//!
//! With y = 1/d and Z = Σ y, equation (2) is u = y/Z, and a row's part of the objective is 1/Z. The sums need u²x =
//! y²·(x/Z²): what belongs to the row alone multiplies its few columns instead of its many memberships.

use super::distance::{PAIR, tile};
use super::kernel::{BLOCK, Kernel, LINE, SIDE, STRIDE};
use super::scratch::Scratch;
use crate::device::Vector;
use crate::device::math::Real;

/// Leaves y² in `degrees` and weight/Z² in the column of masses, by which the rows are multiplied; asks for the rows of the `next` block on the way.
///
/// Returns false, and leaves the columns as they are, where a row lies on a center, or so near or far or is so light
/// or heavy that one of these is no number of this precision.
#[inline(always)]
pub(super) fn block<T: Real, V: Vector<T, L>, const L: usize>(
    kernel: &Kernel<T>,
    scratch: &mut Scratch<T>,
    n: usize,
    next: &[T],
) -> bool {
    shares::<T, V, L>(kernel, scratch, n, next);
    // C·y² and weight/Z² stay finite and normal, and a square too small for this precision belongs to a membership
    // below 1e-11.
    let [near, far, light, heavy] = [48.0, -26.0, -30.0, 60.0].map(|power: f64| T::of(power.exp2()));
    let rows = scratch.nearest[..n.next_multiple_of(L)].iter().zip(scratch.weights.iter());
    let is_tame = |z: T, w: T| (z > far) & (z < near) & ((w == T::ZERO) | ((w >= light) & (w < heavy)));
    if !rows.fold(true, |tame, (z, w)| tame & is_tame(*z, *w)) {
        return false;
    }
    weigh::<T, V, L>(kernel, scratch, n);
    true
}

/// y² to `degrees` and Z to `nearest`.
#[inline(always)]
fn shares<T: Real, V: Vector<T, L>, const L: usize>(
    kernel: &Kernel<T>,
    scratch: &mut Scratch<T>,
    n: usize,
    next: &[T],
) {
    let (x, _) = scratch.x.as_chunks::<L>();
    let (degrees, _) = scratch.degrees.as_chunks_mut::<L>();
    let (sums, _) = scratch.nearest.as_chunks_mut::<L>();
    let vectors = STRIDE / L;
    let used = n.div_ceil(L * PAIR);
    // The cache lines of the next block, evenly over all tiles.
    let (tiles, line) = (used * kernel.padded / SIDE, LINE / size_of::<T>());
    let mut lines = next.chunks((next.len() / line).div_ceil(tiles).max(1) * line);
    for (v, sums) in sums.chunks_exact_mut(PAIR).take(used).enumerate() {
        let mut z = [V::splat(T::ZERO); PAIR];
        for (group, centers) in kernel.beside.chunks_exact(SIDE * kernel.columns).enumerate() {
            lines.next().unwrap_or_default().iter().step_by(line).for_each(V::prefetch);
            let d = tile::<T, V, L>(centers, x, v * PAIR);
            for (side, d) in d.into_iter().enumerate() {
                let cluster = group * SIDE + side;
                for r in 0..PAIR {
                    let y = d[r].reciprocal();
                    (y * y).store(&mut degrees[cluster * vectors + v * PAIR + r]);
                    if cluster < kernel.clusters {
                        z[r] = z[r] + y;
                    }
                }
            }
        }
        for r in 0..PAIR {
            z[r].store(&mut sums[r]);
        }
    }
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
