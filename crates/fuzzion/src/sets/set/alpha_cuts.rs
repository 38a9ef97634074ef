//! α-cuts, support, core, and the Tsukamoto inverse of monotone shapes. Equations (2) and (3).
//!
//! Shapes without a closed form are searched numerically by `alpha_cut_search`.

use super::{Set, alpha_cut_search};
use crate::sets::{Interval, Shape};

impl Set {
    /// The α-cut {x : μ(x) ≥ α}, or the smallest interval that contains it; `None` if it is empty.
    ///
    /// Takagi-Sugeno consequents have no α-cuts. For α ≤ 0 the α-cut is the whole real line.
    ///
    /// ```
    /// # use fuzzion::sets::Set;
    /// let cut = Set::triangle(1.0, 2.0, 4.0)?.alpha_cut(0.5);
    /// assert_eq!(cut.map(|cut| (cut.lower, cut.upper)), Some((1.5, 3.0)));
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    pub fn alpha_cut(&self, alpha: f64) -> Option<Interval> {
        let cuts = self.alpha_cuts(alpha);
        Some(Interval { lower: cuts.first()?.lower, upper: cuts.last()?.upper })
    }

    /// The disjoint intervals of the α-cut in ascending order; an open end is closed.
    ///
    /// Only Discrete, SigmoidDifference and Bell with a negative slope can have more than one.
    ///
    /// ```
    /// # use fuzzion::sets::Set;
    /// let bimodal = Set::discrete(&[(0.0, 1.0), (1.0, 0.0), (2.0, 1.0)])?;
    /// let cuts = bimodal.alpha_cuts(0.5);
    /// assert_eq!((cuts.len(), cuts[0].upper, cuts[1].lower), (2, 0.5, 1.5));
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    pub fn alpha_cuts(&self, alpha: f64) -> Vec<Interval> {
        let consequent =
            matches!(self.shape(), Shape::Constant { .. } | Shape::Linear { .. } | Shape::Function { .. });
        if consequent || alpha.is_nan() {
            return vec![];
        }
        if alpha <= 0.0 && !matches!(self.shape(), Shape::Discrete { .. }) {
            return vec![Interval::REAL_LINE];
        }
        let level = alpha / self.height();
        let cuts = match self.shape() {
            Shape::Discrete { points } => discrete(points, alpha, self.height()),
            _ if level > 1.0 || level.is_nan() => vec![],
            Shape::Bell { center, width, slope } if *slope < 0.0 && *width != 0.0 => {
                let gap = Interval::around(*center, bell_distance(*width, *slope, level));
                if gap.lower < gap.upper {
                    vec![Interval::beyond(gap.lower, false), Interval::beyond(gap.upper, true)]
                } else {
                    vec![Interval::REAL_LINE] // the gap is narrower than the spacing of floating-point numbers
                }
            }
            shape if alpha_cut_search::needs_search(shape) => alpha_cut_search::cuts(self, alpha),
            shape => unimodal(shape, level).into_iter().collect(),
        };
        // If μ only approaches α at infinity, the cut is empty.
        let nonempty = |cut: &Interval| {
            cut.lower <= cut.upper && cut.lower < f64::INFINITY && cut.upper > f64::NEG_INFINITY
        };
        cuts.into_iter().filter(nonempty).collect()
    }

    /// The smallest interval that contains {x : μ(x) ≥ height}; `None` if no x reaches the height.
    ///
    /// ```
    /// # use fuzzion::sets::Set;
    /// let low = Set::trapezoid(0.0, 1.0, 2.0, 4.0)?.with_height(0.5)?;
    /// assert_eq!(low.core().map(|core| (core.lower, core.upper)), Some((1.0, 2.0)));
    /// assert_eq!(Set::sigmoid(0.0, 1.0)?.core(), None); // only approaches 1
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    pub fn core(&self) -> Option<Interval> {
        if self.height() == 0.0 { None } else { self.alpha_cut(self.height()) }
    }

