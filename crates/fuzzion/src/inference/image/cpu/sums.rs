//! S of equation (3) for a row of pixels.

#[cfg(target_arch = "x86_64")]
use super::compass::pixels;
use super::compass::{BLOCK, compass};
use crate::device::{ENTRIES, Simd, look_up, simd};
use crate::inference::image::derive::{Part, Pattern, Shape};
use crate::inference::image::pixel::{Pixel, Sum};
use crate::inference::image::rows::{Rows, Source};

/// Rows whose ends are computed together.
pub(super) const MOST_ROWS: usize = BLOCK;

/// Pixels with kernels of their own.
pub(crate) trait Lanes: Pixel {
    /// The entry of a table at the largest |Dₖ| of the compass, as [`compass`] says; `sums` is room for those.
    fn compass(
        simd: Simd,
        rows: [&[Self]; 3],
        reach: Self,
        table: &[Self],
        sums: &mut [Self::Sum],
        out: &mut [Self],
    );
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
    ($type:ident, $sum:ident, $compass:ident, $compass_body:ident, $rule:ident, $rule_body:ident, $look_up:ident, $pixels:ident) => {
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
            fn compass(
                simd: Simd,
                rows: [&[Self]; 3],
                reach: Self,
                table: &[Self],
                sums: &mut [$sum],
                out: &mut [Self],
            ) {
                if !$pixels(simd, rows, reach, table, out) {
                    $compass(simd, rows, reach, sums);
                    $look_up(simd, table, sums, out);
                }
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
lanes!(u8, i16, compass_u8, compass_u8_body, rule_u8, rule_u8_body, look_up_u8, pixels_u8);
lanes!(u16, i32, compass_u16, compass_u16_body, rule_u16, rule_u16_body, plain_look_up, no_pixels);

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

/// Whether one kernel went from the rows to the pixels, which there is for bytes and short tables alone.
fn pixels_u8(simd: Simd, rows: [&[u8]; 3], reach: u8, table: &[u8], out: &mut [u8]) -> bool {
    #[cfg(target_arch = "x86_64")]
    if let Some(table) = table.as_array::<ENTRIES>()
        && out.len() >= BLOCK
    {
        return pixels(simd, rows, reach, table, out);
    }
    let _ = (simd, rows, reach, table, out);
    false
}

fn no_pixels<P>(_: Simd, _: [&[P]; 3], _: P, _: &[P], _: &mut [P]) -> bool {
    false
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

    /// The new pixels of row `y`, but for its first and last, of a picture whose rows can be read where they lie; whether
    /// that is so.
    pub(crate) fn row_in_place(
        &mut self,
        simd: Simd,
        source: &Source<'_, P>,
        y: usize,
        out: &mut [P],
    ) -> bool {
        let (Shape::Compass, Some(rows)) = (&self.pattern.shape, source.three_rows(y)) else { return false };
        if source.width < BLOCK + 2 {
            return false;
        }
        let inner = 1..source.width - 1;
        let (reach, sums) = (self.pattern.reach, &mut self.sums[inner.clone()]);
        P::compass(simd, rows, reach, &self.table, sums, &mut out[inner]);
        true
    }

    /// The first and the last pixels of at most [`MOST_ROWS`] rows that were computed in place, of which `first` is the
    /// topmost. The rules of the compass are the same along columns as along rows, so that a column is computed as a row is.
    pub(crate) fn ends(&mut self, simd: Simd, source: &Source<'_, P>, first: usize, out: &mut [P]) {
        let (width, reach) = (source.width, self.pattern.reach);
        let mut ends = [P::default(); BLOCK];
        for x in [0, width - 1] {
            let mut columns = [[P::default(); BLOCK + 2]; 3];
            for (column, dx) in columns.iter_mut().zip(-1..) {
                source.column(x as isize + dx, first as isize - 1, column);
            }
            let columns = columns.each_ref().map(|column| &column[..]);
            P::compass(simd, columns, reach, &self.table, &mut self.sums[..BLOCK], &mut ends);
            out.chunks_exact_mut(width).zip(&ends).for_each(|(row, end)| row[x] = *end);
        }
    }

    /// The new pixels of the row in the middle of `rows`.
    pub(crate) fn row(&mut self, simd: Simd, rows: &Rows<P>, out: &mut [P]) {
        match &self.pattern.shape {
            Shape::Compass => {
                let rows = [-1, 0, 1].map(|dy| rows.at(-1, dy));
                P::compass(simd, rows, self.pattern.reach, &self.table, &mut self.sums, out);
            }
            Shape::Any(rules) => {
                self.sums.fill(P::Sum::default());
                for parts in rules {
                    P::rule(simd, rows, self.pattern, parts, &mut self.one, &mut self.sums);
                }
                P::look_up(simd, &self.table, &self.sums, out);
            }
        }
    }
}
