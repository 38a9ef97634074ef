//! From a table to scaled samples: which columns, which rows, in which units.

use super::model::Model;
use super::samples::Samples;
use super::scale::{Scale, moments, range};
use super::sonfin::Sonfin;
use crate::data::{Classes, Missing, Table, column, input_names, unfit, unique};
use crate::error::{Error, Result};

/// Spans outside of this cannot be computed with.
const SPANS: std::ops::RangeInclusive<f64> = 1e-140..=1e140;

/// What is learned from, and what it was.
pub(super) struct Prepared {
    pub(super) inputs: Vec<String>,
    pub(super) targets: Vec<String>,
    /// The classes, where the target is a class.
    pub(super) classes: Vec<String>,
    /// Columns that could have been inputs, but have the same value in every row.
    pub(super) constant: Vec<String>,
    pub(super) scale: Scale,
    pub(super) samples: Samples,
}

impl Prepared {
    /// Checks and scales the columns.
    pub(super) fn new(sonfin: &Sonfin<'_>, table: &Table, targets: &[&str]) -> Result<Self> {
        let targets: Vec<String> = targets.iter().map(|target| (*target).to_owned()).collect();
        check_targets(sonfin, &targets)?;
        check_rows(table.rows())?;
        let named = input_names(table, &sonfin.inputs, &targets)?;
        let (classes, outputs) = match sonfin.classify {
            Some(_) => {
                let classes = Classes::of(table, &targets[0])?;
                (classes.names.clone(), classes.one_hot())
            }
            None => (Vec::new(), numbers(table, &targets)?),
        };
        let (mut inputs, mut constant, mut columns) = (Vec::new(), Vec::new(), Vec::new());
        let (mut low, mut span) = (Vec::new(), Vec::new());
        for name in named {
            let values = column(table, &name, "input", sonfin.missing)?;
            let Some((begins, wide)) = range(&values) else {
                constant.push(name);
                continue;
            };
            check_span("input", &name, wide)?;
            low.push(begins);
            span.push(wide);
            columns.push(values);
            inputs.push(name);
        }
        if let (Some(name), true) = (constant.first(), inputs.is_empty()) {
            let problem = "has the same value in every row, as all inputs have, so there is nothing to learn from; give \
                           at least one that varies";
            return Err(unfit("input", name, problem));
        }
        let (target_offset, target_span) = units(&targets, &outputs, !classes.is_empty())?;
        let scale = Scale { low, span, target_offset, target_span };
        let samples = scaled(&scale, &columns, &outputs, table.rows());
        Ok(Prepared { inputs, targets, classes, constant, scale, samples })
    }
}

/// The rows of a table as a model knows them, with targets.
pub(super) fn samples_for(model: &Model, table: &Table) -> Result<Samples> {
    check_rows(table.rows())?;
    let missing = model.state.settings.missing;
    let columns: Vec<Vec<f64>> =
        model.inputs.iter().map(|name| column(table, name, "input", missing)).collect::<Result<_>>()?;
    let outputs = match model.classes.is_empty() {
        true => numbers(table, &model.outputs)?,
        false => Classes::among(table, &model.outputs[0], &model.classes)?.one_hot(),
    };
    Ok(scaled(&model.scale, &columns, &outputs, table.rows()))
}

fn check_targets(sonfin: &Sonfin<'_>, targets: &[String]) -> Result<()> {
    let must = match (sonfin.classify, targets.len()) {
        (_, 0) => "at least 1 column",
        (Some(_), 2..) => "1 column where classes are learned",
        _ => return unique("target", targets),
    };
    Err(Error::Parameter { algorithm: "sonfin", name: "targets", value: targets.len() as f64, must })
}

fn check_rows(rows: usize) -> Result<()> {
    let must = match rows {
        0 => "at least 1",
        _ if u32::try_from(rows).is_err() => "fewer than 4,294,967,296; learn them in parts, as a stream",
        _ => return Ok(()),
    };
    Err(Error::Parameter { algorithm: "sonfin", name: "rows", value: rows as f64, must })
}

fn check_span(what: &'static str, name: &str, span: f64) -> Result<()> {
    match SPANS.contains(&span) {
        true => Ok(()),
        false => {
            Err(unfit(what, name, "has a range beyond what can be computed with; write it in another unit"))
        }
    }
}

fn numbers(table: &Table, targets: &[String]) -> Result<Vec<Vec<f64>>> {
    targets.iter().map(|name| column(table, name, "target", Missing::Error)).collect()
}

/// What 0 and 1 are for each target.
fn units(targets: &[String], outputs: &[Vec<f64>], classes: bool) -> Result<(Vec<f64>, Vec<f64>)> {
    if classes {
        return Ok((vec![0.0; outputs.len()], vec![1.0; outputs.len()]));
    }
    let (mut offset, mut span) = (Vec::new(), Vec::new());
    for (name, values) in targets.iter().zip(outputs) {
        if values.iter().all(|y| *y == values[0]) {
            let problem = "has the same value in every row, so there is nothing to learn; name another one";
            return Err(unfit("target", name, problem));
        }
        let (mean, deviation) = moments(values);
        check_span("target", name, deviation)?;
        offset.push(mean);
        span.push(deviation);
    }
    Ok((offset, span))
}

/// Columns as rows, scaled.
fn scaled(scale: &Scale, columns: &[Vec<f64>], outputs: &[Vec<f64>], rows: usize) -> Samples {
    let (mut x, mut t) = (Vec::with_capacity(rows * columns.len()), Vec::with_capacity(rows * outputs.len()));
    for row in 0..rows {
        x.extend(columns.iter().enumerate().map(|(j, column)| scale.entered(j, column[row])));
        t.extend(outputs.iter().enumerate().map(|(l, column)| scale.entered_target(l, column[row])));
    }
    Samples { dims: columns.len(), outputs: outputs.len(), x, t }
}
