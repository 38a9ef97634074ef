//! Fuzzy numbers from shapes: the bounds of each cut, rounded outwards.
//!
//! A shape is a function of i and n that gives cut i of n, so that numbers with any number of cuts share it. Where
//! rounding lets a cut stick out of the one before it, whoever asks for the cuts clips them.

use super::cut::Cut;
use super::lu::FuzzyLu;
use super::rounding::Real;
use crate::error::{Error, Result};

/// How a side of an L-R number falls from its core, where x = 0, as the distance in spreads grows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Reference {
    /// 1 − x, the side of a triangle.
    Linear,
    /// 1 − x², a parabola.
    Quadratic,
    /// e⁻ˣ, which never ends.
    Exponential,
    /// exp(−x²/2), which never ends.
    Gaussian,
}

impl Reference {
    /// Bounds of the x where it has fallen to `alpha`, within 0 and 1.
    fn inverse<T: Real>(self, alpha: Cut<T>) -> Cut<T> {
        let rest = Cut::exactly(T::ONE).sub(alpha);
        let logarithm = || if alpha.upper == T::ZERO { ends_never() } else { alpha.log().neg() };
        match self {
            Reference::Linear => rest,
            Reference::Quadratic => rest.sqrt(),
            Reference::Exponential => logarithm(),
            Reference::Gaussian => logarithm().add(logarithm()).sqrt(),
        }
    }
}

/// The place where a side without end has fallen to 0.
fn ends_never<T: Real>() -> Cut<T> {
    Cut { lower: T::MAX, upper: T::INFINITY }
}

/// A whole number up to the number of cuts.
fn whole<T: Real>(n: usize) -> T {
    T::from_f64_down(n as f64)
}

/// Bounds of the level of cut `i` of `n`.
fn alpha<T: Real>(i: usize, n: usize) -> Cut<T> {
    if i == 0 { Cut::exactly(T::ZERO) } else { Cut::exactly(whole(i)).div(Cut::exactly(whole(n - 1))) }
}

/// A lower bound of the place between a ≤ b where a straight line from 0 at a to 1 at b reaches the level of cut `i`.
fn between_down<T: Real>(a: T, b: T, i: usize, n: usize) -> T {
    if i + 1 == n && n > 1 {
        return b;
    }
    if i == 0 || !a.is_finite() {
        return a;
    }
    let weighted = whole::<T>(i).mul_add_down(b, whole::<T>(n - 1 - i).mul_down(a)).div_down(whole(n - 1));
    weighted.greater(a).lesser(b)
}

/// Refuses a parameter.
fn require<T: Real>(
    holds: bool,
    algorithm: &'static str,
    name: &'static str,
    value: T,
    must: &'static str,
) -> Result<()> {
    let value = value.to_f64();
    if holds { Ok(()) } else { Err(Error::Parameter { algorithm, name, value, must }) }
}

/// Exact parameters as cuts; NaN stays, to be refused.
fn exact<T: Real, const K: usize>(parameters: [T; K]) -> [Cut<T>; K] {
    parameters.map(|value| Cut { lower: value, upper: value })
}

/// The cuts of a triangle whose corners lie within cuts.
pub(super) fn triangular<T: Real>(
    [left, top, right]: [Cut<T>; 3],
) -> Result<impl Fn(usize, usize) -> Cut<T>> {
    require(left.lower < T::INFINITY, "tri", "left", left.lower, "a number")?;
    let on_top = top.lower >= left.lower && top.upper.is_finite();
    require(on_top, "tri", "top", top.lower, "finite and at least `left`")?;
    require(right.lower >= top.lower, "tri", "right", right.lower, "at least `top`")?;
    Ok(straight([left, top, top, right]))
}

/// The cuts of a trapezoid whose corners lie within cuts.
pub(super) fn trapezoidal<T: Real>(ends: [Cut<T>; 4]) -> Result<impl Fn(usize, usize) -> Cut<T>> {
    const NAMES: [&str; 4] = ["bottom_left", "top_left", "top_right", "bottom_right"];
    require(ends[0].lower < T::INFINITY, "trap", NAMES[0], ends[0].lower, "a number")?;
    for i in 1..4 {
        let (before, value) = (ends[i - 1].lower, ends[i].lower);
        require(value >= before, "trap", NAMES[i], value, "at least the number before it")?;
    }
    require(ends[1].lower < T::INFINITY, "trap", NAMES[1], ends[1].lower, "below infinity")?;
    require(ends[2].upper > T::NEG_INFINITY, "trap", NAMES[2], ends[2].lower, "above -infinity")?;
    Ok(straight(ends))
}

