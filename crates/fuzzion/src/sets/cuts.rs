//! Level cuts: α-cuts, support, core, and the inverse of monotone shapes. Equations (2) and (3).
//!
//! Closed forms wherever the shape has one; `hills` searches where it has none.

use super::{Set, Shape, hills};

/// A closed interval of x; the ends may be infinite.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cut {
    /// The smallest x.
    pub lower: f64,
    /// The largest x.
    pub upper: f64,
}

pub(super) const EVERYTHING: Cut = Cut { lower: f64::NEG_INFINITY, upper: f64::INFINITY };

impl Cut {
    fn new(lower: f64, upper: f64) -> Self {
        Cut { lower, upper }
    }

    fn around(center: f64, distance: f64) -> Self {
        Cut { lower: center - distance, upper: center + distance }
    }

    /// From `end` on, upwards or downwards.
    fn beyond(end: f64, upwards: bool) -> Self {
        if upwards { Cut { lower: end, ..EVERYTHING } } else { Cut { upper: end, ..EVERYTHING } }
    }
}

impl Set {
    /// The α-cut {x : μ(x) ≥ α}, or for a set of several hills the smallest interval around it; `None` if empty.
    ///
    /// Takagi-Sugeno consequents are no sets of x and have no cuts. A cut at α ≤ 0 is everything.
    ///
    /// ```
    /// # use fuzzion::sets::Set;
    /// let cut = Set::triangle(1.0, 2.0, 4.0)?.alpha_cut(0.5);
    /// assert_eq!(cut.map(|cut| (cut.lower, cut.upper)), Some((1.5, 3.0)));
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    pub fn alpha_cut(&self, alpha: f64) -> Option<Cut> {
        let cuts = self.alpha_cuts(alpha);
        Some(Cut { lower: cuts.first()?.lower, upper: cuts.last()?.upper })
    }

    /// The α-cut as its separate closed intervals in ascending order; an open end is closed.
    ///
    /// Only Discrete, SigmoidDifference and Bell (of negative slope) ever have more than one.
    ///
    /// ```
    /// # use fuzzion::sets::Set;
    /// let twin_peaks = Set::discrete(&[(0.0, 1.0), (1.0, 0.0), (2.0, 1.0)])?;
    /// let cuts = twin_peaks.alpha_cuts(0.5);
    /// assert_eq!((cuts.len(), cuts[0].upper, cuts[1].lower), (2, 0.5, 1.5));
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    pub fn alpha_cuts(&self, alpha: f64) -> Vec<Cut> {
        let consequent =
            matches!(self.shape(), Shape::Constant { .. } | Shape::Linear { .. } | Shape::Function { .. });
        if consequent || alpha.is_nan() {
            return vec![];
        }
        if alpha <= 0.0 && !matches!(self.shape(), Shape::Discrete { .. }) {
            return vec![EVERYTHING];
        }
        let level = alpha / self.height();
        let cuts = match self.shape() {
            Shape::Discrete { points } => discrete(points, alpha, self.height()),
            _ if level > 1.0 || level.is_nan() => vec![],
            Shape::Bell { center, width, slope } if *slope < 0.0 && *width != 0.0 => {
                let gap = Cut::around(*center, bell_distance(*width, *slope, level));
                if gap.lower < gap.upper {
                    vec![Cut::beyond(gap.lower, false), Cut::beyond(gap.upper, true)]
                } else {
                    vec![EVERYTHING] // the gap is narrower than the numbers around it
                }
            }
            shape if hills::needs_search(shape) => hills::cuts(self, alpha),
            shape => one_hill(shape, level).into_iter().collect(),
        };
        // A curve that only nears α does not reach it, so a cut at infinity alone is none.
        let real =
            |cut: &Cut| cut.lower <= cut.upper && cut.lower < f64::INFINITY && cut.upper > f64::NEG_INFINITY;
        cuts.into_iter().filter(real).collect()
    }

    /// The interval around {x : μ(x) ≥ height}, which is where μ = 1 for the usual height; `None` where no x reaches it.
    ///
    /// ```
    /// # use fuzzion::sets::Set;
    /// let low = Set::trapezoid(0.0, 1.0, 2.0, 4.0)?.with_height(0.5)?;
    /// assert_eq!(low.core().map(|core| (core.lower, core.upper)), Some((1.0, 2.0)));
    /// assert_eq!(Set::sigmoid(0.0, 1.0)?.core(), None); // it only nears 1
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    pub fn core(&self) -> Option<Cut> {
        if self.height() == 0.0 { None } else { self.alpha_cut(self.height()) }
    }

