//! The centroid in closed form, for piecewise linear sets with minimum implication and maximum aggregation.
//!
//! As in [`centroid`](super), with integrals instead of sums: where M is linear from l up to h
//! over a width D, with W = l + (h − l)·t,
//!
//! ∫ min(W, M) dy = D·(l + (h − l)·(t − t²/2)) (1)
//!
//! and the moment is a cubic polynomial of t. Between adjacent end points of all pieces both are polynomials of W.

use super::table::CentroidTable;
use crate::sets::Segment;

/// Smaller rises are treated as constant, because their polynomials would have no significant digits.
const MIN_RISE: f64 = 1e-12;

/// Table of a subset of terms. `sets` are their sets, which all cover the same range.
pub(super) fn table(terms: Vec<usize>, sets: &[&[Segment]], center: f64) -> CentroidTable {
    let pieces = pointwise_min(sets);
    let mut knots: Vec<f64> = pieces.iter().flat_map(|piece| [piece.start, piece.end]).collect();
    knots.retain(|knot| *knot > 0.0);
    knots.sort_by(f64::total_cmp);
    knots.dedup_by(|a, b| *a - *b <= MIN_RISE);
    let sign = if terms.len() % 2 == 1 { 1.0 } else { -1.0 };
    let mut curves = Vec::new();
    for interval in 0..=knots.len() {
        let base = if interval == 0 { 0.0 } else { knots[interval - 1] };
        let above = knots.get(interval).copied().unwrap_or(base + 1.0);
        let mut curve = [0.0; 8];
        for piece in &pieces {
            let (area, moment) = piece_curve(piece, base, base + (above - base) / 2.0, center);
            curve
                .iter_mut()
                .zip(area.into_iter().chain([0.0]).chain(moment))
                .for_each(|(a, b)| *a += sign * b);
        }
        curve[3] = base;
        curves.push(curve);
    }
    CentroidTable { terms, knots, lines: Vec::new(), curves }
}

/// The pieces of the pointwise minimum of some sets.
fn pointwise_min(sets: &[&[Segment]]) -> Vec<Segment> {
    let mut ends: Vec<f64> =
        sets.iter().flat_map(|set| set.iter().flat_map(|line| [line.from, line.to])).collect();
    ends.sort_by(f64::total_cmp);
    ends.dedup();
    // Between adjacent end points every set is one line; the minimum may change where two of them cross.
    let part = |set: &[Segment], from: f64, to: f64| {
        let middle = from + (to - from) / 2.0;
        let line = set.iter().find(|line| line.from <= middle && middle <= line.to).copied();
        line.map_or((0.0, 0.0), |line| (value(&line, from), value(&line, to)))
    };
    let mut pieces = Vec::new();
    for ends in ends.windows(2) {
        let parts: Vec<(f64, f64)> = sets.iter().map(|set| part(set, ends[0], ends[1])).collect();
        let mut cuts = vec![0.0, 1.0];
        for (i, a) in parts.iter().enumerate() {
            for b in &parts[..i] {
                let (start, end) = (a.0 - b.0, a.1 - b.1);
                if start * end < 0.0 {
                    cuts.push(start / (start - end));
                }
            }
        }
        cuts.sort_by(f64::total_cmp);
        let at = |cut: f64| {
            let of = |part: &(f64, f64)| part.0 + cut * (part.1 - part.0);
            parts.iter().map(of).fold(f64::INFINITY, f64::min)
        };
        let position = |cut: f64| ends[0] + cut * (ends[1] - ends[0]);
        pieces.extend(cuts.windows(2).filter(|cuts| cuts[0] < cuts[1]).map(|cuts| Segment {
            from: position(cuts[0]),
            to: position(cuts[1]),
            start: at(cuts[0]),
            end: at(cuts[1]),
        }));
    }
    pieces
}

fn value(line: &Segment, x: f64) -> f64 {
    line.start + (x - line.from) / (line.to - line.from) * (line.end - line.start)
}

/// Area and moment of a piece clipped at W = base + u as polynomials of u, for W near `inside`.
fn piece_curve(piece: &Segment, base: f64, inside: f64, center: f64) -> ([f64; 3], [f64; 4]) {
    let (low, high) = (piece.start.min(piece.end), piece.start.max(piece.end));
    let width = piece.to - piece.from;
    let middle = piece.from + width / 2.0 - center;
    if inside <= low || high <= 0.0 {
        return if high <= 0.0 {
            ([0.0; 3], [0.0; 4])
        } else {
            ([base * width, width, 0.0], [base * width * middle, width * middle, 0.0, 0.0])
        };
    }
    // From the lower end at a to the higher end at a + d.
    let rising = piece.start <= piece.end;
    let (a, d) = if rising { (piece.from - center, width) } else { (piece.to - center, -width) };
    let h = high - low;
    if inside >= high || h <= MIN_RISE {
        let area = width * (low + high) / 2.0;
        let moment = width * (low * a + (low * d + h * a) / 2.0 + h * d / 3.0);
        return ([area, 0.0, 0.0], [moment, 0.0, 0.0, 0.0]);
    }
    // In t = (base − low + u)/h: area = width·(low + h·(t − t²/2)); moment = width·(low·(a + d/2)
    // + h·(a + d/2)·t − h·a·t²/2 − h·d·t³/6), the integrals on both sides of the point where the piece reaches W.
    let area = [low, h, -h / 2.0].map(|c| c * width);
    let moment = [low * (a + d / 2.0), h * (a + d / 2.0), -h * a / 2.0, -h * d / 6.0].map(|c| c * width);
    let (t0, rate) = ((base - low) / h, 1.0 / h);
    let area = shifted([area[0], area[1], area[2], 0.0], t0, rate);
    ([area[0], area[1], area[2]], shifted(moment, t0, rate))
}

/// The polynomial p(t0 + rate·u) of u.
fn shifted(p: [f64; 4], t0: f64, rate: f64) -> [f64; 4] {
    [
        p[0] + t0 * (p[1] + t0 * (p[2] + t0 * p[3])),
        rate * (p[1] + t0 * (2.0 * p[2] + 3.0 * t0 * p[3])),
        rate * rate * (p[2] + 3.0 * t0 * p[3]),
        rate * rate * rate * p[3],
    ]
}
