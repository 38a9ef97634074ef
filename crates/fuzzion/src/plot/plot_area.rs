//! The area inside the axes: pixel positions of points and curves.

use super::axis::Scale;
use super::svg::num;
use std::fmt::Write;

/// Scales and size of a plot in pixels.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlotArea {
    pub(super) x: Scale,
    pub(super) y: Scale,
    pub(super) width: f64,
    pub(super) height: f64,
}

impl PlotArea {
    /// Pixel position of a point; `None` if it cannot be shown.
    pub(super) fn at(&self, [x, y]: [f64; 2]) -> Option<[f64; 2]> {
        Some([self.x.at(x)?, self.y.at(y)?])
    }

    /// The parts of a curve between gaps, in pixels.
    pub(super) fn runs(&self, points: &[[f64; 2]]) -> Vec<Vec<[f64; 2]>> {
        let placed: Vec<_> = points.iter().map(|&point| self.at(point)).collect();
        placed
            .split(Option::is_none)
            .filter(|run| !run.is_empty())
            .map(|run| thin(run.iter().flatten()))
            .collect()
    }
}

/// Keeps only the first, lowest, highest and last point of each pixel column; the others would be invisible.
pub(super) fn thin<'a>(run: impl Iterator<Item = &'a [f64; 2]>) -> Vec<[f64; 2]> {
    let mut kept: Vec<[f64; 2]> = Vec::new();
    let mut column: Vec<[f64; 2]> = Vec::new();
    for &point in run {
        if column.last().is_some_and(|last| last[0].floor() != point[0].floor()) {
            close_column(&mut column, &mut kept);
        }
        column.push(point);
    }
    close_column(&mut column, &mut kept);
    kept
}

fn close_column(column: &mut Vec<[f64; 2]>, kept: &mut Vec<[f64; 2]>) {
    if column.len() <= 4 {
        kept.append(column);
        return;
    }
    let by_height = |a: &&usize, b: &&usize| column[**a][1].total_cmp(&column[**b][1]);
    let indices: Vec<usize> = (0..column.len()).collect();
    let lowest = indices.iter().min_by(by_height).copied().unwrap_or(0);
    let highest = indices.iter().max_by(by_height).copied().unwrap_or(0);
    let mut selected = [0, lowest, highest, column.len() - 1];
    selected.sort_unstable();
    let mut last = None;
    for index in selected {
        if last != Some(index) {
            kept.push(column[index]);
        }
        last = Some(index);
    }
    column.clear();
}

/// SVG path through the points.
pub(super) fn path(run: &[[f64; 2]]) -> String {
    let mut text = String::new();
    for (i, [x, y]) in run.iter().enumerate() {
        let _ = write!(text, "{}{} {}", if i == 0 { "M" } else { "L" }, num(*x), num(*y));
    }
    text
}
