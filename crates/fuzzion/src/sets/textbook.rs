//! Reference memberships for tests and the self-test: textbook formulas with plain branches and the standard math
//! functions, independent of the optimized code.

use crate::sets::Shape;

fn logistic(x: f64, inflection: f64, slope: f64) -> f64 {
    if slope == 0.0 { 0.5 } else { 1.0 / (1.0 + (-slope * (x - inflection)).exp()) }
}

fn normal(x: f64, mean: f64, sd: f64) -> f64 {
    if x == mean { 1.0 } else { (-((x - mean) / sd).powi(2) / 2.0).exp() }
}

fn s_curve(x: f64, start: f64, end: f64) -> f64 {
    if x <= start {
        0.0
    } else if x <= (start + end) / 2.0 {
        2.0 * ((x - start) / (end - start)).powi(2)
    } else if x < end {
        1.0 - 2.0 * ((x - end) / (end - start)).powi(2)
    } else {
        1.0
    }
}

fn z_curve(x: f64, start: f64, end: f64) -> f64 {
    if x <= start {
        1.0
    } else if x <= (start + end) / 2.0 {
        1.0 - 2.0 * ((x - start) / (end - start)).powi(2)
    } else if x < end {
        2.0 * ((x - end) / (end - start)).powi(2)
    } else {
        0.0
    }
}

fn left_edge(x: f64, foot: f64, head: f64) -> f64 {
    if x >= head || foot == f64::NEG_INFINITY {
        1.0
    } else if x <= foot {
        0.0
    } else {
        (x - foot) / (head - foot)
    }
}

fn right_edge(x: f64, head: f64, foot: f64) -> f64 {
    left_edge(-x, -foot, -head)
}

fn inside(x: f64, start: f64, end: f64) -> bool {
    x >= start.min(end) && x <= start.max(end)
}

/// μ(x) for height 1; NaN for Takagi-Sugeno consequents.
pub fn membership(shape: &Shape, x: f64) -> f64 {
    if x.is_nan() {
        return x;
    }
    match *shape {
        Shape::Triangle { left, top, right } => left_edge(x, left, top).min(right_edge(x, top, right)),
        Shape::Trapezoid { bottom_left: a, top_left: b, top_right: c, bottom_right: d } => {
            left_edge(x, a, b).min(right_edge(x, c, d))
        }
        Shape::Rectangle { start, end } => f64::from(u8::from(inside(x, start, end))),
        Shape::Discrete { ref points } => discrete(points, x),
        Shape::SemiEllipse { start, end } => {
            let (center, radius) = ((start + end) / 2.0, (end - start) / 2.0);
            match inside(x, start, end) {
                true if radius == 0.0 => 1.0,
                true => (1.0 - ((x - center) / radius).powi(2)).max(0.0).sqrt(),
                false => 0.0,
            }
        }
        Shape::Bell { center, width, slope } => {
            if width == 0.0 {
                return if x == center { 1.0 } else { 0.0 };
            }
            1.0 / (1.0 + ((x - center) / width).abs().powf(2.0 * slope))
        }
        Shape::Cosine { center, width } => {
            let t = (x - center) / width;
            if x == center {
                1.0
            } else if t.abs() <= 0.5 {
                0.5 * (1.0 + (2.0 * std::f64::consts::PI * t).cos())
            } else {
                0.0
            }
        }
        Shape::Gaussian { mean, standard_deviation } => normal(x, mean, standard_deviation),
        Shape::GaussianProduct { mean_a, standard_deviation_a, mean_b, standard_deviation_b } => {
            let a = if x < mean_a { normal(x, mean_a, standard_deviation_a) } else { 1.0 };
            let b = if x > mean_b { normal(x, mean_b, standard_deviation_b) } else { 1.0 };
            a * b
        }
        Shape::PiShape { bottom_left: a, top_left: b, top_right: c, bottom_right: d } => {
            s_curve(x, a, b) * z_curve(x, c, d)
        }
        Shape::SigmoidDifference { left, rising, falling, right } => {
            // Where both curves are close to 1, the mirrored difference avoids cancellation.
            let (a, b) = (rising * (x - left), falling * (x - right));
            match a > 0.0 && b > 0.0 {
                true => (logistic(-a, 0.0, 1.0) - logistic(-b, 0.0, 1.0)).abs(),
                false => (logistic(x, left, rising) - logistic(x, right, falling)).abs(),
            }
        }
        Shape::SigmoidProduct { left, rising, falling, right } => {
            logistic(x, left, rising) * logistic(x, right, falling)
        }
        Shape::Spike { center, width } => {
            if x == center {
                1.0
            } else {
                (-(10.0 / width * (x - center)).abs()).exp()
            }
        }
        Shape::Arc { start, end } => {
            let beyond = if end > start { x >= end } else { x <= end };
            match start == end {
                true => 0.0,
                false if beyond => 1.0,
                false if !inside(x, start, end) => 0.0,
                false => (1.0 - ((x - end) / (end - start)).powi(2)).sqrt(),
            }
        }
        Shape::Binary { start, direction } => {
            f64::from(u8::from(if direction > start { x >= start } else { x <= start }))
        }
        Shape::Concave { inflection: i, end: e } => {
            if i <= e && x < e {
                (e - i) / (2.0 * e - i - x)
            } else if i >= e && x > e {
                (i - e) / (-2.0 * e + i + x)
            } else {
                1.0
            }
        }
        Shape::Ramp { start, end } if start == end => f64::from(u8::from(x >= end)),
        Shape::Ramp { start, end } => ((x - start) / (end - start)).clamp(0.0, 1.0),
        Shape::Sigmoid { inflection, slope } => logistic(x, inflection, slope),
        Shape::SShape { start, end } => s_curve(x, start, end),
        Shape::ZShape { start, end } => z_curve(x, start, end),
        _ => f64::NAN,
    }
}

fn discrete(points: &[(f64, f64)], x: f64) -> f64 {
    let mut y = points[0].1;
    for (i, &(x0, y0)) in points.iter().enumerate() {
        if x >= x0 {
            y = match points.get(i + 1) {
                Some(&(x1, y1)) if x < x1 => y0 + (y1 - y0) / (x1 - x0) * (x - x0),
                _ => y0,
            };
        }
    }
    y
}