    /// The smallest closed interval that contains {x : μ(x) > 0}; unbounded if μ only approaches 0. `None` if empty.
    ///
    /// ```
    /// # use fuzzion::sets::Set;
    /// assert_eq!(Set::ramp(1.0, 2.0)?.support().map(|s| s.lower), Some(1.0));
    /// assert_eq!(Set::gaussian(0.0, 1.0)?.support().map(|s| s.upper), Some(f64::INFINITY));
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    pub fn support(&self) -> Option<Interval> {
        let finite = match *self.shape() {
            _ if self.height() == 0.0 => return None,
            Shape::Constant { .. } | Shape::Linear { .. } | Shape::Function { .. } => return None,
            Shape::Discrete { ref points } => return discrete_support(points),
            Shape::Triangle { left, right, .. } => bounds(left, right),
            Shape::Trapezoid { bottom_left, bottom_right, .. }
            | Shape::PiShape { bottom_left, bottom_right, .. } => bounds(bottom_left, bottom_right),
            Shape::Rectangle { start, end } | Shape::SemiEllipse { start, end } => {
                bounds(start.min(end), start.max(end))
            }
            Shape::Cosine { center, width } => Interval::around(center, width / 2.0),
            Shape::Gaussian { mean, standard_deviation: 0.0 } => bounds(mean, mean),
            Shape::GaussianProduct { mean_a, standard_deviation_a, mean_b, standard_deviation_b } => bounds(
                if standard_deviation_a == 0.0 { mean_a } else { f64::NEG_INFINITY },
                if standard_deviation_b == 0.0 { mean_b } else { f64::INFINITY },
            ),
            Shape::Bell { center, width: 0.0, .. } | Shape::Spike { center, width: 0.0 } => {
                bounds(center, center)
            }
            Shape::Arc { start, end } if start == end => return None,
            Shape::Arc { start, end } => Interval::beyond(start, end > start),
            Shape::Ramp { start, end } => Interval::beyond(start, end >= start),
            Shape::Concave { inflection, end } if inflection == end => bounds(end, end),
            Shape::Binary { start, direction } => Interval::beyond(start, direction > start),
            Shape::SShape { start, .. } => Interval::beyond(start, true),
            Shape::ZShape { end, .. } => Interval::beyond(end, false),
            _ => Interval::REAL_LINE,
        };
        Some(finite).filter(|cut| cut.lower <= cut.upper)
    }

    /// Whether the set has a Tsukamoto inverse: Ramp, Sigmoid with a nonzero slope, Concave, SShape, ZShape and Arc.
    ///
    /// ```
    /// use fuzzion::sets::Set;
    /// assert!(Set::ramp(0.0, 1.0)?.is_monotone() && !Set::triangle(0.0, 1.0, 2.0)?.is_monotone());
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    pub fn is_monotone(&self) -> bool {
        self.tsukamoto(0.5 * self.height()).is_some()
    }

    /// The x with membership `firing_strength`, Equation (3); `None` if the shape is not monotone.
    ///
    /// As in fuzzylite, firing strengths outside [0, height] follow the formula where it is defined and give NaN elsewhere.
    ///
    /// ```
    /// # use fuzzion::sets::Set;
    /// assert_eq!(Set::ramp(10.0, 0.0)?.tsukamoto(0.25), Some(7.5));
    /// assert_eq!(Set::s_shape(0.0, 4.0)?.tsukamoto(0.875), Some(3.0)); // 1 − 2·(1/4)² = 7/8
    /// assert_eq!(Set::triangle(0.0, 1.0, 2.0)?.tsukamoto(0.5), None);
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    pub fn tsukamoto(&self, firing_strength: f64) -> Option<f64> {
        inverse(self.shape(), firing_strength / self.height())
    }
}

/// Equation (3) for a level in [0, 1].
fn inverse(shape: &Shape, level: f64) -> Option<f64> {
    // Inverse of an S-shape from `start` to `end`.
    let s = |start: f64, end: f64| {
        if level <= 0.5 {
            start + (end - start) * (level / 2.0).sqrt()
        } else {
            end - (end - start) * ((1.0 - level) / 2.0).sqrt()
        }
    };
    match *shape {
        Shape::Sigmoid { slope: 0.0, .. } => None, // ½ everywhere
        Shape::Ramp { start, end } => Some(start + (end - start) * level),
        Shape::Sigmoid { inflection, slope } => Some(inflection + (level / (1.0 - level)).ln() / slope),
        Shape::Concave { inflection, end } => Some(end - (end - inflection) * (1.0 / level - 1.0)),
        Shape::SShape { start, end } => Some(s(start, end)),
        Shape::ZShape { start, end } => Some(s(end, start)),
        Shape::Arc { start, end } => Some(end - (end - start) * ((1.0 - level) * (1.0 + level)).sqrt()),
        _ => None,
    }
}

/// Distance from the center of a Bell at which its membership is `level`.
fn bell_distance(width: f64, slope: f64, level: f64) -> f64 {
    width.abs() * ((1.0 - level) / level).powf(0.5 / slope)
}

