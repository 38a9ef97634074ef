// The smaller of two numbers; b if either is NaN.
fn smaller(a: f64, b: f64) -> f64 {
    if a < b { a } else { b }
}

// The larger of two numbers; b if either is NaN.
fn larger(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}

fn clamp_0_1(x: f64) -> f64 {
    smaller(1.0, larger(0.0, x))
}

// x if it is NaN, otherwise y.
fn propagate_nan(x: f64, y: f64) -> f64 {
    if !x.is_nan() { y } else { x }
}

// NaN if a or b is NaN, otherwise y.
fn propagate_either_nan(a: f64, b: f64, y: f64) -> f64 {
    if !a.is_nan() && !b.is_nan() { y } else { a + b }
}

// Linear from 0 at bottom to 1 at top; 1 if bottom is minus infinity.
fn rising_edge(x: f64, bottom: f64, top: f64) -> f64 {
    if bottom == -f64::INFINITY || x >= top {
        return if !x.is_nan() { 1.0 } else { x };
    }
    larger(0.0, (x - bottom) * (1.0 / (top - bottom)))
}

// Quadratic S curve from 0 to 1.
fn s_curve(t: f64) -> f64 {
    let complement = 1.0 - t;
    if t < 0.5 { 2.0 * t * t } else { 1.0 - 2.0 * complement * complement }
}

// Distance from the center in units of the width.
fn normalized_distance(x: f64, center: f64, width: f64) -> f64 {
    if x == center { 0.0 } else { absolute(x - center) * (1.0 / absolute(width)) }
}

fn trapezoid(x: f64, bottom_left: f64, top_left: f64, top_right: f64, bottom_right: f64) -> f64 {
    smaller(rising_edge(x, bottom_left, top_left), rising_edge(-x, -bottom_right, -top_right))
}

fn triangle(x: f64, left: f64, top: f64, right: f64) -> f64 {
    trapezoid(x, left, top, top, right)
}

fn rectangle(x: f64, start: f64, end: f64) -> f64 {
    let inside = x >= smaller(start, end) && x <= larger(start, end);
    propagate_nan(x, if inside { 1.0 } else { 0.0 })
}

// Linear interpolation between points (x, y), constant beyond the outer points.
fn discrete(x: f64, points: &[[f64; 2]]) -> f64 {
    let after = points.partition_point(|point| point[0] <= x);
    if x.is_nan() {
        return x;
    }
    if after == 0 || after == points.len() {
        return points[after.saturating_sub(1)][1];
    }
    let ([x0, y0], [x1, y1]) = (points[after - 1], points[after]);
    y0 + (y1 - y0) / (x1 - x0) * (x - x0)
}

fn semi_ellipse(x: f64, start: f64, end: f64) -> f64 {
    let lower = smaller(start, end);
    let upper = larger(start, end);
    if !(x >= lower && x <= upper) {
        return propagate_nan(x, 0.0);
    }
    let scale = 2.0 / (upper - lower);
    if lower == upper { 1.0 } else { sqrt_of(clamp_0_1((x - lower) * scale * ((upper - x) * scale))) }
}

fn bell(x: f64, center: f64, width: f64, slope: f64) -> f64 {
    if width == 0.0 {
        return propagate_nan(x, if x == center { 1.0 } else { 0.0 });
    }
    propagate_nan(x, 1.0 / (1.0 + pow_of(normalized_distance(x, center, width), 2.0 * slope)))
}

// Bell whose exponent, 2 * slope, is an integer.
fn bell_integer_power(x: f64, center: f64, width: f64, power: u32) -> f64 {
    if width == 0.0 {
        return propagate_nan(x, if x == center { 1.0 } else { 0.0 });
    }
    let mut square = normalized_distance(x, center, width);
    let mut product = 1.0;
    let mut rest = power;
    while rest > 0 {
        if rest % 2 == 1 {
            product *= square;
        }
        square *= square;
        rest /= 2;
    }
    1.0 / (1.0 + product)
}

fn cosine(x: f64, center: f64, width: f64) -> f64 {
    let t = normalized_distance(x, center, width);
    let inner = t <= 0.25;
    let s = sin_pi(if inner { t } else { larger(0.0, 0.5 - t) });
    propagate_nan(x, if inner { 1.0 - s * s } else { s * s })
}

