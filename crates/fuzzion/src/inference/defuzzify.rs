//! Equations (2) to (4) for one output.

use super::defuzzifier::{Defuzzifier, Weighted};
use super::dialect::Dialect;
use super::row::{Activated, Row, whole};
use super::variable::Output;
use crate::sets::{SNorm, TNorm, complement};

impl Row<'_> {
    /// The number that what was concluded about output `i` amounts to; NaN where there is none.
    pub(super) fn defuzzify(&self, i: usize, output: &Output) -> f64 {
        match output.defuzzifier {
            Defuzzifier::WeightedAverage { kind } => {
                let (sum, weights) = self.weighted(i, output, kind);
                sum / weights
            }
            // Without the division and back, a sum over nothing would be a number.
            Defuzzifier::WeightedSum { kind } => match self.weighted(i, output, kind) {
                (sum, _) if self.dialect == Dialect::Matlab => sum,
                (sum, weights) => sum / weights * weights,
            },
            sampled => self.sampled(i, output, sampled),
        }
    }

    /// Σ w·z and Σ w of equation (4).
    fn weighted(&self, i: usize, output: &Output, kind: Weighted) -> (f64, f64) {
        let (mut sum, mut weights) = (0.0, 0.0);
        for (set, w) in self.grouped(&self.activated[i], output.aggregation) {
            sum += w * self.consequent_value(output, set, w, kind);
            weights += w;
        }
        (sum, weights)
    }

    /// z of equation (4).
    pub(super) fn consequent_value(&self, output: &Output, set: usize, w: f64, kind: Weighted) -> f64 {
        let set = &output.variable.sets[set].set;
        let tsukamoto = match kind {
            Weighted::Automatic => set.tsukamoto(w),
            Weighted::TakagiSugeno => None,
            Weighted::Tsukamoto => Some(set.tsukamoto(w).unwrap_or(f64::NAN)),
        };
        tsukamoto.unwrap_or_else(|| self.membership(set, w))
    }

    /// Whether a set concluded twice is one term of equation (4).
    pub(super) fn joins_sets(&self) -> bool {
        matches!(self.dialect, Dialect::Fuzzylite8 | Dialect::Fuzzylite6)
    }

    /// The concluded sets and their strengths; fuzzylite joins those of the same set.
    pub(super) fn grouped(&self, activated: &[Activated], aggregation: Option<SNorm>) -> Vec<(usize, f64)> {
        let mut groups: Vec<(usize, f64)> = Vec::new();
        let norm = aggregation.unwrap_or(SNorm::UnboundedSum);
        for one in activated {
            let same = groups.iter_mut().find(|(set, _)| *set == one.set);
            match same.filter(|_| self.joins_sets()) {
                Some((_, strength)) => *strength = whole(norm.apply(*strength, one.strength)),
                None => groups.push((one.set, one.strength)),
            }
        }
        groups
    }

    fn sampled(&self, i: usize, output: &Output, defuzzifier: Defuzzifier) -> f64 {
        let variable = &output.variable;
        let y = self.dialect.sample_points(variable.minimum, variable.maximum, defuzzifier.samples());
        let m = self.aggregated(&self.activated[i], output, &y);
        let highest = m.iter().copied().reduce(|a, b| SNorm::Maximum.apply(a, b)).unwrap_or(f64::NAN);
        let tops = || y.iter().zip(&m).filter(|(_, m)| **m > 0.0 && **m == highest).map(|(y, _)| *y);
        let matlab = self.dialect == Dialect::Matlab;
        match defuzzifier {
            Defuzzifier::Bisector { .. } if matlab => first_half(&y, &m),
            Defuzzifier::Bisector { .. } => best_halves(&y, &m),
            Defuzzifier::SmallestOfMaximum { .. } if matlab => {
                tops().reduce(|a, b| if b.abs() < a.abs() { b } else { a }).unwrap_or(f64::NAN)
            }
            Defuzzifier::LargestOfMaximum { .. } if matlab => {
                tops().reduce(|a, b| if b.abs() > a.abs() { b } else { a }).unwrap_or(f64::NAN)
            }
            Defuzzifier::SmallestOfMaximum { .. } => tops().next().unwrap_or(f64::NAN),
            Defuzzifier::LargestOfMaximum { .. } => tops().next_back().unwrap_or(f64::NAN),
            Defuzzifier::MeanOfMaximum { .. } => mean(tops()),
            _ => {
                let moment: f64 = y.iter().zip(&m).map(|(y, m)| y * m).sum();
                moment / m.iter().sum::<f64>()
            }
        }
    }

    /// Equation (2) at every sample.
    pub(super) fn aggregated(&self, activated: &[Activated], output: &Output, y: &[f64]) -> Vec<f64> {
        let mut sum = vec![0.0; y.len()];
        // The check asks for both norms where samples are taken.
        let aggregation = output.aggregation.unwrap_or(SNorm::Maximum);
        for one in activated {
            for (sum, y) in sum.iter_mut().zip(y) {
                *sum = aggregation.apply(*sum, self.implied(one, output, *y));
            }
        }
        sum
    }

    /// T(wᵣ, μᵣ(y)) of equation (2).
    pub(super) fn implied(&self, one: &Activated, output: &Output, y: f64) -> f64 {
        let membership = self.membership(&output.variable.sets[one.set].set, y);
        let membership = if one.negated { complement(membership) } else { membership };
        one.implication.unwrap_or(TNorm::Minimum).apply(one.strength, membership)
    }
}

fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let (sum, n) = values.fold((0.0, 0.0), |(sum, n), value| (sum + value, n + 1.0));
    sum / n
}

/// The mean of the samples at which the area so far is nearest to half of all.
fn best_halves(y: &[f64], m: &[f64]) -> f64 {
    let areas: Vec<f64> = m
        .iter()
        .scan(0.0, |area, m| {
            *area += if m.is_nan() { 0.0 } else { *m };
            Some(*area)
        })
        .collect();
    let all = areas.last().copied().unwrap_or(f64::NAN);
    let off = |area: &f64| (area / all - 0.5).abs();
    let best = areas.iter().map(off).fold(f64::INFINITY, f64::min);
    mean(y.iter().zip(&areas).filter(|(_, area)| off(area) == best).map(|(y, _)| *y))
}

/// The first sample up to which there is at least half of the area.
fn first_half(y: &[f64], m: &[f64]) -> f64 {
    let half = m.iter().sum::<f64>() / 2.0;
    let mut area = 0.0;
    let reached = m.iter().position(|m| {
        area += m;
        area >= half
    });
    if half > 0.0 { reached.map_or(f64::NAN, |i| y[i]) } else { f64::NAN }
}
