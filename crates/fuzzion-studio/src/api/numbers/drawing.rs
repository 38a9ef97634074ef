//! Curves of fuzzy numbers.

use crate::api::curves::Curve;
use fuzzion::arithmetic::AlphaCut;

/// The level α of cut `i` of `n`.
pub(super) fn alpha(i: usize, n: usize) -> f64 {
    if n == 1 { 0.0 } else { i as f64 / (n - 1) as f64 }
}

/// Ends of the axis of a chart.
#[derive(Clone, Copy)]
pub(super) struct AxisRange {
    pub(super) lower: f64,
    pub(super) upper: f64,
}

impl AxisRange {
    /// The range of all finite bounds with a margin, which is larger on unbounded sides.
    pub(super) fn of<'a>(cuts: impl IntoIterator<Item = &'a AlphaCut<f64>>) -> Self {
        let (mut lower, mut upper) = (f64::INFINITY, f64::NEG_INFINITY);
        let (mut open_below, mut open_above) = (false, false);
        for cut in cuts {
            for bound in [cut.lower, cut.upper].into_iter().filter(|bound| bound.is_finite()) {
                (lower, upper) = (lower.min(bound), upper.max(bound));
            }
            open_below |= cut.lower.is_infinite();
            open_above |= cut.upper.is_infinite();
        }
        if lower > upper {
            // All bounds are infinite.
            return AxisRange { lower: -1.0, upper: 1.0 };
        }
        let width = upper - lower;
        let width = if width > 0.0 { width } else { lower.abs().max(1.0) * 0.1 };
        let margin = |open: bool| width * if open { 0.3 } else { 0.04 };
        AxisRange {
            lower: (lower - margin(open_below)).max(f64::MIN),
            upper: (upper + margin(open_above)).min(f64::MAX),
        }
    }
}

/// The membership curve: lines through the bounds of the cuts. Towards an infinite bound, the curve is horizontal at the level of
/// its cut. A single cut is drawn as an interval.
pub(super) fn curve_of(cuts: &[AlphaCut<f64>], axis: AxisRange) -> Curve {
    let single = [cuts[0]; 2];
    let cuts = if cuts.len() == 1 { &single[..] } else { cuts };
    let side = |bound: fn(&AlphaCut<f64>) -> f64, end: f64| {
        let mut points: Vec<(f64, f64)> = Vec::new();
        let mut open = false;
        for (i, cut) in cuts.iter().enumerate() {
            let (x, level) = (bound(cut), alpha(i, cuts.len()));
            if x.is_infinite() {
                points.push((end, level));
                open = true;
            } else {
                if open {
                    points.push((x, points.last().map_or(0.0, |last| last.1)));
                }
                points.push((x, level));
                open = false;
            }
        }
        points
    };
    let mut points = side(|cut| cut.lower, axis.lower);
    points.extend(side(|cut| cut.upper, axis.upper).into_iter().rev());
    let (xs, memberships): (Vec<f64>, Vec<f64>) = points.into_iter().unzip();
    Curve::new(&xs, &memberships, (axis.lower, axis.upper))
}

#[cfg(test)]
mod tests {
    use super::*;

    const AXIS: AxisRange = AxisRange { lower: 0.0, upper: 4.0 };

    #[test]
    fn a_triangle_is_drawn_through_its_corners() {
        let cuts = [(1.0, 3.0), (1.5, 2.5), (2.0, 2.0)].map(|(lower, upper)| AlphaCut { lower, upper });
        assert_eq!(curve_of(&cuts, AXIS).0, [0.25, 0.0, 0.5, 1.0, 0.75, 0.0]);
        assert_eq!(curve_of(&cuts[..1], AXIS).0, [0.25, 0.0, 0.25, 1.0, 0.75, 1.0, 0.75, 0.0]);
    }

    #[test]
    fn an_unbounded_cut_reaches_the_end_of_the_axis() {
        let cuts = [(f64::NEG_INFINITY, 3.0), (2.0, 2.0)].map(|(lower, upper)| AlphaCut { lower, upper });
        assert_eq!(curve_of(&cuts, AXIS).0, [0.0, 0.0, 0.5, 0.0, 0.5, 1.0, 0.75, 0.0]);
        let axis = AxisRange::of(&cuts);
        assert!((axis.lower - 1.7).abs() < 1e-12 && (axis.upper - 3.04).abs() < 1e-12);
        let unbounded = AxisRange::of(&[AlphaCut::UNBOUNDED]);
        assert_eq!((unbounded.lower, unbounded.upper), (-1.0, 1.0));
    }
}