    /// The closed interval around {x : μ(x) > 0}; infinite where μ only fades.
    ///
    /// ```
    /// # use fuzzion::sets::Set;
    /// assert_eq!(Set::ramp(1.0, 2.0)?.support().map(|s| s.lower), Some(1.0));
    /// assert_eq!(Set::gaussian(0.0, 1.0)?.support().map(|s| s.upper), Some(f64::INFINITY));
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    pub fn support(&self) -> Option<Cut> {
        let finite = match *self.shape() {
            _ if self.height() == 0.0 => return None,
            Shape::Constant { .. } | Shape::Linear { .. } | Shape::Function { .. } => return None,
            Shape::Discrete { ref points } => return discrete_support(points),
            Shape::Triangle { left, right, .. } => Cut::new(left, right),
            Shape::Trapezoid { bottom_left, bottom_right, .. }
            | Shape::PiShape { bottom_left, bottom_right, .. } => Cut::new(bottom_left, bottom_right),
            Shape::Rectangle { start, end } | Shape::SemiEllipse { start, end } => {
                Cut::new(start.min(end), start.max(end))
            }
            Shape::Cosine { center, width } => Cut::around(center, width / 2.0),
            Shape::Gaussian { mean, standard_deviation: 0.0 } => Cut::new(mean, mean),
            Shape::GaussianProduct { mean_a, standard_deviation_a, mean_b, standard_deviation_b } => {
                Cut::new(
                    if standard_deviation_a == 0.0 { mean_a } else { f64::NEG_INFINITY },
                    if standard_deviation_b == 0.0 { mean_b } else { f64::INFINITY },
                )
            }
            Shape::Bell { center, width: 0.0, .. } | Shape::Spike { center, width: 0.0 } => {
                Cut::new(center, center)
            }
            Shape::Arc { start, end } if start == end => return None,
            Shape::Arc { start, end } => Cut::beyond(start, end > start),
            Shape::Ramp { start, end } => Cut::beyond(start, end >= start),
            Shape::Concave { inflection, end } if inflection == end => Cut::new(end, end),
            Shape::Binary { start, direction } => Cut::beyond(start, direction > start),
            Shape::SShape { start, .. } => Cut::beyond(start, true),
            Shape::ZShape { end, .. } => Cut::beyond(end, false),
            _ => EVERYTHING,
        };
        Some(finite).filter(|cut| cut.lower <= cut.upper)
    }

    /// Whether the Tsukamoto inverse exists: Ramp, Sigmoid (unless it has no slope), Concave, SShape, ZShape and Arc.
    pub fn is_monotone(&self) -> bool {
        self.tsukamoto(0.5 * self.height()).is_some()
    }

