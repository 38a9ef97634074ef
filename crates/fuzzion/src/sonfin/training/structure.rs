//! Initial structure: passes over the rows that only add rules.

use crate::device::{Cpu, Simd, mul_add_f32, simd};
use crate::progress::Progress;
use crate::sonfin::error::Result;
use crate::sonfin::types::network::Network;
use crate::sonfin::types::scaled_samples::ScaledSamples;
use rayon::prelude::*;

/// Maximum number of rows used to find γ for a budget; more rows do not change the result noticeably.
const SEARCH_ROWS: usize = 16_384;
/// Number of bisections of the range of γ, for a resolution of 1/2048 of the range.
const BISECTIONS: u32 = 11;
/// Maximum number of bisections tried at once.
const MAX_DEPTH: u32 = 3;
/// Search range of γ: at the first end almost no row becomes a rule, at the second every row does.
const GAMMA_RANGE: (f32, f32) = (1.2, 0.02);
/// Number of row pairs for the median distance.
const DISTANCE_PAIRS: usize = 1001;
/// Rows between two progress reports.
const REPORT_INTERVAL: usize = 512;
const LANES: usize = 16;
/// Inputs between two checks of whether a block can still contain the nearest rule.
const CHECK_INTERVAL: usize = 64;

/// Parameters of the rule width: Equation (3).
#[derive(Clone, Copy)]
pub(in crate::sonfin) struct WidthSettings {
    pub(in crate::sonfin) beta: f32,
    pub(in crate::sonfin) first: f32,
    pub(in crate::sonfin) min: f32,
}

/// Median distance between two rows, ignoring missing inputs; 1 if all rows are equal.
pub(in crate::sonfin) fn median_distance(samples: &ScaledSamples, rows: &[u32], simd: Simd) -> f32 {
    let n = rows.len();
    // The fixed prime stride pairs rows that are far apart in the order.
    let pair = |i: usize| {
        let (first, second) = (i * 7919 % n, (i * 7919 + 1 + i % (n - 1).max(1)) % n);
        let at = |row: usize| samples.inputs_of(rows[row] as usize);
        squared_distance(simd, at(first), at(second)).sqrt()
    };
    let mut distances: Vec<f32> = (0..DISTANCE_PAIRS).map(pair).filter(|distance| *distance > 0.0).collect();
    distances.sort_by(f32::total_cmp);
    distances.get(distances.len() / 2).copied().unwrap_or(1.0)
}

/// γ for which about `budget` rules are added, and never more.
pub(in crate::sonfin) fn gamma_for_budget(
    samples: &ScaledSamples,
    rows: &[u32],
    budget: usize,
    widths: WidthSettings,
    cpu: &Cpu,
    progress: &Progress,
) -> Result<f32> {
    let rows = &rows[..rows.len().min(SEARCH_ROWS)];
    let exceeds = |gamma: f32| -> Result<bool> {
        Ok(grow_rules(samples, rows, gamma, budget + 1, widths, cpu.simd(), progress)?.rules() > budget)
    };
    let (mut few_rules, mut many_rules) = GAMMA_RANGE;
    // Several threads try all γ of the next bisections at once, which does not change the result.
    let depth = (cpu.threads() + 1).ilog2().min(MAX_DEPTH);
    let mut left = BISECTIONS;
    while left > 0 {
        let levels = depth.min(left);
        left -= levels;
        // Ranges of γ as a binary tree: those after range i are 2·i and 2·i + 1.
        let mut ranges = vec![(few_rules, many_rules); 1 << levels];
        let middle = |(few, many): (f32, f32)| 0.5 * (few + many);
        for i in 2..ranges.len() {
            let (few, many) = ranges[i / 2];
            ranges[i] = if i % 2 == 0 { (few, middle((few, many))) } else { (middle((few, many)), many) };
        }
        let found: Vec<bool> =
            cpu.run(|| ranges[1..].par_iter().map(|range| exceeds(middle(*range))).collect::<Result<_>>())?;
        let mut i = 1;
        for _ in 0..levels {
            let gamma = middle(ranges[i]);
            let exceeds = found[i - 1];
            if exceeds {
                many_rules = gamma
            } else {
                few_rules = gamma
            }
            i = 2 * i + usize::from(!exceeds);
        }
    }
    Ok(few_rules)
}

