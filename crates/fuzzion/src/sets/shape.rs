//! Names and parameters of the shapes.

use super::expression::Expression;
use crate::sets::error::{Result, SetError};

/// Shape of a membership function; the constructors of [`Set`](super::Set) document the formulas.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
#[allow(missing_docs)] // the fields are the arguments of the constructors, which document them
pub enum Shape {
    /// A linear rise and a linear fall.
    Triangle { left: f64, top: f64, right: f64 },
    /// A linear rise, a plateau and a linear fall; an infinite outer parameter makes a shoulder.
    Trapezoid { bottom_left: f64, top_left: f64, top_right: f64, bottom_right: f64 },
    /// A crisp interval.
    Rectangle { start: f64, end: f64 },
    /// Linear interpolation between points (x, y) in ascending x, constant outside them.
    Discrete { points: Vec<(f64, f64)> },
    /// The upper half of an ellipse.
    SemiEllipse { start: f64, end: f64 },
    /// The generalized bell.
    Bell { center: f64, width: f64, slope: f64 },
    /// One period of a cosine.
    Cosine { center: f64, width: f64 },
    /// The Gaussian function.
    Gaussian { mean: f64, standard_deviation: f64 },
    /// The left half of one Gaussian and the right half of another, 1 between them.
    GaussianProduct { mean_a: f64, standard_deviation_a: f64, mean_b: f64, standard_deviation_b: f64 },
    /// The product of an S-shape and a Z-shape.
    PiShape { bottom_left: f64, top_left: f64, top_right: f64, bottom_right: f64 },
    /// The absolute difference of two sigmoids.
    SigmoidDifference { left: f64, rising: f64, falling: f64, right: f64 },
    /// The product of two sigmoids.
    SigmoidProduct { left: f64, rising: f64, falling: f64, right: f64 },
    /// A two-sided exponential decay.
    Spike { center: f64, width: f64 },
    /// A quarter of an ellipse, then 1.
    Arc { start: f64, end: f64 },
    /// A crisp half-line.
    Binary { start: f64, direction: f64 },
    /// A hyperbola, then 1.
    Concave { inflection: f64, end: f64 },
    /// A linear rise or fall.
    Ramp { start: f64, end: f64 },
    /// The logistic function.
    Sigmoid { inflection: f64, slope: f64 },
    /// Two parabolas that rise from 0 to 1.
    SShape { start: f64, end: f64 },
    /// Two parabolas that fall from 1 to 0.
    ZShape { start: f64, end: f64 },
    /// A Takagi-Sugeno consequent of order 0.
    Constant { value: f64 },
    /// A Takagi-Sugeno consequent of order 1.
    Linear { coefficients: Vec<f64>, constant: f64 },
    /// A Takagi-Sugeno consequent or a set with an arbitrary formula.
    Function { expression: Expression },
}

/// Shapes with a fixed number of parameters, and that number.
const FIXED_COUNTS: [(&str, usize); 19] = [
    ("Triangle", 3),
    ("Trapezoid", 4),
    ("Rectangle", 2),
    ("SemiEllipse", 2),
    ("Bell", 3),
    ("Cosine", 2),
    ("Gaussian", 2),
    ("GaussianProduct", 4),
    ("PiShape", 4),
    ("SigmoidDifference", 4),
    ("SigmoidProduct", 4),
    ("Spike", 2),
    ("Arc", 2),
    ("Binary", 2),
    ("Concave", 2),
    ("Ramp", 2),
    ("Sigmoid", 2),
    ("SShape", 2),
    ("ZShape", 2),
];

/// The names that [`Shape::from_parameters`] accepts, for messages.
fn shape_names() -> String {
    let fixed = FIXED_COUNTS.iter().map(|(name, _)| *name);
    fixed.chain(["Discrete", "Constant", "Linear", "Function"]).collect::<Vec<_>>().join(", ")
}