    /// The x whose membership is `firing_strength`; `None` for a shape that is not monotone.
    ///
    /// As fuzzylite has it: strengths outside 0 … height follow the formula where it goes on and are NaN elsewhere.
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

/// Equation (3) for a level from 0 to 1.
fn inverse(shape: &Shape, level: f64) -> Option<f64> {
    // Both halves of an S from `start` to `end`.
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

/// The distance from a Bell's center at which its membership is `level`.
fn bell_distance(width: f64, slope: f64, level: f64) -> f64 {
    width.abs() * ((1.0 - level) / level).powf(0.5 / slope)
}

/// The cut of a shape at a level in (0, 1]; `None` where it is empty.
fn one_hill(shape: &Shape, level: f64) -> Option<Cut> {
    let rest = 1.0 - level;
    let left = |foot: f64, head: f64| if foot.is_infinite() { foot } else { head - rest * (head - foot) };
    match *shape {
        Shape::Triangle { left: a, top, right: d } => Some(Cut::new(left(a, top), left(d, top))),
        Shape::Trapezoid { bottom_left, top_left, top_right, bottom_right } => {
            Some(Cut::new(left(bottom_left, top_left), left(bottom_right, top_right)))
        }
        Shape::Rectangle { start, end } => Some(Cut::new(start.min(end), start.max(end))),
        Shape::SemiEllipse { start, end } => {
            Some(Cut::around((start + end) / 2.0, (end - start).abs() / 2.0 * (rest * (1.0 + level)).sqrt()))
        }
        Shape::Bell { center, width: 0.0, .. } => Some(Cut::new(center, center)),
        Shape::Bell { slope: 0.0, .. } => (level <= 0.5).then_some(EVERYTHING),
        Shape::Bell { center, width, slope } => Some(Cut::around(center, bell_distance(width, slope, level))),
        Shape::Cosine { center, width } => {
            Some(Cut::around(center, width * level.sqrt().acos() / std::f64::consts::PI))
        }
        Shape::Gaussian { mean, standard_deviation } => {
            Some(Cut::around(mean, standard_deviation.abs() * (-2.0 * level.ln()).sqrt()))
        }
        Shape::GaussianProduct { mean_a, standard_deviation_a, mean_b, standard_deviation_b } => {
            let distance = (-2.0 * level.ln()).sqrt();
            let (a, b) = (standard_deviation_a.abs(), standard_deviation_b.abs());
            Some(Cut::new(mean_a - a * distance, mean_b + b * distance))
        }
        Shape::PiShape { bottom_left, top_left, top_right, bottom_right } => {
            let rising = inverse(&Shape::SShape { start: bottom_left, end: top_left }, level)?;
            let falling = inverse(&Shape::ZShape { start: top_right, end: bottom_right }, level)?;
            Some(Cut::new(rising, falling))
        }
        Shape::Spike { center, width } => Some(Cut::around(center, width.abs() / 10.0 * -level.ln())),
        Shape::Binary { start, direction } => Some(Cut::beyond(start, direction > start)),
        Shape::Concave { inflection, end } if inflection == end => Some(Cut::new(end, end)),
        Shape::Concave { inflection, end } => inverse(shape, level).map(|x| Cut::beyond(x, inflection < end)),
        Shape::Arc { start, end } if start == end => None,
        Shape::Arc { start, end } => inverse(shape, level).map(|x| Cut::beyond(x, start < end)),
        Shape::Ramp { start, end } => inverse(shape, level).map(|x| Cut::beyond(x, start <= end)),
        Shape::SShape { .. } => inverse(shape, level).map(|x| Cut::beyond(x, true)),
        Shape::ZShape { .. } => inverse(shape, level).map(|x| Cut::beyond(x, false)),
        Shape::Sigmoid { slope: 0.0, .. } => (level <= 0.5).then_some(EVERYTHING),
        Shape::Sigmoid { slope, .. } => inverse(shape, level).map(|x| Cut::beyond(x, slope > 0.0)),
        _ => None,
    }
}

/// The intervals where the straight lines through `points` are at least `alpha`.
fn discrete(points: &[(f64, f64)], alpha: f64, height: f64) -> Vec<Cut> {
    let mut cuts: Vec<Cut> = Vec::new();
    let mut add = |lower: f64, upper: f64| match cuts.last_mut() {
        Some(last) if lower <= last.upper => last.upper = upper.max(last.upper),
        _ => cuts.push(Cut { lower, upper }),
    };
    let high = |y: f64| height * y >= alpha;
    let (Some(first), Some(last)) = (points.first(), points.last()) else { return vec![] };
    if high(first.1) {
        add(f64::NEG_INFINITY, first.0);
    }
    for pair in points.windows(2) {
        let ((x0, y0), (x1, y1)) = (pair[0], pair[1]);
        let crossing = (x0 + (x1 - x0) * ((alpha / height - y0) / (y1 - y0))).clamp(x0, x1);
        match (high(y0), high(y1)) {
            (true, true) => add(x0, x1),
            (true, false) => add(x0, crossing),
            (false, true) => add(crossing, x1),
            (false, false) => {}
        }
    }
    if high(last.1) {
        add(last.0, f64::INFINITY);
    }
    cuts
}

/// From the last point before the first positive one to the first after the last positive one.
fn discrete_support(points: &[(f64, f64)]) -> Option<Cut> {
    let first = points.iter().position(|p| p.1 > 0.0)?;
    let last = points.iter().rposition(|p| p.1 > 0.0)?;
    Some(Cut {
        lower: if first == 0 { f64::NEG_INFINITY } else { points[first - 1].0 },
        upper: points.get(last + 1).map_or(f64::INFINITY, |p| p.0),
    })
}
