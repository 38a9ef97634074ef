//! Which of two fuzzy numbers is greater, and how far they are apart.
//!
//! As in [`Defuzzifier`], bounds are straight between cuts and nothing is certified but the cuts.

use super::cut::Cut;
use super::defuzzify::Defuzzifier;
use super::lu::FuzzyLu;
use super::rounding::Real;
use std::cmp::Ordering;

/// What may hold between two fuzzy numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Relation {
    /// x < y.
    Less,
    /// x ≤ y.
    LessOrEqual,
    /// x = y.
    Equal,
}

/// How far two fuzzy numbers are apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Distance {
    /// The farthest that a bound of one is from that of the other, over all cuts.
    Hausdorff,
    /// ∫ (|Δl| + |Δu|)/2 dα, the average distance of the bounds.
    Manhattan,
    /// √∫ (Δl² + Δu²)/2 dα.
    Euclidean,
}

/// The order of two numbers of `count` cuts by their bounds, from the core outwards.
pub(super) fn order_of_bounds<T: Real>(
    count: usize,
    a: impl Fn(usize) -> Cut<T>,
    b: impl Fn(usize) -> Cut<T>,
) -> Ordering {
    let order = |a: T, b: T| a.to_f64().total_cmp(&b.to_f64());
    let of_cut = |i: usize| order(a(i).lower, b(i).lower).then_with(|| order(a(i).upper, b(i).upper));
    (0..count).rev().map(of_cut).find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
}

impl<T: Real, const N: usize> FuzzyLu<T, N> {
    /// sup min(μ_a(x), μ_b(y)) over all x and y in the relation, equation (17): how far nothing speaks against it.
    ///
    /// ```
    /// use fuzzion::arithmetic::{FuzzyLu, Relation};
    /// let a = FuzzyLu::<f64, 5>::triangular(0.0, 2.0, 4.0)?;
    /// let b = FuzzyLu::triangular(-1.0, 1.0, 3.0)?;
    /// assert_eq!(b.possibility(Relation::LessOrEqual, &a), 1.0);
    /// assert_eq!(a.possibility(Relation::LessOrEqual, &b), 0.75); // the sides meet at 1.5
    /// assert_eq!(b.necessity(Relation::Less, &a), 0.25);
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    pub fn possibility(&self, relation: Relation, other: &Self) -> f64 {
        match relation {
            Relation::Less => self.highest(other, |gap| gap > 0.0),
            Relation::LessOrEqual => self.highest(other, |gap| gap >= 0.0),
            Relation::Equal => {
                let at_most = |a: &Self, b: &Self| a.highest(b, |gap| gap >= 0.0);
                at_most(self, other).min(at_most(other, self))
            }
        }
    }

    /// 1 − the possibility of the contrary, equation (18): how far everything speaks for it.
    pub fn necessity(&self, relation: Relation, other: &Self) -> f64 {
        let contrary = match relation {
            Relation::Less => other.possibility(Relation::LessOrEqual, self),
            Relation::LessOrEqual => other.possibility(Relation::Less, self),
            Relation::Equal => {
                self.possibility(Relation::Less, other).max(other.possibility(Relation::Less, self))
            }
        };
        1.0 - contrary
    }

    /// The highest level at which the upper bound of `other` less the lower bound of this one `fits`.
    fn highest(&self, other: &Self, fits: impl Fn(f64) -> bool) -> f64 {
        // Halves do not overflow.
        let gap = |i: usize| other.cut(i).upper.to_f64() / 2.0 - self.cut(i).lower.to_f64() / 2.0;
        // Cuts are nested: gaps shrink towards the core.
        match (0..N).rev().find(|i| fits(gap(*i))) {
            None => 0.0,
            Some(i) if i + 1 == N => 1.0,
            Some(i) => {
                let share = gap(i) / (gap(i) - gap(i + 1));
                // From an unbounded cut on, anything up to the next is possible.
                Self::alpha(i) + if share.is_finite() { share } else { 1.0 } / (N - 1) as f64
            }
        }
    }

    /// A total order for ranking: by the defuzzified value, then by the bounds from the core outwards. What has no value
    /// comes last.
    ///
    /// ```
    /// use fuzzion::arithmetic::{Defuzzifier, FuzzyLu};
    /// let mut bids = [5.0, 3.0, 4.0].map(|top| FuzzyLu::<f64, 3>::triangular(top - 1.0, top, top + 2.0).unwrap());
    /// bids.sort_by(|a, b| a.order(b, Defuzzifier::Centroid));
    /// assert_eq!(bids.map(|bid| bid.core().lower), [3.0, 4.0, 5.0]);
    /// ```
    pub fn order(&self, other: &Self, by: Defuzzifier) -> Ordering {
        let key = |number: &Self| number.defuzzify(by).unwrap_or(f64::INFINITY);
        key(self).total_cmp(&key(other)).then_with(|| order_of_bounds(N, |i| self.cut(i), |i| other.cut(i)))
    }

    /// How far apart they are; infinite where only one of two bounds is.
    ///
    /// ```
    /// use fuzzion::arithmetic::{Distance, FuzzyLu};
    /// let a = FuzzyLu::<f64, 2>::triangular(0.0, 1.0, 2.0)?;
    /// let b = FuzzyLu::triangular(0.0, 1.0, 6.0)?; // Δu from 4 to 0
    /// assert_eq!((a.distance(&b, Distance::Hausdorff), a.distance(&b, Distance::Manhattan)), (4.0, 1.0));
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    pub fn distance(&self, other: &Self, distance: Distance) -> f64 {
        let apart = |a: T, b: T| if a == b { 0.0 } else { (a.to_f64() - b.to_f64()).abs() };
        let gaps: Vec<[f64; 2]> = (0..N)
            .map(|i| (self.cut(i), other.cut(i)))
            .map(|(a, b)| [apart(a.lower, b.lower), apart(a.upper, b.upper)])
            .collect();
        let largest = gaps.iter().flatten().copied().fold(0.0, f64::max);
        if distance == Distance::Hausdorff || largest == 0.0 || largest == f64::INFINITY {
            return largest;
        }
        // A single cut is the same at all levels. Shares of the largest neither overflow nor underflow when squared.
        let ends = |i: usize| (gaps[i], gaps[(i + 1).min(N - 1)]);
        let layers = (N - 1).max(1);
        let over = |f: &dyn Fn(f64, f64) -> f64| {
            let layer = |i: usize| {
                let ([l0, u0], [l1, u1]) = ends(i);
                (f(l0 / largest, l1 / largest) + f(u0 / largest, u1 / largest)) / 2.0
            };
            (0..layers).map(layer).sum::<f64>() / layers as f64
        };
        largest
            * match distance {
                Distance::Euclidean => over(&|x, y| (x * x + x * y + y * y) / 3.0).sqrt(),
                _ => over(&|x, y| (x + y) / 2.0),
            }
    }
}
