//! Which parameters mean something.
//!
//! Degenerate shapes (no width, a vertical edge, a shoulder without end) are welcome; files contain them. Refused
//! are NaN, infinities where the formula has no limit, and edges that end before they start.

use super::shape::Shape;
use crate::error::{Error, Result};

type Named = (&'static str, f64);

/// Refuses a shape whose parameters mean nothing.
pub(super) fn check(shape: &Shape) -> Result<()> {
    let name = shape.name();
    match *shape {
        Shape::Triangle { left, top, right } => {
            numbers(name, &[("left", left), ("right", right)])?;
            finite(name, &[("top", top)])?;
            ascending(name, left, ("top", top), "at least `left`")?;
            ascending(name, top, ("right", right), "at least `top`")
        }
        Shape::Trapezoid { bottom_left, top_left, top_right, bottom_right } => {
            let left = [("bottom_left", bottom_left), ("top_left", top_left)];
            let right = [("top_right", top_right), ("bottom_right", bottom_right)];
            numbers(name, &left)?;
            numbers(name, &right)?;
            edges(name, left, right)?;
            // An edge that only ends at infinity has no slope.
            require(top_left < f64::INFINITY, name, left[1], "finite, or -inf for a shoulder")?;
            require(top_right > f64::NEG_INFINITY, name, right[0], "finite, or inf for a shoulder")
        }
        Shape::PiShape { bottom_left, top_left, top_right, bottom_right } => {
            let left = [("bottom_left", bottom_left), ("top_left", top_left)];
            let right = [("top_right", top_right), ("bottom_right", bottom_right)];
            finite(name, &left)?;
            finite(name, &right)?;
            edges(name, left, right)
        }
        Shape::Rectangle { start, end } => numbers(name, &[("start", start), ("end", end)]),
        Shape::SemiEllipse { start, end } | Shape::Arc { start, end } | Shape::Ramp { start, end } => {
            finite(name, &[("start", start), ("end", end)])
        }
        Shape::SShape { start, end } | Shape::ZShape { start, end } => {
            finite(name, &[("start", start), ("end", end)])?;
            ascending(name, start, ("end", end), "at least `start`")
        }
        Shape::Discrete { ref points } => check_points(name, points),
        Shape::Bell { center, width, slope } => {
            finite(name, &[("center", center), ("width", width), ("slope", slope)])
        }
        Shape::Cosine { center, width } => {
            finite(name, &[("center", center), ("width", width)])?;
            ascending(name, 0.0, ("width", width), "at least 0")
        }
        Shape::Spike { center, width } => finite(name, &[("center", center), ("width", width)]),
        Shape::Gaussian { mean, standard_deviation } => {
            finite(name, &[("mean", mean), ("standard_deviation", standard_deviation)])
        }
        Shape::GaussianProduct { mean_a, standard_deviation_a, mean_b, standard_deviation_b } => {
            finite(name, &[("mean_a", mean_a), ("standard_deviation_a", standard_deviation_a)])?;
            finite(name, &[("mean_b", mean_b), ("standard_deviation_b", standard_deviation_b)])
        }
        Shape::SigmoidDifference { left, rising, falling, right }
        | Shape::SigmoidProduct { left, rising, falling, right } => {
            finite(name, &[("left", left), ("rising", rising), ("falling", falling), ("right", right)])
        }
        Shape::Binary { start, direction } => {
            finite(name, &[("start", start)])?;
            numbers(name, &[("direction", direction)])?;
            require(direction != start, name, ("direction", direction), "above or below `start`")
        }
        Shape::Concave { inflection, end } => finite(name, &[("inflection", inflection), ("end", end)]),
        Shape::Sigmoid { inflection, slope } => finite(name, &[("inflection", inflection), ("slope", slope)]),
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
        finite(name, &[("x", x), ("y", y)])?;
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

fn ascending(algorithm: &'static str, before: f64, after: Named, must: &'static str) -> Result<()> {
    require(before <= after.1, algorithm, after, must)
}
