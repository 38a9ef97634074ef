// 0 where it is NaN or negative.
fn positive(x: f64) -> f64 {
    most(x, 0.0)
}

// NaN and minus infinity count as 0, infinity as 1.
fn whole_strength(x: f64) -> f64 {
    if x == f64::INFINITY {
        return 1.0;
    }
    if x > -f64::INFINITY { x } else { 0.0 }
}

fn locked(x: f64, minimum_of_range: f64, maximum_of_range: f64) -> f64 {
    if x > maximum_of_range {
        return maximum_of_range;
    }
    if x < minimum_of_range { minimum_of_range } else { x }
}

// How many firing rules are stronger than rule own of n, or as strong and earlier.
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

// How many firing rules are weaker than rule own of n, or as weak and earlier.
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

// Adds the area and the moment of a set that is cut off at a level: straight lines of the level between knots.
fn add_line(level: f64, knots: &[f64], lines: &[[f64; 4]], area: &mut f64, moment: &mut f64) {
    let line = lines[knots.partition_point(|knot| *knot <= level)];
    *area += line[0] + line[1] * level;
    *moment += line[2] + line[3] * level;
}

// Adds the area and the moment of a set that is cut off at a level: polynomials of the level between knots.
fn add_curve(level: f64, knots: &[f64], curves: &[[f64; 8]], area: &mut f64, moment: &mut f64) {
    let curve = curves[knots.partition_point(|knot| *knot <= level)];
    let u = level - curve[3];
    *area += curve[0] + u * (curve[1] + u * curve[2]);
    *moment += curve[4] + u * (curve[5] + u * (curve[6] + u * curve[7]));
}

fn truth(holds: bool) -> f64 {
    if holds { 1.0 } else { 0.0 }
}

fn same(a: f64, b: f64) -> bool {
    a == b || (a.is_nan() && b.is_nan())
}

fn min_of(a: f64, b: f64) -> f64 {
    if a.is_nan() || a < b { a } else { b }
}

fn max_of(a: f64, b: f64) -> f64 {
    if a.is_nan() || a > b { a } else { b }
}

fn missing(x: f64) -> bool {
    x.is_nan()
}
