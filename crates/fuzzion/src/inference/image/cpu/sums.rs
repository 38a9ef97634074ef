//! S of Equation (3) for a row of pixels.

#[cfg(target_arch = "x86_64")]
use super::compass::compass_pixels;
use super::compass::{BLOCK, compass};
use crate::device::{LOOKUP_ENTRIES, Simd, look_up, simd};
use crate::inference::image::fast_path::{SumPattern, SumRules, SumTerm};
use crate::inference::image::window::{Pixel, PlaneSource, Sum, WindowRows};

/// Maximum number of rows whose ends are computed together.
pub(super) const MAX_ROWS: usize = BLOCK;

/// SIMD kernels of a pixel type.
pub(crate) trait PixelKernels: Pixel {
    /// Runs the fused kernel from rows to pixels; returns whether it supports the CPU, the table size and the row length.
    fn compass_pixels(_: Simd, _: [&[Self]; 3], _: Self, _: &[Self], _: &mut [Self]) -> bool {
        false
    }
    /// Table entries at the sums.
    fn look_up(_: Simd, table: &[Self], sums: &[Self::Sum], out: &mut [Self]) {
        out.iter_mut().zip(sums).for_each(|(out, sum)| *out = table[sum.index()]);
    }
}

impl PixelKernels for u8 {
    #[cfg(target_arch = "x86_64")]
    fn compass_pixels(simd: Simd, rows: [&[u8]; 3], threshold: u8, table: &[u8], out: &mut [u8]) -> bool {
        match table.as_array::<LOOKUP_ENTRIES>() {
            Some(table) if out.len() >= BLOCK => compass_pixels(simd, rows, threshold, table, out),
            _ => false,
        }
    }
    fn look_up(simd: Simd, table: &[u8], sums: &[i16], out: &mut [u8]) {
        match table.as_array::<LOOKUP_ENTRIES>() {
            Some(table) => look_up(simd, table, sums, out),
            None => out.iter_mut().zip(sums).for_each(|(out, sum)| *out = table[sum.index()]),
        }
    }
}

impl PixelKernels for u16 {}

simd! { fn compass_sums<P: Pixel>(rows: [&[P]; 3], threshold: P, out: &mut [P::Sum]) = compass; }

simd! {
    fn rule<P: Pixel>(
        rows: &WindowRows<P>, pattern: &SumPattern<P>, terms: &[SumTerm], sum: &mut [P::Sum], out: &mut [P::Sum],
    ) = rule_body;
}

/// Sets `out` to the maximum of itself and nT + Σ ± the clamped differences of one rule.
#[inline(always)]
fn rule_body<P: Pixel, const FMA: bool>(
    rows: &WindowRows<P>,
    pattern: &SumPattern<P>,
    terms: &[SumTerm],
    sum: &mut [P::Sum],
    out: &mut [P::Sum],
) {
    let n = out.len();
    let threshold = pattern.threshold;
    sum.fill(P::Sum::from_i32(terms.len() as i32 * threshold.value() as i32));
    let centers = &rows.at(0, 0)[..n];
    for term in terms {
        let sign = P::Sum::from_i32(term.sign);
        let read = &rows.at(term.tap.dx, term.tap.dy)[..n];
        for ((sum, n), c) in sum.iter_mut().zip(read).zip(centers) {
            let clamped = (*n).max(c.saturating_sub(threshold)).min(c.saturating_add(threshold));
            *sum = *sum + sign * (P::Sum::from(clamped) - P::Sum::from(*c));
        }
    }
    out.iter_mut().zip(sum).for_each(|(out, sum)| *out = (*out).max(*sum));
}

/// Table entries at the largest |Dₖ| of [`compass`]; `sums` is a buffer for the sums.
fn compass_row<P: PixelKernels>(
    simd: Simd,
    rows: [&[P]; 3],
    threshold: P,
    table: &[P],
    sums: &mut [P::Sum],
    out: &mut [P],
) {
    if !P::compass_pixels(simd, rows, threshold, table, out) {
        compass_sums(simd, rows, threshold, sums);
        P::look_up(simd, table, sums, out);
    }
}

/// Computes rows by table lookup over sums.
pub(crate) struct SumKernel<'a, P: PixelKernels> {
    pattern: &'a SumPattern<P>,
    /// Padded to the minimum length for vectorized lookup.
    table: Vec<P>,
    sums: Vec<P::Sum>,
    /// Sums of one rule.
    rule_sums: Vec<P::Sum>,
}

impl<'a, P: PixelKernels> SumKernel<'a, P> {
    pub(crate) fn new(pattern: &'a SumPattern<P>, table: &[P], width: usize) -> Self {
        let row = || vec![P::Sum::default(); width];
        let mut table = table.to_vec();
        table.resize(table.len().max(LOOKUP_ENTRIES), P::default());
        SumKernel { pattern, table, sums: row(), rule_sums: row() }
    }

    /// Computes row `y` except its first and last pixels, if the rows can be read directly from the frame; returns
    /// whether they can.
    pub(crate) fn inner_row(
        &mut self,
        simd: Simd,
        source: &PlaneSource<'_, P>,
        y: usize,
        out: &mut [P],
    ) -> bool {
        let (SumRules::Compass, Some(rows)) = (&self.pattern.rules, source.three_rows(y)) else {
            return false;
        };
        if source.width < BLOCK + 2 {
            return false;
        }
        let inner = 1..source.width - 1;
        let (threshold, sums) = (self.pattern.threshold, &mut self.sums[inner.clone()]);
        compass_row(simd, rows, threshold, &self.table, sums, &mut out[inner]);
        true
    }

    /// Computes the first and last pixels of at most [`MAX_ROWS`] rows, starting with row `first`, after
    /// [`SumKernel::inner_row`]. The compass rules are symmetric in rows and columns, so a column is computed like a row.
    pub(crate) fn row_ends(&mut self, simd: Simd, source: &PlaneSource<'_, P>, first: usize, out: &mut [P]) {
        let (width, threshold) = (source.width, self.pattern.threshold);
        let mut ends = [P::default(); BLOCK];
        for x in [0, width - 1] {
            let mut columns = [[P::default(); BLOCK + 2]; 3];
            for (column, dx) in columns.iter_mut().zip(-1..) {
                source.column(x as isize + dx, first as isize - 1, column);
            }
            let columns = columns.each_ref().map(|column| &column[..]);
            compass_row(simd, columns, threshold, &self.table, &mut self.sums[..BLOCK], &mut ends);
            out.chunks_exact_mut(width).zip(&ends).for_each(|(row, end)| row[x] = *end);
        }
    }

    /// Computes the center row of `rows`.
    pub(crate) fn row(&mut self, simd: Simd, rows: &WindowRows<P>, out: &mut [P]) {
        match &self.pattern.rules {
            SumRules::Compass => {
                let rows = [-1, 0, 1].map(|dy| rows.at(-1, dy));
                compass_row(simd, rows, self.pattern.threshold, &self.table, &mut self.sums, out);
            }
            SumRules::General(rules) => {
                self.sums.fill(P::Sum::default());
                for terms in rules {
                    rule(simd, rows, self.pattern, terms, &mut self.rule_sums, &mut self.sums);
                }
                P::look_up(simd, &self.table, &self.sums, out);
            }
        }
    }
}
