//! Fuzzy numbers from shapes, with every bound rounded outward.
//!
//! A shape is a function (i, n) ↦ cut i of n, independent of the number of cuts. Rounding can move a cut out of the
//! previous one; the caller intersects them.

use crate::arithmetic::error::Result;
use crate::arithmetic::number::cut::AlphaCut;
use crate::arithmetic::number::lu::FuzzyLu;
use crate::arithmetic::rounding::Real;
use crate::base::SettingError;
use serde::{Deserialize, Serialize};

/// Reference function of one side of an L-R number, decreasing from 1 at the core, x = 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum ReferenceFunction {
    /// 1 − x.
    Linear,
    /// 1 − x².
    Quadratic,
    /// e⁻ˣ, with unbounded support.
    Exponential,
    /// exp(−x²/2), with unbounded support.
    Gaussian,
}

impl ReferenceFunction {
    /// Enclosure of the x at which the function equals `alpha` in [0, 1].
    fn inverse<T: Real>(self, alpha: AlphaCut<T>) -> AlphaCut<T> {
        let complement = AlphaCut::crisp(T::ONE).sub(alpha);
        let logarithm = || if alpha.upper == T::ZERO { unbounded_end() } else { alpha.log().neg() };
        match self {
            ReferenceFunction::Linear => complement,
            ReferenceFunction::Quadratic => complement.sqrt(),
            ReferenceFunction::Exponential => logarithm(),
            ReferenceFunction::Gaussian => logarithm().add(logarithm()).sqrt(),
        }
    }
}

/// Enclosure of the point at which an unbounded side reaches 0.
fn unbounded_end<T: Real>() -> AlphaCut<T> {
    AlphaCut { lower: T::MAX, upper: T::INFINITY }
}

/// `n` as a floating-point number; exact, because n is at most the number of cuts.
fn integer<T: Real>(n: usize) -> T {
    T::from_f64_down(n as f64)
}

/// Enclosure of the level of cut `i` of `n`.
fn alpha<T: Real>(i: usize, n: usize) -> AlphaCut<T> {
    if i == 0 {
        AlphaCut::crisp(T::ZERO)
    } else {
        AlphaCut::crisp(integer(i)).div(AlphaCut::crisp(integer(n - 1)))
    }
}

/// Lower bound of the point in [a, b] at which the line from 0 at a to 1 at b reaches the level of cut `i` of `n`.
fn interpolate_down<T: Real>(a: T, b: T, i: usize, n: usize) -> T {
    if i + 1 == n && n > 1 {
        return b;
    }
    if i == 0 || !a.is_finite() {
        return a;
    }
    let weighted =
        integer::<T>(i).mul_add_down(b, integer::<T>(n - 1 - i).mul_down(a)).div_down(integer(n - 1));
    weighted.greater(a).lesser(b)
}

/// Returns an error unless `holds`.
fn require<T: Real>(
    holds: bool,
    algorithm: &'static str,
    name: &'static str,
    value: T,
    must: &'static str,
) -> Result<()> {
    let value = value.to_f64();
    if holds { Ok(()) } else { Err(SettingError::OutOfRange { algorithm, name, value, must }.into()) }
}

/// Exact parameters as cuts; NaN is preserved and rejected later.
fn exact<T: Real, const K: usize>(parameters: [T; K]) -> [AlphaCut<T>; K] {
    parameters.map(|value| AlphaCut { lower: value, upper: value })
}

/// Cuts of a triangle with enclosed corners.
pub(in crate::arithmetic) fn triangular<T: Real>(
    [left, top, right]: [AlphaCut<T>; 3],
) -> Result<impl Fn(usize, usize) -> AlphaCut<T>> {
    require(left.lower < T::INFINITY, "tri", "left", left.lower, "a number below infinity")?;
    let valid_top = top.lower >= left.lower && top.upper.is_finite();
    require(
        valid_top,
        "tri",
        "top",
        top.lower,
        "finite and at least `left`; write the corners in ascending order",
    )?;
    require(
        right.lower >= top.lower,
        "tri",
        "right",
        right.lower,
        "at least `top`; write the corners in ascending order",
    )?;
    Ok(linear_sides([left, top, top, right]))
}

