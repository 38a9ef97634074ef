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
    let mut centers: Vec<f32> = Vec::new();
    // A rule of width β·r covers what is nearer than r·γ: distance/σ < γ/β.
    let mut covers: Vec<f32> = Vec::new();
    for (i, row) in rows.iter().enumerate() {
        if i % PIECE == 0 {
            progress.report(0, 0)?;
        }
        if network.rules() >= most {
            break;
        }
        let x = samples.inputs_of(*row as usize);
        let (mut nearest, mut least) = (f32::INFINITY, f32::INFINITY);
        for (center, covers) in centers.chunks_exact(samples.dims).zip(&covers) {
            let apart = square(simd, x, center);
            if apart / covers < least {
                (nearest, least) = (apart, apart / covers);
            }
        }
        if least < 1.0 {
            continue;
        }
        let width = if covers.is_empty() { widths.first } else { widths.beta * nearest.sqrt() };
        let width = width.max(widths.least);
        network.add(x, samples.targets_of(*row as usize), width);
        centers.extend_from_slice(x);
        covers.push((width * gamma / widths.beta).powi(2));
    }
    Ok(network)
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
