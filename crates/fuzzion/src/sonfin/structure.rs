//! Rules before anything is learned: passes over the rows that only add them.

use super::network::Network;
use super::samples::Samples;
use crate::device::{Simd, mul_add_f32, simd};
use crate::error::Result;
use crate::progress::Progress;

/// Rows that a budget is found with; more would find the same.
const ROWS: usize = 16_384;
/// Halvings of the range of γ, which is then known to a two-thousandth.
const HALVINGS: usize = 11;
/// γ lies between these: there are as many rules as rows below, and hardly more than one above.
const GAMMAS: (f32, f32) = (0.02, 1.2);
/// Pairs of rows whose median distance is the typical one.
const PAIRS: usize = 1001;
/// Rows between two reports.
const PIECE: usize = 512;
const LANES: usize = 16;
/// Inputs between two looks at whether a block can still hold the nearest rule.
const LOOK: usize = 64;

/// What makes a rule: equation (3).
#[derive(Clone, Copy)]
pub(super) struct Widths {
    pub(super) beta: f32,
    pub(super) first: f32,
    pub(super) least: f32,
}

/// The median distance of two rows, missing inputs left out; 1 where rows are all the same.
pub(super) fn typical_distance(samples: &Samples, rows: &[u32], simd: Simd) -> f32 {
    let n = rows.len();
    // A fixed stride that shares no factor with most numbers of rows pairs rows that are far from each other in the order.
    let pair = |i: usize| {
        let (first, second) = (i * 7919 % n, (i * 7919 + 1 + i % (n - 1).max(1)) % n);
        let at = |row: usize| samples.inputs_of(rows[row] as usize);
        square(simd, at(first), at(second)).sqrt()
    };
    let mut apart: Vec<f32> = (0..PAIRS).map(pair).filter(|distance| *distance > 0.0).collect();
    apart.sort_by(f32::total_cmp);
    apart.get(apart.len() / 2).copied().unwrap_or(1.0)
}

/// The γ with which about `budget` rules are added, and never more.
pub(super) fn gamma_for(
    samples: &Samples,
    rows: &[u32],
    budget: usize,
    widths: Widths,
    simd: Simd,
    progress: Progress<'_>,
) -> Result<f32> {
    let rows = &rows[..rows.len().min(ROWS)];
    let (mut few, mut many) = (GAMMAS.1, GAMMAS.0);
    for _ in 0..HALVINGS {
        let middle = 0.5 * (few + many);
        let grown = grown(samples, rows, middle, budget + 1, widths, simd, progress)?;
        if grown.rules() > budget { many = middle } else { few = middle }
    }
    Ok(few)
}

/// The rules that a pass over `rows` adds, at most `most`.
pub(super) fn grown(
    samples: &Samples,
    rows: &[u32],
    gamma: f32,
    most: usize,
    widths: Widths,
    simd: Simd,
    progress: Progress<'_>,
) -> Result<Network> {
    let mut network = Network::empty(samples.dims, samples.outputs);
    let mut centers = Centers { dims: samples.dims, rules: 0, places: Vec::new(), inverse: Vec::new() };
    for (i, row) in rows.iter().enumerate() {
        if i % PIECE == 0 {
            progress.report(0, 0)?;
        }
        if network.rules() >= most {
            break;
        }
        let x = samples.inputs_of(*row as usize);
        let (least, apart) = nearest(simd, x, &centers.places, &centers.inverse);
        if least < 1.0 {
            continue;
        }
        let width = if centers.rules == 0 { widths.first } else { widths.beta * apart.sqrt() };
        let width = width.max(widths.least);
        network.add(x, samples.targets_of(*row as usize), width);
        // A rule of width β·r covers what is nearer than r·γ: distance/σ < γ/β.
        centers.add(x, (width * gamma / widths.beta).powi(2));
    }
    Ok(network)
}

/// Rules side by side, so that one vector holds an input of several.
struct Centers {
    dims: usize,
    rules: usize,
    /// Block by block of [`LANES`] rules, input by input.
    places: Vec<f32>,
    /// 1 over the square of the distance that each covers; infinite where there is no rule.
    inverse: Vec<f32>,
}

impl Centers {
    fn add(&mut self, x: &[f32], covers: f32) {
        let (block, lane) = (self.rules / LANES, self.rules % LANES);
        if lane == 0 {
            self.places.resize((block + 1) * self.dims * LANES, 0.0);
            self.inverse.resize((block + 1) * LANES, f32::INFINITY);
        }
        for (j, x) in x.iter().enumerate() {
            self.places[(block * self.dims + j) * LANES + lane] = *x;
        }
        self.inverse[self.rules] = 1.0 / covers;
        self.rules += 1;
    }
}

simd! {
    /// The least square of a distance from x, in what the rule covers, and the square itself; any below 1 where there is one.
    fn nearest(x: &[f32], places: &[f32], inverse: &[f32]) -> (f32, f32) = nearest_body;
}

#[inline(always)]
fn nearest_body<const FMA: bool>(x: &[f32], places: &[f32], inverse: &[f32]) -> (f32, f32) {
    let mut best = (f32::INFINITY, f32::INFINITY);
    let blocks = places.chunks_exact(x.len() * LANES).zip(inverse.as_chunks::<LANES>().0);
    for (block, inverse) in blocks {
        let mut sums = [0.0f32; LANES];
        let mut nearer = false;
        for (x, centers) in x.chunks(LOOK).zip(block.as_chunks::<LANES>().0.chunks(LOOK)) {
            for (x, center) in x.iter().zip(centers) {
                for i in 0..LANES {
                    let apart = x - center[i];
                    let apart = if apart.is_nan() { 0.0 } else { apart };
                    sums[i] = mul_add_f32::<FMA>(apart, apart, sums[i]);
                }
            }
            // Where there is no rule and no distance either this is no number.
            nearer = (0..LANES).fold(false, |any, i| any | (sums[i] * inverse[i] < best.0));
            if !nearer {
                break; // they only grow
            }
        }
        if nearer {
            let ratio = |i: usize| (sums[i] * inverse[i], sums[i]);
            best = (0..LANES).map(ratio).fold(best, |best, own| if own.0 < best.0 { own } else { best });
            if best.0 < 1.0 {
                return best;
            }
        }
    }
    best
}

simd! {
    /// ‖x − y‖² over the inputs that both have.
    fn square(x: &[f32], y: &[f32]) -> f32 = square_body;
}

#[inline(always)]
fn square_body<const FMA: bool>(x: &[f32], y: &[f32]) -> f32 {
    let mut sums = [0.0f32; LANES];
    let (mut xs, mut ys) = (x.chunks_exact(LANES), y.chunks_exact(LANES));
    for (x, y) in (&mut xs).zip(&mut ys) {
        for i in 0..LANES {
            let apart = x[i] - y[i];
            let apart = if apart.is_nan() { 0.0 } else { apart };
            sums[i] = mul_add_f32::<FMA>(apart, apart, sums[i]);
        }
    }
    for (i, (x, y)) in xs.remainder().iter().zip(ys.remainder()).enumerate() {
        let apart = if (x - y).is_nan() { 0.0 } else { x - y };
        sums[i] = mul_add_f32::<FMA>(apart, apart, sums[i]);
    }
    sums.iter().sum()
}
