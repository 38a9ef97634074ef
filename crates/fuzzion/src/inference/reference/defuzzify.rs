//! Defuzzification of one output, Equations (2) to (4).

use super::result::ActivatedSet;
use super::row::{RowState, finite_strength};
use crate::inference::{Defuzzifier, Dialect, Output, WeightedKind};
use crate::sets::SNorm;

const SAMPLE_INVARIANT: &str = "invariant: `System::check` requires at least one sample";

impl RowState<'_> {
    /// Defuzzified value of output `i`; NaN if undefined.
    pub(in crate::inference) fn defuzzify(&self, i: usize, output: &Output) -> f64 {
        match output.defuzzifier {
            Defuzzifier::WeightedAverage { kind } => {
                let (sum, weights) = self.weighted(i, output, kind);
                sum / weights
            }
            // Dividing and multiplying by the weights makes an empty sum NaN, as in fuzzylite.
            Defuzzifier::WeightedSum { kind } => match self.weighted(i, output, kind) {
                (sum, _) if self.dialect == Dialect::Matlab => sum,
                (sum, weights) => sum / weights * weights,
            },
            sampled => self.sampled(i, output, sampled),
        }
    }

    /// Σ w·z and Σ w of Equation (4).
    fn weighted(&self, i: usize, output: &Output, kind: WeightedKind) -> (f64, f64) {
        let (mut sum, mut weights) = (0.0, 0.0);
        for (set, w) in self.grouped_strengths(&self.activated[i], output.aggregation) {
            sum += w * self.consequent_value(output, set, w, kind);
            weights += w;
        }
        (sum, weights)
    }

    /// z of Equation (4).
    pub(in crate::inference) fn consequent_value(
        &self,
        output: &Output,
        set: usize,
        w: f64,
        kind: WeightedKind,
    ) -> f64 {
        let set = &output.variable.sets[set].set;
        let tsukamoto = match kind {
            WeightedKind::Automatic => set.tsukamoto(w),
            WeightedKind::TakagiSugeno => None,
            WeightedKind::Tsukamoto => Some(set.tsukamoto(w).unwrap_or(f64::NAN)),
        };
        tsukamoto.unwrap_or_else(|| self.membership(set, w))
    }

    /// Activated sets and their strengths; except in MATLAB, the activations of a set are combined.
    pub(in crate::inference) fn grouped_strengths(
        &self,
        activated: &[ActivatedSet],
        aggregation: Option<SNorm>,
    ) -> Vec<(usize, f64)> {
        let mut groups: Vec<(usize, f64)> = Vec::new();
        let norm = aggregation.unwrap_or(SNorm::UnboundedSum);
        for item in activated {
            let same = groups.iter_mut().find(|(set, _)| *set == item.set);
            match same.filter(|_| self.dialect.groups_equal_sets()) {
                Some((_, strength)) => *strength = finite_strength(norm.apply(*strength, item.strength)),
                None => groups.push((item.set, item.strength)),
            }
        }
        groups
    }

    fn sampled(&self, i: usize, output: &Output, defuzzifier: Defuzzifier) -> f64 {
        let variable = &output.variable;
        let y = self.dialect.sample_points(variable.minimum, variable.maximum, defuzzifier.samples());
        let m = self.aggregated(&self.activated[i], output, &y);
        let highest = m.iter().copied().reduce(|a, b| SNorm::Maximum.apply(a, b)).expect(SAMPLE_INVARIANT);
        let maxima = || y.iter().zip(&m).filter(|(_, m)| **m > 0.0 && **m == highest).map(|(y, _)| *y);
        let matlab = self.dialect == Dialect::Matlab;
        match defuzzifier {
            Defuzzifier::Bisector { .. } if matlab => matlab_bisector(&y, &m),
            Defuzzifier::Bisector { .. } => fuzzylite_bisector(&y, &m),
            Defuzzifier::SmallestOfMaximum { .. } if matlab => {
                maxima().reduce(|a, b| if b.abs() < a.abs() { b } else { a }).unwrap_or(f64::NAN)
            }
            Defuzzifier::LargestOfMaximum { .. } if matlab => {
                maxima().reduce(|a, b| if b.abs() > a.abs() { b } else { a }).unwrap_or(f64::NAN)
            }
            Defuzzifier::SmallestOfMaximum { .. } => maxima().next().unwrap_or(f64::NAN),
            Defuzzifier::LargestOfMaximum { .. } => maxima().next_back().unwrap_or(f64::NAN),
            Defuzzifier::MeanOfMaximum { .. } => mean(maxima()),
            Defuzzifier::Centroid { .. } => {
                let moment: f64 = y.iter().zip(&m).map(|(y, m)| y * m).sum();
                moment / m.iter().sum::<f64>()
            }
            Defuzzifier::WeightedAverage { .. } | Defuzzifier::WeightedSum { .. } => {
                unreachable!("invariant: a weighted defuzzifier is not sampled")
            }
        }
    }

    /// Memberships of the aggregated set at every sample, Equation (2).
    pub(in crate::inference) fn aggregated(
        &self,
        activated: &[ActivatedSet],
        output: &Output,
        y: &[f64],
    ) -> Vec<f64> {
        let mut sum = vec![0.0; y.len()];
        let aggregation = output
            .aggregation
            .expect("invariant: `System::check` requires an aggregation for a sampled defuzzifier");
        for item in activated {
            for (sum, y) in sum.iter_mut().zip(y) {
                *sum = aggregation.apply(*sum, self.implied(item, output, *y));
            }
        }
        sum
    }

    /// T(wᵣ, μᵣ(y)) of Equation (2).
    pub(in crate::inference) fn implied(&self, item: &ActivatedSet, output: &Output, y: f64) -> f64 {
        let membership = self.membership(&output.variable.sets[item.set].set, y);
        item.implied(membership)
            .expect("invariant: `System::check` requires an implication for a sampled defuzzifier")
    }
}

fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let (sum, n) = values.fold((0.0, 0.0), |(sum, n), value| (sum + value, n + 1.0));
    sum / n
}

/// Mean of the samples at which the cumulative area is closest to half of the total area.
fn fuzzylite_bisector(y: &[f64], m: &[f64]) -> f64 {
    let areas: Vec<f64> = m
        .iter()
        .scan(0.0, |area, m| {
            *area += if m.is_nan() { 0.0 } else { *m };
            Some(*area)
        })
        .collect();
    let total = areas.last().expect(SAMPLE_INVARIANT);
    let distance = |area: &f64| (area / total - 0.5).abs();
    let closest = areas.iter().map(distance).fold(f64::INFINITY, f64::min);
    mean(y.iter().zip(&areas).filter(|(_, area)| distance(area) == closest).map(|(y, _)| *y))
}

/// First sample at which the cumulative area is at least half of the total area.
fn matlab_bisector(y: &[f64], m: &[f64]) -> f64 {
    let half = m.iter().sum::<f64>() / 2.0;
    let mut area = 0.0;
    let reached = m.iter().position(|m| {
        area += m;
        area >= half
    });
    if half > 0.0 {
        y[reached.expect("invariant: the total area is at least half of itself")]
    } else {
        f64::NAN
    }
}
