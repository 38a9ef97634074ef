//! A fuzzy set between two bounds.

use super::interval::Interval;
use crate::error::{Error, Result};
use crate::sets::{Set, Shape};

/// How finely two sets are compared.
const STEPS: usize = 1000;
/// How many α-cuts of each set show where it changes.
const LEVELS: usize = 32;
/// By how much rounding may lift a lower set above the upper one.
const ROUNDING: f64 = 1e-12;

/// A fuzzy set of which only a lower and an upper bound of every membership are known.
///
/// ```
/// use fuzzion::inference::type2::IntervalSet;
/// use fuzzion::sets::Set;
///
/// let warm = IntervalSet::new(Set::triangle(18.0, 22.0, 26.0)?, Set::triangle(14.0, 22.0, 30.0)?)?;
/// let membership = warm.membership(20.0);
/// assert_eq!((membership.lower, membership.upper), (0.5, 0.75));
/// # Ok::<(), fuzzion::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct IntervalSet {
    lower: Set,
    upper: Set,
}

/// What a set's number is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Kind {
    /// A membership of x.
    Membership,
    /// A value of the row: Constant, Linear, a Function of the row's variables.
    Value,
    /// A Function of x and of the row's variables.
    Both,
}

impl Kind {
    pub(super) fn of(set: &Set) -> Self {
        match set.shape() {
            Shape::Constant { .. } | Shape::Linear { .. } => Kind::Value,
            Shape::Function { expression } => {
                let own = expression.variables().iter().filter(|name| *name == "x").count();
                match (own, expression.variables().len() - own) {
                    (0, _) => Kind::Value,
                    (_, 0) => Kind::Membership,
                    _ => Kind::Both,
                }
            }
            _ => Kind::Membership,
        }
    }
}

impl IntervalSet {
    /// A set between `lower` and `upper`.
    ///
    /// Sets are compared at a thousand places around both of them and where they bend; Constants and the coefficients of
    /// Linears one by one. Between two Functions the smaller value at each x, or in each row, is the lower one.
    ///
    /// # Errors
    /// [`Error::System`] where the lower set is above the upper one, and for a value of the row beside a membership.
    pub fn new(lower: Set, upper: Set) -> Result<Self> {
        if lower != upper {
            check(&lower, &upper)?;
        }
        Ok(IntervalSet { lower, upper })
    }

    /// An ordinary set: both bounds are itself.
    pub fn plain(set: Set) -> Self {
        IntervalSet { upper: set.clone(), lower: set }
    }

    /// A Takagi-Sugeno consequent between two numbers.
    ///
    /// # Errors
    /// As [`IntervalSet::new`].
    pub fn constant(lower: f64, upper: f64) -> Result<Self> {
        IntervalSet::new(Set::constant(lower)?, Set::constant(upper)?)
    }

    /// A set of which the lower bound is only `share` as high, between 0 and 1.
    ///
    /// # Errors
    /// [`Error::Parameter`] for another share, and for shapes that have no height.
    pub fn lowered(upper: Set, share: f64) -> Result<Self> {
        if !(0.0..=1.0).contains(&share) {
            let must = "from 0 to 1";
            return Err(Error::Parameter { algorithm: "IntervalSet", name: "share", value: share, must });
        }
        let lower = upper.clone().with_height(share * upper.height())?;
        Ok(IntervalSet { lower, upper })
    }

    /// The lower bound.
    pub fn lower(&self) -> &Set {
        &self.lower
    }

    /// The upper bound.
    pub fn upper(&self) -> &Set {
        &self.upper
    }

    /// Both bounds of the membership of x.
    pub fn membership(&self, x: f64) -> Interval {
        Interval::new(self.lower.membership(x), self.upper.membership(x))
    }

    pub(super) fn into_parts(self) -> (Set, Set) {
        (self.lower, self.upper)
    }
}

fn refuse(problem: impl Into<String>) -> Result<()> {
    Err(Error::System { place: "the lower set".into(), problem: problem.into() })
}

fn check(lower: &Set, upper: &Set) -> Result<()> {
    let values = match (lower.shape(), upper.shape()) {
        (Shape::Constant { value: a }, Shape::Constant { value: b }) => vec![(*a, *b)],
        (
            Shape::Linear { coefficients: a, constant: a0 },
            Shape::Linear { coefficients: b, constant: b0 },
        ) if a.len() == b.len() => {
            let pairs = a.iter().copied().zip(b.iter().copied());
            pairs.chain([(*a0, *b0)]).collect()
        }
        (Shape::Function { .. }, Shape::Function { .. })
            if Kind::of(lower) == Kind::of(upper) && Kind::of(lower) != Kind::Both =>
        {
            return Ok(());
        }
        _ if Kind::of(lower) == Kind::Membership && Kind::of(upper) == Kind::Membership => {
            return check_memberships(lower, upper);
        }
        (a, b) => {
            let (a, b) = (a.name(), b.name());
            return refuse(format!(
                "is a {a} and the upper set a {b}, which cannot be compared; give two sets of x, two Constants or two \
                 Linears of the same length"
            ));
        }
    };
    match values.iter().find(|(a, b)| a > b) {
        Some((a, b)) => refuse(format!("has {a} where the upper set has {b}; give the smaller number first")),
        None => Ok(()),
    }
}

fn check_memberships(lower: &Set, upper: &Set) -> Result<()> {
    let mut places: Vec<f64> = Vec::new();
    for set in [lower, upper] {
        let levels = (1..=LEVELS).map(|level| set.height() * level as f64 / LEVELS as f64);
        let cuts = levels.filter_map(|level| set.alpha_cut(level)).chain(set.support());
        places.extend(cuts.flat_map(|cut| [cut.lower, cut.upper]).filter(|x| x.is_finite()));
    }
    let first = places.iter().copied().fold(f64::INFINITY, f64::min);
    let last = places.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    // As far again on both sides, where tails may cross.
    let width = (last - first).max(f64::MIN_POSITIVE);
    let step = |i: usize| first - width + 3.0 * width * i as f64 / STEPS as f64;
    places.extend((0..=STEPS).map(step).filter(|x| x.is_finite()));
    let above = |x: &f64| lower.membership(*x) > upper.membership(*x) + ROUNDING;
    match places.into_iter().find(above) {
        Some(x) => refuse(format!(
            "has membership {:.6} at {x}, where the upper set has {:.6}; give a lower set that is nowhere above the upper \
             one",
            lower.membership(x),
            upper.membership(x)
        )),
        None => Ok(()),
    }
}
