//! Area and moment of one subset of the terms as functions of W.

/// Table of one subset of the terms.
#[derive(Clone, Debug)]
pub(crate) struct CentroidTable {
    /// Terms of the subset; W is the smallest of their strengths.
    pub(crate) terms: Vec<usize>,
    /// Values of M in ascending order.
    pub(crate) knots: Vec<f64>,
    /// Line i applies to W with i knots at or below it: `area = line[0] + line[1]·W`, `moment = line[2] + line[3]·W`.
    pub(crate) lines: Vec<[f64; 4]>,
    /// Replaces the lines if the centroid is exact: with `u = W − curve[3]`, the area is the polynomial of u with the
    /// coefficients curve[0..3], and the moment the one with the coefficients curve[4..8].
    pub(crate) curves: Vec<[f64; 8]>,
}

impl CentroidTable {
    /// Equation (2) for a subset, with its sign in the sum.
    pub(super) fn clipped(
        terms: Vec<usize>,
        memberships: &[&[f64]],
        y: &[f64],
        center: f64,
    ) -> CentroidTable {
        let lowest = |s: usize| terms.iter().map(|k| memberships[*k][s]).fold(f64::INFINITY, f64::min);
        let mut points: Vec<(f64, f64)> = (0..y.len()).map(|s| (lowest(s), y[s] - center)).collect();
        points.retain(|(m, _)| *m > 0.0);
        points.sort_by(|a, b| a.0.total_cmp(&b.0));
        let sign = if terms.len() % 2 == 1 { 1.0 } else { -1.0 };
        // Samples above W contribute W; each knot moves one sample to those below W.
        let mut line = [0.0, points.len() as f64, 0.0, points.iter().map(|(_, y)| y).sum::<f64>()];
        let mut lines = vec![line.map(|x| sign * x)];
        let mut knots: Vec<f64> = Vec::new();
        for (i, (m, y)) in points.iter().enumerate() {
            line = [line[0] + m, line[1] - 1.0, line[2] + m * y, line[3] - y];
            if i + 1 == points.len() {
                (line[1], line[3]) = (0.0, 0.0); // exactly 0: no sample is left
            }
            // Values that differ only by rounding share one knot; the error of the line is of the same order.
            match knots.last().is_some_and(|last| m - last <= 8.0 * f64::EPSILON * m) {
                true => lines[knots.len()] = line.map(|x| sign * x),
                false => {
                    knots.push(*m);
                    lines.push(line.map(|x| sign * x));
                }
            }
        }
        CentroidTable { terms, knots, lines, curves: vec![] }
    }

    /// Table of a set that is scaled instead of clipped: one line.
    pub(super) fn scaled(term: usize, memberships: &[f64], y: &[f64], center: f64) -> CentroidTable {
        let area = memberships.iter().sum();
        let moment = memberships.iter().zip(y).map(|(m, y)| m * (y - center)).sum();
        CentroidTable {
            terms: vec![term],
            knots: vec![],
            lines: vec![[0.0, area, 0.0, moment]],
            curves: vec![],
        }
    }
}
