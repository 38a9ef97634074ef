//! Contour lines by marching squares.

use crate::plot::svg::num;
use std::collections::BTreeMap;
use std::fmt::Write;

/// Values at the points (i, j) in row-major order.
pub(super) struct ContourGrid<'a> {
    pub(super) values: &'a [f64],
    pub(super) columns: usize,
    /// Tolerance for values equal to a level, so that rounding errors cause no lines inside a plateau.
    pub(super) rounding: f64,
}

impl ContourGrid<'_> {
    fn at(&self, i: usize, j: usize) -> f64 {
        self.values[j * self.columns + i]
    }

    /// SVG path of the contour at `level`; `to_pixels` returns the pixel position of a point.
    ///
    /// Crossings are interpolated linearly on the edges of each square. Saddles are resolved by the mean of the corners.
    /// Squares with a corner that is not finite have no lines.
    pub(super) fn path(&self, level: f64, to_pixels: impl Fn(f64, f64) -> [f64; 2]) -> String {
        let rows = self.values.len().checked_div(self.columns).unwrap_or(0);
        let mut joined: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for j in 0..rows.saturating_sub(1) {
            for i in 0..self.columns.saturating_sub(1) {
                for [a, b] in self.crossings(i, j, level) {
                    joined.entry(a).or_default().push(b);
                    joined.entry(b).or_default().push(a);
                }
            }
        }
        let mut path = String::new();
        // Open lines start at one of their ends; the remaining lines are closed.
        let ends = joined.iter().filter(|(_, next)| next.len() == 1).map(|(edge, _)| *edge);
        for start in ends.collect::<Vec<_>>().into_iter().chain(joined.keys().copied().collect::<Vec<_>>()) {
            let mut first = true;
            let mut edge = start;
            while let Some(next) = joined.get_mut(&edge).and_then(Vec::pop) {
                if first {
                    let [x, y] = self.crossing(edge, level, &to_pixels);
                    let _ = write!(path, "M{} {}", num(x), num(y));
                    first = false;
                }
                if let Some(back) = joined.get_mut(&next) {
                    let at = back.iter().position(|other| *other == edge);
                    at.map(|at| back.remove(at));
                }
                let [x, y] = self.crossing(next, level, &to_pixels);
                let _ = write!(path, "L{} {}", num(x), num(y));
                edge = next;
            }
        }
        path
    }

    /// Pairs of edges connected by the contour in the square with the lower left corner (i, j).
    ///
    /// The edge from point k to the right has the index 2k, the upward edge 2k + 1.
    fn crossings(&self, i: usize, j: usize, level: f64) -> Vec<[usize; 2]> {
        let corners = [self.at(i, j), self.at(i + 1, j), self.at(i + 1, j + 1), self.at(i, j + 1)];
        if !corners.iter().all(|value| value.is_finite()) {
            return Vec::new();
        }
        let point = |i: usize, j: usize| 2 * (j * self.columns + i);
        let edges = [point(i, j), point(i + 1, j) + 1, point(i, j + 1), point(i, j) + 1];
        let above = corners.map(|value| value >= level - self.rounding);
        let crossed: Vec<usize> = (0..4).filter(|&edge| above[edge] != above[(edge + 1) % 4]).collect();
        let pair = |a: usize, b: usize| [edges[a], edges[b]];
        match crossed[..] {
            [a, b] => vec![pair(a, b)],
            [a, b, c, d] => {
                let mean = corners.iter().map(|value| value / 4.0).sum::<f64>();
                // If the center is on the side of corner 0, the lines separate corners 1 and 3, otherwise 0 and 2.
                if (mean >= level - self.rounding) == above[0] {
                    vec![pair(a, b), pair(c, d)]
                } else {
                    vec![pair(d, a), pair(b, c)]
                }
            }
            _ => Vec::new(),
        }
    }

    /// Pixel position of the crossing on an edge.
    fn crossing(&self, edge: usize, level: f64, to_pixels: impl Fn(f64, f64) -> [f64; 2]) -> [f64; 2] {
        let (i, j) = (edge / 2 % self.columns, edge / 2 / self.columns);
        let upwards = edge % 2;
        let (a, b) = (self.at(i, j), self.at(i + 1 - upwards, j + upwards));
        // Halved because the difference can overflow.
        let fraction = ((level / 2.0 - a / 2.0) / (b / 2.0 - a / 2.0)).clamp(0.0, 1.0);
        let (x, y) = (i as f64, j as f64);
        if upwards == 1 { to_pixels(x, y + fraction) } else { to_pixels(x + fraction, y) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(values: &[f64], columns: usize, level: f64) -> String {
        let grid = ContourGrid { values, columns, rounding: 1e-9 };
        grid.path(level, |x, y| [10.0 * x, 10.0 * y])
    }

    #[test]
    fn crossings_are_interpolated_linearly() {
        assert_eq!(line(&[0.0, 4.0, 0.0, 4.0], 2, 1.0), "M2.5 0L2.5 10");
        assert_eq!(line(&[0.0, 0.0, 4.0, 4.0], 2, 3.0), "M0 7.5L10 7.5");
        assert_eq!(line(&[0.0, 4.0, 0.0, 4.0], 2, 5.0), "");
    }

    #[test]
    fn a_contour_is_one_path_through_several_squares_and_closed_around_a_peak() {
        assert_eq!(line(&[0.0, 4.0, 0.0, 4.0, 0.0, 4.0], 2, 2.0), "M5 0L5 10L5 20");
        let peak = [0.0, 0.0, 0.0, 0.0, 4.0, 0.0, 0.0, 0.0, 0.0];
        let path = line(&peak, 3, 2.0);
        assert_eq!(path.matches('M').count(), 1);
        let corners: Vec<&str> = path[1..].split('L').collect();
        assert_eq!((corners.len(), corners.first()), (5, corners.last()), "{path}");
    }

    #[test]
    fn a_plateau_at_the_level_has_no_contours() {
        assert_eq!(line(&[3.0, 3.0 + 1e-13, 3.0 - 1e-13, 3.0], 2, 3.0), "");
    }

    #[test]
    fn the_mean_of_the_corners_resolves_a_saddle() {
        // The corners (0, 0) and (1, 1) are above the level, and so is the mean at level 1.
        assert_eq!(line(&[4.0, 0.0, 0.0, 4.0], 2, 1.0), "M7.5 0L10 2.5M0 7.5L2.5 10");
        assert_eq!(line(&[4.0, 0.0, 0.0, 4.0], 2, 3.0), "M2.5 0L0 2.5M10 7.5L7.5 10");
    }

    #[test]
    fn a_square_with_a_nan_corner_has_no_contours() {
        assert_eq!(line(&[0.0, 4.0, f64::NAN, 4.0], 2, 1.0), "");
        assert_eq!(line(&[], 0, 1.0), "");
    }
}
