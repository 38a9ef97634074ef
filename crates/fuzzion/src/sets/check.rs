//! Which parameters mean something.
//!
//! Degenerate shapes (no width, a vertical edge, a shoulder without end) are welcome; files contain them. Refused
//! are NaN, infinities where the formula has no limit, edges that end before they start, and numbers so large or
//! widths so small that the formula would overflow: 290 of the 308 decimal places are kept, so that no sum of a
//! parameter and any x overflows, and no reciprocal of a width.

use super::shape::Shape;
use crate::error::{Error, Result};

type Named = (&'static str, f64);

/// The largest place or width; half of the last place of the largest x, which it therefore cannot push over.
const LARGEST: f64 = 1e290;
/// The smallest width but 0.
const SMALLEST: f64 = 1e-290;
/// The largest size of a Discrete's y, which over the smallest width is a slope without overflow.
const LARGEST_Y: f64 = 1e9;
/// The same bounds for single precision.
const LARGEST_F32: f64 = 1e30;
const SMALLEST_F32: f64 = 1e-30;

/// Refuses a shape whose parameters mean nothing.
pub(super) fn check(shape: &Shape) -> Result<()> {
    check_numbers(shape)?;
    let narrow = |(from, to): &(f64, Named)| to.1 != *from && (to.1 - from).abs() < SMALLEST;
    match widths(shape).iter().find(|width| narrow(width)) {
        Some((0.0, to)) => require(false, shape.name(), *to, "0, or 1e-290 or more in size"),
        Some((_, to)) => require(false, shape.name(), *to, "where the edge started, or 1e-290 or more away"),
        None => Ok(()),
    }
}

/// Whether the formula is right in single precision too; where it is not, the set is computed in double.
pub(super) fn fits_f32(shape: &Shape, height: f64) -> bool {
    let round = |v: f64| f64::from(v as f32);
    let in_range = |v: f64| v == 0.0 || (SMALLEST_F32..=LARGEST_F32).contains(&v.abs());
    let place = |v: f64| v.is_infinite() || v.abs() <= LARGEST_F32;
    let width = |(from, to): (f64, Named)| {
        let width = round(to.1) - round(from);
        from == to.1 || width.is_infinite() || width != 0.0 && in_range(width)
    };
    // A slope that rounds to 0 makes another curve, a Discrete's that overflows none.
    let slope = match *shape {
        Shape::Bell { slope, .. } | Shape::Sigmoid { slope, .. } => in_range(slope),
        Shape::SigmoidDifference { rising, falling, .. } | Shape::SigmoidProduct { rising, falling, .. } => {
            in_range(rising) && in_range(falling)
        }
        Shape::Discrete { ref points } => points.windows(2).all(|pair| {
            let run = pair[1].0 - pair[0].0;
            run == 0.0 || in_range(height * (pair[1].1 - pair[0].1) / run)
        }),
        _ => true,
    };
    slope
        && in_range(height)
        && shape.parameters().into_iter().all(place)
        && widths(shape).into_iter().all(width)
}

/// What a shape's formula divides by, each as the place it starts from and the parameter it reaches to.
fn widths(shape: &Shape) -> Vec<(f64, Named)> {
    match *shape {
        Shape::Triangle { left, top, right } => vec![(left, ("top", top)), (top, ("right", right))],
        Shape::Trapezoid { bottom_left, top_left, top_right, bottom_right }
        | Shape::PiShape { bottom_left, top_left, top_right, bottom_right } => {
            vec![(bottom_left, ("top_left", top_left)), (top_right, ("bottom_right", bottom_right))]
        }
        Shape::SemiEllipse { start, end }
        | Shape::Arc { start, end }
        | Shape::Ramp { start, end }
        | Shape::SShape { start, end }
        | Shape::ZShape { start, end } => vec![(start, ("end", end))],
        Shape::Concave { inflection, end } => vec![(inflection, ("end", end))],
        Shape::Discrete { ref points } => {
            points.windows(2).map(|pair| (pair[0].0, ("x", pair[1].0))).collect()
        }
        Shape::Bell { width, .. } | Shape::Cosine { width, .. } | Shape::Spike { width, .. } => {
            vec![(0.0, ("width", width))]
        }
        Shape::Gaussian { standard_deviation, .. } => {
            vec![(0.0, ("standard_deviation", standard_deviation))]
        }
        Shape::GaussianProduct { standard_deviation_a, standard_deviation_b, .. } => vec![
            (0.0, ("standard_deviation_a", standard_deviation_a)),
            (0.0, ("standard_deviation_b", standard_deviation_b)),
        ],
        _ => vec![],
    }
}

fn check_numbers(shape: &Shape) -> Result<()> {
    let name = shape.name();
    match *shape {
        Shape::Triangle { left, top, right } => {
            ends(name, &[("left", left), ("right", right)])?;
            places(name, &[("top", top)])?;
            ascending(name, left, ("top", top), "at least `left`")?;
            ascending(name, top, ("right", right), "at least `top`")
        }
        Shape::Trapezoid { bottom_left, top_left, top_right, bottom_right } => {
            let left = [("bottom_left", bottom_left), ("top_left", top_left)];
            let right = [("top_right", top_right), ("bottom_right", bottom_right)];
            ends(name, &left)?;
            ends(name, &right)?;
            edges(name, left, right)?;
            // An edge that only ends at infinity has no slope.
            require(top_left < f64::INFINITY, name, left[1], "finite, or -inf for a shoulder")?;
            require(top_right > f64::NEG_INFINITY, name, right[0], "finite, or inf for a shoulder")
        }
        Shape::PiShape { bottom_left, top_left, top_right, bottom_right } => {
            let left = [("bottom_left", bottom_left), ("top_left", top_left)];
            let right = [("top_right", top_right), ("bottom_right", bottom_right)];
            places(name, &left)?;
            places(name, &right)?;
            edges(name, left, right)
        }
        Shape::Rectangle { start, end } => numbers(name, &[("start", start), ("end", end)]),
        Shape::SemiEllipse { start, end } | Shape::Arc { start, end } | Shape::Ramp { start, end } => {
            places(name, &[("start", start), ("end", end)])
        }
        Shape::SShape { start, end } | Shape::ZShape { start, end } => {
            places(name, &[("start", start), ("end", end)])?;
            ascending(name, start, ("end", end), "at least `start`")
        }
        Shape::Discrete { ref points } => check_points(name, points),
        Shape::Bell { center, width, slope } => {
            places(name, &[("center", center), ("width", width)])?;
            finite(name, &[("slope", slope)])
        }
        Shape::Cosine { center, width } => {
            places(name, &[("center", center), ("width", width)])?;
            ascending(name, 0.0, ("width", width), "at least 0")
        }
        Shape::Spike { center, width } => places(name, &[("center", center), ("width", width)]),
        Shape::Gaussian { mean, standard_deviation } => {
            places(name, &[("mean", mean), ("standard_deviation", standard_deviation)])
        }
        Shape::GaussianProduct { mean_a, standard_deviation_a, mean_b, standard_deviation_b } => {
            places(name, &[("mean_a", mean_a), ("standard_deviation_a", standard_deviation_a)])?;
            places(name, &[("mean_b", mean_b), ("standard_deviation_b", standard_deviation_b)])
        }
        Shape::SigmoidDifference { left, rising, falling, right }
        | Shape::SigmoidProduct { left, rising, falling, right } => {
            places(name, &[("left", left), ("right", right)])?;
            finite(name, &[("rising", rising), ("falling", falling)])
        }
        Shape::Binary { start, direction } => {
            finite(name, &[("start", start)])?;
            numbers(name, &[("direction", direction)])?;
            require(direction != start, name, ("direction", direction), "above or below `start`")
        }
        Shape::Concave { inflection, end } => places(name, &[("inflection", inflection), ("end", end)]),
        Shape::Sigmoid { inflection, slope } => {
            places(name, &[("inflection", inflection)])?;
            finite(name, &[("slope", slope)])
        }
        Shape::Constant { value } => numbers(name, &[("value", value)]),
        Shape::Linear { ref coefficients, constant } => {
            numbers(name, &[("constant", constant)])?;
            coefficients.iter().try_for_each(|c| numbers(name, &[("coefficient", *c)]))
        }
        Shape::Function { .. } => Ok(()),
    }
}

/// Refuses a height that no membership can have.
pub(super) fn check_height(shape: &Shape, height: f64) -> Result<()> {
    let consequent = matches!(shape, Shape::Constant { .. } | Shape::Linear { .. } | Shape::Function { .. });
    let name = shape.name();
    require(!consequent || height == 1.0, name, ("height", height), "1: a consequent has no height")?;
    require((0.0..f64::INFINITY).contains(&height), name, ("height", height), "finite and at least 0")
}

fn check_points(name: &'static str, points: &[(f64, f64)]) -> Result<()> {
    require(!points.is_empty(), name, ("points", 0.0), "1 or more pairs x y")?;
    for (i, &(x, y)) in points.iter().enumerate() {
        places(name, &[("x", x)])?;
        finite(name, &[("y", y)])?;
        require(y.abs() <= LARGEST_Y, name, ("y", y), "at most 1e9 in size")?;
        let before = if i == 0 { x } else { points[i - 1].0 };
        ascending(name, before, ("x", x), "at least the x before it")?;
    }
    Ok(())
}

fn edges(name: &'static str, left: [Named; 2], right: [Named; 2]) -> Result<()> {
    ascending(name, left[0].1, left[1], "at least `bottom_left`")?;
    ascending(name, right[0].1, right[1], "at least `top_right`")
}

fn require(holds: bool, algorithm: &'static str, (name, value): Named, must: &'static str) -> Result<()> {
    if holds { Ok(()) } else { Err(Error::Parameter { algorithm, name, value, must }) }
}

fn numbers(algorithm: &'static str, parameters: &[Named]) -> Result<()> {
    parameters.iter().try_for_each(|p| require(!p.1.is_nan(), algorithm, *p, "a number"))
}

fn finite(algorithm: &'static str, parameters: &[Named]) -> Result<()> {
    parameters.iter().try_for_each(|p| require(p.1.is_finite(), algorithm, *p, "finite"))
}

/// Numbers that x is compared with or divided by.
fn places(algorithm: &'static str, parameters: &[Named]) -> Result<()> {
    finite(algorithm, parameters)?;
    let small = |p: &Named| require(p.1.abs() <= LARGEST, algorithm, *p, "at most 1e290 in size");
    parameters.iter().try_for_each(small)
}

/// Places that may be infinite.
fn ends(algorithm: &'static str, parameters: &[Named]) -> Result<()> {
    numbers(algorithm, parameters)?;
    let small = |p: &Named| p.1.abs() <= LARGEST || p.1.is_infinite();
    let must = "at most 1e290 in size, or infinite";
    parameters.iter().try_for_each(|p| require(small(p), algorithm, *p, must))
}

fn ascending(algorithm: &'static str, before: f64, after: Named, must: &'static str) -> Result<()> {
    require(before <= after.1, algorithm, after, must)
}
