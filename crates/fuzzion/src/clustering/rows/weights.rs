//! Validation of sample weights.

use crate::clustering::error::Result;
use crate::data::DataError;
use crate::data::Table;

/// Validates the weights of the rows of `samples`.
pub(in crate::clustering) fn check_weights(weights: &[f64], samples: &Table) -> Result<()> {
    require_positive_weight(checked_weight_sum(weights, samples.rows(), 0)?, samples.rows() as u64)
}

/// Validates weights and returns their sum; `first` is the index of the first row.
pub(in crate::clustering) fn checked_weight_sum(weights: &[f64], rows: usize, first: u64) -> Result<f64> {
    let invalid = weights.iter().position(|w| !(w.is_finite() && *w >= 0.0));
    let missing = (weights.len() != rows).then_some(weights.len().min(rows));
    match invalid.or(missing) {
        Some(row) => {
            let value = weights.get(row).copied().unwrap_or(f64::NAN); // too few weights are reported as NaN
            Err(DataError::SampleWeight { row: first + row as u64 + 1, value }.into())
        }
        None => Ok(weights.iter().sum()),
    }
}

/// Checks that the `sum` of the weights of all `rows` rows is positive.
pub(in crate::clustering) fn require_positive_weight(sum: f64, rows: u64) -> Result<()> {
    if sum == 0.0 && rows > 0 { Err(DataError::SampleWeight { row: 1, value: 0.0 }.into()) } else { Ok(()) }
}
