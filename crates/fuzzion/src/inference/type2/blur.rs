//! Sets whose places are uncertain.

use super::set::IntervalSet;
use crate::error::{Error, Result};
use crate::inference::text::number_text;
use crate::sets::{Set, Shape};

fn require(holds: bool, name: &'static str, value: f64, must: &'static str) -> Result<()> {
    if holds { Ok(()) } else { Err(Error::Parameter { algorithm: "IntervalSet", name, value, must }) }
}

impl IntervalSet {
    /// A Gaussian whose mean lies between two numbers: the highest and the lowest of all Gaussians that may be meant.
    ///
    /// The upper set is a GaussianProduct. The lower one, min(exp(−(x − m̲)²/2σ²), exp(−(x − m̄)²/2σ²)), has no name of
    /// its own and is a Function of `x`, so that a system which uses it can have no variable called `x`.
    ///
    /// ```
    /// # use fuzzion::inference::type2::IntervalSet;
    /// let around = IntervalSet::gaussian_of_uncertain_mean(4.0, 6.0, 1.0)?;
    /// let (middle, off) = (around.membership(5.0), around.membership(7.0));
    /// assert_eq!(middle.upper, 1.0);
    /// assert!((middle.lower - (-0.5f64).exp()).abs() < 1e-12); // one σ from both
    /// assert!((off.lower - (-4.5f64).exp()).abs() < 1e-12); // three σ from the farther
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Parameter`] for means that are not finite and in order, and a deviation that is not above 0.
    pub fn gaussian_of_uncertain_mean(lower: f64, upper: f64, standard_deviation: f64) -> Result<Self> {
        gaussian(lower, upper, standard_deviation, 1.0)
    }

    /// A Gaussian whose standard deviation lies between two numbers.
    ///
    /// # Errors
    /// [`Error::Parameter`] for a mean that is not finite and deviations that are not in order.
    pub fn gaussian_of_uncertain_deviation(mean: f64, lower: f64, upper: f64) -> Result<Self> {
        require(lower.abs() <= upper.abs(), "lower", lower, "at most `upper`")?;
        IntervalSet::new(Set::gaussian(mean, lower)?, Set::gaussian(mean, upper)?)
    }

    /// A set that may lie up to `by` further left or right than it is drawn: the highest and the lowest of all these.
    ///
    /// ```
    /// # use fuzzion::{inference::type2::IntervalSet, sets::Set};
    /// let warm = IntervalSet::blurred(&Set::triangle(15.0, 20.0, 25.0)?, 1.0)?;
    /// let top = warm.membership(20.0);
    /// assert_eq!((top.lower, top.upper), (0.8, 1.0)); // the top may be at 19 or at 21
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Parameter`] where `by` is negative or not finite, and [`Error::System`] for shapes other than Triangle,
    /// Trapezoid, Rectangle, Gaussian, Ramp, Sigmoid, SShape, ZShape, Arc, Concave and Binary.
    pub fn blurred(set: &Set, by: f64) -> Result<Self> {
        require(by >= 0.0 && by.is_finite(), "by", by, "a finite number of at least 0")?;
        let height = set.height();
        let between = |a: f64, b: f64, c: f64, d: f64| {
            // Edges that cross make the lower of both, which is what is wanted.
            let lower = Set::trapezoid(a + by, b + by, c - by, d - by)?.with_height(height)?;
            IntervalSet::new(lower, Set::trapezoid(a - by, b - by, c + by, d + by)?.with_height(height)?)
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
                gaussian(mean - by, mean + by, standard_deviation, height)
            }
            Shape::Ramp { .. }
            | Shape::SShape { .. }
            | Shape::ZShape { .. }
            | Shape::Arc { .. }
            | Shape::Concave { .. } => monotone(set, 2, by),
            Shape::Sigmoid { .. } | Shape::Binary { .. } => monotone(set, 1, by),
            ref other => Err(Error::System {
                place: format!("a {}", other.name()),
                problem: "cannot be blurred; give its lower and its upper set".into(),
            }),
        }
    }
}

fn gaussian(lower: f64, upper: f64, standard_deviation: f64, height: f64) -> Result<IntervalSet> {
    require(lower <= upper, "lower", lower, "a number of at most `upper`")?;
    let deviation = standard_deviation.abs();
    require(deviation > 0.0, "standard_deviation", standard_deviation, "above 0")?;
    let most = Set::gaussian_product(lower, deviation, upper, deviation)?.with_height(height)?;
    let one = |mean| format!("exp(-((x - ({})) / {}) ^ 2 / 2)", number_text(mean), number_text(deviation));
    let least = format!("min({}, {})", one(lower), one(upper));
    let least = if height == 1.0 { least } else { format!("{} * {least}", number_text(height)) };
    IntervalSet::new(Set::function(&least)?, most)
}

/// A monotone set between its copies on both sides; its first `places` parameters are places.
fn monotone(set: &Set, places: usize, by: f64) -> Result<IntervalSet> {
    let moved = |by: f64| {
        let mut parameters = set.shape().parameters();
        parameters[..places].iter_mut().for_each(|place| *place += by);
        Set::from_parameters(set.shape().name(), &parameters)?.with_height(set.height())
    };
    let (left, right) = (moved(-by)?, moved(by)?);
    // Which of them is higher depends on whether the set rises or falls.
    IntervalSet::new(right.clone(), left.clone()).or_else(|_| IntervalSet::new(left, right))
}
