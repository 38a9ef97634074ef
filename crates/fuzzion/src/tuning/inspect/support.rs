//! Support and coverage of rules.

use crate::data::DataError;
use crate::data::{Precision, Table, Values};
use crate::device::Device;
use crate::inference::{Dialect, InferOptions, System};
use crate::tuning::error::Result;

/// Number of rows per inference call, to limit memory.
const CHUNK_ROWS: usize = 1 << 16;
/// Minimum normalized firing strength for a rule to cover a row, Equation (1).
const MIN_COVERING_STRENGTH: f64 = 0.1;

/// Support and coverage of a rule, Equation (1).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RuleSupport {
    /// Mean normalized firing strength. The supports of all rules sum to 1 if every row is covered.
    pub support: f64,
    /// Fraction of rows with a normalized firing strength of at least 0.1.
    pub coverage: f64,
}

/// Support and coverage of every rule over `samples`, which must contain a column for each input.
///
/// # Errors
/// [`DataError::UnknownColumn`] for a missing input column, [`DataError::TableShape`] for a table without rows, those of
/// [`System::check`], and GPU errors.
pub fn rule_support(system: &System, samples: &Table, device: &Device) -> Result<Vec<RuleSupport>> {
    if samples.rows() == 0 {
        return Err(DataError::TableShape { values: 0, columns: samples.columns() }.into());
    }
    let plan = system.compile(Dialect::default(), Precision::F64)?;
    let rules = system.blocks.iter().map(|block| block.rules.len()).sum();
    let (mut sums, mut covered) = (vec![0.0; rules], vec![0u64; rules]);
    let options = InferOptions { firing_strengths: true, ..InferOptions::default() };
    for start in (0..samples.rows()).step_by(CHUNK_ROWS) {
        let chunk = match samples.slice(start..start + CHUNK_ROWS) {
            Values::F32(values) => Table::new(samples.names(), values.to_vec()),
            Values::F64(values) => Table::new(samples.names(), values.to_vec()),
        }?;
        let inferred = plan.infer_with(&chunk, options, &device.without_progress())?;
        let firing = inferred.firing_strengths.expect("invariant: requested firing strengths are computed");
        for row in firing.to_f64().chunks_exact(rules) {
            let total: f64 = row.iter().sum();
            // No rule fires, or an input is missing.
            let normalized = row.iter().map(|strength| if total > 0.0 { strength / total } else { 0.0 });
            for ((sum, covered), phi) in sums.iter_mut().zip(&mut covered).zip(normalized) {
                *sum += phi;
                *covered += u64::from(phi >= MIN_COVERING_STRENGTH);
            }
        }
    }
    let rows = samples.rows() as f64;
    let of =
        |(sum, covered): (f64, u64)| RuleSupport { support: sum / rows, coverage: covered as f64 / rows };
    Ok(sums.into_iter().zip(covered).map(of).collect())
}
