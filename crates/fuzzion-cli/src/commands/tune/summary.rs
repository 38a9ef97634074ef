//! A fit as text and as JSON.

use super::Told;
use crate::commands::words::{clipped, counted, number, short, shown};
use crate::console::{self, seconds};
use fuzzion::Result;
use fuzzion::inference::{System, SystemFormat};
use fuzzion::tuning::reading::rules;
use fuzzion::tuning::{Report, Start, Stop, Trial};
use serde_json::{Value, json};

/// The most rules shown as text.
const RULES: usize = 40;

/// A fit as JSON.
pub(super) fn json(told: &Told<'_>) -> Value {
    let report = &told.tuned.report;
    let maybe = |x: Option<f64>| x.map_or(Value::Null, number);
    let history = report.history.iter().map(|point| number(point.rmse));
    let mut value = json!({
        "rmse": number(report.rmse),
        "validation_rmse": maybe(report.validation_rmse),
        "iterations": report.iterations,
        "stop": report.stop.name(),
        "rules": report.rules,
        "seconds": report.seconds,
        "ms_per_iteration": ms_per_iteration(report),
        "device": report.device,
        "history": history.collect::<Vec<_>>(),
        "inputs": told.tuned.inputs,
        "warnings": report.warnings.iter().map(ToString::to_string).collect::<Vec<_>>(),
    });
    if report.history.iter().any(|point| point.validation_rmse.is_some()) {
        let course = report.history.iter().map(|point| maybe(point.validation_rmse));
        value["validation_history"] = course.collect();
    }
    if let Some(trial) = chosen(told) {
        value["chosen"] = json!({ "order": trial.order, "rate": trial.rate, "trials": report.trials.len() });
    }
    if report.accuracy.is_some() {
        value["accuracy"] = maybe(report.accuracy);
        value["validation_accuracy"] = maybe(report.validation_accuracy);
        value["classes"] = json!(told.tuned.classes);
    }
    if !told.importance.is_empty() {
        let each = told.importance.iter().map(|one| (one.input.clone(), number(one.importance)));
        value["importance"] = Value::Object(each.collect());
    }
    value
}

fn ms_per_iteration(report: &Report) -> f64 {
    1e3 * report.seconds / report.iterations.max(1) as f64
}

/// A fit as text.
pub(super) fn text(told: &Told<'_>) -> Result<String> {
    let tuned = &told.tuned;
    let rows = counted(told.rows.table.rows() as u64, "row");
    let (inputs, rules) =
        (counted(tuned.inputs.len() as u64, "input"), counted(tuned.report.rules as u64, "rule"));
    let learned =
        tuned.targets.iter().map(|target| format!("`{}`", clipped(target))).collect::<Vec<_>>().join(", ");
    let data = shown(&told.words.data);
    let mut out = format!("{data}: {learned} learned from {rows} and {inputs} by {rules}\n\n");
    out.push_str(&rules_table(told)?);
    out.push('\n');
    out.push_str(&course(&tuned.report));
    if !told.importance.is_empty() {
        let each = told.importance.iter().map(|one| vec![clipped(&one.input), short(one.importance)]);
        let heading = if tuned.classes.is_empty() { "RMSE without it" } else { "accuracy lost without it" };
        out.push_str(&format!("\n{}", console::table(&["input", heading], &each.collect::<Vec<_>>())));
    }
    for line in &told.simpler {
        out.push_str(&format!("\n{line}\n"));
    }
    for warning in &tuned.report.warnings {
        out.push_str(&format!("\nwarning: {warning}\n"));
    }
    out.push_str(&notes(told));
    Ok(out)
}

fn rules_table(told: &Told<'_>) -> Result<String> {
    let texts = rules(&told.tuned.system)?;
    let lines = texts.iter().zip(&told.supports).take(RULES).enumerate().map(|(i, (text, support))| {
        let percent = |share: f64| format!("{:.1} %", 100.0 * share);
        vec![(i + 1).to_string(), percent(support.support), percent(support.coverage), text.clone()]
    });
    let mut out = console::table(&["rule", "support", "coverage", ""], &lines.collect::<Vec<_>>());
    if texts.len() > RULES {
        let more = counted((texts.len() - RULES) as u64, "more rule");
        out.push_str(&format!("… and {more}; `--model FILE` writes all\n"));
    }
    Ok(out)
}

