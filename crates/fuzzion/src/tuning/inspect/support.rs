//! Support and coverage of rules.

use crate::data::{DataError, Precision, Samples, Table, Values};
use crate::device::Device;
use crate::inference::{Dialect, InferOptions, System};
use crate::tuning::error::Result;
use crate::tuning::training::samples::weights_of;
use serde::{Deserialize, Serialize};

/// Number of rows per inference call, to limit memory.
const CHUNK_ROWS: usize = 1 << 16;
/// Minimum normalized firing strength for a rule to cover a row, Equation (1).
const MIN_COVERING_STRENGTH: f64 = 0.1;

/// Support and coverage of a rule, Equation (1).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct RuleSupport {
    /// Mean normalized firing strength. The supports of all rules sum to 1 if every row is covered.
    pub support: f64,
    /// Fraction of rows with a normalized firing strength of at least 0.1.
    pub coverage: f64,
}

/// Support and coverage of every rule over `samples`, which must contain a column for each input. The means are weighted
/// by the sample weights, if any.
///
/// ```
/// use fuzzion::{Device, Table, inference::System, tuning::inspect::rule_support};
/// use fuzzion::{inference::{Output, Variable}, sets::Set};
/// let system = System::new("switch")
///     .input(Variable::new("x", 0.0, 1.0).set("low", Set::ramp(1.0, 0.0)?).set("high", Set::ramp(0.0, 1.0)?))
///     .output(Output::new("y", 0.0, 1.0).set("off", Set::constant(0.0)?).set("on", Set::constant(1.0)?))
///     .rule("if x is low then y is off")?
///     .rule("if x is high then y is on")?;
/// let support = rule_support(&system, &Table::new(["x"], vec![0.0, 0.5])?, &Device::cpu()?)?;
/// assert_eq!((support[0].support, support[0].coverage), (0.75, 1.0)); // fires with 1 and ½
/// assert_eq!((support[1].support, support[1].coverage), (0.25, 0.5)); // fires with 0 and ½
/// # Ok::<(), fuzzion::Error>(())
/// ```
///
/// # Errors
/// [`DataError::UnknownColumn`] for a missing input column, [`DataError::TableShape`] if there are no rows,
/// [`DataError::SampleWeight`] if all weights are 0, those of [`System::check`], and GPU errors.
pub fn rule_support<'a>(
    system: &System,
    samples: impl Into<Samples<'a>>,
    device: &Device,
) -> Result<Vec<RuleSupport>> {
    support(system, &samples.into(), device)
}

fn support(system: &System, samples: &Samples<'_>, device: &Device) -> Result<Vec<RuleSupport>> {
    if samples.rows() == 0 {
        return Err(DataError::TableShape { values: 0, columns: samples.columns() }.into());
    }
    let plan = system.compile(Dialect::default(), Precision::F64)?;
    let rules = system.blocks.iter().map(|block| block.rules.len()).sum();
    let (mut sums, mut covered) = (vec![0.0; rules], vec![0.0; rules]);
    let (weights, mut total_weight) = (weights_of(samples)?, 0.0);
    let options = InferOptions { firing_strengths: true, ..InferOptions::default() };
    for start in (0..samples.rows()).step_by(CHUNK_ROWS) {
        let chunk = match samples.slice(start..start + CHUNK_ROWS) {
            Values::F32(values) => Table::new(samples.names(), values.to_vec()),
            Values::F64(values) => Table::new(samples.names(), values.to_vec()),
        }?;
        let inferred = plan.infer_with(&chunk, options, &device.without_progress())?;
        let firing = inferred.firing_strengths.expect("invariant: requested firing strengths are computed");
        for (row, firing) in firing.to_f64().chunks_exact(rules).enumerate() {
            let weight = weights.map_or(1.0, |weights| weights[start + row]);
            total_weight += weight;
            let total: f64 = firing.iter().sum();
            // No rule fires, or an input is missing.
            let normalized = firing.iter().map(|strength| if total > 0.0 { strength / total } else { 0.0 });
            for ((sum, covered), phi) in sums.iter_mut().zip(&mut covered).zip(normalized) {
                *sum += weight * phi;
                *covered += if phi >= MIN_COVERING_STRENGTH { weight } else { 0.0 };
            }
        }
    }
    let of = |(sum, covered)| RuleSupport { support: sum / total_weight, coverage: covered / total_weight };
    Ok(sums.into_iter().zip(covered).map(of).collect())
}
