//! Comparison, ranking and distance of fuzzy numbers.
//!
//! As in [`NumberDefuzzifier`], bounds are linear between cuts, and the results are not certified.

use crate::arithmetic::number::cut::AlphaCut;
use crate::arithmetic::number::defuzzify::NumberDefuzzifier;
use crate::arithmetic::number::lu::FuzzyLu;
use crate::arithmetic::rounding::Real;
use crate::macros::named;
use serde::{Deserialize, Serialize};
use std::cmp::Ordering;

/// Relation between two fuzzy numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Relation {
    /// x < y.
    Less,
    /// x ≤ y.
    LessOrEqual,
    /// x = y.
    Equal,
}

named! {
    /// Distance between two fuzzy numbers.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    #[non_exhaustive]
    pub enum Distance("distance") {
        /// Maximum distance between corresponding bounds over all cuts.
        Hausdorff = "hausdorff",
        /// ∫ (|Δl| + |Δu|)/2 dα, the mean distance of the bounds.
        Manhattan = "manhattan",
        /// √∫ (Δl² + Δu²)/2 dα.
        Euclidean = "euclidean",
    }
}

/// Order of two numbers with `count` cuts by their bounds, from the core outward.
pub(in crate::arithmetic) fn order_of_bounds<T: Real>(
    count: usize,
    a: impl Fn(usize) -> AlphaCut<T>,
    b: impl Fn(usize) -> AlphaCut<T>,
) -> Ordering {
    let order = |a: T, b: T| a.to_f64().total_cmp(&b.to_f64());
    let of_cut = |i: usize| order(a(i).lower, b(i).lower).then_with(|| order(a(i).upper, b(i).upper));
    (0..count).rev().map(of_cut).find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
}

/// Cut `i` of a number.
pub(in crate::arithmetic) type CutOf<'a, T> = &'a dyn Fn(usize) -> AlphaCut<T>;

/// [`FuzzyLu::possibility`] of two numbers with `n` cuts.
pub(in crate::arithmetic) fn possibility<T: Real>(
    n: usize,
    relation: Relation,
    a: CutOf<'_, T>,
    b: CutOf<'_, T>,
) -> f64 {
    match relation {
        Relation::Less => highest_level(n, a, b, |gap| gap > 0.0),
        Relation::LessOrEqual => highest_level(n, a, b, |gap| gap >= 0.0),
        Relation::Equal => {
            highest_level(n, a, b, |gap| gap >= 0.0).min(highest_level(n, b, a, |gap| gap >= 0.0))
        }
    }
}

/// [`FuzzyLu::necessity`] of two numbers with `n` cuts.
pub(in crate::arithmetic) fn necessity<T: Real>(
    n: usize,
    relation: Relation,
    a: CutOf<'_, T>,
    b: CutOf<'_, T>,
) -> f64 {
    let complement = match relation {
        Relation::Less => possibility(n, Relation::LessOrEqual, b, a),
        Relation::LessOrEqual => possibility(n, Relation::Less, b, a),
        Relation::Equal => possibility(n, Relation::Less, a, b).max(possibility(n, Relation::Less, b, a)),
    };
    1.0 - complement
}

/// Highest level at which (upper bound of `b` − lower bound of `a`) satisfies `fits`.
fn highest_level<T: Real>(n: usize, a: CutOf<'_, T>, b: CutOf<'_, T>, fits: impl Fn(f64) -> bool) -> f64 {
    // Halving avoids overflow.
    let gap = |i: usize| b(i).upper.to_f64() / 2.0 - a(i).lower.to_f64() / 2.0;
    // Cuts are nested, so gaps shrink toward the core.
    match (0..n).rev().find(|i| fits(gap(*i))) {
        None => 0.0,
        Some(i) if i + 1 == n => 1.0,
        Some(i) => {
            let fraction = gap(i) / (gap(i) - gap(i + 1));
            // From an unbounded cut, every level up to the next cut is possible.
            let layers = (n - 1) as f64;
            i as f64 / layers + if fraction.is_finite() { fraction } else { 1.0 } / layers
        }
    }
}