/// How the fit went, in a few lines.
pub(super) fn course(report: &Report) -> String {
    let start = report.history.first().filter(|_| report.iterations > 0);
    let start = start.map(|point| format!(", {} with the sets of the start", short(point.rmse)));
    let mut out = format!("RMSE {}{}\n", short(report.rmse), start.unwrap_or_default());
    if let Some(rmse) = report.validation_rmse {
        out.push_str(&format!("RMSE over the validation rows {}\n", short(rmse)));
    }
    let percent = |share: f64| format!("{:.2} %", 100.0 * share);
    if let Some(accuracy) = report.accuracy {
        let kept_back =
            report.validation_accuracy.map(|share| format!(", {} of the validation rows", percent(share)));
        out.push_str(&format!(
            "classes found in {} of the rows{}\n",
            percent(accuracy),
            kept_back.unwrap_or_default()
        ));
    }
    let iterations = counted(report.iterations as u64, "iteration");
    let each = seconds(ms_per_iteration(report) / 1e3);
    let ended = match report.stop {
        Stop::Converged => "converged after",
        Stop::Validation => "stopped, since the validation error did not improve, after",
        _ => "ended after",
    };
    match report.iterations {
        0 => out.push_str(&format!("least squares alone, in {}\n", seconds(report.seconds))),
        _ => {
            out.push_str(&format!("{ended} {iterations} ({each} each, {} in all)\n", seconds(report.seconds)))
        }
    }
    out
}

/// A line for each thing worth knowing besides the fit, and one for the files that were written.
fn notes(told: &Told<'_>) -> String {
    let mut out = String::new();
    let quoted =
        |names: &[String]| names.iter().map(|n| format!("`{}`", clipped(n))).collect::<Vec<_>>().join(", ");
    let left_out = &told.rows.left_out;
    if !left_out.is_empty() {
        let verb = if left_out.len() == 1 { "holds" } else { "hold" };
        out.push_str(&format!("\nleft out: {}, which {verb} text\n", quoted(left_out)));
    }
    for (name, column) in
        names_in_file(told).iter().zip(&told.tuned.inputs).filter(|(name, column)| name != column)
    {
        out.push_str(&format!("\n`{column}` is called `{name}` in the system, which cannot hold its name\n"));
    }
    let heard: f64 = told.supports.iter().map(|support| support.support).sum();
    let unheard = (told.rows.table.rows() as f64 * (1.0 - heard)).round() as u64;
    if unheard > 0 {
        let rows = counted(unheard, "row");
        let why = match told.words.learning.drops_missing() {
            true => "inputs are missing: they were learned from, but engines",
            false => "the memberships of every rule multiply to 0, and engines",
        };
        out.push_str(&format!("\nin {rows} {why} give no output there\n"));
    }
    if let Some(trial) = chosen(told) {
        let rules = match &trial.start {
            Start::Grid(sets) => format!("{} sets for each input", sets[0]),
            _ => "rules from clusters".to_owned(),
        };
        let tried = told.tuned.report.trials.len();
        out.push_str(&format!(
            "\nchosen by cross-validation from {tried} trials: {rules}, order {}, rate {}\n",
            trial.order,
            short(trial.rate)
        ));
    }
    let paths: Vec<String> =
        told.words.results.written().paths().into_iter().map(|(_, path)| shown(path)).collect();
    if !paths.is_empty() {
        out.push_str(&format!("\nwritten: {}\n", paths.join(", ")));
    }
    out
}

/// The trial that `--auto` went by.
fn chosen<'a>(told: &'a Told<'_>) -> Option<&'a Trial> {
    told.tuned.report.trials.iter().find(|trial| trial.chosen)
}

/// What the inputs are called in the file that is written: FLL holds letters, digits and `_` alone.
fn names_in_file(told: &Told<'_>) -> Vec<String> {
    let system = &told.tuned.system;
    let written = match told.words.results.format() {
        Some(SystemFormat::Fll) => system.to_fll().and_then(|text| System::from_fll(&text)).ok(),
        _ => None,
    };
    written.as_ref().unwrap_or(system).inputs.iter().map(|input| input.name.clone()).collect()
}
