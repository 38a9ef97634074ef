//! From a table to scaled samples: which columns, which rows, in which units.

use super::rows::Samples;
use super::scale::Scale;
use super::settings::{Missing, Start};
use super::tuner::Tuner;
use crate::data::{Classes, Table, column, input_names, unfit, unique};
use crate::error::{Error, Result};
use crate::random::shuffled;

/// What is learned from, and what it was.
pub(super) struct Prepared {
    pub(super) inputs: Vec<String>,
    pub(super) targets: Vec<String>,
    /// The classes, where the target is a class.
    pub(super) classes: Vec<String>,
    pub(super) scale: Scale,
    pub(super) samples: Samples,
}

impl Prepared {
    /// Checks and scales the columns; the training rows come first where some are kept back.
    pub(super) fn new(
        tuner: &Tuner<'_>,
        table: &Table,
        targets: &[&str],
        weights: Option<&[f64]>,
    ) -> Result<Self> {
        let targets: Vec<String> = targets.iter().map(|target| (*target).to_owned()).collect();
        check_targets(tuner, &targets)?;
        if table.rows() == 0 {
            return Err(Error::Parameter {
                algorithm: "tuning",
                name: "rows",
                value: 0.0,
                must: "at least 2",
            });
        }
        let inputs = inputs_of(tuner, table, &targets)?;
        let mut columns: Vec<Vec<f64>> =
            inputs.iter().map(|name| column(table, name, "input", tuner.missing)).collect::<Result<_>>()?;
        let (classes, mut outputs) = match tuner.classify {
            Some(_) => {
                let classes = Classes::of(table, &targets[0])?;
                (classes.names.clone(), classes.one_hot())
            }
            None => {
                let outputs = targets.iter().map(|name| column(table, name, "target", Missing::Error));
                (Vec::new(), outputs.collect::<Result<Vec<_>>>()?)
            }
        };
        check_weights(weights, table.rows())?;
        let scale = scale(&inputs, &columns, &targets, &outputs, !classes.is_empty(), weights)?;
        columns.iter_mut().enumerate().for_each(|(j, column)| scale.enter(j, column));
        outputs.iter_mut().enumerate().for_each(|(o, column)| scale.enter_target(o, column));
        let weights = weights.map(<[f64]>::to_vec);
        let mut samples = Samples { inputs: columns, targets: outputs, weights, training: table.rows() };
        if tuner.validation > 0.0 {
            let order = shuffled(table.rows(), tuner.seed);
            let kept_back = (table.rows() as f64 * tuner.validation).round() as usize;
            samples = reordered(&samples, &order, table.rows() - kept_back);
        }
        if samples.weights.as_ref().is_some_and(|w| w[..samples.training].iter().sum::<f64>() == 0.0) {
            return Err(Error::Weight { row: 1, value: 0.0 });
        }
        Ok(Prepared { inputs, targets, classes, scale, samples })
    }
}

fn check_targets(tuner: &Tuner<'_>, targets: &[String]) -> Result<()> {
    let must = match (tuner.classify, targets.len()) {
        (_, 0) => "at least 1 column",
        (Some(_), 2..) => "1 column where classes are learned",
        _ => return unique("target", targets),
    };
    Err(Error::Parameter { algorithm: "tuning", name: "targets", value: targets.len() as f64, must })
}

/// The inputs asked for: those named, those of the system that is tuned, or all columns but the targets.
fn inputs_of(tuner: &Tuner<'_>, table: &Table, targets: &[String]) -> Result<Vec<String>> {
    match (&tuner.start, tuner.inputs.is_empty()) {
        (Start::System(system), true) => {
            let named: Vec<String> = system.inputs.iter().map(|input| input.name.clone()).collect();
            input_names(table, &named, targets)
        }
        _ => input_names(table, &tuner.inputs, targets),
    }
}

/// The units of all columns. All targets share one, so that the error of several is in their own units what is made small.
fn scale(
    inputs: &[String],
    columns: &[Vec<f64>],
    targets: &[String],
    outputs: &[Vec<f64>],
    classes: bool,
    weights: Option<&[f64]>,
) -> Result<Scale> {
    let ranged = |what, name, values| ranged(what, name, values, weights);
    let (mut low, mut span) = (Vec::new(), Vec::new());
    for (name, column) in inputs.iter().zip(columns) {
        let (least, most) = ranged("input", name, column)?;
        low.push(least);
        span.push(most - least);
    }
    if classes {
        let (target_offset, target_span) = (vec![0.0; outputs.len()], vec![1.0; outputs.len()]);
        return Ok(Scale { low, span, target_offset, target_span });
    }
    let ranges: Vec<(f64, f64)> =
        targets.iter().zip(outputs).map(|(name, y)| ranged("target", name, y)).collect::<Result<_>>()?;
    let widest = ranges.iter().map(|(least, most)| most - least).fold(0.0, f64::max);
    let target_offset = ranges.iter().map(|(least, most)| least + 0.5 * (most - least)).collect();
    Ok(Scale { low, span, target_offset, target_span: vec![widest; outputs.len()] })
}

/// The range of a column that has one, over the rows that count.
fn ranged(what: &'static str, name: &str, values: &[f64], weights: Option<&[f64]>) -> Result<(f64, f64)> {
    let counts = |row: usize| weights.is_none_or(|weights| weights[row] > 0.0);
    let present = values.iter().enumerate().filter(|(row, x)| counts(*row) && !x.is_nan());
    let wider = |(least, most): (f64, f64), (_, x): (usize, &f64)| (least.min(*x), most.max(*x));
    let (least, most) = present.fold((f64::INFINITY, f64::NEG_INFINITY), wider);
    let varies = least < most; // not so where every value is missing
    if !varies {
        let problem = match what {
            "input" => "has the same value in every row, so nothing can be learned from it; leave it out",
            _ => "has the same value in every row, so there is nothing to learn; name another one",
        };
        return Err(unfit(what, name, problem));
    }
    // Sets and consequents are written in these units: their squares and inverses must be numbers too.
    if !(1e-140..=1e140).contains(&(most - least)) {
        return Err(unfit(
            what,
            name,
            "has a range beyond what can be computed with; write it in another unit",
        ));
    }
    Ok((least, most))
}

/// Refuses weights that are not one for each row, finite, at least 0 and some of them more.
pub(super) fn check_weights(weights: Option<&[f64]>, rows: usize) -> Result<()> {
    let Some(weights) = weights else { return Ok(()) };
    let unfit = weights.iter().position(|w| !(w.is_finite() && *w >= 0.0));
    let missing = (weights.len() != rows).then_some(weights.len().min(rows));
    let nothing = weights.iter().all(|w| *w == 0.0).then_some(0);
    match unfit.or(missing).or(nothing) {
        Some(row) => {
            Err(Error::Weight { row: row as u64 + 1, value: weights.get(row).copied().unwrap_or(f64::NAN) })
        }
        None => Ok(()),
    }
}

/// The rows with these numbers, the first `training` of them to learn from.
pub(super) fn reordered(samples: &Samples, order: &[usize], training: usize) -> Samples {
    let pick = |column: &Vec<f64>| -> Vec<f64> { order.iter().map(|row| column[*row]).collect() };
    Samples {
        inputs: samples.inputs.iter().map(pick).collect(),
        targets: samples.targets.iter().map(pick).collect(),
        weights: samples.weights.as_ref().map(pick),
        training,
    }
}
