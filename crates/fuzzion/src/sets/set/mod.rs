//! A fuzzy set: a validated shape and its height.

mod alpha_cut_search;
mod alpha_cuts;
mod constructors;
mod memberships;
pub(crate) mod segments;
pub(crate) mod serialized;
mod validate;

pub use memberships::SetNumber;

use super::Shape;
use crate::sets::error::Result;

/// A fuzzy set on the real line: a [`Shape`] with validated parameters, and a height.
///
/// ```
/// use fuzzion::sets::Set;
///
/// let warm = Set::triangle(15.0, 22.0, 29.0)?;
/// assert_eq!(warm.membership(18.5), 0.5); // halfway up
/// assert_eq!(warm.clone().with_height(0.8)?.membership(22.0), 0.8);
/// assert_eq!(Set::from_parameters("Triangle", &[15.0, 22.0, 29.0])?, warm);
/// # Ok::<(), fuzzion::Error>(())
/// ```
///
/// The serialized form is that of the files of fuzzy systems:
///
/// ```
/// # use fuzzion::sets::Set;
/// let cold: Set = serde_json::from_str(r#"{"shape": "Trapezoid", "parameters": ["-inf", 0, 10, 18]}"#)?;
/// assert_eq!(cold.membership(14.0), 0.5);
/// assert!(serde_json::from_str::<Set>(r#"{"shape": "Triangle", "parameters": [3, 2, 1]}"#).is_err());
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Set {
    shape: Shape,
    height: f64,
    /// Whether the parameters can be computed with in single precision.
    fits_f32: bool,
}

impl Set {
    /// A set with this shape and height 1.
    ///
    /// # Errors
    /// [`SettingError::OutOfRange`](crate::base::SettingError::OutOfRange) if a parameter is NaN, infinite where the formula has no limit,
    /// larger than 1e290 in magnitude, or a width between 0 and 1e-290, or if the parameters of an edge are not in
    /// ascending order.
    pub fn new(shape: Shape) -> Result<Self> {
        validate::validate(&shape)?;
        Ok(Set { fits_f32: validate::fits_f32(&shape, 1.0), shape, height: 1.0 })
    }

    /// A set from the name and parameters of its shape, optionally followed by the height, as in fuzzylite's files.
    ///
    /// # Errors
    /// [`SetError::UnknownShape`](crate::sets::SetError::UnknownShape), [`SetError::ParameterCount`](crate::sets::SetError::ParameterCount),
    /// and those of [`Set::new`].
    pub fn from_parameters(name: &str, parameters: &[f64]) -> Result<Self> {
        let (shape, height) = Shape::from_parameters(name, parameters)?;
        Set::new(shape)?.with_height(height.unwrap_or(1.0))
    }

    /// Sets the height.
    ///
    /// # Errors
    /// [`SettingError::OutOfRange`](crate::base::SettingError::OutOfRange) if the height is negative or infinite, or if it is not 1 for a
    /// Takagi-Sugeno consequent.
    pub fn with_height(self, height: f64) -> Result<Self> {
        validate::validate_height(&self.shape, height)?;
        Ok(Set { fits_f32: validate::fits_f32(&self.shape, height), height, ..self })
    }

    /// The shape and its parameters.
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// Factor of all memberships.
    pub fn height(&self) -> f64 {
        self.height
    }

    /// Whether the parameters can be computed with in single precision; otherwise double precision is used.
    pub(crate) fn fits_f32(&self) -> bool {
        self.fits_f32
    }

    /// Output of a Takagi-Sugeno consequent for one row of inputs; `None` for all other shapes.
    ///
    /// The inputs of a Function are in the order of
    /// [`Expression::variables`](super::expression::Expression::variables). Missing inputs are NaN.
    ///
    /// ```
    /// use fuzzion::sets::Set;
    /// assert_eq!(Set::linear(&[2.0, -1.0], 0.5)?.output(&[3.0, 4.0]), Some(2.5)); // 2·3 − 4 + ½
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    pub fn output(&self, inputs: &[f64]) -> Option<f64> {
        match &self.shape {
            Shape::Constant { value } => Some(*value),
            Shape::Linear { coefficients, constant } => {
                let input = |i: usize| inputs.get(i).copied().unwrap_or(f64::NAN);
                let terms = coefficients.iter().enumerate().map(|(i, c)| c * input(i));
                Some(terms.sum::<f64>() + constant)
            }
            Shape::Function { expression } => Some(expression.evaluate(inputs)),
            _ => None,
        }
    }
}