/// Straight sides between checked ends.
fn straight<T: Real>([a, b, c, d]: [Cut<T>; 4]) -> impl Fn(usize, usize) -> Cut<T> {
    move |i, n| {
        let lower = between_down(a.lower, b.lower, i, n);
        let upper = -between_down(-d.upper, -c.upper, i, n);
        Cut::new(lower, upper)
    }
}

/// The cuts of a normal curve whose parameters lie within cuts.
pub(super) fn gaussian<T: Real>([mean, deviation]: [Cut<T>; 2]) -> Result<impl Fn(usize, usize) -> Cut<T>> {
    require(mean.is_bounded(), "gauss", "mean", mean.lower, "finite")?;
    let usable = deviation.lower >= T::ZERO && deviation.is_bounded();
    require(usable, "gauss", "standard_deviation", deviation.lower, "finite and not negative")?;
    Ok(sides([mean, mean], [deviation; 2], |alpha| [Reference::Gaussian.inverse(alpha); 2]))
}

/// The cuts of a bell whose parameters lie within cuts.
pub(super) fn bell<T: Real>([center, width, slope]: [Cut<T>; 3]) -> Result<impl Fn(usize, usize) -> Cut<T>> {
    require(center.is_bounded(), "bell", "center", center.lower, "finite")?;
    for (name, value) in [("width", width), ("slope", slope)] {
        let usable = value.lower > T::ZERO && value.is_bounded();
        require(usable, "bell", name, value.lower, "finite and above 0")?;
    }
    let one = Cut::exactly(T::ONE);
    Ok(sides([center, center], [width; 2], move |alpha| {
        if alpha.upper == T::ZERO {
            return [ends_never(); 2];
        }
        // 1/α − 1 = x^(2·slope)
        let power = one.sub(alpha).div(alpha);
        if power.upper == T::ZERO { [power; 2] } else { [power.log().div(slope.add(slope)).exp(); 2] }
    }))
}

/// Both sides as spreads times the distances where they have fallen to a level, left and right.
fn sides<T: Real>(
    core: [Cut<T>; 2],
    spreads: [Cut<T>; 2],
    distances: impl Fn(Cut<T>) -> [Cut<T>; 2],
) -> impl Fn(usize, usize) -> Cut<T> {
    move |i, n| {
        let [left, right] = distances(alpha(i, n));
        let (left, right) = (core[0].sub(spreads[0].mul(left)), core[1].add(spreads[1].mul(right)));
        Cut { lower: left.lower, upper: right.upper }
    }
}

impl<T: Real, const N: usize> FuzzyLu<T, N> {
    /// The N cuts of a shape.
    fn shaped(cut: impl Fn(usize, usize) -> Cut<T>) -> Self {
        Self::nested(|i| cut(i, N))
    }