/// Cuts of a trapezoid with enclosed corners.
pub(in crate::arithmetic) fn trapezoidal<T: Real>(
    ends: [AlphaCut<T>; 4],
) -> Result<impl Fn(usize, usize) -> AlphaCut<T>> {
    const NAMES: [&str; 4] = ["bottom left", "top left", "top right", "bottom right"];
    require(ends[0].lower < T::INFINITY, "trap", NAMES[0], ends[0].lower, "a number below infinity")?;
    for i in 1..4 {
        let (previous, value) = (ends[i - 1].lower, ends[i].lower);
        require(
            value >= previous,
            "trap",
            NAMES[i],
            value,
            "at least the previous corner; write the corners in ascending order",
        )?;
    }
    require(ends[1].lower < T::INFINITY, "trap", NAMES[1], ends[1].lower, "below infinity")?;
    require(ends[2].upper > T::NEG_INFINITY, "trap", NAMES[2], ends[2].lower, "above -infinity")?;
    Ok(linear_sides(ends))
}

/// Linear sides between validated corners.
fn linear_sides<T: Real>([a, b, c, d]: [AlphaCut<T>; 4]) -> impl Fn(usize, usize) -> AlphaCut<T> {
    move |i, n| {
        let lower = interpolate_down(a.lower, b.lower, i, n);
        let upper = -interpolate_down(-d.upper, -c.upper, i, n);
        AlphaCut::new(lower, upper)
    }
}

/// Cuts of a Gaussian with enclosed parameters.
pub(in crate::arithmetic) fn gaussian<T: Real>(
    [mean, deviation]: [AlphaCut<T>; 2],
) -> Result<impl Fn(usize, usize) -> AlphaCut<T>> {
    require(mean.is_bounded(), "gauss", "mean", mean.lower, "finite")?;
    let usable = deviation.lower >= T::ZERO && deviation.is_bounded();
    require(usable, "gauss", "standard deviation", deviation.lower, "finite and not negative")?;
    Ok(scaled_sides([mean, mean], [deviation; 2], |alpha| [ReferenceFunction::Gaussian.inverse(alpha); 2]))
}

/// Cuts of a generalized bell with enclosed parameters.
pub(in crate::arithmetic) fn bell<T: Real>(
    [center, width, slope]: [AlphaCut<T>; 3],
) -> Result<impl Fn(usize, usize) -> AlphaCut<T>> {
    require(center.is_bounded(), "bell", "center", center.lower, "finite")?;
    for (name, value) in [("width", width), ("slope", slope)] {
        let usable = value.lower > T::ZERO && value.is_bounded();
        require(usable, "bell", name, value.lower, "finite and above 0")?;
    }
    let one = AlphaCut::crisp(T::ONE);
    Ok(scaled_sides([center, center], [width; 2], move |alpha| {
        if alpha.upper == T::ZERO {
            return [unbounded_end(); 2];
        }
        // 1/α − 1 = x^(2·slope)
        let power = one.sub(alpha).div(alpha);
        if power.upper == T::ZERO { [power; 2] } else { [power.log().div(slope.add(slope)).exp(); 2] }
    }))
}

/// Sides at the distances spread · `distances(α)` from the core, left and right.
fn scaled_sides<T: Real>(
    core: [AlphaCut<T>; 2],
    spreads: [AlphaCut<T>; 2],
    distances: impl Fn(AlphaCut<T>) -> [AlphaCut<T>; 2],
) -> impl Fn(usize, usize) -> AlphaCut<T> {
    move |i, n| {
        let [left, right] = distances(alpha(i, n));
        let (left, right) = (core[0].sub(spreads[0].mul(left)), core[1].add(spreads[1].mul(right)));
        AlphaCut { lower: left.lower, upper: right.upper }
    }
}

