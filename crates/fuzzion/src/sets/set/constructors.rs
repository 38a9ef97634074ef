//! One constructor per shape, with its formula and a value computed by hand.
//!
//! All return [`SettingError::OutOfRange`](crate::base::SettingError::OutOfRange) for the parameters that [`Set::new`] rejects.

use super::Set;
use crate::sets::Shape;
use crate::sets::error::Result;
use crate::sets::expression::Expression;

/// The formulas are for height 1; memberships are multiplied by [`Set::height`].
impl Set {
    /// Rises linearly from 0 at `left` to 1 at `top` and falls linearly to 0 at `right`; an infinite `left` or `right`
    /// makes a shoulder.
    ///
    /// ```
    /// # use fuzzion::sets::Set;
    /// assert_eq!(Set::triangle(1.0, 2.0, 4.0)?.membership(3.0), 0.5); // (4 − 3)/(4 − 2)
    /// assert_eq!(Set::triangle(1.0, 1.0, 4.0)?.membership(1.0), 1.0); // a vertical edge is closed
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    pub fn triangle(left: f64, top: f64, right: f64) -> Result<Self> {
        Set::new(Shape::Triangle { left, top, right })
    }

    /// max(0, min((x − a)/(b − a), 1, (d − x)/(d − c))) for a ≤ b and c ≤ d; an infinite a or d makes a shoulder.
    ///
    /// ```
    /// # use fuzzion::sets::Set;
    /// let cold = Set::trapezoid(f64::NEG_INFINITY, 0.0, 10.0, 18.0)?;
    /// assert_eq!(cold.membership(-300.0), 1.0);
    /// assert_eq!(cold.membership(12.0), 0.75); // (18 − 12)/(18 − 10)
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    pub fn trapezoid(bottom_left: f64, top_left: f64, top_right: f64, bottom_right: f64) -> Result<Self> {
        Set::new(Shape::Trapezoid { bottom_left, top_left, top_right, bottom_right })
    }

    /// 1 from the smaller to the larger of `start` and `end`, inclusive; 0 elsewhere.
    ///
    /// ```
    /// # use fuzzion::sets::Set;
    /// let inside = Set::rectangle(1.0, 2.0)?;
    /// assert_eq!((inside.membership(2.0), inside.membership(2.1)), (1.0, 0.0));
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    pub fn rectangle(start: f64, end: f64) -> Result<Self> {
        Set::new(Shape::Rectangle { start, end })
    }

    /// Linear interpolation between `points` (x, y) in ascending x, constant before the first and after the last.
    ///
    /// If two points have the same x, the later one defines the membership at that x.
    ///
    /// ```
    /// # use fuzzion::sets::Set;
    /// let set = Set::discrete(&[(0.0, 0.5), (1.0, 1.0), (3.0, 0.0)])?;
    /// assert_eq!((set.membership(-9.0), set.membership(2.0)), (0.5, 0.5));
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    pub fn discrete(points: &[(f64, f64)]) -> Result<Self> {
        Set::new(Shape::Discrete { points: points.to_vec() })
    }

    /// √((x − s)(e − x)) / r with r = (e − s)/2, the upper half of an ellipse; `start` and `end` can be in either order.
    ///
    /// ```
    /// # use fuzzion::sets::Set;
    /// let half = Set::semi_ellipse(0.0, 10.0)?;
    /// assert!((half.membership(2.0) - 0.8).abs() < 1e-15); // √(2·8)/5
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    pub fn semi_ellipse(start: f64, end: f64) -> Result<Self> {
        Set::new(Shape::SemiEllipse { start, end })
    }

    /// 1/(1 + (|x − c|/w)^(2s)).
    ///
    /// ```
    /// # use fuzzion::sets::Set;
    /// let bell = Set::bell(1.0, 2.0, 3.0)?;
    /// assert!((bell.membership(5.0) - 1.0 / 65.0).abs() < 1e-15); // 2⁶ = 64
    /// assert_eq!(bell.membership(3.0), 0.5); // one width from the center, for any slope
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    pub fn bell(center: f64, width: f64, slope: f64) -> Result<Self> {
        Set::new(Shape::Bell { center, width, slope })
    }

    /// (1 + cos(2π(x − c)/w))/2 within w/2 of the center, 0 elsewhere.
    ///
    /// ```
    /// # use fuzzion::sets::Set;
    /// let wave = Set::cosine(1.0, 4.0)?;
    /// assert!((wave.membership(2.0) - 0.5).abs() < 1e-15); // cos(π/2) = 0
    /// assert_eq!(wave.membership(3.0), 0.0);
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    pub fn cosine(center: f64, width: f64) -> Result<Self> {
        Set::new(Shape::Cosine { center, width })
    }

