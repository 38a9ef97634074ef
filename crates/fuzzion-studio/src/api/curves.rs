//! Curves for drawing.

use serde::{Serialize, Serializer};

/// Largest deviation of a simplified curve, in fractions of its height; a chart is less than 500 pixels high.
const TOLERANCE: f64 = 0.001;

/// A line in a chart: positions as fractions of the axis, and memberships, alternately.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Curve(pub(super) Vec<f32>);

impl Serialize for Curve {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

/// Position of `x` on an axis, from 0 to 1.
pub(super) fn fraction(x: f64, (lower, upper): (f64, f64)) -> f64 {
    // Halves, because the difference may overflow.
    (x / 2.0 - lower / 2.0) / (upper / 2.0 - lower / 2.0)
}

impl Curve {
    /// The line through points in ascending order, without points that lie on the line through the others.
    pub(super) fn new(points: &[f64], memberships: &[f64], axis: (f64, f64)) -> Self {
        let height = memberships.iter().filter(|m| m.is_finite()).fold(1.0f64, |a, b| a.max(*b));
        let points: Vec<(f64, f64)> =
            points.iter().map(|x| fraction(*x, axis)).zip(memberships.iter().copied()).collect();
        let kept = simplify(&points, TOLERANCE * height);
        Curve(kept.into_iter().flat_map(|(x, m)| [x as f32, m as f32]).collect())
    }
}

/// Keeps the points that a line within `tolerance` of all points needs: from the last kept point, a line goes on as long as
/// one slope passes within the tolerance of all points since then.
fn simplify(points: &[(f64, f64)], tolerance: f64) -> Vec<(f64, f64)> {
    let Some(&first) = points.first() else { return Vec::new() };
    let mut kept = vec![first];
    let (mut anchor, mut previous) = (first, first);
    let mut slopes = (f64::NEG_INFINITY, f64::INFINITY);
    for &point in &points[1..] {
        let run = point.0 - anchor.0;
        let slope = |y: f64| (y - anchor.1) / run;
        let (lowest, highest) = (slope(point.1 - tolerance), slope(point.1 + tolerance));
        let fits = run > 0.0 && slope(point.1) >= slopes.0 && slope(point.1) <= slopes.1;
        if fits {
            slopes = (slopes.0.max(lowest), slopes.1.min(highest));
        } else {
            // The previous point ends the line; also at steps and next to NaN.
            if previous != anchor {
                kept.push(previous);
            }
            anchor = previous;
            let run = point.0 - anchor.0;
            slopes = match run > 0.0 && point.1.is_finite() && anchor.1.is_finite() {
                true => ((point.1 - tolerance - anchor.1) / run, (point.1 + tolerance - anchor.1) / run),
                false => (f64::INFINITY, f64::NEG_INFINITY),
            };
        }
        previous = point;
    }
    if points.len() > 1 {
        kept.push(previous);
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_triangle_keeps_its_corners() {
        let points: Vec<f64> = (0..=100).map(f64::from).collect();
        let memberships: Vec<f64> = points.iter().map(|x| (1.0 - (x - 50.0).abs() / 25.0).max(0.0)).collect();
        let curve = Curve::new(&points, &memberships, (0.0, 100.0)).0;
        assert_eq!(curve, [0.0, 0.0, 0.25, 0.0, 0.5, 1.0, 0.75, 0.0, 1.0, 0.0]);
    }

    #[test]
    fn a_simplified_curve_stays_within_the_tolerance() {
        let points: Vec<f64> = (0..=500).map(f64::from).collect();
        let memberships: Vec<f64> = points.iter().map(|x| (-(x - 250.0).powi(2) / 5000.0).exp()).collect();
        let curve = Curve::new(&points, &memberships, (0.0, 500.0)).0;
        assert!(curve.len() < 160, "{}", curve.len());
        for (x, m) in points.iter().zip(&memberships) {
            let u = (x / 500.0) as f32;
            let at = curve.chunks(2).position(|p| p[0] >= u).unwrap().max(1);
            let (a, b) = (&curve[2 * at - 2..2 * at], &curve[2 * at..2 * at + 2]);
            let line = a[1] + (b[1] - a[1]) * (u - a[0]) / (b[0] - a[0]);
            assert!((f64::from(line) - m).abs() < 2.5 * TOLERANCE, "{x}");
        }
    }

    #[test]
    fn steps_and_gaps_are_kept() {
        let step = Curve::new(&[0.0, 1.0, 1.0, 2.0], &[0.0, 0.0, 1.0, 1.0], (0.0, 2.0)).0;
        assert_eq!(step, [0.0, 0.0, 0.5, 0.0, 0.5, 1.0, 1.0, 1.0]);
        let gap = Curve::new(&[0.0, 1.0, 2.0], &[0.0, f64::NAN, 1.0], (0.0, 2.0)).0;
        assert_eq!(gap.len(), 6);
    }
}