/// [`FuzzyLu::distance`] of two numbers with `n` cuts.
pub(in crate::arithmetic) fn distance_between<T: Real>(
    n: usize,
    distance: Distance,
    a: CutOf<'_, T>,
    b: CutOf<'_, T>,
) -> f64 {
    let gap = |a: T, b: T| if a == b { 0.0 } else { (a.to_f64() - b.to_f64()).abs() };
    let gaps: Vec<[f64; 2]> =
        (0..n).map(|i| [gap(a(i).lower, b(i).lower), gap(a(i).upper, b(i).upper)]).collect();
    let largest = gaps.iter().flatten().copied().fold(0.0, f64::max);
    if distance == Distance::Hausdorff || largest == 0.0 || largest == f64::INFINITY {
        return largest;
    }
    // A single cut applies to all levels. Dividing by the largest gap avoids overflow and underflow of the squares.
    let ends = |i: usize| (gaps[i], gaps[(i + 1).min(n - 1)]);
    let layers = (n - 1).max(1);
    let mean_over_levels = |f: &dyn Fn(f64, f64) -> f64| {
        let layer = |i: usize| {
            let ([l0, u0], [l1, u1]) = ends(i);
            (f(l0 / largest, l1 / largest) + f(u0 / largest, u1 / largest)) / 2.0
        };
        (0..layers).map(layer).sum::<f64>() / layers as f64
    };
    largest
        * match distance {
            Distance::Euclidean => mean_over_levels(&|x, y| (x * x + x * y + y * y) / 3.0).sqrt(),
            Distance::Manhattan => mean_over_levels(&|x, y| (x + y) / 2.0),
            Distance::Hausdorff => unreachable!("invariant: the Hausdorff distance is returned above"),
        }
}

impl<T: Real, const N: usize> FuzzyLu<T, N> {
    /// Possibility of the relation: sup min(μ_a(x), μ_b(y)) over all x and y in the relation, Equation (18).
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
        possibility(N, relation, &|i| self.cut(i), &|i| other.cut(i))
    }

    /// Necessity of the relation: 1 − the possibility of its complement, Equation (19).
    ///
    /// ```
    /// use fuzzion::arithmetic::{FuzzyLu, Relation};
    /// let x = FuzzyLu::<f64, 2>::triangular(1.0, 2.0, 3.0)?;
    /// assert_eq!(x.necessity(Relation::Less, &FuzzyLu::crisp(4.0)), 1.0);
    /// assert_eq!(x.necessity(Relation::Less, &FuzzyLu::crisp(2.0)), 0.0);
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    pub fn necessity(&self, relation: Relation, other: &Self) -> f64 {
        necessity(N, relation, &|i| self.cut(i), &|i| other.cut(i))
    }

    /// Total order for ranking: by the defuzzified value, then by the bounds from the core outward. Numbers without a
    /// defuzzified value come last.
    ///
    /// ```
    /// use fuzzion::arithmetic::{FuzzyLu, NumberDefuzzifier};
    /// let mut bids = [5.0, 3.0, 4.0].map(|top| FuzzyLu::<f64, 3>::triangular(top - 1.0, top, top + 2.0).unwrap());
    /// bids.sort_by(|a, b| a.compare_by(b, NumberDefuzzifier::Centroid));
    /// assert_eq!(bids.map(|bid| bid.core().lower), [3.0, 4.0, 5.0]);
    /// ```
    pub fn compare_by(&self, other: &Self, by: NumberDefuzzifier) -> Ordering {
        let key = |number: &Self| number.defuzzify(by).unwrap_or(f64::INFINITY);
        key(self).total_cmp(&key(other)).then_with(|| order_of_bounds(N, |i| self.cut(i), |i| other.cut(i)))
    }

    /// Distance to `other`; infinite if only one of two corresponding bounds is.
    ///
    /// ```
    /// use fuzzion::arithmetic::{Distance, FuzzyLu};
    /// let a = FuzzyLu::<f64, 2>::triangular(0.0, 1.0, 2.0)?;
    /// let b = FuzzyLu::triangular(0.0, 1.0, 6.0)?; // Δu from 4 to 0
    /// assert_eq!((a.distance(&b, Distance::Hausdorff), a.distance(&b, Distance::Manhattan)), (4.0, 1.0));
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    pub fn distance(&self, other: &Self, distance: Distance) -> f64 {
        distance_between(N, distance, &|i| self.cut(i), &|i| other.cut(i))
    }
}
