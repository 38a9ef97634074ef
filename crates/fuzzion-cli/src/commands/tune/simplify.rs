//! Merging of sets and pruning of rules.

use super::args::Tune;
use super::rows::Rows;
use crate::format::count_of;
use fuzzion::inference::System;
use fuzzion::sets::Set;
use fuzzion::tuning::inspect::{RuleSupport, merge_sets, prune_rules, rule_support};
use fuzzion::tuning::{InitialRules, TunedSystem, Tuner};
use fuzzion::{Device, Result, Table};

/// Merges sets and prunes rules as requested, and refits the consequents. Returns the system and a line about each step.
pub(super) fn simplify(
    args: &Tune,
    mut tuned: TunedSystem,
    tuner: &Tuner,
    rows: &Rows,
    device: &Device,
) -> Result<(TunedSystem, Vec<String>)> {
    let mut lines = Vec::new();
    if let Some(similarity) = args.outputs.merge {
        let merged = merge_sets(&tuned.system, similarity)?;
        lines.push(format!("merging removed {}", removed(&tuned.system, &merged)));
        tuned = refit(args, tuned, merged, tuner, rows, device)?;
    }
    if let Some(min_support) = args.outputs.prune {
        let pruned = prune_rules(&tuned.system, &supports(&tuned, &rows.table, device)?, min_support)?;
        lines.push(format!("pruning removed {}", removed(&tuned.system, &pruned)));
        tuned = refit(args, tuned, pruned, tuner, rows, device)?;
    }
    Ok((tuned, lines))
}

/// The support of every rule; columns are matched by the names in the training table.
pub(super) fn supports(tuned: &TunedSystem, table: &Table, device: &Device) -> Result<Vec<RuleSupport>> {
    Ok(rule_support(&with_columns(tuned.system.clone(), tuned), &tuned.input_table(table)?, device)?)
}

/// The numbers of removed sets and rules.
fn removed(before: &System, after: &System) -> String {
    let sets = |system: &System| system.inputs.iter().map(|input| input.sets.len()).sum::<usize>();
    let rules = |system: &System| system.blocks.iter().map(|block| block.rules.len()).sum::<usize>();
    let difference =
        |count: fn(&System) -> usize, noun| count_of((count(before) - count(after)) as u64, noun);
    format!("{} and {}", difference(sets, "set"), difference(rules, "rule"))
}

/// Refits the consequents of `system` with its sets fixed. The report keeps the history of the first fit.
fn refit(
    args: &Tune,
    tuned: TunedSystem,
    system: System,
    tuner: &Tuner,
    rows: &Rows,
    device: &Device,
) -> Result<TunedSystem> {
    let initial_rules = InitialRules::System(Box::new(with_columns(system, &tuned)));
    let tuner = tuner
        .clone()
        .initial_rules(initial_rules)
        .iterations(0)
        .untied(false)
        .readable(false)
        .bounded(tuned.report.bounded);
    let mut fitted = args.fit(&tuner, rows, device)?;
    fitted.report.history = tuned.report.history;
    fitted.report.iterations = tuned.report.iterations;
    fitted.report.stop = tuned.report.stop;
    fitted.report.seconds += tuned.report.seconds;
    Ok(fitted)
}

/// The system with its inputs renamed to the columns of the training table.
fn with_columns(mut system: System, tuned: &TunedSystem) -> System {
    if system.inputs.iter().map(|input| &input.name).eq(&tuned.inputs) {
        return system;
    }
    // The consequents are formulas over the old names; they are replaced by constants, since only antecedents matter here.
    for (input, name) in system.inputs.iter_mut().zip(&tuned.inputs) {
        input.name.clone_from(name);
    }
    for named in system.outputs.iter_mut().flat_map(|output| &mut output.variable.sets) {
        named.set = Set::constant(0.0).expect("invariant: 0 is a valid constant");
    }
    system
}