fn half_squared_distance(x: f64, mean: f64, standard_deviation: f64) -> f64 {
    let t = normalized_distance(x, mean, standard_deviation * 1.4142135623730951);
    t * t
}

fn gaussian(x: f64, mean: f64, standard_deviation: f64) -> f64 {
    exp_of(-half_squared_distance(x, mean, standard_deviation))
}

fn gaussian_product(x: f64, mean_a: f64, sd_a: f64, mean_b: f64, sd_b: f64) -> f64 {
    let a = if x < mean_a { half_squared_distance(x, mean_a, sd_a) } else { 0.0 };
    let b = if x > mean_b { half_squared_distance(x, mean_b, sd_b) } else { 0.0 };
    propagate_nan(x, exp_of(-(a + b)))
}

fn spike(x: f64, center: f64, width: f64) -> f64 {
    exp_of(-10.0 * normalized_distance(x, center, width))
}

fn arc(x: f64, start: f64, end: f64) -> f64 {
    let position = clamp_0_1((x - start) * (1.0 / (end - start)));
    let t = if x == end { 1.0 } else { position };
    propagate_nan(x, if start == end { 0.0 } else { sqrt_of(t * (2.0 - t)) })
}

fn binary(x: f64, start: f64, direction: f64) -> f64 {
    let inside = if direction > start { x >= start } else { x <= start };
    propagate_nan(x, if inside { 1.0 } else { 0.0 })
}

fn concave(x: f64, inflection: f64, end: f64) -> f64 {
    let d = absolute(end - inflection);
    let side = if inflection > end { x - end } else { end - x };
    let before = if inflection == end { absolute(side) } else { side };
    if before <= 0.0 { 1.0 } else { d / (d + before) }
}

fn ramp(x: f64, start: f64, end: f64) -> f64 {
    if x == end {
        return 1.0;
    }
    if start == end {
        return propagate_nan(x, if x > end { 1.0 } else { 0.0 });
    }
    clamp_0_1((x - start) * (1.0 / (end - start)))
}

fn sigmoid_exponent(x: f64, inflection: f64, slope: f64) -> f64 {
    if slope == 0.0 { propagate_nan(x, 0.0) } else { slope * (inflection - x) }
}

fn sigmoid(x: f64, inflection: f64, slope: f64) -> f64 {
    1.0 / (1.0 + exp_of(sigmoid_exponent(x, inflection, slope)))
}

fn sigmoid_difference(x: f64, left: f64, rising: f64, falling: f64, right: f64) -> f64 {
    let a = sigmoid_exponent(x, left, rising);
    let b = sigmoid_exponent(x, right, falling);
    let sign = if a < 0.0 && b < 0.0 { -1.0 } else { 1.0 };
    absolute(1.0 / (1.0 + exp_of(sign * a)) - 1.0 / (1.0 + exp_of(sign * b)))
}

fn sigmoid_product(x: f64, left: f64, rising: f64, falling: f64, right: f64) -> f64 {
    sigmoid(x, left, rising) * sigmoid(x, right, falling)
}

fn s_shape(x: f64, start: f64, end: f64) -> f64 {
    if x <= start { 0.0 } else { s_curve(clamp_0_1((x - start) * (1.0 / (end - start)))) }
}

fn z_shape(x: f64, start: f64, end: f64) -> f64 {
    if x <= start { 1.0 } else { s_curve(clamp_0_1((end - x) * (1.0 / (end - start)))) }
}

fn pi_shape(x: f64, bottom_left: f64, top_left: f64, top_right: f64, bottom_right: f64) -> f64 {
    s_shape(x, bottom_left, top_left) * z_shape(x, top_right, bottom_right)
}

fn inverse_ramp(level: f64, start: f64, end: f64) -> f64 {
    start + (end - start) * level
}

fn inverse_sigmoid(level: f64, inflection: f64, slope: f64) -> f64 {
    inflection + log_of(level / (1.0 - level)) / slope
}

