//! A fit as text and as JSON.

use super::rows::Read;
use crate::commands::words::{clipped, counted, number, short, shown};
use crate::console::seconds;
use fuzzion::sonfin::{Model, Report};
use serde_json::{Value, json};
use std::path::Path;

/// A fit and what is told of it.
pub(super) struct Told<'a> {
    pub(super) data: &'a Path,
    pub(super) rows: &'a Read,
    pub(super) model: &'a Model,
    pub(super) written: Vec<(&'static str, &'a Path)>,
}

/// A fit as JSON.
pub(super) fn json(told: &Told<'_>) -> Value {
    let report = &told.model.report;
    let maybe = |x: Option<f64>| x.map_or(Value::Null, number);
    let history = report.history.iter().map(|point| {
        let (train, validation) = (number(point.train_error), maybe(point.validation_error));
        json!({ "train_error": train, "validation_error": validation, "rules": point.rules })
    });
    json!({
        "rules": report.rules,
        "epochs": report.epochs,
        "train_error": number(report.train_error),
        "validation_error": maybe(report.validation_error),
        "us_per_sample": report.us_per_sample,
        "seconds": report.seconds,
        "mapping": report.mapping,
        "device": report.device,
        "best_epoch": report.best_epoch,
        "history": history.collect::<Vec<_>>(),
        "inputs": told.model.inputs,
        "classes": told.model.classes,
        "warnings": report.warnings.iter().map(ToString::to_string).collect::<Vec<_>>(),
    })
}

/// A fit as text.
pub(super) fn text(told: &Told<'_>) -> String {
    let (model, report) = (told.model, &told.model.report);
    let quoted = |names: &[String]| {
        names.iter().map(|name| format!("`{}`", clipped(name))).collect::<Vec<_>>().join(", ")
    };
    let (rows, rules) = (counted(told.rows.rows, "row"), counted(report.rules as u64, "rule"));
    let inputs = counted(model.inputs.len() as u64, "input");
    let data = shown(told.data);
    let mut out = format!("{data}: {} learned from {rows} and {inputs} by {rules}\n", quoted(&model.outputs));
    let classes = !model.classes.is_empty();
    let kept_back = report.validation_error.map(|e| format!(", {} of the rows kept back", error(e, classes)));
    out.push_str(&format!(
        "{} of the training rows{}\n",
        error(report.train_error, classes),
        kept_back.unwrap_or_default()
    ));
    let epochs = counted(report.epochs as u64, "epoch");
    let best = match report.best_epoch {
        best if best == report.epochs || best == 0 => String::new(),
        best => format!(", the best after {best}"),
    };
    let each = seconds(report.us_per_sample * 1e-6);
    out.push_str(&format!("{epochs}{best} ({each} per sample, {} in all)\n", seconds(report.seconds)));
    if let Some(trial) = report.trials.iter().find(|trial| trial.chosen) {
        let tried = report.trials.len();
        let error = error(trial.error, classes);
        out.push_str(&format!("chosen from {tried} trials, with {error} of the rows kept back\n"));
    }
    for warning in &report.warnings {
        out.push_str(&format!("\nwarning: {warning}\n"));
    }
    let left_out = &told.rows.left_out;
    if !left_out.is_empty() {
        let verb = if left_out.len() == 1 { "holds" } else { "hold" };
        out.push_str(&format!("\nleft out: {}, which {verb} text\n", quoted(left_out)));
    }
    let paths: Vec<String> = told.written.iter().map(|(_, path)| shown(path)).collect();
    if !paths.is_empty() {
        out.push_str(&format!("\nwritten: {}\n", paths.join(", ")));
    }
    out
}

/// An error in words.
fn error(error: f64, classes: bool) -> String {
    if classes { format!("{:.2} % wrong", 100.0 * error) } else { format!("RMSE {}", short(error)) }
}

/// What a bar says after an epoch.
pub(super) fn epoch(report: &Report) -> String {
    let rules = counted(report.rules as u64, "rule");
    let shown = report.validation_error.unwrap_or(report.train_error);
    format!("epoch {}: {rules}, error {}", report.epochs, short(shown))
}
