//! Fuzzifier 2 in one go: the inverse distances themselves are the shares of a row.
//!
//! With y = 1/d and Z = Σ y, equation (2) is u = y/Z, and a row's part of the objective is 1/Z. The sums need u²x =
//! y²·(x/Z²): what belongs to the row alone multiplies its few columns instead of its many memberships.

use super::distance::tile;
use super::kernel::{BLOCK, Kernel, SIDE, STRIDE};
use super::scratch::Scratch;
use crate::device::Vector;
use crate::device::math::Real;

/// Leaves y² in `degrees` and weight/Z² in the column of masses, by which the rows are multiplied; asks for the rows of the `next` block on the way.
///
/// Returns false, and leaves the columns as they are, where a row lies on a center or so near or far that y² is no
/// number of this precision.
#[inline(always)]
pub(super) fn block<T: Real, V: Vector<T, L>, const L: usize>(
    kernel: &Kernel<T>,
    scratch: &mut Scratch<T>,
    n: usize,
    next: &[T],
) -> bool {
    if V::ROOMY {
        shares::<T, V, L, 2>(kernel, scratch, n, next);
    } else {
        shares::<T, V, L, 1>(kernel, scratch, n, next);
    }
    // C·y² stays finite, and a square too small for this precision belongs to a membership below 1e-11.
    let (least, most) = (T::of(f64::exp2(-26.0)), T::of(f64::exp2(48.0)));
    let sums = &scratch.nearest[..n.next_multiple_of(L)];
    if !sums.iter().fold(true, |tame, z| tame & (*z > least) & (*z < most)) {
        return false;
    }
    weigh::<T, V, L>(kernel, scratch, n);
    true
}

/// y² to `degrees` and Z to `nearest`, `R` vectors of rows at a time.
#[inline(always)]
fn shares<T: Real, V: Vector<T, L>, const L: usize, const R: usize>(
    kernel: &Kernel<T>,
    scratch: &mut Scratch<T>,
    n: usize,
    next: &[T],
) {
    let (x, _) = scratch.x.as_chunks::<L>();
    let (degrees, _) = scratch.degrees.as_chunks_mut::<L>();
    let (sums, _) = scratch.nearest.as_chunks_mut::<L>();
    let vectors = STRIDE / L;
    let used = n.div_ceil(L * R);
    // A vector is as long as a cache line, or half of it: the lines of the next block, evenly over all tiles.
    let tiles = used * kernel.padded / SIDE;
    let mut lines = next.chunks((next.len() / L).div_ceil(tiles).max(1) * L);
    for (v, sums) in sums.chunks_exact_mut(R).take(used).enumerate() {
        let mut z = [V::splat(T::ZERO); R];
        for (group, centers) in kernel.beside.chunks_exact(SIDE * kernel.columns).enumerate() {
            lines.next().unwrap_or_default().iter().step_by(L).for_each(V::prefetch);
            let d = tile::<T, V, L, R>(centers, x, v * R);
            for (side, d) in d.into_iter().enumerate() {
                let cluster = group * SIDE + side;
                for r in 0..R {
                    let y = d[r].reciprocal();
                    (y * y).store(&mut degrees[cluster * vectors + v * R + r]);
                    if cluster < kernel.clusters {
                        z[r] = z[r] + y;
                    }
                }
            }
        }
        for r in 0..R {
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
