//! Fewer sets and rules, where they are asked for.

use super::Tune;
use super::rows::Rows;
use crate::commands::words::counted;
use fuzzion::inference::System;
use fuzzion::tuning::reading::{Support, merge_sets, prune_rules, support};
use fuzzion::tuning::{Start, Tuned, Tuner};
use fuzzion::{Device, Result, Table};

/// The tuned system after the merging and pruning that were asked for, its consequents learned anew, and what went.
pub(super) fn simpler(
    words: &Tune,
    mut tuned: Tuned,
    tuner: &Tuner<'_>,
    rows: &Rows,
    device: &Device,
) -> Result<(Tuned, Vec<String>)> {
    let mut went = Vec::new();
    if let Some(similarity) = words.results.merge {
        let merged = merge_sets(&tuned.system, similarity)?;
        went.push(format!("merged: {}", lost(&tuned.system, &merged)));
        tuned = again(words, tuned, merged, tuner, rows, device)?;
    }
    if let Some(least) = words.results.prune {
        let pruned = prune_rules(&tuned.system, &supports(&tuned, &rows.table, device)?, least)?;
        went.push(format!("pruned: {}", lost(&tuned.system, &pruned)));
        tuned = again(words, tuned, pruned, tuner, rows, device)?;
    }
    Ok((tuned, went))
}

/// The support of every rule; columns are found by the names that were learned from.
pub(super) fn supports(tuned: &Tuned, table: &Table, device: &Device) -> Result<Vec<Support>> {
    support(&with_columns(tuned.system.clone(), tuned), table, device)
}

/// What one system has more than another, in words.
fn lost(before: &System, after: &System) -> String {
    let sets = |system: &System| system.inputs.iter().map(|input| input.sets.len()).sum::<usize>();
    let rules = |system: &System| system.blocks.iter().map(|block| block.rules.len()).sum::<usize>();
    let less = |count: fn(&System) -> usize, what| counted((count(before) - count(after)) as u64, what);
    format!("{} and {} less", less(sets, "set"), less(rules, "rule"))
}

/// The consequents of a system learned anew; its sets stay. The report keeps the course of the first fit.
fn again(
    words: &Tune,
    tuned: Tuned,
    system: System,
    tuner: &Tuner<'_>,
    rows: &Rows,
    device: &Device,
) -> Result<Tuned> {
    let system = Box::new(with_columns(system, &tuned));
    let tuner = Tuner {
        start: Start::System(system),
        iterations: 0,
        untied: false,
        readable: false,
        ..tuner.clone()
    };
    let mut fitted = words.fit(&tuner, rows, device)?;
    fitted.report.history = tuned.report.history;
    fitted.report.iterations = tuned.report.iterations;
    fitted.report.stop = tuned.report.stop;
    fitted.report.seconds += tuned.report.seconds;
    Ok(fitted)
}

/// The system with the names of the columns it was learned from.
fn with_columns(mut system: System, tuned: &Tuned) -> System {
    if system.inputs.iter().map(|input| &input.name).eq(&tuned.inputs) {
        return system;
    }
    // Formulas name inputs otherwise; what rules conclude is of no account here.
    for (input, name) in system.inputs.iter_mut().zip(&tuned.inputs) {
        input.name.clone_from(name);
    }
    for named in system.outputs.iter_mut().flat_map(|output| &mut output.variable.sets) {
        if let Ok(constant) = fuzzion::sets::Set::constant(0.0) {
            named.set = constant;
        }
    }
    system
}
