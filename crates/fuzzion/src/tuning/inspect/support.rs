//! Support and coverage of rules.

use crate::data::{DataError, Precision, Samples, host_samples};
use crate::device::Device;
use crate::inference::{Dialect, InferOptions, System};
use crate::tuning::error::Result;
use crate::tuning::training::samples::weights_of;
use serde::{Deserialize, Serialize};

/// Number of rows per inference call, to limit memory.
const CHUNK_ROWS: usize = 1 << 16;
/// Rows and rules processed at a time by one thread.
const ROWS_PER_TASK: usize = 1 << 11;
const RULES_PER_TASK: usize = 4;
/// Minimum normalized firing strength for a rule to cover a row, Equation (1).
pub(super) const MIN_COVERING_STRENGTH: f64 = 0.1;

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
/// [`DataError::SampleWeight`] if all weights are 0, and those of [`System::check`].
pub fn rule_support<'a>(
    system: &System,
    samples: impl Into<Samples<'a>>,
    device: &Device,
) -> Result<Vec<RuleSupport>> {
    support(system, &host_samples(samples)?, device)
}

fn support(system: &System, samples: &Samples<'_>, device: &Device) -> Result<Vec<RuleSupport>> {
    if samples.rows() == 0 {
        return Err(DataError::TableShape { values: 0, columns: samples.columns() }.into());
    }
    let plan = system.compile(Dialect::default(), Precision::F64)?;
    let rules = system.blocks.iter().map(|block| block.rules.len()).sum();
    let mut sums = vec![(0.0, 0.0); rules];
    let (weights, mut total_weight) = (weights_of(samples)?, 0.0);
    let options = InferOptions { firing_strengths: true, ..InferOptions::default() };
    // The CPU evaluates millions of rows faster than a kernel for these sets, which are constants in it, is compiled.
    let (cpu, device) = (device.host_cpu(), device.cpu_only().without_progress());
    for start in (0..samples.rows()).step_by(CHUNK_ROWS) {
        let chunk = Samples::new(samples.columns(), samples.slice(start..start + CHUNK_ROWS))?;
        let inferred = plan.infer_with(chunk.with_names(samples.names())?, options, &device)?;
        let firing = inferred.firing_strengths.expect("invariant: requested firing strengths are computed");
        let firing = firing.to_f64();
        let weight = |row: usize| weights.map_or(1.0, |weights| weights[start + row]);
        let mut totals = vec![0.0; firing.len() / rules];
        cpu.fill_chunks(&mut totals, 1, ROWS_PER_TASK, |first, totals| {
            let rows = firing[first * rules..].chunks_exact(rules);
            totals.iter_mut().zip(rows).for_each(|(total, firing)| *total = firing.iter().sum());
        });
        // Each sum is computed by one thread, in the order of the rows.
        cpu.fill_chunks(&mut sums, 1, RULES_PER_TASK, |first, sums| {
            for (row, total) in totals.iter().enumerate().filter(|(_, total)| **total > 0.0) {
                for ((sum, covered), strength) in sums.iter_mut().zip(&firing[row * rules + first..]) {
                    let phi = strength / total;
                    *sum += weight(row) * phi;
                    *covered += if phi >= MIN_COVERING_STRENGTH { weight(row) } else { 0.0 };
                }
            }
        });
        (0..totals.len()).for_each(|row| total_weight += weight(row));
    }
    let of = |(sum, covered)| RuleSupport { support: sum / total_weight, coverage: covered / total_weight };
    Ok(sums.into_iter().map(of).collect())
}