/// The α-cut of a shape at a level in (0, 1], for shapes whose cuts are intervals; `None` if it is empty.
fn unimodal(shape: &Shape, level: f64) -> Option<Interval> {
    let rest = 1.0 - level;
    let crossing = |foot: f64, head: f64| if foot.is_infinite() { foot } else { head - rest * (head - foot) };
    match *shape {
        Shape::Triangle { left, top, right } => Some(bounds(crossing(left, top), crossing(right, top))),
        Shape::Trapezoid { bottom_left, top_left, top_right, bottom_right } => {
            Some(bounds(crossing(bottom_left, top_left), crossing(bottom_right, top_right)))
        }
        Shape::Rectangle { start, end } => Some(bounds(start.min(end), start.max(end))),
        Shape::SemiEllipse { start, end } => Some(Interval::around(
            (start + end) / 2.0,
            (end - start).abs() / 2.0 * (rest * (1.0 + level)).sqrt(),
        )),
        Shape::Bell { center, width: 0.0, .. } => Some(bounds(center, center)),
        Shape::Bell { slope: 0.0, .. } => (level <= 0.5).then_some(Interval::REAL_LINE),
        Shape::Bell { center, width, slope } => {
            Some(Interval::around(center, bell_distance(width, slope, level)))
        }
        Shape::Cosine { center, width } => {
            Some(Interval::around(center, width * level.sqrt().acos() / std::f64::consts::PI))
        }
        Shape::Gaussian { mean, standard_deviation } => {
            Some(Interval::around(mean, standard_deviation.abs() * (-2.0 * level.ln()).sqrt()))
        }
        Shape::GaussianProduct { mean_a, standard_deviation_a, mean_b, standard_deviation_b } => {
            let distance = (-2.0 * level.ln()).sqrt();
            let (a, b) = (standard_deviation_a.abs(), standard_deviation_b.abs());
            Some(bounds(mean_a - a * distance, mean_b + b * distance))
        }
        Shape::PiShape { bottom_left, top_left, top_right, bottom_right } => {
            let rising = inverse(&Shape::SShape { start: bottom_left, end: top_left }, level)?;
            let falling = inverse(&Shape::ZShape { start: top_right, end: bottom_right }, level)?;
            Some(bounds(rising, falling))
        }
        Shape::Spike { center, width } => Some(Interval::around(center, width.abs() / 10.0 * -level.ln())),
        Shape::Binary { start, direction } => Some(Interval::beyond(start, direction > start)),
        Shape::Concave { inflection, end } if inflection == end => Some(bounds(end, end)),
        Shape::Concave { inflection, end } => {
            inverse(shape, level).map(|x| Interval::beyond(x, inflection < end))
        }
        Shape::Arc { start, end } if start == end => None,
        Shape::Arc { start, end } => inverse(shape, level).map(|x| Interval::beyond(x, start < end)),
        Shape::Ramp { start, end } => inverse(shape, level).map(|x| Interval::beyond(x, start <= end)),
        Shape::SShape { .. } => inverse(shape, level).map(|x| Interval::beyond(x, true)),
        Shape::ZShape { .. } => inverse(shape, level).map(|x| Interval::beyond(x, false)),
        Shape::Sigmoid { slope: 0.0, .. } => (level <= 0.5).then_some(Interval::REAL_LINE),
        Shape::Sigmoid { slope, .. } => inverse(shape, level).map(|x| Interval::beyond(x, slope > 0.0)),
        _ => None,
    }
}

/// The intervals in which the linear interpolation of `points` is at least `alpha`.
fn discrete(points: &[(f64, f64)], alpha: f64, height: f64) -> Vec<Interval> {
    let mut cuts: Vec<Interval> = Vec::new();
    let mut add = |lower: f64, upper: f64| match cuts.last_mut() {
        Some(last) if lower <= last.upper => last.upper = upper.max(last.upper),
        _ => cuts.push(Interval { lower, upper }),
    };
    let reaches_alpha = |y: f64| height * y >= alpha;
    let (Some(first), Some(last)) = (points.first(), points.last()) else { return vec![] };
    if reaches_alpha(first.1) {
        add(f64::NEG_INFINITY, first.0);
    }
    for pair in points.windows(2) {
        let ((x0, y0), (x1, y1)) = (pair[0], pair[1]);
        let crossing = (x0 + (x1 - x0) * ((alpha / height - y0) / (y1 - y0))).clamp(x0, x1);
        match (reaches_alpha(y0), reaches_alpha(y1)) {
            (true, true) => add(x0, x1),
            (true, false) => add(x0, crossing),
            (false, true) => add(crossing, x1),
            (false, false) => {}
        }
    }
    if reaches_alpha(last.1) {
        add(last.0, f64::INFINITY);
    }
    cuts
}

/// From the point before the first positive one to the point after the last positive one.
fn discrete_support(points: &[(f64, f64)]) -> Option<Interval> {
    let first = points.iter().position(|p| p.1 > 0.0)?;
    let last = points.iter().rposition(|p| p.1 > 0.0)?;
    Some(Interval {
        lower: if first == 0 { f64::NEG_INFINITY } else { points[first - 1].0 },
        upper: points.get(last + 1).map_or(f64::INFINITY, |p| p.0),
    })
}

/// The interval from `lower` to `upper`, empty if `lower > upper`.
fn bounds(lower: f64, upper: f64) -> Interval {
    Interval { lower, upper }
}
