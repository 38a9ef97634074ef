//! Equation (5) for the rules of one block.

#![allow(clippy::extra_unused_type_parameters)] // `vectors!` names the number, which is always f32 here

use super::super::learner::Course;
use super::rules::Block;
use super::sample::Sample;
use crate::device::{Vector, mul_add_f32, vectors};

vectors! {
    /// Moves the centers and widths of the rules `near`, by their q, that are in the blocks of a member of so many. A rule
    /// with q = 0 beside them stays as it is to the bit.
    pub(super) fn step(near: &[usize], q: &[f32], member_of: (usize, usize), blocks: &mut [Block], sample: &Sample, course: &Course) = step_body::<f32>;
}

#[inline(always)]
fn step_body<T, V: Vector<f32, L>, const FMA: bool, const L: usize>(
    near: &[usize],
    q: &[f32],
    (member, members): (usize, usize),
    blocks: &mut [Block],
    sample: &Sample,
    course: &Course,
) {
    let mut moved = near.iter().zip(q).filter(|(_, q)| **q != 0.0).peekable();
    let mut lanes = [0.0; L];
    while let Some((k, q)) = moved.next() {
        let block = k / L;
        lanes[k % L] = *q;
        if moved.peek().is_some_and(|(next, _)| **next / L == block) {
            continue;
        }
        if block % members == member {
            let block = &mut blocks[block / members];
            match (course.plain, sample.missing) {
                (false, false) => move_all::<false, false, FMA, L>(block, sample, &lanes, course),
                (false, true) => move_all::<false, true, FMA, L>(block, sample, &lanes, course),
                (true, _) => move_all::<true, true, FMA, L>(block, sample, &lanes, course),
            }
        }
        lanes = [0.0; L];
    }
}

#[inline(always)]
fn move_all<const PLAIN: bool, const MISSING: bool, const FMA: bool, const L: usize>(
    block: &mut Block,
    sample: &Sample,
    q: &[f32; L],
    course: &Course,
) {
    let most = 1.0 / course.least_width;
    let toward = q.map(|q| 2.0 * course.rate_m * q);
    let narrow = q.map(|q| 2.0 * course.rate_s * q);
    let planes = block.as_chunks_mut::<L>().0.as_chunks_mut::<2>().0;
    for ((planes, x), present) in planes.iter_mut().zip(&sample.x).zip(&sample.present) {
        let [a, minus_c] = planes;
        for i in 0..L {
            let mut z = mul_add_f32::<FMA>(a[i], *x, minus_c[i]);
            if MISSING {
                z *= present;
            }
            let scale = if PLAIN { a[i] * a[i] } else { 1.0 };
            let p = limit(toward[i] * scale, -0.5, 0.5); // −p of the equation, for −c
            let t = narrow[i] * z * z * scale;
            let s = if PLAIN { 1.0 / (1.0 - limit(t, -1.0, 0.5)) } else { 1.0 + t };
            let s = limit(s, 0.5, 2.0);
            let s = if (a[i] * s > most) & (s > 1.0) { 1.0 } else { s };
            minus_c[i] = mul_add_f32::<FMA>(p, z, minus_c[i]) * s;
            a[i] *= s;
        }
    }
}

/// `clamp` in two instructions.
#[inline(always)]
fn limit(x: f32, lower: f32, upper: f32) -> f32 {
    let x = if x > lower { x } else { lower };
    if x < upper { x } else { upper }
}