/// Cuts of an L-R number; see [`FuzzyLu::left_right`].
pub(in crate::arithmetic) fn left_right<T: Real>(
    core: [T; 2],
    spreads: [T; 2],
    references: [ReferenceFunction; 2],
) -> Result<impl Fn(usize, usize) -> AlphaCut<T>> {
    require(core[0].is_finite(), "left_right", "core_left", core[0], "finite")?;
    let in_order = core[1].is_finite() && core[1] >= core[0];
    require(in_order, "left_right", "core_right", core[1], "finite and at least `core_left`")?;
    for (name, spread) in [("left_spread", spreads[0]), ("right_spread", spreads[1])] {
        let usable = spread.is_finite() && spread >= T::ZERO;
        require(usable, "left_right", name, spread, "finite and not negative")?;
    }
    let distances = move |alpha| references.map(|side| side.inverse(alpha));
    Ok(scaled_sides(exact(core), exact(spreads), distances))
}

/// Cuts of a piecewise linear number; see [`FuzzyLu::piecewise`].
pub(in crate::arithmetic) fn piecewise<T: Real>(
    points: &[(T, T)],
) -> Result<impl Fn(usize, usize) -> AlphaCut<T> + use<'_, T>> {
    check_points(points)?;
    let mirrored: Vec<(T, T)> = points.iter().rev().map(|(x, y)| (-*x, *y)).collect();
    Ok(move |i, n| AlphaCut::new(first_crossing_down(points, i, n), -first_crossing_down(&mirrored, i, n)))
}

impl<T: Real, const N: usize> FuzzyLu<T, N> {
    /// Number with the N cuts of a shape.
    fn from_shape(cut: impl Fn(usize, usize) -> AlphaCut<T>) -> Self {
        Self::nested(|i| cut(i, N))
    }

    /// Triangular number: membership rises linearly from `left` to `top` and falls to `right`.
    ///
    /// ```
    /// use fuzzion::arithmetic::FuzzyLu;
    /// let x = FuzzyLu::<f64, 3>::triangular(1.0, 2.0, 4.0)?;
    /// assert_eq!((x.lower(), x.upper()), (&[1.0, 1.5, 2.0], &[4.0, 3.0, 2.0]));
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`SettingError::OutOfRange`] if a parameter is NaN or not in ascending order; `left` and `right` may be infinite.
    pub fn triangular(left: T, top: T, right: T) -> Result<Self> {
        triangular(exact([left, top, right])).map(Self::from_shape)
    }

    /// Trapezoidal number: membership rises from `bottom_left` to `top_left`, is 1 up to `top_right` and falls to
    /// `bottom_right`.
    ///
    /// ```
    /// use fuzzion::arithmetic::FuzzyLu;
    /// let x = FuzzyLu::<f64, 2>::trapezoidal(1.0, 2.0, 3.0, 5.0)?;
    /// assert_eq!((x.lower(), x.upper()), (&[1.0, 2.0], &[5.0, 3.0]));
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`SettingError::OutOfRange`] if a parameter is NaN or not in ascending order, or the core has no finite value.
    pub fn trapezoidal(bottom_left: T, top_left: T, top_right: T, bottom_right: T) -> Result<Self> {
        trapezoidal(exact([bottom_left, top_left, top_right, bottom_right])).map(Self::from_shape)
    }

    /// Gaussian exp(−(x − mean)²/2σ²); its support is unbounded.
    ///
    /// ```
    /// use fuzzion::arithmetic::FuzzyLu;
    /// let x = FuzzyLu::<f64, 2>::gaussian(5.0, 0.5)?;
    /// assert_eq!((x.core().lower, x.core().upper, x.is_bounded()), (5.0, 5.0, false));
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`SettingError::OutOfRange`] if the mean is not finite, or σ is negative or not finite.
    pub fn gaussian(mean: T, standard_deviation: T) -> Result<Self> {
        gaussian(exact([mean, standard_deviation])).map(Self::from_shape)
    }

    /// Generalized bell 1 / (1 + |(x − center)/width|^(2·slope)); its support is unbounded.
    ///
    /// ```
    /// use fuzzion::arithmetic::FuzzyLu;
    /// let x = FuzzyLu::<f64, 3>::bell(5.0, 1.0, 2.0)?; // ½ at a distance of the width
    /// assert!(x.cut(1).contains(4.0) && x.cut(1).contains(6.0) && !x.cut(1).contains(6.1));
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`SettingError::OutOfRange`] if the center is not finite, or the width or slope is not finite and positive.
    pub fn bell(center: T, width: T, slope: T) -> Result<Self> {
        bell(exact([center, width, slope])).map(Self::from_shape)
    }

    /// L-R number with membership 1 on `core`. To the left and right of the core, membership is `references[0]` and
    /// `references[1]` of the distance divided by `spreads[0]` and `spreads[1]`.
    ///
    /// ```
    /// use fuzzion::arithmetic::{FuzzyLu, ReferenceFunction::{Linear, Quadratic}};
    /// let x = FuzzyLu::<f64, 2>::left_right([2.0, 3.0], [1.0, 4.0], [Linear, Quadratic])?;
    /// assert_eq!((x.lower(), x.upper()), (&[1.0, 2.0], &[7.0, 3.0]));
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`SettingError::OutOfRange`] if the core is not finite or not in order, or a spread is negative or not finite.
    pub fn left_right(core: [T; 2], spreads: [T; 2], references: [ReferenceFunction; 2]) -> Result<Self> {
        left_right(core, spreads, references).map(Self::from_shape)
    }

    /// Piecewise linear number through `points` (x, membership) with ascending x. The membership rises to 1 and then
    /// falls; it is 0 before the first and after the last point.
    ///
    /// ```
    /// use fuzzion::arithmetic::FuzzyLu;
    /// let points = [(0.0, 0.0), (1.0, 0.5), (4.0, 1.0), (5.0, 0.5), (5.0, 0.0)];
    /// let x = FuzzyLu::<f64, 3>::piecewise(&points)?;
    /// assert_eq!((x.lower(), x.upper()), (&[0.0, 1.0, 4.0], &[5.0, 5.0, 4.0]));
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`SettingError::OutOfRange`] if an x is not finite or not in order, or if memberships are not in [0, 1], never reach
    /// 1, or rise again after falling.
    pub fn piecewise(points: &[(T, T)]) -> Result<Self> {
        piecewise(points).map(Self::from_shape)
    }
}

