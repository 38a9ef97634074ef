//! Interval type-2 fuzzy sets.

use crate::base::SettingError;
use crate::inference::error::{InferenceError, Result};
use crate::sets::{Interval, Set, Shape};

/// Number of steps of the grid on which two sets are compared.
const STEPS: usize = 1000;
/// Number of α-cuts of each set whose end points are compared as well.
const LEVELS: usize = 32;
/// Maximum rounding error by which a lower set may exceed the upper one.
const ROUNDING: f64 = 1e-12;

/// A fuzzy set with a lower and an upper membership function.
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

/// The variables on which the value of a set depends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum SetKind {
    /// x: a membership function.
    Membership,
    /// The row: Constant, Linear, or a Function of the row's variables.
    RowValue,
    /// Both: a Function of x and of the row's variables.
    Mixed,
}

impl SetKind {
    pub(super) fn of(set: &Set) -> Self {
        match set.shape() {
            Shape::Constant { .. } | Shape::Linear { .. } => SetKind::RowValue,
            Shape::Function { expression } => {
                let uses_x = expression.variables().iter().filter(|name| *name == "x").count();
                match (uses_x, expression.variables().len() - uses_x) {
                    (0, _) => SetKind::RowValue,
                    (_, 0) => SetKind::Membership,
                    _ => SetKind::Mixed,
                }
            }
            _ => SetKind::Membership,
        }
    }
}

impl IntervalSet {
    /// Creates a set between `lower` and `upper`.
    ///
    /// Sets are compared at a thousand points around both of them and at the ends of their α-cuts; the values of
    /// Constant sets and the coefficients of Linear sets are compared one by one. Two Function sets are not compared: at
    /// each x or in each row, the smaller value is the lower one.
    ///
    /// # Errors
    /// [`InferenceError::InvalidSystem`] if the lower set exceeds the upper one, or if only one of them is a Takagi-Sugeno consequent.
    pub fn new(lower: Set, upper: Set) -> Result<Self> {
        if lower != upper {
            check(&lower, &upper)?;
        }
        Ok(IntervalSet { lower, upper })
    }

    /// Creates a type-1 set: both bounds are the same.
    ///
    /// ```
    /// # use fuzzion::{inference::type2::IntervalSet, sets::Set};
    /// let set = IntervalSet::type1(Set::ramp(0.0, 4.0)?);
    /// assert_eq!((set.lower(), set.membership(1.0).lower, set.membership(1.0).upper), (set.upper(), 0.25, 0.25));
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    pub fn type1(set: Set) -> Self {
        IntervalSet { upper: set.clone(), lower: set }
    }

    /// Creates a Takagi-Sugeno consequent between two numbers.
    ///
    /// # Errors
    /// Those of [`IntervalSet::new`].
    pub fn constant(lower: f64, upper: f64) -> Result<Self> {
        IntervalSet::new(Set::constant(lower)?, Set::constant(upper)?)
    }

    /// Creates a set whose lower bound is the upper bound scaled by `factor`, between 0 and 1.
    ///
    /// ```
    /// # use fuzzion::{inference::type2::IntervalSet, sets::Set};
    /// let set = IntervalSet::scaled_lower(Set::triangle(0.0, 1.0, 2.0)?, 0.5)?;
    /// assert_eq!((set.membership(1.0).lower, set.membership(1.0).upper), (0.5, 1.0));
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`SettingError::OutOfRange`] for a factor outside 0 to 1 and for shapes without a height.
    pub fn scaled_lower(upper: Set, factor: f64) -> Result<Self> {
        if !(0.0..=1.0).contains(&factor) {
            let must = "from 0 to 1";
            return Err(SettingError::OutOfRange {
                algorithm: "IntervalSet",
                name: "factor",
                value: factor,
                must,
            }
            .into());
        }
        let lower = upper.clone().with_height(factor * upper.height())?;
        Ok(IntervalSet { lower, upper })
    }

    /// The lower membership function.
    pub fn lower(&self) -> &Set {
        &self.lower
    }

    /// The upper membership function.
    pub fn upper(&self) -> &Set {
        &self.upper
    }

    /// The membership interval of x.
    pub fn membership(&self, x: f64) -> Interval {
        Interval::new(self.lower.membership(x), self.upper.membership(x))
    }

    pub(super) fn into_parts(self) -> (Set, Set) {
        (self.lower, self.upper)
    }
}

fn lower_set_error(problem: impl Into<String>) -> Result<()> {
    Err(InferenceError::InvalidSystem { location: "the lower set".into(), problem: problem.into() })
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
            if SetKind::of(lower) == SetKind::of(upper) && SetKind::of(lower) != SetKind::Mixed =>
        {
            return Ok(());
        }
        _ if SetKind::of(lower) == SetKind::Membership && SetKind::of(upper) == SetKind::Membership => {
            return check_memberships(lower, upper);
        }
        (a, b) => {
            let (a, b) = (a.name(), b.name());
            return lower_set_error(format!(
                "cannot be compared with the upper set ({a} and {b}); use two membership functions of x, two Constant sets, \
                 or two Linear sets of the same length"
            ));
        }
    };
    match values.iter().find(|(a, b)| a > b) {
        Some((a, b)) => lower_set_error(format!(
            "has the parameter {a} where the upper set has {b}; the lower set must not exceed the upper set"
        )),
        None => Ok(()),
    }
}

fn check_memberships(lower: &Set, upper: &Set) -> Result<()> {
    let mut points: Vec<f64> = Vec::new();
    for set in [lower, upper] {
        let levels = (1..=LEVELS).map(|level| set.height() * level as f64 / LEVELS as f64);
        let cuts = levels.filter_map(|level| set.alpha_cut(level)).chain(set.support());
        points.extend(cuts.flat_map(|cut| [cut.lower, cut.upper]).filter(|x| x.is_finite()));
    }
    let first = points.iter().copied().fold(f64::INFINITY, f64::min);
    let last = points.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    // Extended by the full width on both sides, where tails may cross.
    let width = (last - first).max(f64::MIN_POSITIVE);
    let step = |i: usize| first - width + 3.0 * width * i as f64 / STEPS as f64;
    points.extend((0..=STEPS).map(step).filter(|x| x.is_finite()));
    let above = |x: &f64| lower.membership(*x) > upper.membership(*x) + ROUNDING;
    match points.into_iter().find(above) {
        Some(x) => lower_set_error(format!(
            "has membership {:.6} at {x}, but the upper set has {:.6}; the lower set must not exceed the upper set",
            lower.membership(x),
            upper.membership(x)
        )),
        None => Ok(()),
    }
}