    /// exp(−(x − m)²/2σ²).
    ///
    /// ```
    /// # use fuzzion::sets::Set;
    /// let warm = Set::gaussian(22.0, 4.0)?;
    /// assert!((warm.membership(26.0) - (-0.5f64).exp()).abs() < 1e-15); // one σ above the mean
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    pub fn gaussian(mean: f64, standard_deviation: f64) -> Result<Self> {
        Set::new(Shape::Gaussian { mean, standard_deviation })
    }

    /// The product of the left half of a Gaussian below `mean_a` and the right half of another above `mean_b`; each
    /// factor is 1 on its other side.
    ///
    /// ```
    /// # use fuzzion::sets::Set;
    /// let set = Set::gaussian_product(1.0, 0.5, 2.0, 3.0)?;
    /// assert_eq!(set.membership(1.5), 1.0);
    /// assert!((set.membership(5.0) - (-0.5f64).exp()).abs() < 1e-15); // one σ_b above mean_b
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    pub fn gaussian_product(
        mean_a: f64,
        standard_deviation_a: f64,
        mean_b: f64,
        standard_deviation_b: f64,
    ) -> Result<Self> {
        Set::new(Shape::GaussianProduct { mean_a, standard_deviation_a, mean_b, standard_deviation_b })
    }

    /// [`s_shape`](Set::s_shape)(a, b) times [`z_shape`](Set::z_shape)(c, d), for a ≤ b and c ≤ d.
    ///
    /// ```
    /// # use fuzzion::sets::Set;
    /// let set = Set::pi_shape(0.0, 4.0, 5.0, 6.0)?;
    /// assert_eq!((set.membership(1.0), set.membership(4.5)), (0.125, 1.0)); // 2·(1/4)²
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    pub fn pi_shape(bottom_left: f64, top_left: f64, top_right: f64, bottom_right: f64) -> Result<Self> {
        Set::new(Shape::PiShape { bottom_left, top_left, top_right, bottom_right })
    }

    /// |σ(x; left, rising) − σ(x; right, falling)|, σ as in [`sigmoid`](Set::sigmoid).
    ///
    /// ```
    /// # use fuzzion::sets::Set;
    /// let set = Set::sigmoid_difference(0.0, 1.0, 1.0, 2f64.ln())?;
    /// assert!((set.membership(0.0) - 1.0 / 6.0).abs() < 1e-15); // 1/2 − 1/(1 + 2)
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    pub fn sigmoid_difference(left: f64, rising: f64, falling: f64, right: f64) -> Result<Self> {
        Set::new(Shape::SigmoidDifference { left, rising, falling, right })
    }

    /// σ(x; left, rising) · σ(x; right, falling), σ as in [`sigmoid`](Set::sigmoid); bell-shaped if `rising` > 0 and
    /// `falling` < 0.
    ///
    /// ```
    /// # use fuzzion::sets::Set;
    /// let set = Set::sigmoid_product(0.0, 1.0, -1.0, 2f64.ln())?;
    /// assert!((set.membership(0.0) - 1.0 / 3.0).abs() < 1e-15); // 1/2 · 1/(1 + 1/2)
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    pub fn sigmoid_product(left: f64, rising: f64, falling: f64, right: f64) -> Result<Self> {
        Set::new(Shape::SigmoidProduct { left, rising, falling, right })
    }

    /// exp(−|10(x − c)/w|).
    ///
    /// ```
    /// # use fuzzion::sets::Set;
    /// assert!((Set::spike(1.0, 2.0)?.membership(1.2) - (-1f64).exp()).abs() < 1e-15);
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    pub fn spike(center: f64, width: f64) -> Result<Self> {
        Set::new(Shape::Spike { center, width })
    }

    /// √(t(2 − t)) with t = (x − s)/(e − s) clamped to [0, 1]: a quarter of an ellipse up to `end`, 1 beyond it.
    ///
    /// `end` can be above or below `start`; if they are equal, the set is empty.
    ///
    /// ```
    /// # use fuzzion::sets::Set;
    /// let arc = Set::arc(0.0, 5.0)?;
    /// assert!((arc.membership(2.0) - 0.8).abs() < 1e-15); // √(0.4·1.6)
    /// assert_eq!(arc.membership(7.0), 1.0);
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    pub fn arc(start: f64, end: f64) -> Result<Self> {
        Set::new(Shape::Arc { start, end })
    }

