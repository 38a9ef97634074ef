//! Scaled training and validation samples.

use crate::data::{DataError, Samples};
use crate::tuning::error::Result;

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
