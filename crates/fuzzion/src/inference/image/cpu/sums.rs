//! S of equation (3) for a row of pixels.

use crate::device::{ENTRIES, Simd, look_up, simd};
use crate::inference::image::derive::{Part, Pattern, Shape};
use crate::inference::image::pixel::{Pixel, Sum};
use crate::inference::image::rows::{Rows, Source};

/// Pixels that are computed at once: what a vector of the longest kind holds of bytes.
const BLOCK: usize = 64;

/// Pixels with kernels of their own.
pub(crate) trait Lanes: Pixel {
    /// The largest |Dₖ| of the compass, as [`compass`] says.
    fn compass(simd: Simd, rows: [&[Self]; 3], reach: Self, out: &mut [Self::Sum]);
    /// The entry of a table at each sum.
    fn look_up(simd: Simd, table: &[Self], sums: &[Self::Sum], out: &mut [Self]);
    /// One rule more, as [`rule`] says.
    fn rule(
        simd: Simd,
        rows: &Rows<Self>,
        pattern: &Pattern<Self>,
        parts: &[Part],
        sum: &mut [Self::Sum],
        out: &mut [Self::Sum],
    );
}

macro_rules! lanes {
    ($type:ident, $sum:ident, $compass:ident, $compass_body:ident, $rule:ident, $rule_body:ident, $look_up:ident) => {
        simd! { fn $compass(rows: [&[$type]; 3], reach: $type, out: &mut [$sum]) = $compass_body; }
        simd! {
            fn $rule(
                rows: &Rows<$type>, pattern: &Pattern<$type>, parts: &[Part], sum: &mut [$sum], out: &mut [$sum],
            ) = $rule_body;
        }

        #[inline(always)]
        fn $compass_body<const FMA: bool>(rows: [&[$type]; 3], reach: $type, out: &mut [$sum]) {
            compass(rows, reach, out);
        }

        #[inline(always)]
        fn $rule_body<const FMA: bool>(
            rows: &Rows<$type>,
            pattern: &Pattern<$type>,
            parts: &[Part],
            sum: &mut [$sum],
            out: &mut [$sum],
        ) {
            rule(rows, pattern, parts, sum, out);
        }

        impl Lanes for $type {
            fn compass(simd: Simd, rows: [&[Self]; 3], reach: Self, out: &mut [$sum]) {
                $compass(simd, rows, reach, out);
            }
            fn look_up(simd: Simd, table: &[Self], sums: &[$sum], out: &mut [Self]) {
                $look_up(simd, table, sums, out);
            }
            fn rule(
                simd: Simd,
                rows: &Rows<Self>,
                pattern: &Pattern<Self>,
                parts: &[Part],
                sum: &mut [$sum],
                out: &mut [$sum],
            ) {
                $rule(simd, rows, pattern, parts, sum, out);
            }
        }
    };
}
lanes!(u8, i16, compass_u8, compass_u8_body, rule_u8, rule_u8_body, look_up_u8);
lanes!(u16, i32, compass_u16, compass_u16_body, rule_u16, rule_u16_body, plain_look_up);

/// With qₘ the clamped difference of neighbor m, clockwise from the northwest, and rₘ = qₘ − qₘ₊₄: the rules of the
/// compass are ±D₀ … ±D₃ with D₀ = r₀+r₁+r₂, D₁ = r₁+r₂+r₃, D₂ = r₂+r₃−r₀, D₃ = r₃−r₀−r₁, so that S − nT = max |Dₖ|.
/// Rows begin one pixel before the first that is computed, and end one after the last.
#[inline(always)]
fn compass<P: Pixel>([above, here, below]: [&[P]; 3], reach: P, out: &mut [P::Sum]) {
    let n = out.len();
    for first in (0..n / BLOCK).map(|block| block * BLOCK) {
        compass_block::<P, BLOCK>(
            [&above[first..], &here[first..], &below[first..]],
            reach,
            &mut out[first..],
        );
    }
    match n.checked_sub(BLOCK) {
        // The last block begins within the one before it, which is quicker than pixel by pixel.
        Some(first) if !n.is_multiple_of(BLOCK) => {
            compass_block::<P, BLOCK>(
                [&above[first..], &here[first..], &below[first..]],
                reach,
                &mut out[first..],
            );
        }
        Some(_) => {}
        None => (0..n).for_each(|x| {
            compass_block::<P, 1>([&above[x..], &here[x..], &below[x..]], reach, &mut out[x..]);
        }),
    }
}

