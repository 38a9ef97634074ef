//! Interval sets from type-1 sets with uncertain parameters or positions.

use super::set::IntervalSet;
use crate::base::SettingError;
use crate::inference::error::{InferenceError, Result};
use crate::inference::syntax::format_number;
use crate::sets::{Set, Shape};

fn require(condition: bool, name: &'static str, value: f64, must: &'static str) -> Result<()> {
    if condition {
        Ok(())
    } else {
        Err(SettingError::OutOfRange { algorithm: "IntervalSet", name, value, must }.into())
    }
}

impl IntervalSet {
    /// Creates a Gaussian with an uncertain mean: the pointwise maximum and minimum of all Gaussians with means in the range.
    ///
    /// The upper set is a GaussianProduct. The lower set, min(exp(−(x − m̲)²/2σ²), exp(−(x − m̄)²/2σ²)), is a Function of
    /// `x`, so a system that uses it must not have a variable named `x`.
    ///
    /// ```
    /// # use fuzzion::inference::type2::IntervalSet;
    /// let around = IntervalSet::gaussian_with_uncertain_mean(4.0, 6.0, 1.0)?;
    /// let (center, right) = (around.membership(5.0), around.membership(7.0));
    /// assert_eq!(center.upper, 1.0);
    /// assert!((center.lower - (-0.5f64).exp()).abs() < 1e-12); // one σ from both means
    /// assert!((right.lower - (-4.5f64).exp()).abs() < 1e-12); // three σ from the lower mean
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`SettingError::OutOfRange`] if the means are not finite and in ascending order, or if the standard deviation is 0.
    pub fn gaussian_with_uncertain_mean(lower: f64, upper: f64, standard_deviation: f64) -> Result<Self> {
        gaussian(lower, upper, standard_deviation, 1.0)
    }

    /// Creates a Gaussian with an uncertain standard deviation.
    ///
    /// ```
    /// # use fuzzion::inference::type2::IntervalSet;
    /// let set = IntervalSet::gaussian_with_uncertain_deviation(0.0, 1.0, 2.0)?;
    /// assert!((set.membership(2.0).lower - (-2.0f64).exp()).abs() < 1e-12); // two σ
    /// assert!((set.membership(2.0).upper - (-0.5f64).exp()).abs() < 1e-12); // one σ
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`SettingError::OutOfRange`] if the mean is not finite or the standard deviations are not in ascending order.
    pub fn gaussian_with_uncertain_deviation(mean: f64, lower: f64, upper: f64) -> Result<Self> {
        require(lower.abs() <= upper.abs(), "lower", lower, "at most `upper`")?;
        IntervalSet::new(Set::gaussian(mean, lower)?, Set::gaussian(mean, upper)?)
    }

    /// Creates a set with an uncertain position: the pointwise maximum and minimum of all copies shifted by at most `shift`.
    ///
    /// ```
    /// # use fuzzion::{inference::type2::IntervalSet, sets::Set};
    /// let warm = IntervalSet::blurred(&Set::triangle(15.0, 20.0, 25.0)?, 1.0)?;
    /// let top = warm.membership(20.0);
    /// assert_eq!((top.lower, top.upper), (0.8, 1.0)); // the top may be anywhere from 19 to 21
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`SettingError::OutOfRange`] if `shift` is negative or not finite, and [`InferenceError::InvalidSystem`] for shapes other than Triangle,
    /// Trapezoid, Rectangle, Gaussian, Ramp, Sigmoid, SShape, ZShape, Arc, Concave and Binary.
    pub fn blurred(set: &Set, shift: f64) -> Result<Self> {
        require(shift >= 0.0 && shift.is_finite(), "shift", shift, "finite and at least 0")?;
        let height = set.height();
        let between = |a: f64, b: f64, c: f64, d: f64| {
            // If the edges cross, the trapezoid is the minimum of both, as required.
            let lower = Set::trapezoid(a + shift, b + shift, c - shift, d - shift)?.with_height(height)?;
            IntervalSet::new(
                lower,
                Set::trapezoid(a - shift, b - shift, c + shift, d + shift)?.with_height(height)?,
            )
        };
        match *set.shape() {
            Shape::Triangle { left, top, right } => between(left, top, top, right),
            Shape::Trapezoid { bottom_left, top_left, top_right, bottom_right } => {
                between(bottom_left, top_left, top_right, bottom_right)
            }
            Shape::Rectangle { start, end } => {
                let (start, end) = (start.min(end), start.max(end));
                between(start, start, end, end)
            }
            Shape::Gaussian { mean, standard_deviation } => {
                gaussian(mean - shift, mean + shift, standard_deviation, height)
            }
            Shape::Ramp { .. }
            | Shape::SShape { .. }
            | Shape::ZShape { .. }
            | Shape::Arc { .. }
            | Shape::Concave { .. } => monotone(set, 2, shift),
            Shape::Sigmoid { .. } | Shape::Binary { .. } => monotone(set, 1, shift),
            ref other => Err(InferenceError::InvalidSystem {
                location: format!("a {}", other.name()),
                problem: "cannot be blurred; specify its lower and upper sets".into(),
            }),
        }
    }
}

fn gaussian(lower: f64, upper: f64, standard_deviation: f64, height: f64) -> Result<IntervalSet> {
    require(lower <= upper, "lower", lower, "at most `upper`")?;
    let deviation = standard_deviation.abs();
    require(deviation > 0.0, "standard_deviation", standard_deviation, "above 0")?;
    let highest = Set::gaussian_product(lower, deviation, upper, deviation)?.with_height(height)?;
    let gaussian =
        |mean| format!("exp(-((x - ({})) / {}) ^ 2 / 2)", format_number(mean), format_number(deviation));
    let lowest = format!("min({}, {})", gaussian(lower), gaussian(upper));
    let lowest = if height == 1.0 { lowest } else { format!("{} * {lowest}", format_number(height)) };
    IntervalSet::new(Set::function(&lowest)?, highest)
}

/// A monotone set between its shifted copies; its first `positions` parameters are positions.
fn monotone(set: &Set, positions: usize, shift: f64) -> Result<IntervalSet> {
    let shifted = |shift: f64| {
        let mut parameters = set.shape().parameters();
        parameters[..positions].iter_mut().for_each(|position| *position += shift);
        Set::from_parameters(set.shape().name(), &parameters)?.with_height(set.height())
    };
    let (left, right) = (shifted(-shift)?, shifted(shift)?);
    // Which one is higher depends on whether the set is rising or falling.
    IntervalSet::new(right.clone(), left.clone()).or_else(|_| IntervalSet::new(left, right))
}
