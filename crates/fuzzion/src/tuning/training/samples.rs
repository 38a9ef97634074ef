//! Scaled training and validation samples, and the rows of cross-validation.

use crate::data::{DataError, Samples};
use crate::random::shuffled;
use crate::tuning::error::Result;
use std::ops::Range;

/// Number of folds.
pub(in crate::tuning) const FOLDS: usize = 5;
/// Repetitions of the cross-validation of small tables, whose folds have few rows.
const SMALL_TABLE: (usize, usize) = (500, 2);

/// Scaled samples, by column. The first `training` rows are training rows, the rest validation rows.
#[derive(Clone, Debug)]
pub struct ScaledSamples {
    /// Inputs scaled to [0, 1]; NaN if missing.
    pub inputs: Vec<Vec<f64>>,
    pub targets: Vec<Vec<f64>>,
    pub weights: Option<Vec<f64>>,
    pub training: usize,
}

impl ScaledSamples {
    /// Number of rows.
    pub(in crate::tuning) fn rows(&self) -> usize {
        self.targets.first().expect("invariant: samples have at least one target").len()
    }

    /// Inputs of one row.
    pub(in crate::tuning) fn inputs_of(&self, row: usize) -> Vec<f64> {
        self.inputs.iter().map(|column| column[row]).collect()
    }

    /// Targets of one row.
    pub(in crate::tuning) fn targets_of(&self, row: usize) -> Vec<f64> {
        self.targets.iter().map(|column| column[row]).collect()
    }

    /// Weight of one row.
    pub(in crate::tuning) fn weight(&self, row: usize) -> f64 {
        self.weights.as_ref().map_or(1.0, |weights| weights[row])
    }
}

/// Weights of `samples`, some of which must be positive.
pub(in crate::tuning) fn weights_of<'a>(samples: &Samples<'a>) -> Result<Option<&'a [f64]>> {
    match samples.weights() {
        Some(weights) if weights.iter().all(|w| *w == 0.0) => {
            Err(DataError::SampleWeight { row: 1, value: 0.0 }.into())
        }
        weights => Ok(weights),
    }
}

/// The rows with these indices; the first `training` of them are training rows.
pub(in crate::tuning) fn select_rows(
    samples: &ScaledSamples,
    order: &[usize],
    training: usize,
) -> ScaledSamples {
    let pick = |column: &Vec<f64>| -> Vec<f64> { order.iter().map(|row| column[*row]).collect() };
    ScaledSamples {
        inputs: samples.inputs.iter().map(pick).collect(),
        targets: samples.targets.iter().map(pick).collect(),
        weights: samples.weights.as_ref().map(pick),
        training,
    }
}

/// Σ w·(ŷ − y)² / Σ w over `rows`, summed over outputs.
pub(in crate::tuning) fn mean_square(
    outputs: &[Vec<f64>],
    samples: &ScaledSamples,
    rows: Range<usize>,
) -> f64 {
    let (mut sum, mut weight) = (0.0, 0.0);
    for row in rows {
        let square = |(p, y): (&Vec<f64>, &Vec<f64>)| (p[row] - y[row]) * (p[row] - y[row]);
        sum += samples.weight(row) * outputs.iter().zip(&samples.targets).map(square).sum::<f64>();
        weight += samples.weight(row);
    }
    sum / weight
}

/// Random folds of equal size, several times for small tables.
pub(in crate::tuning) struct Folds {
    /// Row numbers in random order, for each repetition.
    orders: Vec<Vec<usize>>,
}

impl Folds {
    /// Folds of at most `max_rows` of `rows` rows.
    pub(in crate::tuning) fn new(rows: usize, max_rows: usize, seed: u64) -> Self {
        let order = |repetition: usize| {
            let mut order = shuffled(rows, seed.wrapping_add(repetition as u64));
            order.truncate(max_rows);
            order
        };
        let repetitions = if rows < SMALL_TABLE.0 { SMALL_TABLE.1 } else { 1 };
        Folds { orders: (0..repetitions).map(order).collect() }
    }

    /// Number of folds of all repetitions.
    pub(in crate::tuning) fn count(&self) -> usize {
        FOLDS * self.orders.len()
    }

    /// The rows of all other folds of the same repetition, and the rows of `fold`.
    pub(in crate::tuning) fn rows(&self, fold: usize) -> (Vec<usize>, Vec<usize>) {
        let (order, fold) = (&self.orders[fold / FOLDS], fold % FOLDS);
        let (first, end) = (order.len() * fold / FOLDS, order.len() * (fold + 1) / FOLDS);
        ([&order[..first], &order[end..]].concat(), order[first..end].to_vec())
    }
}