    /// 1 at `start` and on the side of `direction`, which can be infinite; 0 on the other side.
    ///
    /// ```
    /// # use fuzzion::sets::Set;
    /// let below = Set::binary(3.0, f64::NEG_INFINITY)?;
    /// assert_eq!((below.membership(3.0), below.membership(3.1)), (1.0, 0.0));
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    pub fn binary(start: f64, direction: f64) -> Result<Self> {
        Set::new(Shape::Binary { start, direction })
    }

    /// d/(d + |e − x|) with d = |e − i| before the end, 1 beyond it; ½ at the inflection.
    ///
    /// ```
    /// # use fuzzion::sets::Set;
    /// let set = Set::concave(1.0, 2.0)?;
    /// assert_eq!((set.membership(-1.0), set.membership(2.5)), (0.25, 1.0)); // 1/(1 + 3)
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    pub fn concave(inflection: f64, end: f64) -> Result<Self> {
        Set::new(Shape::Concave { inflection, end })
    }

    /// (x − s)/(e − s) clamped to [0, 1]; `end` can be above or below `start`.
    ///
    /// ```
    /// # use fuzzion::sets::Set;
    /// assert_eq!(Set::ramp(4.0, 0.0)?.membership(1.0), 0.75); // falling
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    pub fn ramp(start: f64, end: f64) -> Result<Self> {
        Set::new(Shape::Ramp { start, end })
    }

    /// 1/(1 + exp(−slope·(x − i))).
    ///
    /// ```
    /// # use fuzzion::sets::Set;
    /// let set = Set::sigmoid(1.0, 2.0)?;
    /// assert_eq!(set.membership(1.0), 0.5);
    /// assert!((set.membership(1.0 + 3f64.ln() / 2.0) - 0.75).abs() < 1e-15); // 1/(1 + 1/3)
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    pub fn sigmoid(inflection: f64, slope: f64) -> Result<Self> {
        Set::new(Shape::Sigmoid { inflection, slope })
    }

    /// 2t² for t ≤ ½ and 1 − 2(1 − t)² above, with t = (x − s)/(e − s); 0 up to `start`, 1 from `end`.
    ///
    /// ```
    /// # use fuzzion::sets::Set;
    /// assert_eq!(Set::s_shape(0.0, 4.0)?.membership(3.0), 0.875); // 1 − 2·(1/4)²
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    pub fn s_shape(start: f64, end: f64) -> Result<Self> {
        Set::new(Shape::SShape { start, end })
    }

    /// The mirror image of [`s_shape`](Set::s_shape): 1 up to `start`, 0 from `end`.
    ///
    /// ```
    /// # use fuzzion::sets::Set;
    /// assert_eq!(Set::z_shape(0.0, 4.0)?.membership(3.0), 0.125); // 2·(1/4)²
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    pub fn z_shape(start: f64, end: f64) -> Result<Self> {
        Set::new(Shape::ZShape { start, end })
    }

    /// The Takagi-Sugeno consequent k, independent of the inputs.
    ///
    /// ```
    /// # use fuzzion::sets::Set;
    /// assert_eq!(Set::constant(5.0)?.output(&[1.0, 2.0]), Some(5.0));
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    pub fn constant(value: f64) -> Result<Self> {
        Set::new(Shape::Constant { value })
    }

    /// The Takagi-Sugeno consequent c₁x₁ + … + cₙxₙ + k of the inputs of a system.
    ///
    /// ```
    /// # use fuzzion::sets::Set;
    /// assert_eq!(Set::linear(&[2.0, -1.0], 0.5)?.output(&[3.0, 4.0]), Some(2.5)); // 6 − 4 + ½
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    pub fn linear(coefficients: &[f64], constant: f64) -> Result<Self> {
        Set::new(Shape::Linear { coefficients: coefficients.to_vec(), constant })
    }

    /// An [`Expression`] of named variables; in a set, its variable `x` is x.
    ///
    /// # Errors
    /// [`SyntaxError`](crate::base::SyntaxError) if the text is not a valid expression.
    ///
    /// ```
    /// # use fuzzion::sets::Set;
    /// assert_eq!(Set::function("1 / (1 + x^2)")?.membership(3.0), 0.1);
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    pub fn function(text: &str) -> Result<Self> {
        Set::new(Shape::Function { expression: Expression::new(text)? })
    }
}