    /// Membership rises in a straight line from `left` to `top` and falls to `right`.
    ///
    /// ```
    /// use fuzzion::arithmetic::FuzzyLu;
    /// let x = FuzzyLu::<f64, 3>::triangular(1.0, 2.0, 4.0)?;
    /// assert_eq!((x.lower(), x.upper()), (&[1.0, 1.5, 2.0], &[4.0, 3.0, 2.0]));
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Parameter`] where the numbers are NaN or not in order; the outer ones may be infinite.
    pub fn triangular(left: T, top: T, right: T) -> Result<Self> {
        triangular(exact([left, top, right])).map(Self::shaped)
    }

    /// Membership rises from `bottom_left` to `top_left`, is 1 up to `top_right` and falls to `bottom_right`.
    ///
    /// # Errors
    /// [`Error::Parameter`] where the numbers are NaN or not in order, or there is nothing finite on the top.
    pub fn trapezoidal(bottom_left: T, top_left: T, top_right: T, bottom_right: T) -> Result<Self> {
        trapezoidal(exact([bottom_left, top_left, top_right, bottom_right])).map(Self::shaped)
    }

    /// The normal curve exp(−(x − mean)²/2σ²); its support is unbounded.
    ///
    /// # Errors
    /// [`Error::Parameter`] for a mean that is not finite, or a σ that is not or is negative.
    pub fn gaussian(mean: T, standard_deviation: T) -> Result<Self> {
        gaussian(exact([mean, standard_deviation])).map(Self::shaped)
    }

    /// The bell 1 / (1 + |(x − center)/width|^(2·slope)); its support is unbounded.
    ///
    /// # Errors
    /// [`Error::Parameter`] for a center that is not finite, or a width or slope that is not or not above 0.
    pub fn bell(center: T, width: T, slope: T) -> Result<Self> {
        bell(exact([center, width, slope])).map(Self::shaped)
    }

    /// An L-R number: membership is 1 from `core_left` to `core_right`; to the left it falls as `left` with the distance
    /// over `left_spread`, to the right as `right` with the distance over `right_spread`.
    ///
    /// ```
    /// use fuzzion::arithmetic::{FuzzyLu, Reference};
    /// let x = FuzzyLu::<f64, 2>::left_right([2.0, 3.0], [1.0, 4.0], [Reference::Linear, Reference::Quadratic])?;
    /// assert_eq!((x.lower(), x.upper()), (&[1.0, 2.0], &[7.0, 3.0]));
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Parameter`] for a core that is not finite or not in order, or a spread that is not finite or negative.
    pub fn left_right(core: [T; 2], spreads: [T; 2], references: [Reference; 2]) -> Result<Self> {
        require(core[0].is_finite(), "left_right", "core_left", core[0], "finite")?;
        let in_order = core[1].is_finite() && core[1] >= core[0];
        require(in_order, "left_right", "core_right", core[1], "finite and at least `core_left`")?;
        for (name, spread) in [("left_spread", spreads[0]), ("right_spread", spreads[1])] {
            let usable = spread.is_finite() && spread >= T::ZERO;
            require(usable, "left_right", name, spread, "finite and not negative")?;
        }
        let distances = |alpha| references.map(|side| side.inverse(alpha));
        Ok(Self::shaped(sides(exact(core), exact(spreads), distances)))
    }

    /// Straight lines through `points`, each an x and a membership, x in ascending order. Memberships rise to 1 and
    /// then fall; before the first point and behind the last they are 0.
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
    /// [`Error::Parameter`] for an x that is not finite or out of order, and for memberships that are not within 0 and
    /// 1, reach 1 nowhere, or rise again after falling.
    pub fn piecewise(points: &[(T, T)]) -> Result<Self> {
        check_points(points)?;
        let mirrored: Vec<(T, T)> = points.iter().rev().map(|(x, y)| (-*x, *y)).collect();
        Ok(Self::nested(|i| Cut::new(rising_down(points, i, N), -rising_down(&mirrored, i, N))))
    }
}

fn check_points<T: Real>(points: &[(T, T)]) -> Result<()> {
    let mut before = (T::NEG_INFINITY, T::ZERO);
    let mut falling = false;
    let mut highest = T::ZERO;
    for (x, y) in points.iter().copied() {
        require(
            x.is_finite() && x >= before.0,
            "piecewise",
            "x",
            x,
            "finite and at least the one before it",
        )?;
        require(y >= T::ZERO && y <= T::ONE, "piecewise", "membership", y, "within 0 and 1")?;
        require(
            !(falling && y > before.1),
            "piecewise",
            "membership",
            y,
            "no higher than the one before it, as it fell before",
        )?;
        falling |= y < before.1;
        highest = highest.greater(y);
        before = (x, y);
    }
    require(highest == T::ONE, "piecewise", "highest membership", highest, "1")
}

/// A lower bound of the place where checked points first reach the level of cut `i`; the support starts where they
/// leave 0.
fn rising_down<T: Real>(points: &[(T, T)], i: usize, n: usize) -> T {
    // y ≥ i/(n − 1), exactly: rounding down keeps a product above a whole number above it.
    let reaches = |y: T| if i == 0 { y > T::ZERO } else { y.mul_down(whole(n - 1)) >= whole(i) };
    let Some(at) = points.iter().position(|point| reaches(point.1)) else { return T::NEG_INFINITY };
    let (x1, y1) = points[at];
    let Some(&(x0, y0)) = at.checked_sub(1).and_then(|before| points.get(before)) else { return x1 };
    if i == 0 {
        return x0;
    }
    let cut = |value: T| Cut::exactly(value);
    let share = alpha(i, n).sub(cut(y0)).div(cut(y1).sub(cut(y0)));
    let place = cut(x0).add(cut(x1).sub(cut(x0)).mul(share)).lower;
    place.greater(x0).lesser(x1)
}
