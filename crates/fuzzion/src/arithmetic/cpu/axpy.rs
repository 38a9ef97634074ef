//! The series c ← a·c + b.

use super::Batch;
use super::cuts::{Bounds, Cuts};
use super::tasks::tasks_of;
use crate::arithmetic::rounding::Real;
use crate::device::{Cpu, PLANE, Rounded};
use crate::error::Result;
use crate::progress::Progress;

/// How much of the result is one task for a single step; less for more of them.
const TASK_BYTES: usize = 128 << 10;
/// Vectors of bounds whose series run side by side: enough to fill the time that one multiplication takes.
const GROUP: usize = 4;

/// c ← a·c + b, `steps` times for every number; a and b are as long as c, or one number for all.
///
/// # Errors
/// [`Error::Interrupted`](crate::Error::Interrupted), which leaves `c` half done.
pub(in crate::arithmetic) fn axpy<A: Batch>(
    c: &mut A,
    a: &A,
    b: &A,
    steps: usize,
    cpu: &Cpu,
    progress: Progress,
) -> Result<()> {
    let (simd, cuts, bytes) = (cpu.simd(), c.depth(), TASK_BYTES / steps.clamp(1, 32));
    let size = (bytes / c.block_bytes()).max(1);
    let spread = |array: &A| (array.count() != c.count()).then(|| array.spread(size));
    let spread = [spread(a), spread(b)];
    tasks_of(
        c,
        size,
        cpu,
        progress,
        || (),
        |_, first, count, c| {
            let [a, b] = [(a, &spread[0]), (b, &spread[1])].map(|(array, spread)| match spread {
                Some(spread) => spread.blocks(0..count),
                None => array.blocks(first..first + count),
            });
            A::axpy(simd, cuts, c, [a, b], steps);
        },
    )
}

/// The series of lower-upper numbers: a·c + b rounded once, again and again.
#[inline(always)]
pub(super) fn lu_body<V: Rounded<Number: Real>>(
    c: &mut [Bounds<V::Number>],
    a: &[Bounds<V::Number>],
    b: &[Bounds<V::Number>],
    steps: usize,
) {
    let vectors = c.len() * (PLANE / V::LANES);
    let grouped = vectors - vectors % GROUP;
    for first in (0..grouped).step_by(GROUP) {
        group::<V, GROUP>(c, a, b, steps, first);
    }
    for first in grouped..vectors {
        group::<V, 1>(c, a, b, steps, first);
    }
}

/// The series of `G` vectors of cuts, from the `first`th on.
#[inline(always)]
fn group<V: Rounded<Number: Real>, const G: usize>(
    c: &mut [Bounds<V::Number>],
    a: &[Bounds<V::Number>],
    b: &[Bounds<V::Number>],
    steps: usize,
    first: usize,
) {
    let place = |g: usize| ((first + g) * V::LANES / PLANE, (first + g) * V::LANES % PLANE);
    let nothing = [Cuts::<V>::unbounded(); G];
    let (mut factors, mut addends, mut start) = (nothing, nothing, nothing);
    let mut positive = true;
    for g in 0..G {
        let (plane, at) = place(g);
        factors[g] = Cuts::load(&a[plane], at);
        addends[g] = Cuts::load(&b[plane], at);
        start[g] = Cuts::load(&c[plane], at);
        positive &= factors[g].min(addends[g]).min(start[g]).is_positive();
    }
    let (mut cuts, mut known) = (start, true);
    if positive {
        // Then c stays so, and its bounds come of like bounds alone. 0·∞ would leave NaN to the end.
        for _ in 0..steps {
            for g in 0..G {
                cuts[g].lower = factors[g].lower.mul_add_down(cuts[g].lower, addends[g].lower);
                cuts[g].upper = factors[g].upper.mul_add_up(cuts[g].upper, addends[g].upper);
            }
        }
        for cuts in cuts {
            known &= !V::any(cuts.upper.unordered(cuts.upper));
        }
    } else {
        for g in 0..G {
            let mut unknown = cuts[g].lower.unordered(cuts[g].lower); // nowhere
            for _ in 0..steps {
                let (next, not_told) = factors[g].try_mul_add(cuts[g], addends[g]);
                (cuts[g], unknown) = (next, V::either(unknown, not_told));
            }
            known &= !V::any(unknown);
        }
    }
    for g in 0..G {
        if !known {
            cuts[g] = Cuts::one_by_one([factors[g], addends[g], start[g]], |[a, b, c]| {
                (0..steps).fold(c, |c, _| a.mul_add(&c, &b))
            });
        }
        let (plane, at) = place(g);
        cuts[g].store(&mut c[plane], at);
    }
}
