//! The summary of a fit as text and as JSON.

use super::rows::RowStats;
use crate::format::{count_of, display_path, ellipsize, format_number, format_seconds, json_number};
use fuzzion::sonfin::{Classify, Growth, Model, Optimizer, SonfinReport, SonfinTrial};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::Path;

/// A fit with everything the summary needs.
pub(super) struct Summary<'a> {
    pub(super) data: &'a Path,
    pub(super) rows: &'a RowStats,
    pub(super) model: &'a Model,
    pub(super) written: Vec<(&'static str, &'a Path)>,
}

/// The summary as JSON.
pub(super) fn json(summary: &Summary<'_>) -> Value {
    let report = &summary.model.report;
    let maybe = |x: Option<f64>| x.map_or(Value::Null, json_number);
    let history = report.history.iter().map(|point| {
        let (train, validation) = (json_number(point.train_error), maybe(point.validation_error));
        json!({ "train_error": train, "validation_error": validation, "rules": point.rules })
    });
    json!({
        "rules": report.rules,
        "epochs": report.epochs,
        "train_error": json_number(summary.rows.prequential.map_or(report.train_error, |(error, _)| error)),
        "validation_error": maybe(report.validation_error),
        "us_per_sample": report.us_per_sample,
        "seconds": report.seconds,
        "mapping": report.mapping,
        "device": report.device,
        "best_epoch": report.best_epoch,
        "history": history.collect::<Vec<_>>(),
        "inputs": summary.model.inputs,
        "classes": summary.model.classes,
        "trials": report.trials,
        "warnings": report.warnings.iter().map(ToString::to_string).collect::<Vec<_>>(),
    })
}

/// The summary as text.
pub(super) fn text(summary: &Summary<'_>) -> String {
    let (model, report) = (summary.model, &summary.model.report);
    let quoted = |names: &[String]| {
        names.iter().map(|name| format!("`{}`", ellipsize(name))).collect::<Vec<_>>().join(", ")
    };
    let (rows, rules) = (count_of(summary.rows.rows, "row"), count_of(report.rules as u64, "rule"));
    let inputs = count_of(model.inputs.len() as u64, "input");
    let data = display_path(summary.data);
    let mut out = format!("{data}: {rows}, {inputs}, target {}, {rules}\n", quoted(&model.outputs));
    let is_streamed = report.epochs == 0;
    out.push_str(&match summary.rows.prequential {
        Some((prequential, rows)) => {
            let rows = count_of(rows, "row");
            format!("{} on {rows}, evaluated before training on them", error("", prequential, model))
        }
        None => error("training ", report.train_error, model),
    });
    if let Some(validation) = report.validation_error {
        out.push_str(&format!(", {}", error("validation ", validation, model)));
    }
    out.push('\n');
    let epochs = if is_streamed { "one pass".into() } else { count_of(report.epochs as u64, "epoch") };
    let best = match report.best_epoch {
        best if best == report.epochs || best == 0 => String::new(),
        best => format!(", best after {best}"),
    };
    let each = format_seconds(report.us_per_sample * 1e-6);
    out.push_str(&format!("{epochs}{best} ({each} per sample, {} total)\n", format_seconds(report.seconds)));
    if let Some(trial) = report.trials.iter().find(|trial| trial.chosen) {
        let trials = report.trials.len();
        let error = error("validation ", trial.error, model);
        let is_growing = report.trials.iter().all(|trial| trial.linear);
        let rule = match (is_growing, model.classes.is_empty()) {
            (false, _) => "",
            (true, true) => ", as the simplest within one standard error of the best",
            (true, false) => ", as the simplest within three standard errors of the best",
        };
        out.push_str(&format!("selected from {trials} trials{rule}: {} ({error})\n", choice(trial)));
        if is_growing {
            out.push_str(&errors_by_rules(&report.trials, model));
        }
    }
    for warning in &report.warnings {
        out.push_str(&format!("\nwarning: {warning}\n"));
    }
    let ignored = &summary.rows.ignored;
    if !ignored.is_empty() {
        out.push_str(&format!("\nignored text columns: {}\n", quoted(ignored)));
    }
    let paths: Vec<String> = summary.written.iter().map(|(_, path)| display_path(path)).collect();
    if !paths.is_empty() {
        out.push_str(&format!("\nwrote {}\n", paths.join(", ")));
    }
    out
}

/// The error rate of a classifier or the RMSE of other models, with a prefix such as `training `.
fn error(prefix: &str, error: f64, model: &Model) -> String {
    match (!model.classes.is_empty(), model.outputs.len() > 1) {
        (true, _) => format!("{prefix}error rate {:.2} %", 100.0 * error),
        (_, true) => format!("{prefix}RMSE {} standard deviations", format_number(error)),
        _ => format!("{prefix}RMSE {}", format_number(error)),
    }
}

/// The smallest validation error for each number of rules, and that of the selected trial for its number.
fn errors_by_rules(trials: &[SonfinTrial], model: &Model) -> String {
    let mut smallest: BTreeMap<usize, f64> = BTreeMap::new();
    for trial in trials {
        if let Growth::Budget(rules) = trial.growth {
            let error = smallest.entry(rules).or_insert(f64::INFINITY);
            *error = error.min(trial.error);
        }
    }
    if let Some(SonfinTrial { growth: Growth::Budget(rules), error, .. }) =
        trials.iter().find(|trial| trial.chosen)
    {
        smallest.insert(*rules, *error);
    }
    let text = |(rules, smallest): (&usize, &f64)| match model.classes.is_empty() {
        true => format!("{rules}: {}", format_number(*smallest)),
        false => format!("{rules}: {:.2} %", 100.0 * smallest),
    };
    let errors: Vec<String> = smallest.iter().map(text).collect();
    format!("validation error by number of rules: {}\n", errors.join(", "))
}

/// The settings selected by `--auto`.
fn choice(trial: &SonfinTrial) -> String {
    if trial.linear && trial.growth == Growth::Budget(1) {
        return "a linear model, without conditions".into();
    }
    let rules = match trial.growth {
        Growth::Budget(rules) => format!("up to {}", count_of(rules as u64, "rule")),
        _ => "rules added during training".to_owned(),
    };
    let optimizer = match trial.optimizer {
        Optimizer::Adam { batch, rate } => format!("`--optimizer adam --batch {batch} --rate {rate}`"),
        Optimizer::Thesis(rate) => format!("`--optimizer thesis --rate {rate}`"),
        _ if trial.linear && trial.rate == 0.0 => "centers at rows".into(),
        _ => format!("online with learning rates of {}", trial.rate),
    };
    let gates = if trial.gates { ", gates" } else { "" };
    let loss = if trial.classify == Some(Classify::CrossEntropy) { ", cross-entropy" } else { "" };
    format!("{rules}, {optimizer}{loss}{gates}, {}", count_of(trial.epochs as u64, "epoch"))
}

/// The progress message after an epoch.
pub(super) fn epoch(report: &SonfinReport) -> String {
    let rules = count_of(report.rules as u64, "rule");
    let error = report.validation_error.unwrap_or(report.train_error);
    format!("epoch {}: {rules}, error {}", report.epochs, format_number(error))
}