/// `N` pixels at once; rows begin one pixel before the first of them.
#[inline(always)]
fn compass_block<P: Pixel, const N: usize>([above, here, below]: [&[P]; 3], reach: P, out: &mut [P::Sum]) {
    let read = |row: &[P], first: usize| {
        let mut pixels = [P::default(); N];
        pixels.copy_from_slice(&row[first..first + N]);
        pixels
    };
    let centers = read(here, 1);
    // To clamp the neighbor round the center is to clamp the difference, in half the bits; the center cancels in rₘ.
    let clamped = |row: &[P], first: usize| {
        let mut q = read(row, first);
        for (q, c) in q.iter_mut().zip(&centers) {
            *q = (*q).max(c.saturating_sub(reach)).min(c.saturating_add(reach));
        }
        q
    };
    let (q0, q4) = (clamped(above, 0), clamped(below, 2));
    let (q1, q5) = (clamped(above, 1), clamped(below, 1));
    let (q2, q6) = (clamped(above, 2), clamped(below, 0));
    let (q3, q7) = (clamped(here, 2), clamped(here, 0));
    let out = &mut out[..N];
    for x in 0..N {
        let less = |a: &[P; N], b: &[P; N]| P::Sum::from(a[x]) - P::Sum::from(b[x]);
        let (r0, r1, r2, r3) = (less(&q0, &q4), less(&q1, &q5), less(&q2, &q6), less(&q3, &q7));
        let (d0, d1) = ((r0 + r1 + r2).abs(), (r1 + r2 + r3).abs());
        let (d2, d3) = ((r2 + r3 - r0).abs(), (r3 - r0 - r1).abs());
        out[x] = d0.max(d1).max(d2.max(d3));
    }
}

/// The larger of `out` and nT + Σ ± the clamped differences of one rule.
#[inline(always)]
fn rule<P: Pixel>(
    rows: &Rows<P>,
    pattern: &Pattern<P>,
    parts: &[Part],
    sum: &mut [P::Sum],
    out: &mut [P::Sum],
) {
    let n = out.len();
    let reach = pattern.reach;
    sum.fill(P::Sum::of(parts.len() as i32 * reach.number() as i32));
    let centers = &rows.at(0, 0)[..n];
    for part in parts {
        let sign = P::Sum::of(part.sign);
        let read = &rows.at(part.tap.dx, part.tap.dy)[..n];
        for ((sum, n), c) in sum.iter_mut().zip(read).zip(centers) {
            let clamped = (*n).max(c.saturating_sub(reach)).min(c.saturating_add(reach));
            *sum = *sum + sign * (P::Sum::from(clamped) - P::Sum::from(*c));
        }
    }
    out.iter_mut().zip(sum).for_each(|(out, sum)| *out = (*out).max(*sum));
}

fn plain_look_up<P: Pixel>(_: Simd, table: &[P], sums: &[P::Sum], out: &mut [P]) {
    out.iter_mut().zip(sums).for_each(|(out, sum)| *out = table[sum.place()]);
}

fn look_up_u8(simd: Simd, table: &[u8], sums: &[i16], out: &mut [u8]) {
    match table.as_array::<ENTRIES>() {
        Some(table) => look_up(simd, table, sums, out),
        None => plain_look_up(simd, table, sums, out),
    }
}

/// Room for the sums of a row.
pub(crate) struct Sums<'a, P: Lanes> {
    pattern: &'a Pattern<P>,
    /// At least as long as those that vectors look up.
    table: Vec<P>,
    sums: Vec<P::Sum>,
    /// Those of one rule.
    one: Vec<P::Sum>,
}

impl<'a, P: Lanes> Sums<'a, P> {
    pub(crate) fn new(pattern: &'a Pattern<P>, table: &[P], width: usize) -> Self {
        let row = || vec![P::Sum::default(); width];
        let mut table = table.to_vec();
        table.resize(table.len().max(ENTRIES), P::default());
        Sums { pattern, table, sums: row(), one: row() }
    }

    /// The new pixels of row `y` of a picture whose rows can be read where they lie; whether that is so.
    pub(crate) fn row_in_place(
        &mut self,
        simd: Simd,
        source: &Source<'_, P>,
        y: usize,
        out: &mut [P],
    ) -> bool {
        let (Shape::Compass, Some(rows)) = (&self.pattern.shape, source.three_rows(y)) else { return false };
        let (width, reach) = (source.width, self.pattern.reach);
        if width < BLOCK + 2 {
            return false;
        }
        P::compass(simd, rows, reach, &mut self.sums[1..width - 1]);
        for x in [0, width - 1] {
            let three = rows.map(|row| [-1, 0, 1].map(|dx| source.pixel(row, x as isize + dx)));
            compass_block::<P, 1>(three.each_ref().map(|row| &row[..]), reach, &mut self.sums[x..]);
        }
        P::look_up(simd, &self.table, &self.sums, out);
        true
    }

    /// The new pixels of the row in the middle of `rows`.
    pub(crate) fn row(&mut self, simd: Simd, rows: &Rows<P>, out: &mut [P]) {
        match &self.pattern.shape {
            Shape::Compass => {
                let rows = [-1, 0, 1].map(|dy| rows.at(-1, dy));
                P::compass(simd, rows, self.pattern.reach, &mut self.sums);
            }
            Shape::Any(rules) => {
                self.sums.fill(P::Sum::default());
                for parts in rules {
                    P::rule(simd, rows, self.pattern, parts, &mut self.one, &mut self.sums);
                }
            }
        }
        P::look_up(simd, &self.table, &self.sums, out);
    }
}
