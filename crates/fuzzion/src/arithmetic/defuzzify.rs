//! What cuts say of membership, and one number for a fuzzy one.
//!
//! Between two cuts the bounds are taken to be straight lines. These numbers are computed to nearest: they summarise
//! certified cuts, and are not certified themselves.

use super::array::{Element, LuArray, MrArray};
use super::cut::Cut;
use super::lu::FuzzyLu;
use super::rounding::{Holds, Real};
use std::fmt;
use std::str::FromStr;

/// How a fuzzy number becomes an ordinary one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Defuzzifier {
    /// ∫ x·μ(x) dx / ∫ μ(x) dx, equation (14).
    Centroid,
    /// The middle of the core.
    MeanOfMaxima,
    /// ∫ (middle of the α-cut) dα over α from 0 to 1, equation (15).
    Yager,
    /// As Yager, each cut weighted by 2α: the possibilistic mean, equation (16).
    PossibilisticMean,
}

const NAMES: [(&str, Defuzzifier); 4] = [
    ("centroid", Defuzzifier::Centroid),
    ("mean-of-maxima", Defuzzifier::MeanOfMaxima),
    ("yager", Defuzzifier::Yager),
    ("possibilistic-mean", Defuzzifier::PossibilisticMean),
];

impl fmt::Display for Defuzzifier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = NAMES.iter().find(|(_, defuzzifier)| defuzzifier == self);
        f.write_str(name.map_or("", |(name, _)| name))
    }
}

impl FromStr for Defuzzifier {
    type Err = crate::error::Error;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let known = NAMES.iter().find(|(name, _)| *name == text);
        known.map(|(_, defuzzifier)| *defuzzifier).ok_or_else(|| crate::error::Error::UnknownWord {
            what: "way to defuzzify",
            word: text.into(),
            known: "centroid, mean-of-maxima, yager, possibilistic-mean",
        })
    }
}

impl<T: Real, const N: usize> FuzzyLu<T, N> {
    /// μ(x), straight between the cuts: 0 outside of the support, 1 in the core. A single cut is an ordinary interval,
    /// with 1 inside.
    ///
    /// ```
    /// use fuzzion::arithmetic::FuzzyLu;
    /// let x = FuzzyLu::<f64, 3>::triangular(1.0, 2.0, 4.0)?;
    /// assert_eq!((x.membership(0.9), x.membership(1.25), x.membership(2.0), x.membership(3.5)), (0.0, 0.25, 1.0, 0.25));
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    pub fn membership(&self, x: T) -> f64 {
        let Some(i) = (0..N).rev().find(|i| self.cut(*i).contains(x)) else { return 0.0 };
        if i + 1 == N {
            return 1.0;
        }
        let (outer, inner) = (self.cut(i), self.cut(i + 1));
        let (from, to) =
            if x < inner.lower { (outer.lower, inner.lower) } else { (outer.upper, inner.upper) };
        let (x, from, to) = (x.to_f64(), from.to_f64(), to.to_f64());
        // Halves do not overflow; of an unbounded cut only its level is known.
        let share = (x / 2.0 - from / 2.0) / (to / 2.0 - from / 2.0);
        Self::alpha(i) + if share.is_finite() { share } else { 0.0 } / (N - 1) as f64
    }

    /// One number for this one; `None` where even the core is unbounded.
    ///
    /// Where outer cuts are unbounded (the support of a Gaussian), they are taken to be as wide as the first that is not.
    ///
    /// ```
    /// use fuzzion::arithmetic::{Defuzzifier, FuzzyLu};
    /// let x = FuzzyLu::<f64, 2>::triangular(0.0, 1.0, 5.0)?;
    /// assert_eq!(x.defuzzify(Defuzzifier::Centroid), Some(2.0)); // (0 + 1 + 5)/3
    /// assert_eq!(x.defuzzify(Defuzzifier::MeanOfMaxima), Some(1.0));
    /// assert_eq!(x.defuzzify(Defuzzifier::Yager), Some(1.75)); // (2.5 + 1)/2
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    pub fn defuzzify(&self, defuzzifier: Defuzzifier) -> Option<f64> {
        defuzzified(N, |i| self.cut(i), defuzzifier)
    }
}

