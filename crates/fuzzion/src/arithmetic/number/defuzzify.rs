//! Membership and defuzzification.
//!
//! Bounds are linear between adjacent cuts. The results are rounded to nearest: they summarize certified cuts but are
//! not certified themselves.

use crate::arithmetic::number::cut::AlphaCut;
use crate::arithmetic::number::lu::FuzzyLu;
use crate::arithmetic::rounding::Real;
use crate::macros::named;
use serde::{Deserialize, Serialize};

named! {
    /// Defuzzification method for fuzzy numbers.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    #[non_exhaustive]
    pub enum NumberDefuzzifier("defuzzification method") {
        /// ∫ x·μ(x) dx / ∫ μ(x) dx, Equation (15).
        Centroid = "centroid",
        /// Midpoint of the core.
        MeanOfMaxima = "mean-of-maxima",
        /// Yager's index ∫ m(α) dα, where m(α) is the midpoint of the α-cut, Equation (16).
        Yager = "yager",
        /// Possibilistic mean ∫ 2α·m(α) dα, Equation (17).
        PossibilisticMean = "possibilistic-mean",
    }
}

impl<T: Real, const N: usize> FuzzyLu<T, N> {
    /// μ(x), linear between the cuts: 0 outside the support, 1 in the core. A number with a single cut is a crisp
    /// interval with membership 1 inside.
    ///
    /// ```
    /// use fuzzion::arithmetic::FuzzyLu;
    /// let x = FuzzyLu::<f64, 3>::triangular(1.0, 2.0, 4.0)?;
    /// assert_eq!((x.membership(0.9), x.membership(1.25), x.membership(2.0), x.membership(3.5)), (0.0, 0.25, 1.0, 0.25));
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    pub fn membership(&self, x: T) -> f64 {
        membership(N, |i| self.cut(i), x)
    }

    /// Defuzzified value; `None` if it is undefined because cuts are unbounded.
    ///
    /// A support that is unbounded on both sides, as that of a Gaussian, is replaced by the next cut. With other unbounded cuts, as
    /// those of 1/x for x from 0 to 2, only the mean of maxima is defined.
    ///
    /// ```
    /// use fuzzion::arithmetic::{FuzzyLu, NumberDefuzzifier};
    /// let x = FuzzyLu::<f64, 2>::triangular(0.0, 1.0, 5.0)?;
    /// assert_eq!(x.defuzzify(NumberDefuzzifier::Centroid), Some(2.0)); // (0 + 1 + 5)/3
    /// assert_eq!(x.defuzzify(NumberDefuzzifier::MeanOfMaxima), Some(1.0));
    /// assert_eq!(x.defuzzify(NumberDefuzzifier::Yager), Some(1.75)); // (2.5 + 1)/2
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    pub fn defuzzify(&self, defuzzifier: NumberDefuzzifier) -> Option<f64> {
        defuzzified(N, |i| self.cut(i), defuzzifier)
    }
}

/// [`FuzzyLu::membership`] in a number with `n` cuts.
pub(in crate::arithmetic) fn membership<T: Real>(n: usize, cut: impl Fn(usize) -> AlphaCut<T>, x: T) -> f64 {
    let Some(i) = (0..n).rev().find(|i| cut(*i).contains(x)) else { return 0.0 };
    if i + 1 == n {
        return 1.0;
    }
    let (outer, inner) = (cut(i), cut(i + 1));
    let (from, to) = if x < inner.lower { (outer.lower, inner.lower) } else { (outer.upper, inner.upper) };
    let (x, from, to) = (x.to_f64(), from.to_f64(), to.to_f64());
    // Halving avoids overflow; within an unbounded cut, only its own level is certain.
    let fraction = (x / 2.0 - from / 2.0) / (to / 2.0 - from / 2.0);
    let layers = (n - 1) as f64;
    i as f64 / layers + if fraction.is_finite() { fraction } else { 0.0 } / layers
}