impl Shape {
    /// Name in fuzzylite and its files.
    pub fn name(&self) -> &'static str {
        match self {
            Shape::Triangle { .. } => "Triangle",
            Shape::Trapezoid { .. } => "Trapezoid",
            Shape::Rectangle { .. } => "Rectangle",
            Shape::Discrete { .. } => "Discrete",
            Shape::SemiEllipse { .. } => "SemiEllipse",
            Shape::Bell { .. } => "Bell",
            Shape::Cosine { .. } => "Cosine",
            Shape::Gaussian { .. } => "Gaussian",
            Shape::GaussianProduct { .. } => "GaussianProduct",
            Shape::PiShape { .. } => "PiShape",
            Shape::SigmoidDifference { .. } => "SigmoidDifference",
            Shape::SigmoidProduct { .. } => "SigmoidProduct",
            Shape::Spike { .. } => "Spike",
            Shape::Arc { .. } => "Arc",
            Shape::Binary { .. } => "Binary",
            Shape::Concave { .. } => "Concave",
            Shape::Ramp { .. } => "Ramp",
            Shape::Sigmoid { .. } => "Sigmoid",
            Shape::SShape { .. } => "SShape",
            Shape::ZShape { .. } => "ZShape",
            Shape::Constant { .. } => "Constant",
            Shape::Linear { .. } => "Linear",
            Shape::Function { .. } => "Function",
        }
    }

    /// Parameters in fuzzylite's order; empty for a Function, whose parameter is a text.
    pub fn parameters(&self) -> Vec<f64> {
        match *self {
            Shape::Triangle { left, top, right } => vec![left, top, right],
            Shape::Trapezoid { bottom_left, top_left, top_right, bottom_right }
            | Shape::PiShape { bottom_left, top_left, top_right, bottom_right } => {
                vec![bottom_left, top_left, top_right, bottom_right]
            }
            Shape::Rectangle { start, end }
            | Shape::SemiEllipse { start, end }
            | Shape::Arc { start, end }
            | Shape::Ramp { start, end }
            | Shape::SShape { start, end }
            | Shape::ZShape { start, end } => vec![start, end],
            Shape::Discrete { ref points } => points.iter().flat_map(|(x, y)| [*x, *y]).collect(),
            Shape::Bell { center, width, slope } => vec![center, width, slope],
            Shape::Cosine { center, width } | Shape::Spike { center, width } => vec![center, width],
            Shape::Gaussian { mean, standard_deviation } => vec![mean, standard_deviation],
            Shape::GaussianProduct { mean_a, standard_deviation_a, mean_b, standard_deviation_b } => {
                vec![mean_a, standard_deviation_a, mean_b, standard_deviation_b]
            }
            Shape::SigmoidDifference { left, rising, falling, right }
            | Shape::SigmoidProduct { left, rising, falling, right } => vec![left, rising, falling, right],
            Shape::Binary { start, direction } => vec![start, direction],
            Shape::Concave { inflection, end } => vec![inflection, end],
            Shape::Sigmoid { inflection, slope } => vec![inflection, slope],
            Shape::Constant { value } => vec![value],
            Shape::Linear { ref coefficients, constant } => {
                coefficients.iter().copied().chain([constant]).collect()
            }
            Shape::Function { .. } => vec![],
        }
    }

    /// The shape `name` with the parameters `p` in fuzzylite's order, and the optional height after them.
    pub(super) fn from_parameters(name: &str, p: &[f64]) -> Result<(Shape, Option<f64>)> {
        let count =
            |shape, takes: &str| SetError::ParameterCount { shape, takes: takes.into(), given: p.len() };
        match name {
            "Discrete" if p.len() < 2 => return Err(count("Discrete", "pairs x y and an optional height")),
            "Discrete" => {
                let points = p.chunks_exact(2).map(|xy| (xy[0], xy[1])).collect();
                return Ok((Shape::Discrete { points }, p.chunks_exact(2).remainder().first().copied()));
            }
            "Constant" => {
                let &[value] = p else { return Err(count("Constant", "1 number")) };
                return Ok((Shape::Constant { value }, None));
            }
            "Linear" => {
                let Some((&constant, coefficients)) = p.split_last() else {
                    return Err(count("Linear", "a coefficient per input and a constant"));
                };
                return Ok((Shape::Linear { coefficients: coefficients.to_vec(), constant }, None));
            }
            "Function" => return Err(count("Function", "an expression")),
            _ => {}
        }
        let Some(&(shape, takes)) = FIXED_COUNTS.iter().find(|(shape, _)| *shape == name) else {
            return Err(SetError::UnknownShape { name: name.into(), known: shape_names() });
        };
        if p.len() != takes && p.len() != takes + 1 {
            return Err(count(shape, &format!("{takes} numbers and an optional height")));
        }
        Ok((Shape::with_fixed_count(shape, p), p.get(takes).copied()))
    }

    /// A shape of [`FIXED_COUNTS`], where `p` has at least that number of parameters.
    fn with_fixed_count(name: &str, p: &[f64]) -> Shape {
        let at = |i: usize| p.get(i).copied().unwrap_or(f64::NAN);
        let (a, b, c, d) = (at(0), at(1), at(2), at(3));
        match name {
            "Triangle" => Shape::Triangle { left: a, top: b, right: c },
            "Trapezoid" => Shape::Trapezoid { bottom_left: a, top_left: b, top_right: c, bottom_right: d },
            "Rectangle" => Shape::Rectangle { start: a, end: b },
            "SemiEllipse" => Shape::SemiEllipse { start: a, end: b },
            "Bell" => Shape::Bell { center: a, width: b, slope: c },
            "Cosine" => Shape::Cosine { center: a, width: b },
            "Gaussian" => Shape::Gaussian { mean: a, standard_deviation: b },
            "GaussianProduct" => Shape::GaussianProduct {
                mean_a: a,
                standard_deviation_a: b,
                mean_b: c,
                standard_deviation_b: d,
            },
            "PiShape" => Shape::PiShape { bottom_left: a, top_left: b, top_right: c, bottom_right: d },
            "SigmoidDifference" => Shape::SigmoidDifference { left: a, rising: b, falling: c, right: d },
            "SigmoidProduct" => Shape::SigmoidProduct { left: a, rising: b, falling: c, right: d },
            "Spike" => Shape::Spike { center: a, width: b },
            "Arc" => Shape::Arc { start: a, end: b },
            "Binary" => Shape::Binary { start: a, direction: b },
            "Concave" => Shape::Concave { inflection: a, end: b },
            "Ramp" => Shape::Ramp { start: a, end: b },
            "Sigmoid" => Shape::Sigmoid { inflection: a, slope: b },
            "SShape" => Shape::SShape { start: a, end: b },
            _ => Shape::ZShape { start: a, end: b },
        }
    }
}