impl<T: Element> LuArray<T> {
    /// One number for each, as [`FuzzyLu::defuzzify`].
    ///
    /// ```
    /// use fuzzion::arithmetic::{Defuzzifier, LuArray};
    /// let x = LuArray::<f64>::parse(2, &["tri(0, 1, 5)", "[-inf, inf]"])?;
    /// assert_eq!(x.defuzzify(Defuzzifier::Centroid), [Some(2.0), None]);
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    pub fn defuzzify(&self, defuzzifier: Defuzzifier) -> Vec<Option<f64>> {
        let value = |number| defuzzified(self.cuts(), |i| self.cut(number, i), defuzzifier);
        (0..self.len()).map(value).collect()
    }
}

impl<T: Element + Holds<R>, R: Element> MrArray<T, R> {
    /// One number for each, of its bounds as [`FuzzyLu::defuzzify`].
    pub fn defuzzify(&self, defuzzifier: Defuzzifier) -> Vec<Option<f64>> {
        let value = |number| defuzzified(self.cuts(), |i| self.cut(number, i), defuzzifier);
        (0..self.len()).map(value).collect()
    }
}

/// One number for `n` cuts.
pub(super) fn defuzzified<T: Real>(
    n: usize,
    cut: impl Fn(usize) -> Cut<T>,
    defuzzifier: Defuzzifier,
) -> Option<f64> {
    let layers = Layers::of(n, cut)?;
    let relative = match defuzzifier {
        Defuzzifier::Centroid => layers.centroid(),
        Defuzzifier::MeanOfMaxima => 0.0,
        Defuzzifier::Yager => layers.mean_middle(|_| 1.0),
        Defuzzifier::PossibilisticMean => layers.mean_middle(|alpha| 2.0 * alpha),
    };
    Some(layers.origin + 2.0 * relative * layers.scale)
}

/// Halves of cuts relative to half of the middle of the core, in units of half of the support's width, so that nothing
/// overflows.
struct Layers {
    origin: f64,
    scale: f64,
    /// Level, lower and upper bound, from the support to the core.
    cuts: Vec<(f64, f64, f64)>,
}

impl Layers {
    fn of<T: Real>(n: usize, cut: impl Fn(usize) -> Cut<T>) -> Option<Self> {
        let core = cut(n - 1);
        let origin = core.is_bounded().then(|| core.middle().to_f64())?;
        let first = (0..n).find(|i| cut(*i).is_bounded())?;
        let outer = cut(first);
        let scale = (outer.upper.to_f64() / 2.0 - outer.lower.to_f64() / 2.0).max(f64::MIN_POSITIVE);
        let relative = |x: T| (x.to_f64() / 2.0 - origin / 2.0) / scale;
        let level = |i: usize| if n == 1 { 0.0 } else { i as f64 / (n - 1) as f64 };
        let mut cuts: Vec<_> =
            (first..n).map(|i| (level(i), relative(cut(i).lower), relative(cut(i).upper))).collect();
        let (outer, core) = (cuts[0], *cuts.last()?);
        if first > 0 {
            cuts.insert(0, (0.0, outer.1, outer.2));
        }
        if n == 1 {
            cuts.push((1.0, core.1, core.2));
        }
        Some(Layers { origin, scale, cuts })
    }

    /// Equation (14) in terms of cuts: ∫ (u² − l²)/2 dα over ∫ (u − l) dα, with straight l and u.
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

    /// Equations (15) and (16), `weight` being linear in α: ∫ w·(l + u)/2 dα by Simpson's rule, exact for it.
    fn mean_middle(&self, weight: impl Fn(f64) -> f64) -> f64 {
        let layer = |pair: &[(f64, f64, f64)]| {
            let ((a0, l0, u0), (a1, l1, u1)) = (pair[0], pair[1]);
            let (m0, m1) = ((l0 + u0) / 2.0, (l1 + u1) / 2.0);
            let (w0, wm, w1) = (weight(a0), weight((a0 + a1) / 2.0), weight(a1));
            (a1 - a0) * (w0 * m0 + wm * 2.0 * (m0 + m1) + w1 * m1) / 6.0
        };
        self.cuts.windows(2).map(layer).sum()
    }
}
