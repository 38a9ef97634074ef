//! Piecewise linear sets as line segments.

use super::Set;
use crate::sets::Shape;

/// A segment of a piecewise linear membership function, with its one-sided limits at both ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Segment {
    /// Lower bound of x.
    pub(crate) from: f64,
    /// Upper bound of x.
    pub(crate) to: f64,
    /// Membership at `from`.
    pub(crate) start: f64,
    /// Membership at `to`.
    pub(crate) end: f64,
}

impl Set {
    /// The segments that cover [`lower`, `upper`]; `None` if the shape is not piecewise linear.
    pub(crate) fn segments(&self, lower: f64, upper: f64) -> Option<Vec<Segment>> {
        let breakpoints = match *self.shape() {
            Shape::Triangle { left, top, right } => vec![left, top, right],
            Shape::Trapezoid { bottom_left, top_left, top_right, bottom_right } => {
                vec![bottom_left, top_left, top_right, bottom_right]
            }
            Shape::Rectangle { start, end } | Shape::Ramp { start, end } => vec![start, end],
            Shape::Binary { start, .. } => vec![start],
            Shape::Discrete { ref points } => points.iter().map(|(x, _)| *x).collect(),
            _ => return None,
        };
        let mut ends: Vec<f64> = breakpoints.into_iter().filter(|x| *x > lower && *x < upper).collect();
        ends.extend([lower, upper]);
        ends.sort_by(f64::total_cmp);
        ends.dedup();
        Some(ends.windows(2).map(|ends| self.segment(ends[0], ends[1])).collect())
    }

    /// The segment between two adjacent breakpoints, extrapolated from inside because μ can jump at a breakpoint.
    fn segment(&self, from: f64, to: f64) -> Segment {
        let at = |fraction: f64| self.membership(from + fraction * (to - from));
        let (a, b) = (at(0.25), at(0.75));
        let (start, end) = (a - (b - a) / 2.0, b + (b - a) / 2.0);
        Segment { from, to, start: start.max(0.0), end: end.max(0.0) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn segments_equal_the_membership_function_on_both_sides_of_a_jump() {
        let sets = [
            Set::triangle(-1.0, 0.5, 2.0).unwrap(),
            Set::trapezoid(f64::NEG_INFINITY, 0.25, 0.5, 0.75).unwrap(),
            Set::rectangle(0.25, 0.75).unwrap().with_height(0.5).unwrap(),
            Set::ramp(0.75, 0.25).unwrap(),
            Set::binary(0.25, f64::INFINITY).unwrap(),
            Set::discrete(&[(0.0, 0.125), (0.5, 1.0), (0.625, 0.25)]).unwrap(),
        ];
        for set in sets {
            let segments = set.segments(0.0, 1.0).unwrap();
            assert_eq!((segments[0].from, segments[segments.len() - 1].to), (0.0, 1.0));
            for segment in segments {
                for fraction in [0.125, 0.5, 0.875] {
                    let x = segment.from + fraction * (segment.to - segment.from);
                    let y = segment.start + fraction * (segment.end - segment.start);
                    assert!((y - set.membership(x)).abs() < 1e-12, "{set:?} at {x}: {y}");
                }
            }
        }
        assert!(Set::gaussian(0.0, 1.0).unwrap().segments(0.0, 1.0).is_none());
    }
}
