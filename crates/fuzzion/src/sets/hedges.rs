//! Words that bend memberships.

use crate::device::math::Real;

/// 1 − μ, the standard negation.
///
/// ```
/// assert_eq!(fuzzion::sets::complement(0.25), 0.75);
/// ```
pub fn complement(membership: f64) -> f64 {
    1.0 - membership
}

/// A word before a set that bends its memberships.
///
/// ```
/// use fuzzion::sets::Hedge;
/// assert_eq!(Hedge::Very.apply(0.5), 0.25);
/// assert_eq!(Hedge::from_name("extremely").map(|h| h.apply(0.75)), Some(0.875)); // 1 − 2·(1/4)²
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Hedge {
    /// 1, whatever μ is (NaN included).
    Any,
    /// 1 − μ.
    Not,
    /// μ².
    Very,
    /// √μ.
    Somewhat,
    /// 2μ² up to ½, then 1 − 2(1 − μ)².
    Extremely,
    /// √(μ/2) up to ½, then 1 − √((1 − μ)/2): the inverse of [`Extremely`](Hedge::Extremely).
    Seldom,
}

impl Hedge {
    /// Every hedge.
    pub const ALL: [Hedge; 6] =
        [Hedge::Any, Hedge::Not, Hedge::Very, Hedge::Somewhat, Hedge::Extremely, Hedge::Seldom];

    /// The word in rules.
    pub fn name(self) -> &'static str {
        match self {
            Hedge::Any => "any",
            Hedge::Not => "not",
            Hedge::Very => "very",
            Hedge::Somewhat => "somewhat",
            Hedge::Extremely => "extremely",
            Hedge::Seldom => "seldom",
        }
    }

    /// The hedge of that word.
    pub fn from_name(name: &str) -> Option<Self> {
        Hedge::ALL.into_iter().find(|hedge| hedge.name() == name)
    }

    /// The bent membership.
    pub fn apply(self, membership: f64) -> f64 {
        self.bend(membership)
    }

    /// [`Hedge::apply`] in either precision; `self` is fixed in a loop, so the match leaves it.
    #[inline(always)]
    pub(crate) fn bend<T: Real>(self, m: T) -> T {
        let rest = T::ONE - m;
        let low = m <= T::HALF;
        match self {
            Hedge::Any => T::ONE,
            Hedge::Not => rest,
            Hedge::Very => m * m,
            Hedge::Somewhat => m.sqrt(),
            Hedge::Extremely => {
                let high = T::ONE - T::TWO * rest * rest;
                if low { T::TWO * m * m } else { high }
            }
            Hedge::Seldom => {
                let root = (T::HALF * if low { m } else { rest }).sqrt();
                if low { root } else { T::ONE - root }
            }
        }
    }
}
