//! Fuzzy systems: a system that can be read runs, compiles to the same results, and is the same after writing and reading it.

use super::{Input, Outcome, all_same, ensure, must, same};
use fuzzion::Samples;
use fuzzion::data::Precision;
use fuzzion::inference::type2::IntervalSystem;
use fuzzion::inference::{Dialect, InferenceError, System};
use fuzzion::internals::Random;

/// Systems with more work per row only have to be read: running them takes too long.
const MAX_WORK: usize = 20_000;
/// Results are compared if all parameters are 0 or between these magnitudes.
const MAGNITUDES: std::ops::Range<f64> = 1e-6..1e6;
const ROWS: usize = 4;

pub(crate) fn check(input: &Input<'_>, random: &mut Random) -> Result<Outcome, String> {
    match System::load(input.path) {
        Ok(loaded) => check_system(&loaded.system, loaded.dialect, input, random).map(|()| Outcome::Accepted),
        Err(InferenceError::IntervalSystem { .. }) => match IntervalSystem::load(input.path) {
            Ok(loaded) => check_interval(&loaded.system, loaded.dialect, random).map(|()| Outcome::Accepted),
            Err(error) => Outcome::rejected(error),
        },
        Err(error) => Outcome::rejected(error),
    }
}

/// Rows within and beyond the ranges of the inputs; the last one has a missing value.
fn rows(system: &System, random: &mut Random) -> Vec<f64> {
    let mut values = Vec::new();
    for _ in 0..ROWS {
        for input in &system.inputs {
            let value = input.minimum + random.between(-0.1, 1.1) * (input.maximum - input.minimum);
            values.push(if value.is_finite() { value } else { 0.0 });
        }
    }
    if let Some(last) = values.last_mut() {
        *last = f64::NAN;
    }
    values
}

/// Number of memberships to compute for a row.
fn work(system: &System) -> usize {
    let rules: usize = system.blocks.iter().map(|block| block.rules.len()).sum();
    let samples = system.outputs.iter().map(|output| output.defuzzifier.samples().unwrap_or(100));
    (rules + 1).saturating_mul(samples.fold(1, usize::saturating_add))
}

fn check_system(
    system: &System,
    dialect: Dialect,
    input: &Input<'_>,
    random: &mut Random,
) -> Result<(), String> {
    let json = must("cannot write JSON", system.to_json_with(dialect))?;
    let again = must("cannot read the written JSON", System::from_json(&json))?;
    ensure(again == *system, || "the system differs after writing JSON and reading it".into())?;
    if work(system) > MAX_WORK || system.inputs.is_empty() {
        return Ok(());
    }
    let rows = rows(system, random);
    let columns = system.inputs.len();
    let mut expected = Vec::new();
    let mut previous = vec![f64::NAN; system.outputs.len()];
    for row in rows.chunks_exact(columns) {
        previous = must("cannot run the system", system.infer_row_after(row, &previous, dialect))?.outputs;
        expected.extend_from_slice(&previous);
    }
    let plan = must("cannot compile the system", system.compile(dialect, Precision::F64))?;
    let samples = must("invalid rows", Samples::new(columns, rows.as_slice()))?;
    let found = must("cannot run the compiled system", plan.infer(samples, input.device))?.into_f64();
    if is_ordinary(&json) {
        let scale = system.outputs.iter().map(|output| output.variable.maximum.abs()).fold(1.0, f64::max);
        let near = |a: f64, b: f64| same(a, b) || (a - b).abs() <= 1e-6 * scale.max(a.abs());
        let equal = expected.iter().zip(&found).all(|(a, b)| near(*a, *b));
        ensure(equal, || format!("the compiled system gives {found:?} for {rows:?}, not {expected:?}"))?;
    }
    must("cannot explain", system.explain(&rows[..columns], dialect))?;
    check_written(system, dialect, &rows)
}

/// FLL and FIS files that are written can be read, and FLL files give the same results.
fn check_written(system: &System, dialect: Dialect, rows: &[f64]) -> Result<(), String> {
    if let Ok(fis) = system.to_fis() {
        must("cannot read the written FIS", System::from_fis(&fis))?;
    }
    let Ok(fll) = system.to_fll() else { return Ok(()) };
    let again = must("cannot read the written FLL", System::from_fll(&fll))?;
    for row in rows.chunks_exact(system.inputs.len()) {
        let [expected, found] = [system, &again].map(|system| system.infer_row(row, dialect));
        let (expected, found) = (must("cannot run", expected)?.outputs, must("cannot run", found)?.outputs);
        ensure(all_same(&expected, &found), || {
            format!("after writing FLL and reading it, {row:?} gives {found:?}, not {expected:?}")
        })?;
    }
    Ok(())
}

/// Whether no number in a text has an extreme magnitude, at which results legitimately differ or overflow.
fn is_ordinary(text: &str) -> bool {
    let numbers = text
        .split(|c: char| !(c.is_ascii_alphanumeric() || "+-.".contains(c)))
        .filter_map(|word| word.parse::<f64>().ok());
    numbers.map(f64::abs).all(|number| number == 0.0 || MAGNITUDES.contains(&number))
}

fn check_interval(system: &IntervalSystem, dialect: Dialect, random: &mut Random) -> Result<(), String> {
    let json = must("cannot write JSON", system.to_json_with(dialect))?;
    let again = must("cannot read the written JSON", IntervalSystem::from_json(&json))?;
    ensure(again == *system, || "the system differs after writing JSON and reading it".into())?;
    if work(system.lower()) > MAX_WORK || system.lower().inputs.is_empty() {
        return Ok(());
    }
    for row in rows(system.lower(), random).chunks_exact(system.lower().inputs.len()) {
        let inferred = must("cannot run the system", system.infer_row(row, dialect))?;
        for (output, bounds) in inferred.outputs.iter().zip(&inferred.intervals) {
            let holds = output.is_nan() || (bounds.lower <= *output && *output <= bounds.upper);
            ensure(holds || !is_ordinary(&json), || {
                format!("{output} is outside of {bounds:?} for {row:?}")
            })?;
        }
    }
    Ok(())
}
