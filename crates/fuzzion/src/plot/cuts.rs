//! Fuzzy numbers as stacks of intervals.

use super::marks::{Frame, path};
use super::svg::{Ink, num};
use std::fmt::Write as _;

/// One interval in pixels; an end that it has not is at the edge of the frame.
struct Row {
    y: f64,
    ends: [f64; 2],
    endless: [bool; 2],
}

/// Draws intervals (α, lower, upper), and the two flanks through their ends with the surface between. An interval
/// without end goes to the edge of the frame, where an arrow says so; the flank drops from the last one that has an end.
pub(super) fn draw(out: &mut String, frame: &Frame, rows: &[[f64; 3]], ink: Ink) {
    let edges = [1.5, frame.width - 1.5];
    let place = |&[alpha, lower, upper]: &[f64; 3]| {
        let endless = [lower == f64::NEG_INFINITY, upper == f64::INFINITY];
        let end = |side: usize, bound: f64| {
            if endless[side] { Some(edges[side]) } else { frame.at([bound, alpha]).map(|[x, _]| x) }
        };
        Some(Row { y: frame.y.at(alpha)?, ends: [end(0, lower)?, end(1, upper)?], endless })
    };
    let mut rows: Vec<Row> = rows.iter().filter_map(place).collect();
    rows.sort_by(|a, b| a.y.total_cmp(&b.y)); // from the highest α down
    if rows.is_empty() {
        return;
    }
    let [left, right] = [0, 1].map(|side| flank(&rows, side));
    let outline: Vec<[f64; 2]> = left.iter().rev().chain(&right).copied().collect();
    let _ = writeln!(out, "<path d=\"{}Z\" {} fill-opacity=\".12\"/>", path(&outline), ink.fill());
    let flanks = path(&left) + &path(&right);
    let _ = writeln!(out, "<path d=\"{flanks}\" {} stroke-opacity=\".5\"/>", ink.stroke());
    let mut cuts = String::new();
    for Row { y, ends, endless } in &rows {
        let _ = write!(cuts, "M{} {}H{}", num(ends[0]), num(*y), num(ends[1]));
        for (side, back) in [(0, 7.0), (1, -7.0)].into_iter().filter(|(side, _)| endless[*side]) {
            let tail = ends[side] + back;
            cuts.push_str(&path(&[[tail, y - 4.5], [ends[side], *y], [tail, y + 4.5]]));
        }
    }
    let _ =
        writeln!(out, "<path d=\"{cuts}\" {} stroke-width=\"2.4\" stroke-linecap=\"round\"/>", ink.stroke());
}

/// The ends on one side, from the highest α down; where there is none, the one above it.
fn flank(rows: &[Row], side: usize) -> Vec<[f64; 2]> {
    let mut last = None;
    let end = |row: &Row| {
        let x = if row.endless[side] { last.unwrap_or(row.ends[side]) } else { row.ends[side] };
        last = Some(x);
        [x, row.y]
    };
    rows.iter().map(end).collect()
}
