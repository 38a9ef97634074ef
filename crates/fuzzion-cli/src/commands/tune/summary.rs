//! The summary of a fit as text and as JSON.

use super::fitted::Fitted;
use super::trials;
use crate::format::{
    count_of, display_path, ellipsize, format_digits, format_number, format_seconds, format_with_error,
    json_number, table,
};
use fuzzion::Result;
use fuzzion::tuning::inspect::{self, InputImportance, RuleReport};
use fuzzion::tuning::{Classify, PathPoint, Stop, TuningReport};
use serde_json::{Value, json};

/// Maximum number of rules in the text summary.
const MAX_RULES: usize = 40;

/// The summary as JSON.
pub(super) fn json(fitted: &Fitted<'_>) -> Value {
    let report = &fitted.tuned.report;
    let maybe = |x: Option<f64>| x.map_or(Value::Null, json_number);
    let history = report.history.iter().map(|point| json_number(point.rmse));
    let mut value = json!({
        "rmse": json_number(report.rmse),
        "validation_rmse": maybe(report.validation_rmse),
        "iterations": report.iterations,
        "stop": report.stop.name(),
        "rules": report.rules,
        "seconds": report.seconds,
        "ms_per_iteration": ms_per_iteration(report),
        "device": report.device,
        "history": history.collect::<Vec<_>>(),
        "inputs": fitted.tuned.inputs,
        "warnings": report.warnings.iter().map(ToString::to_string).collect::<Vec<_>>(),
    });
    if report.history.iter().any(|point| point.validation_rmse.is_some()) {
        let history = report.history.iter().map(|point| maybe(point.validation_rmse));
        value["validation_history"] = history.collect();
    }
    if let Some(trial) = report.trials.iter().find(|trial| trial.chosen) {
        value["chosen"] = json!({ "order": trial.order, "rate": trial.rate, "trials": report.trials.len() });
        value["trials"] = json!(report.trials);
    }
    if !report.path.is_empty() {
        value["path"] = json!(report.path);
    }
    if report.accuracy.is_some() {
        value["accuracy"] = maybe(report.accuracy);
        value["validation_accuracy"] = maybe(report.validation_accuracy);
        value["classes"] = json!(fitted.tuned.classes);
    }
    value["rule_reports"] = fitted.rules.iter().map(rule_json).collect();
    if !fitted.stability.is_empty() {
        value["stability"] = json!(fitted.stability);
    }
    if fitted.args.outputs.importance {
        let each = fitted.importance.iter().map(|one| (one.input.clone(), json_number(one.importance)));
        value["importance"] = Value::Object(each.collect());
        let each = fitted.importance.iter().map(|one| (one.input.clone(), json_number(one.standard_error)));
        value["importance_standard_error"] = Value::Object(each.collect());
    }
    value
}

/// The report about a rule, with the numbers of its example rows, starting with 1.
fn rule_json(report: &RuleReport) -> Value {
    let mut value = json!(report);
    value["examples"] = report.examples.iter().map(|row| row + 1).collect();
    value
}

fn ms_per_iteration(report: &TuningReport) -> f64 {
    1e3 * report.seconds / report.iterations.max(1) as f64
}

/// The summary as text.
pub(super) fn text(fitted: &Fitted<'_>) -> Result<String> {
    let tuned = &fitted.tuned;
    let rows = count_of(fitted.rows.table.rows() as u64, "row");
    let (inputs, rules) =
        (count_of(tuned.inputs.len() as u64, "input"), count_of(tuned.report.rules as u64, "rule"));
    let targets =
        tuned.targets.iter().map(|target| format!("`{}`", ellipsize(target))).collect::<Vec<_>>().join(", ");
    let data = display_path(&fitted.args.data);
    let mut out = format!("{data}: {rows}, {inputs}, target {targets}, {rules}\n\n");
    out.push_str(&rules_table(fitted)?);
    out.push('\n');
    out.push_str(&errors(&tuned.report));
    if fitted.args.outputs.importance {
        let (heading, lines) = importance_table(fitted);
        out.push_str(&format!("\n{}", table(&["input", heading], &lines)));
    }
    out.push_str(&trials::table_of(&tuned.report));
    out.push_str(&path_table(&tuned.report, tuned.classify()));
    for line in &fitted.simplifications {
        out.push_str(&format!("\n{line}\n"));
    }
    for warning in &tuned.report.warnings {
        out.push_str(&format!("\nwarning: {warning}\n"));
    }
    out.push_str(&notes(fitted));
    Ok(out)
}

fn rules_table(fitted: &Fitted<'_>) -> Result<String> {
    let (heading, mut lines) = rule_lines(fitted);
    let more = lines.len().saturating_sub(MAX_RULES);
    lines.truncate(MAX_RULES);
    let mut out = table(&heading, &lines);
    if more > 0 {
        let more = count_of(more as u64, "more rule");
        out.push_str(&format!("… and {more}; use `--model FILE` to write all of them\n"));
    }
    let sets = inspect::sets(&fitted.tuned.system);
    if !sets.is_empty() {
        out.push_str(&format!("\n{}\n", sets.join("\n")));
    }
    Ok(out)
}

