//! Columns of the design matrix and their normal equations.

use crate::linear::dot;
use crate::tuning::training::samples::ScaledSamples;
use std::ops::Range;

/// Column of the design matrix, Equation (2): φ of a rule, or 1, times a centered input, or 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Column {
    pub(super) rule: Option<usize>,
    pub(super) input: Option<usize>,
}

/// Products of all columns with each other and with the targets, weighted.
#[derive(Clone, Debug, Default)]
pub(super) struct Equations {
    /// Lower triangle, by rows.
    gram: Vec<Vec<f64>>,
    /// Products with the targets, by column.
    cross: Vec<Vec<f64>>,
}

impl Equations {
    pub(super) fn len(&self) -> usize {
        self.gram.len()
    }

    /// Product of two columns.
    pub(super) fn product(&self, a: usize, b: usize) -> f64 {
        self.gram[a.max(b)][a.min(b)]
    }

    /// Products of all columns with one target.
    pub(super) fn cross(&self, target: usize) -> Vec<f64> {
        self.cross.iter().map(|products| products[target]).collect()
    }

    /// Equations of columns that are sums of these columns: no pass over the data.
    pub(super) fn combined(&self, sums: &[Vec<usize>]) -> Equations {
        let product = |a: &[usize], b: &[usize]| -> f64 {
            a.iter().flat_map(|a| b.iter().map(|b| self.product(*a, *b))).sum()
        };
        let gram = (0..sums.len()).map(|a| (0..=a).map(|b| product(&sums[a], &sums[b])).collect()).collect();
        let cross = |of: &Vec<usize>| {
            let targets = self.cross.first().map_or(0, Vec::len);
            (0..targets).map(|target| of.iter().map(|a| self.cross[*a][target]).sum()).collect()
        };
        Equations { gram, cross: sums.iter().map(cross).collect() }
    }

    /// Keeps the columns at `kept`, in this order, and appends new ones: the values of all columns are given.
    pub(super) fn replaced(&self, kept: &[usize], values: &[&[f64]], targets: &[Vec<f64>]) -> Equations {
        let gram = (0..values.len()).map(|a| {
            let product = |b: usize| match (kept.get(a), kept.get(b)) {
                (Some(a), Some(b)) => self.product(*a, *b),
                _ => dot(values[a], values[b]),
            };
            (0..=a).map(product).collect()
        });
        let cross = (0..values.len()).map(|a| match kept.get(a) {
            Some(a) => self.cross[*a].clone(),
            None => targets.iter().map(|target| dot(values[a], target)).collect(),
        });
        Equations { gram: gram.collect(), cross: cross.collect() }
    }

    /// The same columns with other targets.
    pub(super) fn with_targets(self, values: &[&[f64]], targets: &[Vec<f64>]) -> Self {
        let cross = |values: &&[f64]| targets.iter().map(|target| dot(values, target)).collect();
        Equations { cross: values.iter().map(cross).collect(), ..self }
    }

    /// All products times a factor.
    pub(super) fn scaled(mut self, factor: f64) -> Self {
        self.gram.iter_mut().chain(&mut self.cross).flatten().for_each(|product| *product *= factor);
        self
    }

    /// Adds the equations of other rows.
    pub(super) fn add(&mut self, other: &Equations) {
        let add = |to: &mut Vec<Vec<f64>>, from: &[Vec<f64>]| {
            let pairs = to.iter_mut().flatten().zip(from.iter().flatten());
            pairs.for_each(|(sum, value)| *sum += value);
        };
        add(&mut self.gram, &other.gram);
        add(&mut self.cross, &other.cross);
    }
}

/// Values of a column in `rows`, times the square roots of their weights; a missing input is 0, the middle of its range.
pub(super) fn values(
    samples: &ScaledSamples,
    rows: Range<usize>,
    roots: &[f64],
    firing: Option<&[f64]>,
    input: Option<usize>,
) -> Vec<f64> {
    let strength = |i: usize| roots[i] * firing.map_or(1.0, |firing| firing[i]);
    match input.map(|input| &samples.inputs[input][rows.clone()]) {
        Some(column) => column.iter().enumerate().map(|(i, x)| strength(i) * centered(*x)).collect(),
        None => (0..rows.len()).map(strength).collect(),
    }
}

/// A scaled input relative to the middle of its range; 0 if it is missing.
pub(super) fn centered(x: f64) -> f64 {
    if x.is_nan() { 0.0 } else { x - 0.5 }
}