/// Defuzzified value of a number with `n` cuts.
pub(in crate::arithmetic) fn defuzzified<T: Real>(
    n: usize,
    cut: impl Fn(usize) -> AlphaCut<T>,
    defuzzifier: NumberDefuzzifier,
) -> Option<f64> {
    let support = cut(0);
    let is_replaced = !support.lower.is_finite() && !support.upper.is_finite();
    let is_defined = (1..n).all(|i| cut(i).is_bounded()) && (support.is_bounded() || is_replaced);
    if !is_defined && defuzzifier != NumberDefuzzifier::MeanOfMaxima {
        return None;
    }
    let normalized = NormalizedCuts::of(n, cut)?;
    let relative = match defuzzifier {
        NumberDefuzzifier::Centroid => normalized.centroid(),
        NumberDefuzzifier::MeanOfMaxima => 0.0,
        NumberDefuzzifier::Yager => normalized.mean_midpoint(|_| 1.0),
        NumberDefuzzifier::PossibilisticMean => normalized.mean_midpoint(|alpha| 2.0 * alpha),
    };
    Some(normalized.origin + 2.0 * relative * normalized.scale)
}

/// Half of each bound relative to half of the core's midpoint, in units of half of the support's width, so that nothing
/// overflows.
struct NormalizedCuts {
    origin: f64,
    scale: f64,
    /// Level, lower and upper bound, from the support to the core.
    cuts: Vec<(f64, f64, f64)>,
}

impl NormalizedCuts {
    fn of<T: Real>(n: usize, cut: impl Fn(usize) -> AlphaCut<T>) -> Option<Self> {
        let core = cut(n - 1);
        let origin = core.is_bounded().then(|| core.midpoint().to_f64())?;
        let first = (0..n).find(|i| cut(*i).is_bounded()).expect("invariant: the core is bounded");
        let outer = cut(first);
        let scale = (outer.upper.to_f64() / 2.0 - outer.lower.to_f64() / 2.0).max(f64::MIN_POSITIVE);
        let relative = |x: T| (x.to_f64() / 2.0 - origin / 2.0) / scale;
        let level = |i: usize| if n == 1 { 0.0 } else { i as f64 / (n - 1) as f64 };
        let mut cuts: Vec<_> =
            (first..n).map(|i| (level(i), relative(cut(i).lower), relative(cut(i).upper))).collect();
        let (outer, core) = (cuts[0], cuts[cuts.len() - 1]);
        if first > 0 {
            cuts.insert(0, (0.0, outer.1, outer.2));
        }
        if n == 1 {
            cuts.push((1.0, core.1, core.2));
        }
        Some(NormalizedCuts { origin, scale, cuts })
    }

    /// Equation (15) in terms of cuts: ∫ (u² − l²)/2 dα over ∫ (u − l) dα, with linear l and u.
    fn centroid(&self) -> f64 {
        let (mut moment, mut area) = (0.0, 0.0);
        for pair in self.cuts.windows(2) {
            let ((a0, l0, u0), (a1, l1, u1)) = (pair[0], pair[1]);
            let squares = |x: f64, y: f64| (x * x + x * y + y * y) / 6.0;
            moment += (a1 - a0) * (squares(u0, u1) - squares(l0, l1));
            area += (a1 - a0) * ((u0 - l0) + (u1 - l1)) / 2.0;
        }
        if area > 0.0 { moment / area } else { 0.0 }
    }

    /// Equations (16) and (17): ∫ w·(l + u)/2 dα for a `weight` linear in α, by Simpson's rule, which is exact here.
    fn mean_midpoint(&self, weight: impl Fn(f64) -> f64) -> f64 {
        let layer = |pair: &[(f64, f64, f64)]| {
            let ((a0, l0, u0), (a1, l1, u1)) = (pair[0], pair[1]);
            let (m0, m1) = ((l0 + u0) / 2.0, (l1 + u1) / 2.0);
            let (w0, wm, w1) = (weight(a0), weight((a0 + a1) / 2.0), weight(a1));
            (a1 - a0) * (w0 * m0 + wm * 2.0 * (m0 + m1) + w1 * m1) / 6.0
        };
        self.cuts.windows(2).map(layer).sum()
    }
}