/// Heading and lines of the table of rules.
pub(super) fn rule_lines(fitted: &Fitted<'_>) -> (Vec<&'static str>, Vec<Vec<String>>) {
    let percent = |fraction: f64| format!("{:.1} %", 100.0 * fraction);
    let is_classifier = !fitted.tuned.classes.is_empty();
    let line = |(i, report): (usize, &RuleReport)| {
        let error = match is_classifier {
            true => report.accuracy.map(percent),
            false => report.rmse.map(|rmse| format_digits(rmse, 3)),
        };
        let examples: Vec<String> = report.examples.iter().map(|row| (row + 1).to_string()).collect();
        let start = [
            (i + 1).to_string(),
            percent(report.support),
            percent(report.coverage),
            error.unwrap_or_default(),
        ];
        let stability = fitted.stability.get(i).map(|stability| format!("{:.0} %", 100.0 * stability));
        start.into_iter().chain(stability).chain([examples.join(", "), report.text.clone()]).collect()
    };
    let error = if is_classifier { "accuracy" } else { "RMSE" };
    let stability = (!fitted.stability.is_empty()).then_some("stability");
    let start = ["rule", "support", "coverage", error].into_iter();
    let heading = start.chain(stability).chain(["example rows", ""]).collect();
    (heading, fitted.rules.iter().enumerate().map(line).collect())
}

/// Heading and lines of the table of importances.
pub(super) fn importance_table(fitted: &Fitted<'_>) -> (&'static str, Vec<Vec<String>>) {
    let line = |one: &InputImportance| {
        vec![ellipsize(&one.input), format_with_error(one.importance, one.standard_error)]
    };
    let heading = match fitted.tuned.classes.is_empty() {
        true => "increase of RMSE when permuted",
        false => "decrease of accuracy when permuted",
    };
    (heading, fitted.importance.iter().map(line).collect())
}

/// Cross-validation errors of all sizes of a sparse rule base.
fn path_table(report: &TuningReport, classify: Option<Classify>) -> String {
    if report.path.is_empty() {
        return String::new();
    }
    let line = |point: &PathPoint| {
        vec![
            point.rules.to_string(),
            point.conditions.to_string(),
            point.inputs.to_string(),
            format_with_error(point.rmse, point.standard_error),
            if point.chosen { "selected".to_owned() } else { String::new() },
        ]
    };
    let error = match classify {
        Some(Classify::CrossEntropy) => "cross-entropy (cross-validation)",
        Some(_) => "RMSE of the outputs (cross-validation)",
        None => "RMSE (cross-validation)",
    };
    let heading = ["rules", "conditions", "inputs", error, ""];
    format!("\n{}", table(&heading, &report.path.iter().map(line).collect::<Vec<_>>()))
}

/// Errors, number of iterations and time.
pub(super) fn errors(report: &TuningReport) -> String {
    // Shrunk consequents can have a larger error in the training rows than those with the initial sets.
    let initial = report.history.first().filter(|point| report.iterations > 0 && report.rmse <= point.rmse);
    let initial = initial.map(|point| format!(" ({} with the initial sets)", format_number(point.rmse)));
    let mut out = format!("RMSE {}{}\n", format_number(report.rmse), initial.unwrap_or_default());
    if let Some(rmse) = report.validation_rmse {
        out.push_str(&format!("validation RMSE {}\n", format_number(rmse)));
    }
    let percent = |fraction: f64| format!("{:.2} %", 100.0 * fraction);
    if let Some(accuracy) = report.accuracy {
        let validation = report.validation_accuracy.map(|a| format!(", validation accuracy {}", percent(a)));
        out.push_str(&format!("accuracy {}{}\n", percent(accuracy), validation.unwrap_or_default()));
    }
    let iterations = count_of(report.iterations as u64, "iteration");
    let each = format_seconds(ms_per_iteration(report) / 1e3);
    let stop = match report.stop {
        Stop::Converged => "converged after",
        Stop::Validation => "stopped early (no improvement of the validation error) after",
        _ => "stopped after",
    };
    let total = format_seconds(report.seconds);
    match report.iterations {
        0 => out.push_str(&format!("least squares only, {total}\n")),
        _ => out.push_str(&format!("{stop} {iterations} ({each} each, {total} total)\n")),
    }
    out
}

/// Notes below the summary, followed by the written files.
fn notes(fitted: &Fitted<'_>) -> String {
    let mut out = String::new();
    let quoted =
        |names: &[String]| names.iter().map(|n| format!("`{}`", ellipsize(n))).collect::<Vec<_>>().join(", ");
    let ignored = &fitted.rows.ignored;
    if !ignored.is_empty() {
        out.push_str(&format!("\nignored text columns: {}\n", quoted(ignored)));
    }
    let names = fitted.tuned.system.inputs.iter().map(|input| &input.name);
    for (name, column) in names.zip(&fitted.tuned.inputs).filter(|(name, column)| name != column) {
        out.push_str(&format!(
            "\nthe input `{column}` is named `{name}` in the system, because formulas cannot contain the original name\n"
        ));
    }
    let total_support: f64 = fitted.supports.iter().map(|support| support.support).sum();
    let unfired = (fitted.rows.table.rows() as f64 * (1.0 - total_support)).round() as u64;
    if unfired > 0 {
        let rows = count_of(unfired, "row");
        out.push_str(&match fitted.args.training.drops_missing() {
            true => format!(
                "\nmissing inputs in {rows}: used for training, but inference engines give no output for them\n"
            ),
            false => format!("\nno rule fires in {rows}: inference engines give no output for them\n"),
        });
    }
    let paths: Vec<String> =
        fitted.args.outputs.paths().entries().into_iter().map(|(_, path)| display_path(path)).collect();
    if !paths.is_empty() {
        out.push_str(&format!("\nwrote {}\n", paths.join(", ")));
    }
    out
}
