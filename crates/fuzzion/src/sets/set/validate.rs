//! Validation of shape parameters.
//!
//! Degenerate shapes (width 0, a vertical edge, an infinite shoulder) are valid because they occur in files. NaN,
//! infinite parameters where the formula has no limit, and edges whose parameters are not ascending are rejected.
//! Magnitudes above 1e290 and nonzero widths below 1e-290 are also rejected, so that neither the sum of a parameter and
//! any x nor the reciprocal of a width overflows.

use crate::base::SettingError;
use crate::sets::Shape;
use crate::sets::error::Result;

/// Name and value of a parameter.
type Named = (&'static str, f64);

/// Maximum magnitude of a position or width; less than half an ulp of the largest x, so their sum cannot overflow.
const MAX_POSITION: f64 = 1e290;
/// Minimum nonzero width.
const MIN_WIDTH: f64 = 1e-290;
/// Maximum magnitude of a Discrete's y; divided by the minimum width, the slope does not overflow.
const MAX_Y: f64 = 1e9;
/// The same limits for single precision.
const MAX_POSITION_F32: f64 = 1e30;
const MIN_WIDTH_F32: f64 = 1e-30;

/// Checks the parameters of a shape.
pub(super) fn validate(shape: &Shape) -> Result<()> {
    validate_parameters(shape)?;
    let too_narrow = |(from, to): &(f64, Named)| to.1 != *from && (to.1 - from).abs() < MIN_WIDTH;
    match widths(shape).iter().find(|width| too_narrow(width)) {
        Some((0.0, to)) => require(false, shape.name(), *to, "0, or at least 1e-290 in magnitude"),
        Some((_, to)) => require(
            false,
            shape.name(),
            *to,
            "equal to the start of the edge, or at least 1e-290 away from it",
        ),
        None => Ok(()),
    }
}

/// Whether the formula is accurate in single precision; otherwise the set is computed in double precision.
pub(super) fn fits_f32(shape: &Shape, height: f64) -> bool {
    let round = |v: f64| f64::from(v as f32);
    let in_range = |v: f64| v == 0.0 || (MIN_WIDTH_F32..=MAX_POSITION_F32).contains(&v.abs());
    let position = |v: f64| v.is_infinite() || v.abs() <= MAX_POSITION_F32;
    let width = |(from, to): (f64, Named)| {
        let width = round(to.1) - round(from);
        from == to.1 || width.is_infinite() || width != 0.0 && in_range(width)
    };
    // A slope that rounds to 0 changes the curve, and the slope of a Discrete can overflow.
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
        && shape.parameters().into_iter().all(position)
        && widths(shape).into_iter().all(width)
}

/// The widths that the formula divides by, each as its start and the parameter at its end.
fn widths(shape: &Shape) -> Vec<(f64, Named)> {
    match *shape {
        Shape::Triangle { left, top, right } => vec![(left, ("top", top)), (top, ("right", right))],
        Shape::Trapezoid { bottom_left, top_left, top_right, bottom_right }
        | Shape::PiShape { bottom_left, top_left, top_right, bottom_right } => {
            vec![(bottom_left, ("top left", top_left)), (top_right, ("bottom right", bottom_right))]
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
            vec![(0.0, ("standard deviation", standard_deviation))]
        }
        Shape::GaussianProduct { standard_deviation_a, standard_deviation_b, .. } => vec![
            (0.0, ("standard deviation a", standard_deviation_a)),
            (0.0, ("standard deviation b", standard_deviation_b)),
        ],
        _ => vec![],
    }
}

fn validate_parameters(shape: &Shape) -> Result<()> {
    let name = shape.name();
    match *shape {
        Shape::Triangle { left, top, right } => {
            extended_positions(name, &[("left", left), ("right", right)])?;
            positions(name, &[("top", top)])?;
            ascending(name, left, ("top", top), "at least `left`; write the points in ascending order")?;
            ascending(name, top, ("right", right), "at least `top`; write the points in ascending order")
        }
        Shape::Trapezoid { bottom_left, top_left, top_right, bottom_right } => {
            let left = [("bottom left", bottom_left), ("top left", top_left)];
            let right = [("top right", top_right), ("bottom right", bottom_right)];
            extended_positions(name, &left)?;
            extended_positions(name, &right)?;
            edges(name, left, right)?;
            // An edge that ends at infinity has no slope.
            require(top_left < f64::INFINITY, name, left[1], "finite, or -inf for a shoulder")?;
            require(top_right > f64::NEG_INFINITY, name, right[0], "finite, or inf for a shoulder")
        }
        Shape::PiShape { bottom_left, top_left, top_right, bottom_right } => {
            let left = [("bottom left", bottom_left), ("top left", top_left)];
            let right = [("top right", top_right), ("bottom right", bottom_right)];
            positions(name, &left)?;
            positions(name, &right)?;
            edges(name, left, right)
        }
        Shape::Rectangle { start, end } => numbers(name, &[("start", start), ("end", end)]),
        Shape::SemiEllipse { start, end } | Shape::Arc { start, end } | Shape::Ramp { start, end } => {
            positions(name, &[("start", start), ("end", end)])
        }
        Shape::SShape { start, end } | Shape::ZShape { start, end } => {
            positions(name, &[("start", start), ("end", end)])?;
            ascending(name, start, ("end", end), "at least `start`; write the points in ascending order")
        }
        Shape::Discrete { ref points } => validate_points(name, points),
        Shape::Bell { center, width, slope } => {
            positions(name, &[("center", center), ("width", width)])?;
            finite(name, &[("slope", slope)])
        }
        Shape::Cosine { center, width } => {
            positions(name, &[("center", center), ("width", width)])?;
            ascending(name, 0.0, ("width", width), "at least 0")
        }
        Shape::Spike { center, width } => positions(name, &[("center", center), ("width", width)]),
        Shape::Gaussian { mean, standard_deviation } => {
            positions(name, &[("mean", mean), ("standard deviation", standard_deviation)])
        }
        Shape::GaussianProduct { mean_a, standard_deviation_a, mean_b, standard_deviation_b } => {
            positions(name, &[("mean a", mean_a), ("standard deviation a", standard_deviation_a)])?;
            positions(name, &[("mean b", mean_b), ("standard deviation b", standard_deviation_b)])
        }
        Shape::SigmoidDifference { left, rising, falling, right }
        | Shape::SigmoidProduct { left, rising, falling, right } => {
            positions(name, &[("left", left), ("right", right)])?;
            finite(name, &[("rising", rising), ("falling", falling)])
        }
        Shape::Binary { start, direction } => {
            finite(name, &[("start", start)])?;
            numbers(name, &[("direction", direction)])?;
            require(direction != start, name, ("direction", direction), "different from `start`")
        }
        Shape::Concave { inflection, end } => positions(name, &[("inflection", inflection), ("end", end)]),
        Shape::Sigmoid { inflection, slope } => {
            positions(name, &[("inflection", inflection)])?;
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

/// Checks the height of a set with this shape.
pub(super) fn validate_height(shape: &Shape, height: f64) -> Result<()> {
    let consequent = matches!(shape, Shape::Constant { .. } | Shape::Linear { .. } | Shape::Function { .. });
    let name = shape.name();
    require(!consequent || height == 1.0, name, ("height", height), "1 for a Takagi-Sugeno consequent")?;
    require((0.0..f64::INFINITY).contains(&height), name, ("height", height), "finite and at least 0")
}

fn validate_points(name: &'static str, points: &[(f64, f64)]) -> Result<()> {
    require(!points.is_empty(), name, ("points", 0.0), "at least 1 pair x y")?;
    for (i, &(x, y)) in points.iter().enumerate() {
        positions(name, &[("x", x)])?;
        finite(name, &[("y", y)])?;
        require(y.abs() <= MAX_Y, name, ("y", y), "at most 1e9 in magnitude")?;
        let previous = if i == 0 { x } else { points[i - 1].0 };
        ascending(name, previous, ("x", x), "at least the previous x; write the points in ascending order")?;
    }
    Ok(())
}

fn edges(name: &'static str, left: [Named; 2], right: [Named; 2]) -> Result<()> {
    ascending(name, left[0].1, left[1], "at least `bottom left`; write the points in ascending order")?;
    ascending(name, right[0].1, right[1], "at least `top right`; write the points in ascending order")
}

fn require(condition: bool, algorithm: &'static str, (name, value): Named, must: &'static str) -> Result<()> {
    if condition { Ok(()) } else { Err(SettingError::OutOfRange { algorithm, name, value, must }.into()) }
}

fn numbers(algorithm: &'static str, parameters: &[Named]) -> Result<()> {
    parameters.iter().try_for_each(|p| require(!p.1.is_nan(), algorithm, *p, "a number"))
}

fn finite(algorithm: &'static str, parameters: &[Named]) -> Result<()> {
    parameters.iter().try_for_each(|p| require(p.1.is_finite(), algorithm, *p, "finite"))
}

/// Checks finite positions and widths.
fn positions(algorithm: &'static str, parameters: &[Named]) -> Result<()> {
    finite(algorithm, parameters)?;
    let check = |p: &Named| require(p.1.abs() <= MAX_POSITION, algorithm, *p, "at most 1e290 in magnitude");
    parameters.iter().try_for_each(check)
}

/// Checks positions that can be infinite.
fn extended_positions(algorithm: &'static str, parameters: &[Named]) -> Result<()> {
    numbers(algorithm, parameters)?;
    let valid = |p: &Named| p.1.abs() <= MAX_POSITION || p.1.is_infinite();
    let must = "at most 1e290 in magnitude, or infinite";
    parameters.iter().try_for_each(|p| require(valid(p), algorithm, *p, must))
}

fn ascending(algorithm: &'static str, previous: f64, next: Named, must: &'static str) -> Result<()> {
    require(previous <= next.1, algorithm, next, must)
}
