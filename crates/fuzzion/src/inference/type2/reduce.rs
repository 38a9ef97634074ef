//! Equation (2): from intervals of centers and strengths to an interval of outputs.

use super::interval::Interval;

/// Places nearer than this, of all the way from the first one, are the same to Karnik and Mendel's last step; sums of
/// ten thousand weights are rounded by a hundredth of it.
const NEAR: f64 = 1e-10;

/// How the type-reduced interval is found.
///
/// ```
/// use fuzzion::inference::type2::TypeReduction;
/// assert_eq!(TypeReduction::from_name("EIASC"), Some(TypeReduction::Eiasc));
/// assert_eq!(TypeReduction::default().name(), "EIASC");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum TypeReduction {
    /// Karnik and Mendel's: from a guess of the end to the switch point that belongs to it, and to a better end.
    KarnikMendel,
    /// Wu and Nie's enhanced iterative algorithm with stop condition: the switch point moves from one side until the end
    /// grows worse. The same numbers as Karnik and Mendel's.
    #[default]
    Eiasc,
    /// Nie and Tan's closed form Σ (w̲ + w̄)·z / Σ (w̲ + w̄), with z in the middle of its interval. It is no way to solve
    /// equation (2) but another definition: it gives other numbers, and one number for both ends.
    NieTan,
}

/// What one rule, or one sample, gives to equation (2).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contribution {
    /// z.
    pub center: Interval,
    /// w.
    pub strength: Interval,
}

impl TypeReduction {
    /// Every type reduction.
    pub const ALL: [TypeReduction; 3] =
        [TypeReduction::KarnikMendel, TypeReduction::Eiasc, TypeReduction::NieTan];

    /// Its name in files.
    pub fn name(self) -> &'static str {
        match self {
            TypeReduction::KarnikMendel => "KarnikMendel",
            TypeReduction::Eiasc => "EIASC",
            TypeReduction::NieTan => "NieTan",
        }
    }

    /// The type reduction of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        TypeReduction::ALL.into_iter().find(|reduction| reduction.name() == name)
    }

    /// The type-reduced interval of some contributions, in any order; NaN where all have strength 0 or a center is NaN.
    ///
    /// ```
    /// use fuzzion::inference::type2::{Contribution, Interval, TypeReduction};
    /// let one = |center: f64, lower: f64, upper: f64| Contribution {
    ///     center: Interval::exactly(center),
    ///     strength: Interval::new(lower, upper),
    /// };
    /// let y = TypeReduction::KarnikMendel.reduce(&[one(0.0, 0.25, 0.75), one(1.0, 0.25, 0.75)]);
    /// assert_eq!((y.lower, y.upper), (0.25, 0.75)); // ¾ against ¼, and the other way round
    /// let y = TypeReduction::NieTan.reduce(&[one(0.0, 0.25, 0.75), one(1.0, 0.25, 0.75)]);
    /// assert_eq!((y.lower, y.upper), (0.5, 0.5));
    /// ```
    pub fn reduce(self, contributions: &[Contribution]) -> Interval {
        self.reduce_in(contributions.iter().copied(), &mut Vec::new())
    }

    /// As [`TypeReduction::reduce`], with room that was used before.
    pub(super) fn reduce_in(
        self,
        contributions: impl Iterator<Item = Contribution> + Clone,
        points: &mut Vec<Point>,
    ) -> Interval {
        match self {
            TypeReduction::KarnikMendel => both_ends(contributions, points, karnik_mendel),
            TypeReduction::Eiasc => both_ends(contributions, points, eiasc),
            TypeReduction::NieTan => {
                Interval::exactly(end(contributions, points, |one| one.center.middle(), nie_tan))
            }
        }
    }
}

/// A place and the weights it may have.
#[derive(Clone, Copy, Debug)]
pub(super) struct Point {
    x: f64,
    lower: f64,
    upper: f64,
}

/// The upper end is the lower end of the mirror image, which changes no digit.
fn both_ends(
    contributions: impl Iterator<Item = Contribution> + Clone,
    points: &mut Vec<Point>,
    solve: fn(&[Point]) -> f64,
) -> Interval {
    let lower = end(contributions.clone(), points, |one| one.center.lower, solve);
    let upper = -end(contributions, points, |one| -one.center.upper, solve);
    Interval { lower, upper }
}

/// What `solve` makes of the contributions that may have a weight, by ascending place and from the first place on.
///
/// Counted from there, sums of equal places are exact and none is rounded by more than the range it lies in.
fn end(
    contributions: impl Iterator<Item = Contribution>,
    points: &mut Vec<Point>,
    place: impl Fn(Contribution) -> f64,
    solve: fn(&[Point]) -> f64,
) -> f64 {
    points.clear();
    points.extend(contributions.filter(|one| one.strength.upper > 0.0).map(|one| {
        let Interval { lower, upper } = one.strength;
        Point { x: place(one), lower: lower.max(0.0).min(upper), upper }
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

/// Σ w·x / Σ w with upper weights before `switch` and lower ones from there on.
fn switched_mean(points: &[Point], switch: usize) -> f64 {
    let (before, after) = points.split_at(switch);
    let (moment, mass) = before.iter().fold((0.0, 0.0), |(m, w), p| (m + p.upper * p.x, w + p.upper));
    let (moment, mass) = after.iter().fold((moment, mass), |(m, w), p| (m + p.lower * p.x, w + p.lower));
    moment / mass
}

/// Karnik and Mendel, 2001, for the lower end.
fn karnik_mendel(points: &[Point]) -> f64 {
    let better = |y: f64| {
        let usual = switched_mean(points, points.partition_point(|point| point.x <= y));
        // Where y is rounded to a place of large weight, it hides the small weights before that place: leave it out.
        let hidden = || switched_mean(points, points.partition_point(|point| point.x < y * (1.0 - NEAR)));
        Some(usual).filter(|mean| *mean < y).or_else(|| Some(hidden()).filter(|mean| *mean < y))
    };
    let mut y = nie_tan(points);
    // Each round is strictly below the one before and one of a finite number of means, so this ends.
    while let Some(mean) = better(y) {
        y = mean;
    }
    y
}

/// Wu and Nie, 2011, for the lower end.
fn eiasc(points: &[Point]) -> f64 {
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

/// Nie and Tan, 2008; also where Karnik and Mendel start.
fn nie_tan(points: &[Point]) -> f64 {
    let weight = |point: &Point| point.lower + point.upper;
    points.iter().map(|p| weight(p) * p.x).sum::<f64>() / points.iter().map(weight).sum::<f64>()
}
