//! Preparation of training data: column selection, validation split and scaling.

use crate::data::{
    DataError, Samples, check_targets, column_error, input_column, input_names, target_columns,
    with_indicators,
};
use crate::device::Cpu;
use crate::random::shuffled;
use crate::tuning::error::{Result, TuningError};
use crate::tuning::settings::{InitialRules, Tuner, out_of_range};
use crate::tuning::training::samples::{ScaledSamples, select_rows, weights_of};
use crate::tuning::training::scaling::Scaling;
use std::ops::Range;

/// Scaled samples and the columns they come from.
pub(in crate::tuning) struct PreparedData {
    pub(in crate::tuning) inputs: Vec<String>,
    pub(in crate::tuning) targets: Vec<String>,
    /// Class names; empty for regression.
    pub(in crate::tuning) classes: Vec<String>,
    /// Columns that are not inputs, because they have the same value in every row.
    pub(in crate::tuning) constant: Vec<String>,
    pub(in crate::tuning) scale: Scaling,
    pub(in crate::tuning) samples: ScaledSamples,
}

impl PreparedData {
    /// Validates and scales the columns; held-out validation rows follow the training rows.
    pub(in crate::tuning) fn new(
        tuner: &Tuner,
        samples: &Samples<'_>,
        targets: &[&str],
        cpu: &Cpu,
    ) -> Result<Self> {
        let targets: Vec<String> = targets.iter().map(|target| (*target).to_owned()).collect();
        check_targets::<TuningError>("tuning", tuner.classify, &targets)?;
        if samples.rows() == 0 {
            return Err(out_of_range("rows", 0.0, "at least 2").into());
        }
        let mut inputs = input_columns(tuner, samples, &targets)?;
        // The last item is the targets.
        let read = |at: Range<usize>| match inputs.get(at.start) {
            Some(name) => Ok((Vec::new(), vec![input_column(samples, name, tuner.missing)?])),
            None => target_columns(samples, tuner.classify, &tuner.classes, &targets),
        };
        let mut columns =
            cpu.map_chunks(inputs.len() + 1, 1, read).into_iter().collect::<Result<Vec<_>, _>>()?;
        let (classes, mut outputs) = columns.pop().expect("invariant: the last item is the targets");
        let mut columns: Vec<Vec<f64>> = columns.into_iter().flat_map(|(_, column)| column).collect();
        let weights = weights_of(samples)?;
        let constant = match may_omit_inputs(tuner) {
            true => without_constant_inputs(&mut inputs, &mut columns, weights),
            false => Vec::new(),
        };
        let scale = fit_scaling(&inputs, &columns, &targets, &outputs, !classes.is_empty(), weights, cpu)?;
        cpu.fill_chunks(&mut columns, 1, 1, |j, column| scale.scale_input(j, &mut column[0]));
        cpu.fill_chunks(&mut outputs, 1, 1, |o, column| scale.scale_target(o, &mut column[0]));
        let (rows, weights) = (samples.rows(), weights.map(<[f64]>::to_vec));
        let mut samples = ScaledSamples { inputs: columns, targets: outputs, weights, training: rows };
        if tuner.validation > 0.0 {
            let order = shuffled(rows, tuner.seed);
            let held_out = (rows as f64 * tuner.validation).round() as usize;
            samples = select_rows(&samples, &order, rows - held_out);
        }
        if samples.weights.as_ref().is_some_and(|w| w[..samples.training].iter().sum::<f64>() == 0.0) {
            return Err(DataError::SampleWeight { row: 1, value: 0.0 }.into());
        }
        Ok(PreparedData { inputs, targets, classes, constant, scale, samples })
    }
}

/// Inputs: the columns named in the settings, those of the initial system, or all columns except the targets. A text column
/// is replaced by its indicators.
pub(super) fn input_columns(tuner: &Tuner, samples: &Samples<'_>, targets: &[String]) -> Result<Vec<String>> {
    match (&tuner.initial_rules, tuner.inputs.is_empty()) {
        (InitialRules::System(system), true) => {
            let named: Vec<String> = system.inputs.iter().map(|input| input.name.clone()).collect();
            Ok(input_names(samples, &named, targets)?)
        }
        _ => {
            let is_input = |name: &&String| !targets.contains(name);
            let texts: Vec<String> = samples.labels().iter().map(|labels| labels.name().to_owned()).collect();
            let all = || samples.names().iter().chain(&texts).filter(is_input).cloned().collect();
            let named = if tuner.inputs.is_empty() { all() } else { tuner.inputs.clone() };
            Ok(with_indicators(samples, input_names(samples, &named, targets)?)?)
        }
    }
}

