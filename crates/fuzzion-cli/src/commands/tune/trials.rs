//! The trials of a search by cross-validation.

use crate::format::{count_of, format_number, format_with_error, table};
use fuzzion::tuning::{InitialRules, TuningReport, TuningTrial};

/// Table of all trials; empty if the rules were given.
pub(super) fn table_of(report: &TuningReport) -> String {
    if report.trials.is_empty() {
        return String::new();
    }
    let error = match report.accuracy {
        Some(_) => "RMSE of the probabilities (cross-validation)",
        None => "RMSE (cross-validation)",
    };
    let heading = ["tried", "order", "rate", error, ""];
    format!("\n{}", table(&heading, &report.trials.iter().map(line).collect::<Vec<_>>()))
}

fn line(trial: &TuningTrial) -> Vec<String> {
    let has_rate = !matches!(trial.initial_rules, InitialRules::Tree { .. }) && trial.iterations > 0;
    let iterations = count_of(trial.iterations as u64, "iteration");
    vec![
        rules(&trial.initial_rules),
        trial.order.to_string(),
        if has_rate { format!("{}, {iterations}", format_number(trial.rate)) } else { String::new() },
        format_with_error(trial.rmse, trial.standard_error),
        if trial.chosen { "selected".to_owned() } else { String::new() },
    ]
}

fn rules(initial_rules: &InitialRules) -> String {
    match initial_rules {
        InitialRules::Tree { max_rules: 1, .. } => "linear model".to_owned(),
        InitialRules::Tree { max_rules, .. } => format!("sparse rule base, at most {max_rules} rules"),
        InitialRules::Grid(sets) => format!("grid, {} per input", count_of(sets[0] as u64, "set")),
        InitialRules::FuzzyCMeans(clusters) => count_of(*clusters as u64, "cluster"),
        _ => "other rules".to_owned(),
    }
}
