//! The closed list of shapes: names and parameters.

use super::expression::Expression;
use crate::error::{Error, Result};

/// How membership depends on x; [`Set`](super::Set)'s constructors say the formulas.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
#[allow(missing_docs)] // the fields are the constructors' arguments and are explained there
pub enum Shape {
    /// Up and down in straight lines.
    Triangle { left: f64, top: f64, right: f64 },
    /// Up, level, down in straight lines; infinite outer ends make shoulders.
    Trapezoid { bottom_left: f64, top_left: f64, top_right: f64, bottom_right: f64 },
    /// An ordinary interval.
    Rectangle { start: f64, end: f64 },
    /// Straight lines between points (x, y) in ascending x, level beyond the outer ones.
    Discrete { points: Vec<(f64, f64)> },
    /// The upper half of an ellipse.
    SemiEllipse { start: f64, end: f64 },
    /// The generalised bell.
    Bell { center: f64, width: f64, slope: f64 },
    /// One wave of a cosine.
    Cosine { center: f64, width: f64 },
    /// The normal curve.
    Gaussian { mean: f64, standard_deviation: f64 },
    /// Left and right halves of two normal curves, level between them.
    GaussianProduct { mean_a: f64, standard_deviation_a: f64, mean_b: f64, standard_deviation_b: f64 },
    /// An S-shape times a Z-shape.
    PiShape { bottom_left: f64, top_left: f64, top_right: f64, bottom_right: f64 },
    /// The absolute difference of two sigmoids.
    SigmoidDifference { left: f64, rising: f64, falling: f64, right: f64 },
    /// The product of two sigmoids.
    SigmoidProduct { left: f64, rising: f64, falling: f64, right: f64 },
    /// Two exponentials back to back.
    Spike { center: f64, width: f64 },
    /// A quarter of an ellipse, then level.
    Arc { start: f64, end: f64 },
    /// An ordinary half-line.
    Binary { start: f64, direction: f64 },
    /// A hyperbola, then level.
    Concave { inflection: f64, end: f64 },
    /// One straight slope.
    Ramp { start: f64, end: f64 },
    /// The logistic curve.
    Sigmoid { inflection: f64, slope: f64 },
    /// Two parabolas upwards.
    SShape { start: f64, end: f64 },
    /// Two parabolas downwards.
    ZShape { start: f64, end: f64 },
    /// A Takagi-Sugeno consequent of order 0.
    Constant { value: f64 },
    /// A Takagi-Sugeno consequent of order 1.
    Linear { coefficients: Vec<f64>, constant: f64 },
    /// A Takagi-Sugeno consequent (or a set) of any form.
    Function { expression: Expression },
}

/// The shapes of a fixed number of parameters, in fuzzylite's order.
const COUNTS: [(&str, usize); 19] = [
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

/// Every name that [`Shape::from_parameters`] knows, for messages.
fn shape_names() -> String {
    let fixed = COUNTS.iter().map(|(name, _)| *name);
    fixed.chain(["Discrete", "Constant", "Linear", "Function"]).collect::<Vec<_>>().join(", ")
}

impl Shape {
    /// The name fuzzylite and its files use.
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

    /// The parameters in fuzzylite's order; none for a Function, whose parameter is a text.
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

    /// The shape called `name` with `p` in fuzzylite's order, and the height that may follow them.
    pub(super) fn from_parameters(name: &str, p: &[f64]) -> Result<(Shape, Option<f64>)> {
        let count = |shape, takes: &str| Error::ParameterCount { shape, takes: takes.into(), given: p.len() };
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
        let Some(&(shape, takes)) = COUNTS.iter().find(|(shape, _)| *shape == name) else {
            return Err(Error::UnknownShape { name: name.into(), known: shape_names() });
        };
        if p.len() != takes && p.len() != takes + 1 {
            return Err(count(shape, &format!("{takes} numbers and an optional height")));
        }
        Ok((Shape::of_counted(shape, p), p.get(takes).copied()))
    }

    /// The shapes of [`COUNTS`]; `p` has the length it says.
    fn of_counted(name: &str, p: &[f64]) -> Shape {
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