fn inverse_concave(level: f64, inflection: f64, end: f64) -> f64 {
    end - (end - inflection) * (1.0 / level - 1.0)
}

fn inverse_s_shape(level: f64, start: f64, end: f64) -> f64 {
    if level <= 0.5 {
        start + (end - start) * sqrt_of(level / 2.0)
    } else {
        end - (end - start) * sqrt_of((1.0 - level) / 2.0)
    }
}

fn inverse_z_shape(level: f64, start: f64, end: f64) -> f64 {
    inverse_s_shape(level, end, start)
}

fn inverse_arc(level: f64, start: f64, end: f64) -> f64 {
    end - (end - start) * sqrt_of((1.0 - level) * (1.0 + level))
}

fn minimum(a: f64, b: f64) -> f64 {
    propagate_either_nan(a, b, smaller(a, b))
}

fn algebraic_product(a: f64, b: f64) -> f64 {
    a * b
}

fn bounded_difference(a: f64, b: f64) -> f64 {
    propagate_either_nan(a, b, larger(0.0, smaller(a, b) - (1.0 - larger(a, b))))
}

fn drastic_product(a: f64, b: f64) -> f64 {
    propagate_either_nan(a, b, if larger(a, b) == 1.0 { smaller(a, b) } else { 0.0 })
}

fn einstein_product(a: f64, b: f64) -> f64 {
    a * b / (1.0 + (1.0 - a) * (1.0 - b))
}

fn hamacher_product(a: f64, b: f64) -> f64 {
    let sum = larger(a, b) + smaller(a, b) * (1.0 - larger(a, b));
    propagate_either_nan(a, b, if sum == 0.0 { 0.0 } else { smaller(a, b) * (larger(a, b) / sum) })
}

fn nilpotent_minimum(a: f64, b: f64) -> f64 {
    propagate_either_nan(a, b, if a + b > 1.0 || larger(a, b) == 1.0 { smaller(a, b) } else { 0.0 })
}

fn maximum(a: f64, b: f64) -> f64 {
    propagate_either_nan(a, b, larger(a, b))
}

fn algebraic_sum(a: f64, b: f64) -> f64 {
    propagate_either_nan(a, b, larger(a, b) + smaller(a, b) * (1.0 - larger(a, b)))
}

fn bounded_sum(a: f64, b: f64) -> f64 {
    smaller(1.0, a + b)
}

fn drastic_sum(a: f64, b: f64) -> f64 {
    propagate_either_nan(a, b, if smaller(a, b) == 0.0 { larger(a, b) } else { 1.0 })
}

fn einstein_sum(a: f64, b: f64) -> f64 {
    let rest = (1.0 - larger(a, b)) * (1.0 + larger(a, b));
    propagate_either_nan(a, b, larger(a, b) + smaller(a, b) * rest / (1.0 + a * b))
}

fn hamacher_sum(a: f64, b: f64) -> f64 {
    let p = 1.0 - larger(a, b);
    let q = 1.0 - smaller(a, b);
    let rest = p + larger(a, b) * q;
    propagate_either_nan(a, b, if rest == 0.0 { 1.0 } else { larger(a, b) + smaller(a, b) * p * (p / rest) })
}

fn nilpotent_maximum(a: f64, b: f64) -> f64 {
    propagate_either_nan(a, b, if a + b < 1.0 { larger(a, b) } else { 1.0 })
}

fn normalized_sum(a: f64, b: f64) -> f64 {
    (a + b) / larger(1.0, a + b)
}

fn unbounded_sum(a: f64, b: f64) -> f64 {
    a + b
}

fn hedge_not(m: f64) -> f64 {
    1.0 - m
}

fn hedge_very(m: f64) -> f64 {
    m * m
}

fn hedge_somewhat(m: f64) -> f64 {
    sqrt_of(m)
}

fn hedge_extremely(m: f64) -> f64 {
    let complement = 1.0 - m;
    if m <= 0.5 { 2.0 * m * m } else { 1.0 - 2.0 * complement * complement }
}

fn hedge_seldom(m: f64) -> f64 {
    if m <= 0.5 { sqrt_of(0.5 * m) } else { 1.0 - sqrt_of(0.5 * (1.0 - m)) }
}
