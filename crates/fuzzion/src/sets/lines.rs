//! Sets made of straight lines, as the points between which they are straight.

use super::{Set, Shape};

/// One straight piece of a set: the membership at both ends of an interval, as it is just inside.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Line {
    pub(crate) from: f64,
    pub(crate) to: f64,
    pub(crate) start: f64,
    pub(crate) end: f64,
}

impl Set {
    /// The pieces of the set from `lower` to `upper`, of which the first begins there and the last ends there; `None`
    /// for a shape that is not made of straight lines.
    pub(crate) fn lines(&self, lower: f64, upper: f64) -> Option<Vec<Line>> {
        let breaks = match *self.shape() {
            Shape::Triangle { left, top, right } => vec![left, top, right],
            Shape::Trapezoid { bottom_left, top_left, top_right, bottom_right } => {
                vec![bottom_left, top_left, top_right, bottom_right]
            }
            Shape::Rectangle { start, end } | Shape::Ramp { start, end } => vec![start, end],
            Shape::Binary { start, .. } => vec![start],
            Shape::Discrete { ref points } => points.iter().map(|(x, _)| *x).collect(),
            _ => return None,
        };
        let mut ends: Vec<f64> = breaks.into_iter().filter(|x| *x > lower && *x < upper).collect();
        ends.extend([lower, upper]);
        ends.sort_by(f64::total_cmp);
        ends.dedup();
        Some(ends.windows(2).map(|ends| self.line(ends[0], ends[1])).collect())
    }

    /// The piece between two neighbouring breaks. It is found inside: at a break the set may jump.
    fn line(&self, from: f64, to: f64) -> Line {
        let at = |part: f64| self.membership(from + part * (to - from));
        let (a, b) = (at(0.25), at(0.75));
        let (start, end) = (a - (b - a) / 2.0, b + (b - a) / 2.0);
        Line { from, to, start: start.max(0.0), end: end.max(0.0) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_follow_the_set_and_jumps_have_two_values() {
        let sets = [
            Set::triangle(-1.0, 0.5, 2.0).unwrap(),
            Set::trapezoid(f64::NEG_INFINITY, 0.25, 0.5, 0.75).unwrap(),
            Set::rectangle(0.25, 0.75).unwrap().with_height(0.5).unwrap(),
            Set::ramp(0.75, 0.25).unwrap(),
            Set::binary(0.25, f64::INFINITY).unwrap(),
            Set::discrete(&[(0.0, 0.125), (0.5, 1.0), (0.625, 0.25)]).unwrap(),
        ];
        for set in sets {
            let lines = set.lines(0.0, 1.0).unwrap();
            assert_eq!((lines[0].from, lines[lines.len() - 1].to), (0.0, 1.0));
            for line in lines {
                for part in [0.125, 0.5, 0.875] {
                    let x = line.from + part * (line.to - line.from);
                    let y = line.start + part * (line.end - line.start);
                    assert!((y - set.membership(x)).abs() < 1e-12, "{set:?} at {x}: {y}");
                }
            }
        }
        assert!(Set::gaussian(0.0, 1.0).unwrap().lines(0.0, 1.0).is_none());
    }
}
