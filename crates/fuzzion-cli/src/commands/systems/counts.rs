//! Counts of the rows of `fuzzion infer`, and warnings about results that are probably not intended.

use crate::format::{count_of, ellipsize, format_number};
use fuzzion::data::Values;
use fuzzion::inference::{Dialect, InferenceTables, System, Variable};
use fuzzion::{Device, Table};

/// Rows that one thread counts at a time.
const ROWS_PER_COUNT: usize = 1 << 14;

/// Tolerance of the ranges, relative to their larger end.
const TOLERANCE: f64 = 1e-6;

/// Row counts for the summary.
pub(super) struct RowCounts {
    pub(super) rows: u64,
    /// For each output, the number of rows in which no rule fired.
    pub(super) unfired: Vec<u64>,
    /// For each output, the number of rows without a result.
    missing: Vec<u64>,
    /// For each input, the number of rows outside of its range.
    outside: Vec<u64>,
    /// For each input, the number of rows without a value.
    without_value: Vec<u64>,
}

impl RowCounts {
    pub(super) fn new(system: &System) -> Self {
        let outputs = vec![0; system.outputs.len()];
        let inputs = vec![0; system.inputs.len()];
        RowCounts {
            rows: 0,
            unfired: outputs.clone(),
            missing: outputs,
            outside: inputs.clone(),
            without_value: inputs,
        }
    }

    /// Adds the rows of a chunk and its results.
    pub(super) fn add(&mut self, rows: &Table, inferred: &InferenceTables, system: &System, device: &Device) {
        self.rows += inferred.outputs.rows() as u64;
        let outputs: Vec<usize> = (0..self.unfired.len()).collect();
        if let Some(fired) = &inferred.fired {
            count(&mut self.unfired, fired, &outputs, device, |_, fired| fired == 0.0);
        }
        count(&mut self.missing, &inferred.outputs, &outputs, device, |_, result| result.is_nan());
        // Inputs are matched to columns by name, or by position if no name is found.
        let index = |name: &str| rows.column_index(name).ok();
        let is_named = system.inputs.iter().any(|input| index(&input.name).is_some());
        let column = |(i, name): (usize, &str)| if is_named { index(name) } else { Some(i) };
        let names = system.inputs.iter().map(|input| input.name.as_str()).enumerate();
        let columns: Vec<usize> =
            names.map(|input| column(input).filter(|i| *i < rows.columns()).unwrap_or(usize::MAX)).collect();
        let ranges: Vec<(f64, f64)> = system.inputs.iter().map(tolerant_range).collect();
        let is_outside = |i: usize, x: f64| x < ranges[i].0 || x > ranges[i].1;
        count(&mut self.outside, rows, &columns, device, is_outside);
        count(&mut self.without_value, rows, &columns, device, |_, x| x.is_nan());
    }

    /// The warnings about outputs without rules or results, and inputs that are missing or outside of their range.
    pub(super) fn warnings(&self, system: &System, dialect: Dialect) -> Vec<String> {
        let rules = || system.blocks.iter().filter(|block| block.enabled).flat_map(|block| &block.rules);
        let concludes =
            |output: usize| rules().any(|rule| rule.consequent.iter().any(|c| c.output == output));
        // Another warning is about sets that the samples miss.
        let is_explained = !system.narrow_sets(dialect).is_empty();
        let mut warnings = Vec::new();
        for (i, output) in system.outputs.iter().enumerate().filter(|(_, output)| output.variable.enabled) {
            let name = ellipsize(&output.variable.name);
            if !concludes(i) {
                warnings
                    .push(format!("no rule concludes the output `{name}`; add a rule, or remove the output"));
            } else if self.missing[i] == self.rows && !is_explained {
                warnings.push(format!(
                    "all results of `{name}` are missing (NaN); check its range and rules with `fuzzion explain`"
                ));
            }
        }
        let rows = count_of(self.rows, "row");
        for (input, (outside, missing)) in
            system.inputs.iter().zip(self.outside.iter().zip(&self.without_value))
        {
            let name = ellipsize(&input.name);
            if *outside > 0 {
                let (low, high) = (format_number(input.minimum), format_number(input.maximum));
                warnings.push(format!(
                    "`{name}` is outside its range {low} to {high} in {outside} of {rows}; check the unit"
                ));
            }
            if *missing > 0 {
                warnings.push(format!(
                    "`{name}` is missing in {missing} of {rows}; `fuzzion explain` shows which rules fire without it"
                ));
            }
        }
        warnings
    }
}

/// The range of an input, with a tolerance for rounding in files and in single precision.
fn tolerant_range(input: &Variable) -> (f64, f64) {
    let tolerance = TOLERANCE * input.minimum.abs().max(input.maximum.abs());
    (input.minimum - tolerance, input.maximum + tolerance)
}

/// Adds to `totals`, for each of `columns`, the number of values for which `is_counted` is true.
fn count(
    totals: &mut [u64],
    table: &Table,
    columns: &[usize],
    device: &Device,
    is_counted: impl Fn(usize, f64) -> bool + Sync,
) {
    let width = table.columns();
    let counts = device.host_cpu().map_chunks(table.rows(), ROWS_PER_COUNT, |rows| match table.slice(rows) {
        Values::F32(values) => count_values(values, width, columns, |i, x| is_counted(i, f64::from(x))),
        Values::F64(values) => count_values(values, width, columns, &is_counted),
    });
    for counts in counts {
        totals.iter_mut().zip(counts).for_each(|(total, count)| *total += count);
    }
}

/// The number of counted values of each of `columns`; a column that does not exist has none.
fn count_values<T: Copy>(
    values: &[T],
    width: usize,
    columns: &[usize],
    is_counted: impl Fn(usize, T) -> bool,
) -> Vec<u64> {
    if width == 1 && columns == [0] {
        return vec![values.iter().filter(|value| is_counted(0, **value)).count() as u64]; // vectorized
    }
    let mut counts = vec![0; columns.len()];
    for row in values.chunks_exact(width.max(1)) {
        for (i, (count, column)) in counts.iter_mut().zip(columns).enumerate() {
            *count += row.get(*column).map_or(0, |value| u64::from(is_counted(i, *value)));
        }
    }
    counts
}
