//! Scaled training and validation samples.

use crate::data::DataError;
use crate::tuning::error::Result;

/// Scaled samples, by column. The first `training` rows are training rows, the rest validation rows.
#[derive(Clone, Debug)]
pub(in crate::tuning) struct ScaledSamples {
    /// Inputs scaled to [0, 1]; NaN if missing.
    pub(in crate::tuning) inputs: Vec<Vec<f64>>,
    pub(in crate::tuning) targets: Vec<Vec<f64>>,
    pub(in crate::tuning) weights: Option<Vec<f64>>,
    pub(in crate::tuning) training: usize,
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

/// Rejects weights unless there is one per row, all are finite and at least 0, and some are positive.
pub(in crate::tuning) fn check_weights(weights: Option<&[f64]>, rows: usize) -> Result<()> {
    let Some(weights) = weights else { return Ok(()) };
    let invalid = weights.iter().position(|w| !(w.is_finite() && *w >= 0.0));
    let missing = (weights.len() != rows).then_some(weights.len().min(rows));
    let all_zero = weights.iter().all(|w| *w == 0.0).then_some(0);
    match invalid.or(missing).or(all_zero) {
        Some(row) => Err(DataError::SampleWeight {
            row: row as u64 + 1,
            value: weights.get(row).copied().unwrap_or(f64::NAN),
        }
        .into()),
        None => Ok(()),
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
