//! Type reduction, Equation (2).

use crate::macros::named;
use crate::sets::Interval;
use serde::{Deserialize, Serialize};

/// Relative distance below which points coincide in the last step of the Karnik-Mendel algorithm; the rounding error of
/// a sum of ten thousand weights is a hundredth of it.
const NEAR: f64 = 1e-10;

named! {
    /// Algorithm that computes the type-reduced interval.
    ///
    /// ```
    /// use fuzzion::inference::type2::TypeReduction;
    /// assert_eq!("EIASC".parse(), Ok(TypeReduction::Eiasc));
    /// assert_eq!(TypeReduction::default().to_string(), "EIASC");
    /// ```
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
    #[non_exhaustive]
    pub enum TypeReduction("type reduction") {
        /// Karnik-Mendel: alternates between an estimate of the bound and the switch point for this estimate.
        KarnikMendel = "KarnikMendel",
        /// Enhanced iterative algorithm with stop condition (Wu and Nie): the switch point moves from one side until the bound
        /// stops improving. Same results as Karnik-Mendel.
        #[default]
        #[serde(rename = "EIASC")]
        Eiasc = "EIASC",
        /// Nie-Tan: the closed form Σ (w̲ + w̄)·z / Σ (w̲ + w̄), with z the midpoint of its interval. This is not a solution of
        /// Equation (2) but another definition with different results and a single number instead of an interval.
        NieTan = "NieTan",
    }
}

/// Center and strength of one rule or sample in Equation (2).
///
/// ```
/// use fuzzion::inference::type2::{Interval, TypeReduction, WeightedInterval};
/// let only = WeightedInterval { center: Interval::new(1.0, 2.0), strength: Interval::new(0.5, 1.0) };
/// assert_eq!(TypeReduction::Eiasc.reduce(&[only]), only.center);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WeightedInterval {
    /// z of Equation (2).
    pub center: Interval,
    /// w of Equation (2).
    pub strength: Interval,
}

impl TypeReduction {
    /// Computes the type-reduced interval of `items`, in any order; NaN if all strengths are 0 or a center is NaN.
    ///
    /// ```
    /// use fuzzion::inference::type2::{WeightedInterval, Interval, TypeReduction};
    /// let item = |center: f64, lower: f64, upper: f64| WeightedInterval {
    ///     center: Interval::point(center),
    ///     strength: Interval::new(lower, upper),
    /// };
    /// let y = TypeReduction::KarnikMendel.reduce(&[item(0.0, 0.25, 0.75), item(1.0, 0.25, 0.75)]);
    /// assert_eq!((y.lower, y.upper), (0.25, 0.75)); // weights ¾ and ¼, and vice versa
    /// let y = TypeReduction::NieTan.reduce(&[item(0.0, 0.25, 0.75), item(1.0, 0.25, 0.75)]);
    /// assert_eq!((y.lower, y.upper), (0.5, 0.5));
    /// ```
    pub fn reduce(self, items: &[WeightedInterval]) -> Interval {
        self.reduce_in(items.iter().copied(), &mut Vec::new())
    }

    /// Like [`TypeReduction::reduce`], with a reusable buffer.
    pub(super) fn reduce_in(
        self,
        items: impl Iterator<Item = WeightedInterval> + Clone,
        points: &mut Vec<WeightedPoint>,
    ) -> Interval {
        match self {
            TypeReduction::KarnikMendel => both_bounds(items, points, karnik_mendel),
            TypeReduction::Eiasc => both_bounds(items, points, eiasc),
            TypeReduction::NieTan => {
                Interval::point(bound(items, points, |item| item.center.midpoint(), nie_tan))
            }
        }
    }
}

/// A point x and the bounds of its weight.
#[derive(Clone, Copy, Debug)]
pub(super) struct WeightedPoint {
    x: f64,
    lower: f64,
    upper: f64,
}

/// The upper bound is computed as the lower bound of the negated problem, which is exact.
fn both_bounds(
    items: impl Iterator<Item = WeightedInterval> + Clone,
    points: &mut Vec<WeightedPoint>,
    solve: fn(&[WeightedPoint]) -> f64,
) -> Interval {
    let lower = bound(items.clone(), points, |item| item.center.lower, solve);
    let upper = -bound(items, points, |item| -item.center.upper, solve);
    Interval { lower, upper }
}

/// Solves for one bound, with the items of nonzero upper strength sorted by position.
///
/// Positions are relative to the first one, so that equal positions give exact sums and rounding errors are relative to
/// the range.
fn bound(
    items: impl Iterator<Item = WeightedInterval>,
    points: &mut Vec<WeightedPoint>,
    position: impl Fn(WeightedInterval) -> f64,
    solve: fn(&[WeightedPoint]) -> f64,
) -> f64 {
    points.clear();
    points.extend(items.filter(|item| item.strength.upper > 0.0).map(|item| {
        let Interval { lower, upper } = item.strength;
        WeightedPoint { x: position(item), lower: lower.max(0.0).min(upper), upper }
    }));
    if points.iter().any(|point| point.x.is_nan()) {
        return f64::NAN;
    }
    if !points.is_sorted_by(|a, b| a.x <= b.x) {
        points.sort_by(|a, b| a.x.total_cmp(&b.x));
    }
    let Some(first) = points.first().map(|point| point.x) else { return f64::NAN };
    points.iter_mut().for_each(|point| point.x -= first);
    first + solve(points)
}

/// Σ w·x / Σ w with upper weights before index `switch` and lower weights from there on.
fn switched_mean(points: &[WeightedPoint], switch: usize) -> f64 {
    let (before, after) = points.split_at(switch);
    let (moment, mass) = before.iter().fold((0.0, 0.0), |(m, w), p| (m + p.upper * p.x, w + p.upper));
    let (moment, mass) = after.iter().fold((moment, mass), |(m, w), p| (m + p.lower * p.x, w + p.lower));
    moment / mass
}

/// Karnik-Mendel algorithm (2001) for the lower bound.
fn karnik_mendel(points: &[WeightedPoint]) -> f64 {
    let improved = |y: f64| {
        let regular = switched_mean(points, points.partition_point(|point| point.x <= y));
        // If y rounds to a point of large weight, the small weights before it have no effect: exclude that point.
        let excluded = || switched_mean(points, points.partition_point(|point| point.x < y * (1.0 - NEAR)));
        Some(regular).filter(|mean| *mean < y).or_else(|| Some(excluded()).filter(|mean| *mean < y))
    };
    let mut y = nie_tan(points);
    // The estimates decrease strictly and are from a finite set of means, so the loop terminates.
    while let Some(mean) = improved(y) {
        y = mean;
    }
    y
}

/// EIASC (Wu and Nie, 2011) for the lower bound.
fn eiasc(points: &[WeightedPoint]) -> f64 {
    let (mut moment, mut mass) = points.iter().fold((0.0, 0.0), |(m, w), p| (m + p.lower * p.x, w + p.lower));
    let mut y = f64::NAN;
    for (i, point) in points.iter().enumerate() {
        moment += (point.upper - point.lower) * point.x;
        mass += point.upper - point.lower;
        y = moment / mass;
        if points.get(i + 1).is_none_or(|next| y <= next.x) {
            break;
        }
    }
    y
}

/// Nie-Tan (2008); also the initial estimate of the Karnik-Mendel algorithm.
fn nie_tan(points: &[WeightedPoint]) -> f64 {
    let weight = |point: &WeightedPoint| point.lower + point.upper;
    points.iter().map(|p| weight(p) * p.x).sum::<f64>() / points.iter().map(weight).sum::<f64>()
}
