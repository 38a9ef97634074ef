//! The series c ← a·c + b of lower-upper numbers.

use crate::arithmetic::cpu::cuts::{Bounds, Cuts};
use crate::arithmetic::rounding::Real;
use crate::device::{PLANE, Rounded};

/// Vectors of bounds whose series run side by side: enough to fill the time that one multiplication takes.
const GROUP: usize = 4;

/// a·c + b rounded once, again and again.
#[inline(always)]
pub(super) fn axpy_body<V: Rounded<Number: Real>>(
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
