//! Fuzzy numbers drawn by their α-cuts.

use crate::plot::plot_area::{PlotArea, path};
use crate::plot::svg::{Paint, num};
use std::fmt::Write as _;

/// An α-cut in pixels; an infinite end is at the edge of the plot.
struct Row {
    y: f64,
    ends: [f64; 2],
    infinite: [bool; 2],
}

/// Draws the α-cuts (α, lower, upper), the two outlines through their ends, and the area between them. An infinite end is
/// an arrow at the edge of the plot; the outline continues vertically from the last finite end.
pub(super) fn draw(out: &mut String, area: &PlotArea, rows: &[[f64; 3]], paint: Paint) {
    let edges = [1.5, area.width - 1.5];
    let to_row = |&[alpha, lower, upper]: &[f64; 3]| {
        let infinite = [lower == f64::NEG_INFINITY, upper == f64::INFINITY];
        let end = |side: usize, bound: f64| {
            if infinite[side] { Some(edges[side]) } else { area.at([bound, alpha]).map(|[x, _]| x) }
        };
        Some(Row { y: area.y.at(alpha)?, ends: [end(0, lower)?, end(1, upper)?], infinite })
    };
    let mut rows: Vec<Row> = rows.iter().filter_map(to_row).collect();
    rows.sort_by(|a, b| a.y.total_cmp(&b.y)); // in descending α
    if rows.is_empty() {
        return;
    }
    let [left, right] = [0, 1].map(|side| outline(&rows, side));
    let polygon: Vec<[f64; 2]> = left.iter().rev().chain(&right).copied().collect();
    let _ = writeln!(out, "<path d=\"{}Z\" {} fill-opacity=\".12\"/>", path(&polygon), paint.fill());
    let outlines = path(&left) + &path(&right);
    let _ = writeln!(out, "<path d=\"{outlines}\" {} stroke-opacity=\".5\"/>", paint.stroke());
    let mut cuts = String::new();
    for Row { y, ends, infinite } in &rows {
        let _ = write!(cuts, "M{} {}H{}", num(ends[0]), num(*y), num(ends[1]));
        for (side, back) in [(0, 7.0), (1, -7.0)].into_iter().filter(|(side, _)| infinite[*side]) {
            let tail = ends[side] + back;
            cuts.push_str(&path(&[[tail, y - 4.5], [ends[side], *y], [tail, y + 4.5]]));
        }
    }
    let _ = writeln!(
        out,
        "<path d=\"{cuts}\" {} stroke-width=\"2.4\" stroke-linecap=\"round\"/>",
        paint.stroke()
    );
}

/// Ends on one side in descending α; an infinite end is replaced with the previous one.
fn outline(rows: &[Row], side: usize) -> Vec<[f64; 2]> {
    let mut last = None;
    let end = |row: &Row| {
        let x = if row.infinite[side] { last.unwrap_or(row.ends[side]) } else { row.ends[side] };
        last = Some(x);
        [x, row.y]
    };
    rows.iter().map(end).collect()
}