/// Whether inputs can be omitted: neither their names nor settings of each input are given.
fn may_omit_inputs(tuner: &Tuner) -> bool {
    let has_rules_for_inputs = match &tuner.initial_rules {
        InitialRules::System(_) => true,
        InitialRules::Grid(sets) => sets.len() > 1,
        _ => false,
    };
    tuner.inputs.is_empty() && !has_rules_for_inputs
}

/// Removes the inputs that have the same value in every row, unless all have, and returns their names.
fn without_constant_inputs(
    inputs: &mut Vec<String>,
    columns: &mut Vec<Vec<f64>>,
    weights: Option<&[f64]>,
) -> Vec<String> {
    let varies = |column: &Vec<f64>| {
        let [min, max] = column_range(column, weights);
        min < max
    };
    let all = inputs.drain(..).zip(columns.drain(..));
    let (varying, mut constant): (Vec<_>, Vec<_>) = all.partition(|(_, column)| varies(column));
    let kept = if varying.is_empty() { std::mem::take(&mut constant) } else { varying };
    (*inputs, *columns) = kept.into_iter().unzip();
    constant.into_iter().map(|(name, _)| name).collect()
}

/// Scaling of all columns. All targets share one scale, so that the loss weights their errors in the original units.
fn fit_scaling(
    inputs: &[String],
    columns: &[Vec<f64>],
    targets: &[String],
    outputs: &[Vec<f64>],
    classes: bool,
    weights: Option<&[f64]>,
    cpu: &Cpu,
) -> Result<Scaling> {
    let ranges = |columns: &[Vec<f64>]| -> Vec<[f64; 2]> {
        cpu.map_chunks(columns.len(), 1, |at: Range<usize>| column_range(&columns[at.start], weights))
    };
    if !classes {
        return regression_scaling((inputs, &ranges(columns)), (targets, &ranges(outputs)));
    }
    let (low, span) = input_scaling(inputs, &ranges(columns))?;
    let (target_offset, target_span) = (vec![0.0; outputs.len()], vec![1.0; outputs.len()]);
    Ok(Scaling { low, span, target_offset, target_range: target_span.clone(), target_span })
}

/// Scaling of numeric columns, from their names and ranges.
pub(in crate::tuning) fn regression_scaling(
    (inputs, input_ranges): (&[String], &[[f64; 2]]),
    (targets, target_ranges): (&[String], &[[f64; 2]]),
) -> Result<Scaling> {
    let (low, span) = input_scaling(inputs, input_ranges)?;
    targets.iter().zip(target_ranges).try_for_each(|(name, range)| check_range("target", name, *range))?;
    let target_range: Vec<f64> = target_ranges.iter().map(|[min, max]| max - min).collect();
    let widest = target_range.iter().copied().fold(0.0, f64::max);
    let target_offset = target_ranges.iter().map(|[min, max]| min + 0.5 * (max - min)).collect();
    Ok(Scaling { low, span, target_offset, target_span: vec![widest; targets.len()], target_range })
}

/// Minimum and range of each input.
fn input_scaling(inputs: &[String], ranges: &[[f64; 2]]) -> Result<(Vec<f64>, Vec<f64>)> {
    inputs.iter().zip(ranges).try_for_each(|(name, range)| check_range("input", name, *range))?;
    Ok(ranges.iter().map(|[min, max]| (*min, max - min)).unzip())
}

/// Minimum and maximum of a column over the rows with positive weight; ∞ and −∞ if all values are missing.
pub(in crate::tuning) fn column_range(values: &[f64], weights: Option<&[f64]>) -> [f64; 2] {
    let has_weight = |row: usize| weights.is_none_or(|weights| weights[row] > 0.0);
    let present = values.iter().enumerate().filter(|(row, x)| has_weight(*row) && !x.is_nan());
    let extend = |[min, max]: [f64; 2], (_, x): (usize, &f64)| [min.min(*x), max.max(*x)];
    present.fold([f64::INFINITY, f64::NEG_INFINITY], extend)
}

/// Rejects constant columns and ranges that cannot be scaled.
fn check_range(what: &'static str, name: &str, [min, max]: [f64; 2]) -> Result<()> {
    let varies = min < max; // false if all values are missing
    if !varies {
        let problem = match what {
            "input" => "has the same value in every row; remove it from the inputs",
            _ => "has the same value in every row; choose another target",
        };
        return Err(column_error(what, name, problem).into());
    }
    // Sets and consequents are stored in the original units: squares and reciprocals of the range must be finite.
    if !(1e-140..=1e140).contains(&(max - min)) {
        let problem = "has a range outside 1e-140 to 1e140; convert it to another unit";
        return Err(column_error(what, name, problem).into());
    }
    Ok(())
}
