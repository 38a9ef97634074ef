// The value, or 0 if it is NaN or negative.
fn non_negative(x: f64) -> f64 {
    larger(x, 0.0)
}

// NaN and minus infinity become 0, infinity becomes 1.
fn finite_strength(x: f64) -> f64 {
    if x == f64::INFINITY {
        return 1.0;
    }
    if x > -f64::INFINITY { x } else { 0.0 }
}

fn clamp(x: f64, lower: f64, upper: f64) -> f64 {
    if x > upper {
        return upper;
    }
    if x < lower { lower } else { x }
}

// Number of firing rules that are stronger than rule `own`, or equally strong and earlier.
fn rank_strongest(own: usize, strengths: &[f64], firing: &[f64]) -> f64 {
    let mut rank = 0.0;
    for other in 0..strengths.len() {
        let equal = strengths[other] == strengths[own] && other < own;
        if strengths[other] > strengths[own] || equal {
            rank += firing[other];
        }
    }
    rank
}

// Number of firing rules that are weaker than rule `own`, or equally weak and earlier.
fn rank_weakest(own: usize, strengths: &[f64], firing: &[f64]) -> f64 {
    let mut rank = 0.0;
    for other in 0..strengths.len() {
        let equal = strengths[other] == strengths[own] && other < own;
        if strengths[other] < strengths[own] || equal {
            rank += firing[other];
        }
    }
    rank
}

// Adds the area and the moment of a set clipped at a level, which are linear in the level between knots.
fn add_linear_piece(level: f64, knots: &[f64], lines: &[[f64; 4]], area: &mut f64, moment: &mut f64) {
    let line = lines[knots.partition_point(|knot| *knot <= level)];
    *area += line[0] + line[1] * level;
    *moment += line[2] + line[3] * level;
}

// Adds the area and the moment of a set clipped at a level, which are polynomials of the level between knots.
fn add_polynomial_piece(level: f64, knots: &[f64], curves: &[[f64; 8]], area: &mut f64, moment: &mut f64) {
    let curve = curves[knots.partition_point(|knot| *knot <= level)];
    let u = level - curve[3];
    *area += curve[0] + u * (curve[1] + u * curve[2]);
    *moment += curve[4] + u * (curve[5] + u * (curve[6] + u * curve[7]));
}

fn indicator(condition: bool) -> f64 {
    if condition { 1.0 } else { 0.0 }
}

fn equal_or_both_nan(a: f64, b: f64) -> bool {
    a == b || (a.is_nan() && b.is_nan())
}

fn min_of(a: f64, b: f64) -> f64 {
    if a.is_nan() || a < b { a } else { b }
}

fn max_of(a: f64, b: f64) -> f64 {
    if a.is_nan() || a > b { a } else { b }
}

fn is_nan_value(x: f64) -> bool {
    x.is_nan()
}
