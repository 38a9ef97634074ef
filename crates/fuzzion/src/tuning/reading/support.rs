//! How much of the rows each rule accounts for.

use crate::data::{Precision, Table, Values};
use crate::device::Device;
use crate::error::{Error, Result};
use crate::inference::{Dialect, System, Want};
use crate::progress::Progress;

/// Rows whose strengths are held at a time.
const PIECE: usize = 1 << 16;
/// From this share of the say on a row counts as covered, equation (1).
const COVERED: f64 = 0.1;

/// How much a rule matters, equation (1).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Support {
    /// Its mean share of the say; those of all rules add up to 1 where every row is covered.
    pub support: f64,
    /// The share of the rows in which it has at least a tenth of the say.
    pub coverage: f64,
}

/// The support and the coverage of every rule over the rows of `samples`, which has a column for each input.
///
/// # Errors
/// [`Error::UnknownColumn`] where an input has no column, [`Error::TableShape`] for a table without rows, those of
/// [`System::check`], and what a GPU refuses.
pub fn support(system: &System, samples: &Table, device: &Device) -> Result<Vec<Support>> {
    if samples.rows() == 0 {
        return Err(Error::TableShape { values: 0, columns: samples.columns() });
    }
    let plan = system.compile(Dialect::default(), Precision::F64)?;
    let rules = system.blocks.iter().map(|block| block.rules.len()).sum();
    let (mut sums, mut covered) = (vec![0.0; rules], vec![0u64; rules]);
    let want = Want { firing: true, ..Want::default() };
    for start in (0..samples.rows()).step_by(PIECE) {
        let piece = match samples.slice(start..start + PIECE) {
            Values::F32(values) => Table::new(samples.names(), values.to_vec()),
            Values::F64(values) => Table::new(samples.names(), values.to_vec()),
        }?;
        let Some(firing) = plan.infer_with(&piece, want, device, Progress::none())?.firing else { continue };
        for row in firing.to_f64().chunks_exact(rules) {
            let all: f64 = row.iter().sum();
            // Where no rule applies, or an input is missing, nobody has a say.
            let shares = row.iter().map(|strength| if all > 0.0 { strength / all } else { 0.0 });
            for ((sum, covered), share) in sums.iter_mut().zip(&mut covered).zip(shares) {
                *sum += share;
                *covered += u64::from(share >= COVERED);
            }
        }
    }
    let rows = samples.rows() as f64;
    let of = |(sum, covered): (f64, u64)| Support { support: sum / rows, coverage: covered as f64 / rows };
    Ok(sums.into_iter().zip(covered).map(of).collect())
}
