//! Names and parameters of the shapes.

use super::expression::Expression;
use crate::sets::error::{Result, SetError};

/// Shape of a membership function; the constructors of [`Set`](super::Set) document the formulas.
///
/// ```
/// use fuzzion::sets::{Set, Shape};
/// let ramp = Set::ramp(1.0, 3.0)?;
/// assert_eq!(*ramp.shape(), Shape::Ramp { start: 1.0, end: 3.0 });
/// assert_eq!((ramp.shape().name(), ramp.shape().parameters()), ("Ramp", vec![1.0, 3.0]));
/// # Ok::<(), fuzzion::Error>(())
/// ```
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

/// Names and parameters, in fuzzylite's order, of the shapes with a fixed number of parameters.
macro_rules! fixed_shapes {
    ($($name:ident($($parameter:ident),+);)+) => {
        impl Shape {
            /// Names of the shapes with a fixed number of parameters, and the names of these in fuzzylite's order.
            ///
            /// ```
            /// use fuzzion::sets::Shape;
            /// assert!(Shape::WITH_FIXED_PARAMETERS.contains(&("Triangle", &["left", "top", "right"])));
            /// ```
            pub const WITH_FIXED_PARAMETERS: &[(&str, &[&str])] =
                &[$((stringify!($name), &[$(stringify!($parameter)),+])),+];

            /// Name in fuzzylite and its files.
            pub fn name(&self) -> &'static str {
                match self {
                    $(Shape::$name { .. } => stringify!($name),)+
                    Shape::Discrete { .. } => "Discrete",
                    Shape::Constant { .. } => "Constant",
                    Shape::Linear { .. } => "Linear",
                    Shape::Function { .. } => "Function",
                }
            }

            /// Parameters in fuzzylite's order; empty for a Function, whose parameter is a string.
            pub fn parameters(&self) -> Vec<f64> {
                match *self {
                    $(Shape::$name { $($parameter),+ } => vec![$($parameter),+],)+
                    Shape::Discrete { ref points } => points.iter().flat_map(|(x, y)| [*x, *y]).collect(),
                    Shape::Constant { value } => vec![value],
                    Shape::Linear { ref coefficients, constant } => {
                        coefficients.iter().copied().chain([constant]).collect()
                    }
                    Shape::Function { .. } => vec![],
                }
            }

            /// A shape of [`Shape::WITH_FIXED_PARAMETERS`]; `None` if there are fewer parameters.
            fn with_fixed_count(name: &str, parameters: &[f64]) -> Option<Shape> {
                let mut parameters = parameters.iter().copied();
                $(
                    if name == stringify!($name) {
                        return Some(Shape::$name { $($parameter: parameters.next()?),+ });
                    }
                )+
                None
            }
        }
    };
}

fixed_shapes! {
    Triangle(left, top, right);
    Trapezoid(bottom_left, top_left, top_right, bottom_right);
    Rectangle(start, end);
    SemiEllipse(start, end);
    Bell(center, width, slope);
    Cosine(center, width);
    Gaussian(mean, standard_deviation);
    GaussianProduct(mean_a, standard_deviation_a, mean_b, standard_deviation_b);
    PiShape(bottom_left, top_left, top_right, bottom_right);
    SigmoidDifference(left, rising, falling, right);
    SigmoidProduct(left, rising, falling, right);
    Spike(center, width);
    Arc(start, end);
    Binary(start, direction);
    Concave(inflection, end);
    Ramp(start, end);
    Sigmoid(inflection, slope);
    SShape(start, end);
    ZShape(start, end);
}

/// The names that [`Shape::from_parameters`] accepts, for messages.
fn shape_names() -> String {
    let fixed = Shape::WITH_FIXED_PARAMETERS.iter().map(|(name, _)| *name);
    fixed.chain(["Discrete", "Constant", "Linear", "Function"]).collect::<Vec<_>>().join(", ")
}

impl Shape {
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
        let known = Shape::WITH_FIXED_PARAMETERS.iter().find(|(shape, _)| *shape == name);
        let Some(&(shape, names)) = known else {
            return Err(SetError::UnknownShape { name: name.into(), known: shape_names() });
        };
        let takes = names.len();
        if p.len() != takes && p.len() != takes + 1 {
            return Err(count(shape, &format!("{takes} numbers and an optional height")));
        }
        let shape =
            Shape::with_fixed_count(shape, p).expect("invariant: the number of parameters is checked above");
        Ok((shape, p.get(takes).copied()))
    }
}