/// Network grown by one pass over `rows`, with at most `max_rules` rules.
pub(in crate::sonfin) fn grow_rules(
    samples: &ScaledSamples,
    rows: &[u32],
    gamma: f32,
    max_rules: usize,
    widths: WidthSettings,
    simd: Simd,
    progress: &Progress,
) -> Result<Network> {
    let mut network = Network::empty(samples.dims, samples.outputs);
    let mut centers =
        Centers { dims: samples.dims, rules: 0, coordinates: Vec::new(), inverse_squared_radius: Vec::new() };
    for (i, row) in rows.iter().enumerate() {
        if i % REPORT_INTERVAL == 0 {
            progress.report(0, 0)?;
        }
        if network.rules() >= max_rules {
            break;
        }
        let x = samples.inputs_of(*row as usize);
        let (min_ratio, min_square) = nearest(simd, x, &centers.coordinates, &centers.inverse_squared_radius);
        if min_ratio < 1.0 {
            continue;
        }
        let width = if centers.rules == 0 { widths.first } else { widths.beta * min_square.sqrt() };
        let width = width.max(widths.min);
        network.add(x, samples.targets_of(*row as usize), width);
        // A rule of width β·r covers distances below r·γ: distance/σ < γ/β.
        centers.add(x, (width * gamma / widths.beta).powi(2));
    }
    Ok(network)
}

/// Rule centers, interleaved so that one vector holds the same input of several rules.
struct Centers {
    dims: usize,
    rules: usize,
    /// Centers in blocks of [`LANES`] rules, input by input.
    coordinates: Vec<f32>,
    /// 1/squared radius covered by each rule; infinite for empty slots.
    inverse_squared_radius: Vec<f32>,
}

impl Centers {
    fn add(&mut self, x: &[f32], squared_radius: f32) {
        let (block, lane) = (self.rules / LANES, self.rules % LANES);
        if lane == 0 {
            self.coordinates.resize((block + 1) * self.dims * LANES, 0.0);
            self.inverse_squared_radius.resize((block + 1) * LANES, f32::INFINITY);
        }
        for (j, x) in x.iter().enumerate() {
            self.coordinates[(block * self.dims + j) * LANES + lane] = *x;
        }
        self.inverse_squared_radius[self.rules] = 1.0 / squared_radius;
        self.rules += 1;
    }
}

simd! {
    /// Smallest squared distance from x relative to the squared radius, and that squared distance; returns early
    /// with any ratio below 1.
    fn nearest(x: &[f32], coordinates: &[f32], inverse_squared_radius: &[f32]) -> (f32, f32) = nearest_body;
}

#[inline(always)]
fn nearest_body<const FMA: bool>(
    x: &[f32],
    coordinates: &[f32],
    inverse_squared_radius: &[f32],
) -> (f32, f32) {
    let mut best = (f32::INFINITY, f32::INFINITY);
    let blocks = coordinates.chunks_exact(x.len() * LANES).zip(inverse_squared_radius.as_chunks::<LANES>().0);
    for (block, inverse_squared_radius) in blocks {
        let mut sums = [0.0f32; LANES];
        let mut any_nearer = false;
        for (x, centers) in x.chunks(CHECK_INTERVAL).zip(block.as_chunks::<LANES>().0.chunks(CHECK_INTERVAL))
        {
            for (x, center) in x.iter().zip(centers) {
                for i in 0..LANES {
                    let difference = x - center[i];
                    let difference = if difference.is_nan() { 0.0 } else { difference };
                    sums[i] = mul_add_f32::<FMA>(difference, difference, sums[i]);
                }
            }
            // An empty slot at distance 0 gives NaN, which compares as false.
            any_nearer =
                (0..LANES).fold(false, |any, i| any | (sums[i] * inverse_squared_radius[i] < best.0));
            if !any_nearer {
                break; // sums only grow
            }
        }
        if any_nearer {
            let ratio = |i: usize| (sums[i] * inverse_squared_radius[i], sums[i]);
            best = (0..LANES)
                .map(ratio)
                .fold(best, |best, candidate| if candidate.0 < best.0 { candidate } else { best });
            if best.0 < 1.0 {
                return best;
            }
        }
    }
    best
}

simd! {
    /// ‖x − y‖² over the inputs present in both.
    fn squared_distance(x: &[f32], y: &[f32]) -> f32 = squared_distance_body;
}

#[inline(always)]
fn squared_distance_body<const FMA: bool>(x: &[f32], y: &[f32]) -> f32 {
    let mut sums = [0.0f32; LANES];
    let (mut xs, mut ys) = (x.chunks_exact(LANES), y.chunks_exact(LANES));
    for (x, y) in (&mut xs).zip(&mut ys) {
        for i in 0..LANES {
            let difference = x[i] - y[i];
            let difference = if difference.is_nan() { 0.0 } else { difference };
            sums[i] = mul_add_f32::<FMA>(difference, difference, sums[i]);
        }
    }
    for (i, (x, y)) in xs.remainder().iter().zip(ys.remainder()).enumerate() {
        let difference = if (x - y).is_nan() { 0.0 } else { x - y };
        sums[i] = mul_add_f32::<FMA>(difference, difference, sums[i]);
    }
    sums.iter().sum()
}
