//! A fit as text and as JSON.

use super::rows::Read;
use crate::commands::words::{clipped, counted, number, short, shown};
use crate::console::seconds;
use fuzzion::sonfin::{Classify, Growth, Model, Optimizer, Report, Trial};
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
        "train_error": number(told.rows.unseen.map_or(report.train_error, |(error, _)| error)),
        "validation_error": maybe(report.validation_error),
        "us_per_sample": report.us_per_sample,
        "seconds": report.seconds,
        "mapping": report.mapping,
        "device": report.device,
        "best_epoch": report.best_epoch,
        "history": history.collect::<Vec<_>>(),
        "inputs": told.model.inputs,
        "classes": told.model.classes,
        "trials": report.trials,
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
    let streamed = report.epochs == 0;
    let several = model.outputs.len() > 1;
    out.push_str(&match told.rows.unseen {
        Some((unseen, rows)) => {
            let rows = format!("{} before they were learned, piece by piece,", counted(rows, "row"));
            error(unseen, &rows, classes, several).trim_end_matches(',').to_owned()
        }
        None => error(report.train_error, "the training rows", classes, several),
    });
    if let Some(kept_back) = report.validation_error {
        out.push_str(&format!(", {}", error(kept_back, "the rows kept back", classes, several)));
    }
    out.push('\n');
    let epochs = if streamed { "one pass".into() } else { counted(report.epochs as u64, "epoch") };
    let best = match report.best_epoch {
        best if best == report.epochs || best == 0 => String::new(),
        best => format!(", the best after {best}"),
    };
    let each = seconds(report.us_per_sample * 1e-6);
    out.push_str(&format!("{epochs}{best} ({each} per sample, {} in all)\n", seconds(report.seconds)));
    if let Some(trial) = report.trials.iter().find(|trial| trial.chosen) {
        let tried = report.trials.len();
        let error = error(trial.error, "the rows kept back meanwhile", classes, several);
        out.push_str(&format!("chosen from {tried} trials: {}; {error}\n", choice(trial)));
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

/// An error over some rows in words.
fn error(error: f64, rows: &str, classes: bool, several: bool) -> String {
    match (classes, several) {
        (true, _) => format!("{:.2} % of {rows} wrong", 100.0 * error),
        (_, true) => format!("RMSE {} standard deviations over {rows}", short(error)),
        _ => format!("RMSE {} over {rows}", short(error)),
    }
}

/// What a search has chosen.
fn choice(trial: &Trial) -> String {
    let rules = match trial.growth {
        Growth::Budget(rules) => format!("up to {}", counted(rules as u64, "rule")),
        _ => "rules as they grow".to_owned(),
    };
    let how = match trial.optimizer {
        Optimizer::Adam { batch, rate } => format!("`--optimizer adam --batch {batch} --rate {rate}`"),
        Optimizer::Thesis(rate) => format!("`--optimizer thesis --rate {rate}`"),
        _ => format!("on-line at rates of {}", trial.rate),
    };
    let gates = if trial.gates { ", gates" } else { "" };
    let loss = if trial.classify == Some(Classify::CrossEntropy) { ", cross-entropy" } else { "" };
    format!("{rules}, {how}{loss}{gates}, {}", counted(trial.epochs as u64, "epoch"))
}

/// What a bar says after an epoch.
pub(super) fn epoch(report: &Report) -> String {
    let rules = counted(report.rules as u64, "rule");
    let shown = report.validation_error.unwrap_or(report.train_error);
    format!("epoch {}: {rules}, error {}", report.epochs, short(shown))
}
