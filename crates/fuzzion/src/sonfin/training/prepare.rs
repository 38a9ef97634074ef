//! Checks and scales the columns of samples.

use crate::base::SettingError;
use crate::data::{
    Samples, check_targets, column, column_error, input_names, target_columns, targets_of_model,
};
use crate::sonfin::error::{Result, SonfinError};
use crate::sonfin::model::Model;
use crate::sonfin::settings::Sonfin;
use crate::sonfin::types::scale::{Scale, moments, range};
use crate::sonfin::types::scaled_samples::ScaledSamples;

/// Range of spans that the computation supports.
const SUPPORTED_SPANS: std::ops::RangeInclusive<f64> = 1e-140..=1e140;

/// Scaled samples with their columns and scaling.
pub(in crate::sonfin) struct Prepared {
    pub(in crate::sonfin) inputs: Vec<String>,
    pub(in crate::sonfin) targets: Vec<String>,
    /// Class names if the target is a class.
    pub(in crate::sonfin) classes: Vec<String>,
    /// Columns ignored because they have the same value in every row.
    pub(in crate::sonfin) constant: Vec<String>,
    pub(in crate::sonfin) scale: Scale,
    pub(in crate::sonfin) samples: ScaledSamples,
}

impl Prepared {
    /// Validates and scales the columns.
    pub(in crate::sonfin) fn new(sonfin: &Sonfin, samples: &Samples<'_>, targets: &[&str]) -> Result<Self> {
        let targets: Vec<String> = targets.iter().map(|target| (*target).to_owned()).collect();
        check_targets::<SonfinError>("sonfin", sonfin.classify, &targets)?;
        check_samples(samples)?;
        let table = samples;
        let input_columns = input_names(table, &sonfin.inputs, &targets)?;
        let (classes, outputs) = target_columns(table, sonfin.classify, &sonfin.classes, &targets)?;
        let (mut inputs, mut constant, mut columns) = (Vec::new(), Vec::new(), Vec::new());
        let (mut low, mut span) = (Vec::new(), Vec::new());
        for name in input_columns {
            let values = column(table, &name, "input", sonfin.missing)?;
            let Some((minimum, width)) = range(&values) else {
                constant.push(name);
                continue;
            };
            check_span("input", &name, width)?;
            low.push(minimum);
            span.push(width);
            columns.push(values);
            inputs.push(name);
        }
        if let (Some(name), true) = (constant.first(), inputs.is_empty()) {
            let problem = "has the same value in every row, and no other input varies; provide at least one input that varies";
            return Err(column_error("input", name, problem).into());
        }
        let (target_offset, target_span) = target_scaling(&targets, &outputs, !classes.is_empty())?;
        let scale = Scale { low, span, target_offset, target_span };
        let samples = scaled(&scale, &columns, &outputs, table.rows());
        Ok(Prepared { inputs, targets, classes, constant, scale, samples })
    }
}

/// Samples with targets, using the columns and the scaling of a model. A linear part is subtracted from numeric targets.
pub(in crate::sonfin) fn samples_for(model: &Model, samples: &Samples<'_>) -> Result<ScaledSamples> {
    check_samples(samples)?;
    let table = samples;
    let missing = model.state.settings.missing;
    let columns: Vec<Vec<f64>> =
        model.inputs.iter().map(|name| column(table, name, "input", missing)).collect::<Result<_, _>>()?;
    let outputs = targets_of_model(table, &model.outputs, &model.classes)?;
    let mut samples = scaled(&model.scale, &columns, &outputs, table.rows());
    // The rules learn what the linear part does not explain; that of a classifier is added to the scores instead.
    if let (Some(linear), true) = (&model.linear, model.classes.is_empty()) {
        linear.subtract_from(&mut samples);
    }
    Ok(samples)
}

/// Rejects sample weights, and numbers of rows that cannot be indexed.
fn check_samples(samples: &Samples<'_>) -> Result<()> {
    if samples.weights().is_some() {
        return Err(SettingError::Conflict { a: "sample weights", b: "a self-constructing network" }.into());
    }
    let rows = samples.rows();
    let must = match rows {
        0 => "at least 1",
        _ if u32::try_from(rows).is_err() => "fewer than 4,294,967,296 (train on them in parts, as a stream)",
        _ => return Ok(()),
    };
    Err(SettingError::OutOfRange { algorithm: "sonfin", name: "rows", value: rows as f64, must }.into())
}

fn check_span(what: &'static str, name: &str, span: f64) -> Result<()> {
    match SUPPORTED_SPANS.contains(&span) {
        true => Ok(()),
        false => Err(column_error(
            what,
            name,
            "has a range that is too large or too small to compute with; change its unit",
        )
        .into()),
    }
}

/// Offset and span of each target.
fn target_scaling(targets: &[String], outputs: &[Vec<f64>], classes: bool) -> Result<(Vec<f64>, Vec<f64>)> {
    if classes {
        return Ok((vec![0.0; outputs.len()], vec![1.0; outputs.len()]));
    }
    let (mut offset, mut span) = (Vec::new(), Vec::new());
    for (name, values) in targets.iter().zip(outputs) {
        if values.iter().all(|y| *y == values[0]) {
            let problem = "has the same value in every row; choose another target";
            return Err(column_error("target", name, problem).into());
        }
        let (mean, deviation) = moments(values);
        check_span("target", name, deviation)?;
        offset.push(mean);
        span.push(deviation);
    }
    Ok((offset, span))
}

/// Converts columns to scaled rows.
fn scaled(scale: &Scale, columns: &[Vec<f64>], outputs: &[Vec<f64>], rows: usize) -> ScaledSamples {
    let (mut x, mut t) = (Vec::with_capacity(rows * columns.len()), Vec::with_capacity(rows * outputs.len()));
    for row in 0..rows {
        x.extend(columns.iter().enumerate().map(|(j, column)| scale.scale_input(j, column[row])));
        t.extend(outputs.iter().enumerate().map(|(l, column)| scale.scale_target(l, column[row])));
    }
    ScaledSamples { dims: columns.len(), outputs: outputs.len(), x, t }
}
