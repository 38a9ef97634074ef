//! The iteration c ← a·c + b of lower-upper numbers.

use crate::arithmetic::cpu::cut_vector::{Bounds, CutVector};
use crate::arithmetic::rounding::Real;
use crate::device::{PLANE, Rounded};

/// Vectors iterated in parallel, to hide the latency of the multiply-add.
const GROUP: usize = 4;

/// Iterates c ← a·c + b, rounded once per step.
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
        iterate_group::<V, GROUP>(c, a, b, steps, first);
    }
    for first in grouped..vectors {
        iterate_group::<V, 1>(c, a, b, steps, first);
    }
}

/// Iterates `G` vectors of cuts, starting from vector `first`.
#[inline(always)]
fn iterate_group<V: Rounded<Number: Real>, const G: usize>(
    c: &mut [Bounds<V::Number>],
    a: &[Bounds<V::Number>],
    b: &[Bounds<V::Number>],
    steps: usize,
    first: usize,
) {
    let position = |g: usize| ((first + g) * V::LANES / PLANE, (first + g) * V::LANES % PLANE);
    let unset = [CutVector::<V>::unbounded(); G];
    let (mut factors, mut addends, mut start) = (unset, unset, unset);
    let mut nonnegative = true;
    for g in 0..G {
        let (plane, at) = position(g);
        factors[g] = CutVector::load(&a[plane], at);
        addends[g] = CutVector::load(&b[plane], at);
        start[g] = CutVector::load(&c[plane], at);
        nonnegative &= factors[g].min(addends[g]).min(start[g]).is_nonnegative();
    }
    let (mut cuts, mut valid) = (start, true);
    if nonnegative {
        // c stays nonnegative, so each bound depends only on bounds of the same side. 0·∞ gives NaN, which persists.
        for _ in 0..steps {
            for g in 0..G {
                cuts[g].lower = factors[g].lower.mul_add_down(cuts[g].lower, addends[g].lower);
                cuts[g].upper = factors[g].upper.mul_add_up(cuts[g].upper, addends[g].upper);
            }
        }
        for cuts in cuts {
            valid &= !V::any(cuts.upper.unordered(cuts.upper));
        }
    } else {
        for g in 0..G {
            let mut invalid = cuts[g].lower.unordered(cuts[g].lower); // all lanes false
            for _ in 0..steps {
                let (next, newly_invalid) = factors[g].try_mul_add(cuts[g], addends[g]);
                (cuts[g], invalid) = (next, V::mask_or(invalid, newly_invalid));
            }
            valid &= !V::any(invalid);
        }
    }
    for g in 0..G {
        if !valid {
            cuts[g] = CutVector::scalar_fallback([factors[g], addends[g], start[g]], |[a, b, c]| {
                (0..steps).fold(c, |c, _| a.mul_add(&c, &b))
            });
        }
        let (plane, at) = position(g);
        cuts[g].store(&mut c[plane], at);
    }
}