fn check_points<T: Real>(points: &[(T, T)]) -> Result<()> {
    let mut previous = (T::NEG_INFINITY, T::ZERO);
    let mut falling = false;
    let mut max_membership = T::ZERO;
    for (x, y) in points.iter().copied() {
        require(
            x.is_finite() && x >= previous.0,
            "piecewise",
            "x",
            x,
            "finite and at least the previous one",
        )?;
        require(y >= T::ZERO && y <= T::ONE, "piecewise", "membership", y, "between 0 and 1")?;
        require(
            !(falling && y > previous.1),
            "piecewise",
            "membership",
            y,
            "at most the previous one, because memberships have started to fall",
        )?;
        falling |= y < previous.1;
        max_membership = max_membership.greater(y);
        previous = (x, y);
    }
    require(max_membership == T::ONE, "piecewise", "highest membership", max_membership, "1")
}

/// Lower bound of the smallest x at which validated points reach the level of cut `i`; for the support, of the x at
/// which the membership becomes positive.
fn first_crossing_down<T: Real>(points: &[(T, T)], i: usize, n: usize) -> T {
    // y ≥ i/(n − 1), exactly: if the exact product is at least an integer, so is its value rounded down.
    let reaches = |y: T| if i == 0 { y > T::ZERO } else { y.mul_down(integer(n - 1)) >= integer(i) };
    let at = points.iter().position(|point| reaches(point.1));
    let at = at.expect("invariant: validated points reach membership 1");
    let (x1, y1) = points[at];
    let Some(previous) = at.checked_sub(1) else { return x1 };
    let (x0, y0) = points[previous];
    if i == 0 {
        return x0;
    }
    let cut = |value: T| AlphaCut::crisp(value);
    let fraction = alpha(i, n).sub(cut(y0)).div(cut(y1).sub(cut(y0)));
    let place = cut(x0).add(cut(x1).sub(cut(x0)).mul(fraction)).lower;
    place.greater(x0).lesser(x1)
}
