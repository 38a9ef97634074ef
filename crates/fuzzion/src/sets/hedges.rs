//! Linguistic hedges.

use crate::device::math::Real;
use crate::macros::named;
use serde::{Deserialize, Serialize};

/// 1 − μ, the standard negation.
///
/// ```
/// assert_eq!(fuzzion::sets::complement(0.25), 0.75);
/// ```
pub fn complement(membership: f64) -> f64 {
    1.0 - membership
}

named! {
    /// Linguistic hedge: a modifier of a set's memberships.
    ///
    /// ```
    /// use fuzzion::sets::Hedge;
    /// assert_eq!(Hedge::Very.apply(0.5), 0.25);
    /// assert_eq!("extremely".parse::<Hedge>()?.apply(0.75), 0.875); // 1 − 2·(1/4)²
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "lowercase")]
    #[non_exhaustive]
    pub enum Hedge("hedge") {
        /// 1 for every μ, including NaN.
        Any = "any",
        /// 1 − μ.
        Not = "not",
        /// μ².
        Very = "very",
        /// √μ.
        Somewhat = "somewhat",
        /// 2μ² for μ ≤ ½, otherwise 1 − 2(1 − μ)².
        Extremely = "extremely",
        /// √(μ/2) for μ ≤ ½, otherwise 1 − √((1 − μ)/2); the inverse of [`Extremely`](Hedge::Extremely).
        Seldom = "seldom",
    }
}

impl Hedge {
    /// The modified membership.
    pub fn apply(self, membership: f64) -> f64 {
        self.apply_real(membership)
    }

    /// [`Hedge::apply`] in either precision; the compiler moves the match out of a loop with a constant `self`.
    #[inline(always)]
    pub(crate) fn apply_real<T: Real>(self, m: T) -> T {
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
